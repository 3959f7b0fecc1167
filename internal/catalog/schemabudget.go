// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A short schema can make much work: thirty definitions that each refer to the next one twice have a thousand million
// paths through them. So the work of a check is counted, in steps: about one for each schema that a value is held to.
const (
	// minSteps are allowed for every value, stepsPerValue more for each value in it, but never more than maxSteps.
	minSteps      = 100_000
	stepsPerValue = 4
	maxSteps      = 1_000_000
	// maxSchemaDepth is how deep objects and lists of a schema may be nested.
	maxSchemaDepth = 200
	// depthPerStep makes a step in a deep value cost more: every error tells the whole way to its value.
	depthPerStep = 32
	// bytesPerStep is how much of a text is looked at in a step.
	bytesPerStep = 16
	// Numbers are computed with exactly.
	maxDigits   = 1000
	maxExponent = 1000
)

// extent is how large a JSON value is.
type extent struct {
	values int
	depth  int
	// badNumber is a number that takes too long to compute with, if there is one.
	badNumber string
	// hasDynamicAnchor tells of a name that a schema is found by in a way that cannot be followed beforehand.
	hasDynamicAnchor bool
}

func measure(value any) extent {
	var e extent
	e.add(value, 1)
	return e
}

func (e *extent) add(value any, depth int) {
	e.values++
	e.depth = max(e.depth, depth)
	switch value := value.(type) {
	case map[string]any:
		if _, ok := value["$dynamicAnchor"].(string); ok {
			e.hasDynamicAnchor = true
		}
		for _, v := range value {
			e.add(v, depth+1)
		}
	case []any:
		for _, v := range value {
			e.add(v, depth+1)
		}
	case json.Number:
		if !isComputable(string(value)) {
			e.badNumber = string(value)[:min(len(value), 20)]
		}
	}
}

// isComputable tells whether a number is not too long when it is written out.
func isComputable(number string) bool {
	if len(number) > maxDigits {
		return false
	}
	at := strings.IndexAny(number, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(number[at+1:])
	return err == nil && exponent >= -maxExponent && exponent <= maxExponent
}

// errTooComplex is thrown by a check that makes too much work; the schema library has no other way to end one.
var errTooComplex = errors.New("too complex")

// budget is how much work a check may still make.
type budget struct{ left, step int }

func newBudget(e extent) budget {
	return budget{left: min(minSteps+stepsPerValue*e.values, maxSteps), step: 1 + e.depth/depthPerStep}
}

func (b *budget) spend(steps int) {
	if b.left -= steps * b.step; b.left < 0 {
		panic(errTooComplex)
	}
}

// watch makes a schema, and all that it refers to, spend from a budget. A format is what is looked at before a schema
// leads to others.
func watch(s *jsonschema.Schema, b *budget) {
	watched := map[*jsonschema.Schema]bool{}
	todo := []*jsonschema.Schema{s}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if watched[s] {
			continue
		}
		watched[s] = true
		same, parts := sameValue(s), everyPart(s)
		todo = append(append(todo, same...), parts...)
		for _, property := range s.Properties {
			todo = append(todo, property)
		}
		todo = append(todo, s.PrefixItems...)
		if list, ok := s.Items.([]*jsonschema.Schema); ok {
			todo = append(todo, list...)
		}
		forSame, forParts := 1+costOf(same), 1+len(s.PatternProperties)+costOf(parts)
		format := s.Format
		name := ""
		if format != nil {
			name = format.Name
		}
		s.Format = &jsonschema.Format{Name: name, Validate: func(v any) error {
			b.spend(forSame)
			spendOnParts(b, s, v, forParts)
			if format == nil {
				return nil
			}
			return format.Validate(v)
		}}
	}
}

func spendOnParts(b *budget, s *jsonschema.Schema, v any, forEach int) {
	switch v := v.(type) {
	case map[string]any:
		b.spend(len(v) * forEach)
		for name := range v {
			if property, ok := s.Properties[name]; ok {
				b.spend(cost(property))
			}
		}
	case []any:
		b.spend(len(v) * forEach)
		if s.UniqueItems {
			b.spend(measure(v).values)
		}
		b.spend(costOf(s.PrefixItems))
		if list, ok := s.Items.([]*jsonschema.Schema); ok {
			b.spend(costOf(list))
		}
	case string:
		b.spend(len(v) / bytesPerStep)
	}
}

// sameValue are the schemas that a value is held to because it is held to s.
func sameValue(s *jsonschema.Schema) []*jsonschema.Schema {
	all := []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.ContentSchema}
	if s.DynamicRef != nil {
		all = append(all, s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		all = append(all, list...)
	}
	for _, dependency := range s.Dependencies {
		all = appendSchema(all, dependency)
	}
	for _, dependent := range s.DependentSchemas {
		all = append(all, dependent)
	}
	return withoutNil(all)
}

// everyPart are the schemas that all properties or items of a value may be held to.
func everyPart(s *jsonschema.Schema) []*jsonschema.Schema {
	all := []*jsonschema.Schema{s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems}
	all = appendSchema(all, s.AdditionalProperties)
	all = appendSchema(all, s.Items)
	all = appendSchema(all, s.AdditionalItems)
	for _, property := range s.PatternProperties {
		all = append(all, property)
	}
	return withoutNil(all)
}

func appendSchema(all []*jsonschema.Schema, s any) []*jsonschema.Schema {
	if s, ok := s.(*jsonschema.Schema); ok {
		return append(all, s)
	}
	return all
}

func withoutNil(all []*jsonschema.Schema) []*jsonschema.Schema {
	var some []*jsonschema.Schema
	for _, s := range all {
		if s != nil {
			some = append(some, s)
		}
	}
	return some
}

// cost is what a schema takes before it spends anything itself.
func cost(s *jsonschema.Schema) int {
	steps := 1
	if s.Const != nil {
		steps += measure(*s.Const).values
	}
	if s.Enum != nil {
		steps += measure(s.Enum.Values).values
	}
	return steps
}

func costOf(all []*jsonschema.Schema) int {
	steps := 0
	for _, s := range all {
		steps += cost(s)
	}
	return steps
}
