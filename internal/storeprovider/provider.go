// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storeprovider // import "github.com/weirhq/weir/internal/storeprovider"

import (
	"fmt"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/component"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
)

// Provider is an extension that owns a store. Extensions start before everything else and stop after it, so the store
// is open for as long as other components run.
type Provider interface {
	// Store is the open store; nil before the extension has started. Whoever uses it does not close it.
	Store() store.Store
	// Catalog is what the store holds beside signals. It is one for all, since it remembers what it has read.
	Catalog() *catalog.Catalog
	// Media are the contents of the media in the catalog.
	Media() *blobs.Store
	// Tokenize says that tokens are to be counted where a client sent no usage.
	Tokenize() bool
}

// Find gives the extension that the `store` setting of a component names. It never chooses by itself: with two stores
// in a configuration, data would land in one of them by chance.
func Find(host component.Host, id component.ID) (Provider, error) {
	extensions := host.GetExtensions()
	found, ok := extensions[id]
	if provider, is := found.(Provider); is {
		return provider, nil
	}
	others := storesAmong(extensions)
	switch {
	case ok && len(others) == 0:
		return nil, fmt.Errorf("`store` names the extension %s, which is no store: add a `langfuse_store:` below `extensions:`, and name it in `service::extensions` and here", id)
	case ok:
		return nil, fmt.Errorf("`store` names the extension %s, which is no store: set it to %s", id, oneOf(others))
	case len(others) == 0:
		return nil, fmt.Errorf("there is no store: add `%s:` below `extensions:`, and `%s` to the list `service::extensions`", id, id)
	default:
		return nil, fmt.Errorf("there is no store %s: set `store` to %s, or add `%s` to the list `service::extensions`", id, oneOf(others), id)
	}
}

func storesAmong(extensions map[component.ID]component.Component) []string {
	var ids []string
	for id, extension := range extensions {
		if _, ok := extension.(Provider); ok {
			ids = append(ids, id.String())
		}
	}
	slices.Sort(ids)
	return ids
}

func oneOf(ids []string) string { return strings.Join(ids, " or ") }
