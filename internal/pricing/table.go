// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing // import "github.com/weirhq/weir/internal/pricing"

import (
	"fmt"
	"slices"
	"sync"
)

// Table finds the model that a name means. It may be used by many at once.
type Table struct {
	models []*Model
	cache  matchCache
	byID   func() map[string]*Model
}

func newTable(models []*Model) *Table {
	return &Table{models: models, byID: sync.OnceValue(func() map[string]*Model {
		ids := make(map[string]*Model, len(models))
		for _, m := range slices.Backward(models) {
			ids[m.id] = m
		}
		return ids
	})}
}

// builtInModels are read once: the expressions are many, and models never change.
var builtInModels = sync.OnceValues(func() ([]*Model, error) {
	definitions, err := parseFile(pricesFile)
	if err != nil {
		return nil, err
	}
	return build(definitions, builtIn)
})

// Default is the table of the models that are built in.
func Default() (*Table, error) {
	models, err := builtInModels()
	if err != nil {
		return nil, fmt.Errorf("prices.tsv: %w", err)
	}
	return newTable(models), nil
}

// With is a table in which models from the configuration come before those of t, in the order given. The error names
// every model and field that is wrong.
func (t *Table) With(definitions []Definition) (*Table, error) {
	models, err := build(definitions, configured)
	if err != nil {
		return nil, err
	}
	return newTable(slices.Concat(models, t.models)), nil
}

// Models are all models, in the order in which they are asked.
func (t *Table) Models() []*Model { return slices.Clone(t.models) }

// Match is the first model whose expression is found in name; nil when there is none. A name that came before costs
// no more than a look into a map.
func (t *Table) Match(name string) *Model {
	if name == "" {
		return nil
	}
	if m, ok := t.cache.get(name); ok {
		return m
	}
	m := t.find(name)
	t.cache.put(name, m)
	return m
}

// ByID is the model with an id; nil when there is none any more.
func (t *Table) ByID(id string) *Model { return t.byID()[id] }

func (t *Table) find(name string) *Model {
	for _, m := range t.models {
		if m.match.MatchString(name) {
			return m
		}
	}
	return nil
}
