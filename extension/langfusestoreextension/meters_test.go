// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
)

type countingEngine struct {
	store.Store
	asked int
}

func (c *countingEngine) Stats(context.Context) (store.Stats, error) {
	c.asked++
	return store.Stats{Observations: 3, Bytes: 5}, nil
}

// Rows and bytes are two metrics, and one question to the engine.
func TestMetricsAskTheEngineOnce(t *testing.T) {
	engine := &countingEngine{}
	last := &lastStats{engine: engine, age: time.Minute}
	for range 2 {
		stats, err := last.get(t.Context())
		require.NoError(t, err)
		assert.Equal(t, store.Stats{Observations: 3, Bytes: 5}, stats)
	}
	assert.Equal(t, 1, engine.asked)
}
