// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storeprovider

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
)

type host map[component.ID]component.Component

func (h host) GetExtensions() map[component.ID]component.Component { return h }

// provider is a store; other is an extension that is none.
type (
	provider struct{ component.Component }
	other    struct{ component.Component }
)

func (*provider) Store() store.Store        { return nil }
func (*provider) Media() *blobs.Store       { return nil }
func (*provider) Catalog() *catalog.Catalog { return nil }
func (*provider) Tokenize() bool            { return false }

func TestFind(t *testing.T) {
	store := component.MustNewID("langfuse_store")
	a, b := component.MustNewIDWithName("langfuse_store", "a"), component.MustNewIDWithName("langfuse_store", "b")
	elsewhere := component.MustNewID("another_type")
	is := &provider{}
	for name, tc := range map[string]struct {
		host host
		id   component.ID
		want string // the error; none when it is found
	}{
		"by its default id":   {host{store: is, a: &provider{}, elsewhere: &other{}}, store, ""},
		"by another id":       {host{store: &provider{}, a: is}, a, ""},
		"by interface":        {host{elsewhere: is}, elsewhere, ""},
		"no extensions":       {nil, store, "there is no store: add `langfuse_store:` below `extensions:`, and `langfuse_store` to the list `service::extensions`"},
		"no store among them": {host{elsewhere: &other{}}, a, "there is no store: add `langfuse_store/a:` below `extensions:`, and `langfuse_store/a` to the list `service::extensions`"},
		"another one": {
			host{a: is},
			store,
			"there is no store langfuse_store: set `store` to langfuse_store/a, or add `langfuse_store` to the list `service::extensions`",
		},
		"two others": {
			host{b: is, a: is, elsewhere: &other{}},
			store,
			"there is no store langfuse_store: set `store` to langfuse_store/a or langfuse_store/b, or add `langfuse_store` to the list `service::extensions`",
		},
		"no store under that id": {
			host{elsewhere: &other{}, a: is},
			elsewhere,
			"`store` names the extension another_type, which is no store: set it to langfuse_store/a",
		},
		"no store at all": {
			host{elsewhere: &other{}},
			elsewhere,
			"`store` names the extension another_type, which is no store: add a `langfuse_store:` below `extensions:`, and name it in `service::extensions` and here",
		},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Find(tc.host, tc.id)
			if tc.want != "" {
				assert.EqualError(t, err, tc.want)
				return
			}
			require.NoError(t, err)
			assert.Same(t, is, found)
		})
	}
}
