// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const killKind = "kill"

// killChanges are two documents that are always written together.
func killChanges(i item, version int) []store.DocumentChange {
	first := store.Document{Kind: killKind, ID: i.id(), Body: strconv.Itoa(version)}
	second := first
	second.ID += " too"
	return []store.DocumentChange{putKept(first), put(second)}
}

// killDocuments are the documents that a child may have written.
func killDocuments(t *testing.T, s store.Store, project string) map[string]store.Document {
	t.Helper()
	found := map[string]store.Document{}
	for offset := 0; ; offset += query.MaxLimit {
		page, err := s.ListDocuments(t.Context(), query.Documents{Project: project, Kind: killKind, Offset: offset, Limit: query.MaxLimit})
		require.NoError(t, err)
		for _, d := range page.Rows {
			require.NotContains(t, found, d.ID)
			found[d.ID] = d
		}
		if len(page.Rows) < query.MaxLimit {
			return found
		}
	}
}

// checkDocuments looks at the two documents of an item, and takes them out.
func checkDocuments(t *testing.T, i item, found map[string]store.Document, acknowledged acks) {
	t.Helper()
	least, must := acknowledged[i]
	changes := killChanges(i, 0)
	bodies := make([]string, 0, len(changes))
	for _, change := range changes {
		if d, ok := found[change.ID]; ok {
			bodies = append(bodies, d.Body)
			delete(found, change.ID)
		}
	}
	if len(bodies) == 0 {
		require.False(t, must, "%s is gone, its version %d was acknowledged", i.id(), least)
		return
	}
	require.Len(t, bodies, len(changes), "%s is there by halves", i.id())
	require.Len(t, slices.Compact(bodies), 1, "%s has two versions at once", i.id())
	version, err := strconv.Atoi(bodies[0])
	require.NoError(t, err)
	require.GreaterOrEqual(t, version, least, "version of %s", i.id())
}
