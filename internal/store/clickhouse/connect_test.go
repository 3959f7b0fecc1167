// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Servers for tests have no Keeper, so this is as far as replicas are tried.
func TestSettingsOfReplicas(t *testing.T) {
	assert.Empty(t, (&Settings{Cluster: "c"}).replication())
	replicated := (&Settings{Cluster: "c", Replicated: true}).replication()
	for name, want := range map[string]any{
		"insert_quorum": "auto", "insert_quorum_parallel": 0, "select_sequential_consistency": 1,
		"load_balancing": "in_order", "prefer_localhost_replica": 0, "insert_deduplicate": 1, "allow_nondeterministic_mutations": 1,
	} {
		assert.Equal(t, want, replicated[name], name)
	}
}
