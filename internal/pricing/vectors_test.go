// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

// vectorRow is what a row of the vectors says about model and cost.
type vectorRow struct {
	ModelID       string              `json:"model_id"`
	Model         string              `json:"provided_model_name"`
	Parameters    map[string]any      `json:"model_parameters"`
	Usage         map[string]int64    `json:"usage_details"`
	Cost          map[string]float64  `json:"cost_details"`
	ProvidedCost  map[string]*float64 `json:"provided_cost_details"`
	TierName      string              `json:"usage_pricing_tier_name"`
	Input, Output string
}

// What the rows of the reference say about model, tier, cost and counted tokens follows from the rest of the row. Its
// ids of models are those of its database: ours are others, but each of its ids goes with one of ours and back.
func TestVectors(t *testing.T) {
	folder := os.Getenv("WEIR_VECTORS")
	if folder == "" {
		t.Skip("WEIR_VECTORS is unset: it is the folder with otlp-json-vectors.jsonl")
	}
	file, err := os.Open(filepath.Join(folder, "otlp-json-vectors.jsonl"))
	require.NoError(t, err)
	defer file.Close()

	var (
		table        = defaultTable(t)
		ours, theirs = make(map[string]string), make(map[string]string)

		models, costs, counted int
	)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var vector struct {
			ID        string
			Tokenised bool
			Rows      []json.RawMessage
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &vector))
		for _, raw := range vector.Rows {
			var row vectorRow
			require.NoError(t, json.Unmarshal(raw, &row), vector.ID)
			m := table.Match(row.Model)
			assert.Equal(t, row.ModelID != "", m != nil, "%s: %s", vector.ID, row.Model)
			if m == nil {
				continue
			}
			models++
			if id, ok := ours[row.ModelID]; ok {
				assert.Equal(t, id, m.ID(), vector.ID)
			}
			if id, ok := theirs[m.ID()]; ok {
				assert.Equal(t, id, row.ModelID, vector.ID)
			}
			ours[row.ModelID], theirs[m.ID()] = m.ID(), row.ModelID

			var usage model.Usage
			for key, units := range row.Usage {
				usage = append(usage, model.UsageEntry{Key: key, Units: units})
			}
			tier := m.Tier(row.parameter, nil, usage)
			if tier == nil {
				assert.Empty(t, row.TierName, vector.ID)
				continue
			}
			assert.Equal(t, row.TierName, tier.Name(), vector.ID)
			if len(row.ProvidedCost) == 0 {
				costs++
				got := make(map[string]float64)
				for _, c := range tier.Cost(usage) {
					got[c.Key] = c.Amount.Float()
				}
				assert.InDeltaMapValues(t, row.Cost, got, 1e-12, vector.ID)
			}
			if vector.Tokenised {
				counted++
				for key, text := range map[string]string{"input": row.Input, "output": row.Output} {
					count, ok := m.Count(text)
					assert.True(t, ok, vector.ID)
					assert.Equal(t, row.Usage[key], int64(count), "%s: %s", vector.ID, key)
				}
			}
		}
	}
	require.NoError(t, lines.Err())
	assert.Equal(t, []int{54, 18, 4}, []int{models, costs, counted}, "rows with a model, with a computed cost, with counted tokens")
}

func (r *vectorRow) parameter(key string) (string, bool) {
	value, ok := r.Parameters[key].(string)
	return value, ok
}
