// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

func TestScoreConfigs(t *testing.T) {
	c, _ := newCatalog(t)
	numeric, err := c.CreateScoreConfig(t.Context(), project, model.ScoreConfig{
		Name: "Quality (v1.0)_a-b", DataType: model.ScoreNumeric, MinValue: new(0.0), MaxValue: new(5.0), Description: "<how good>",
	})
	require.NoError(t, err)
	boolean, err := c.CreateScoreConfig(t.Context(), project, model.ScoreConfig{Name: "ok", DataType: model.ScoreBoolean})
	require.NoError(t, err)
	assert.Equal(t, []model.ScoreCategory{{Label: "True", Value: 1}, {Label: "False", Value: 0}}, boolean.Categories)
	assert.NotEqual(t, numeric.ID, boolean.ID)

	list, err := c.ScoreConfigs(t.Context(), project, firstPage)
	require.NoError(t, err)
	assert.Equal(t, List[model.ScoreConfig]{Rows: []model.ScoreConfig{boolean, numeric}, Total: 2}, list)
	got, err := c.ScoreConfig(t.Context(), project, numeric.ID)
	require.NoError(t, err)
	assert.Equal(t, model.ScoreConfig{
		ID: numeric.ID, Name: "Quality (v1.0)_a-b", DataType: model.ScoreNumeric, MinValue: new(0.0), MaxValue: new(5.0),
		Description: "<how good>", CreatedAt: numeric.CreatedAt, UpdatedAt: numeric.UpdatedAt,
	}, got)

	updated, err := c.UpdateScoreConfig(t.Context(), project, numeric.ID, ScoreConfigUpdate{IsArchived: new(true), MaxValue: new(7.0)})
	require.NoError(t, err)
	assert.Equal(t, model.ScoreConfig{
		ID: numeric.ID, Name: "Quality (v1.0)_a-b", DataType: model.ScoreNumeric, MinValue: new(0.0), MaxValue: new(7.0),
		Description: "<how good>", IsArchived: true, CreatedAt: numeric.CreatedAt, UpdatedAt: updated.UpdatedAt,
	}, updated)
	assert.True(t, updated.UpdatedAt.After(numeric.UpdatedAt))

	const missing = "Score config not found within authorized project"
	for _, id := range []string{"", "no such id", strings.Repeat("x", 10_000)} {
		_, err = c.ScoreConfig(t.Context(), project, id)
		requireError(t, err, store.ErrNotFound, missing)
	}
	_, err = c.ScoreConfig(t.Context(), other, numeric.ID)
	requireError(t, err, store.ErrNotFound, missing)
	_, err = c.UpdateScoreConfig(t.Context(), other, numeric.ID, ScoreConfigUpdate{IsArchived: new(true)})
	requireError(t, err, store.ErrNotFound, missing)
	_, err = c.UpdateScoreConfig(t.Context(), project, numeric.ID, ScoreConfigUpdate{})
	requireError(t, err, store.ErrInvalid, "Request body cannot be empty. At least one field must be provided for update.")
	_, err = c.UpdateScoreConfig(t.Context(), project, numeric.ID, ScoreConfigUpdate{MinValue: new(9.0)})
	requireError(t, err, store.ErrInvalid, "Maximum value must be greater than Minimum value")
}

func TestScoreConfigChecks(t *testing.T) {
	c, _ := newCatalog(t)
	two := []model.ScoreCategory{{Label: "a", Value: 1}, {Label: "b", Value: 2}}
	for message, config := range map[string]model.ScoreConfig{
		"Too small: expected string to have >=1 characters":                            {DataType: model.ScoreText},
		"Too big: expected string to have <=35 characters":                             {Name: strings.Repeat("ä", 36), DataType: model.ScoreText},
		"Name must consist of letters, digits, blanks and the characters _ . ( ) -":    {Name: "a/b", DataType: model.ScoreText},
		`Invalid option: expected one of "NUMERIC"|"CATEGORICAL"|"BOOLEAN"|"TEXT"`:     {Name: "a", DataType: model.ScoreCorrection},
		"Only NUMERIC score configs have minValue and maxValue":                        {Name: "a", DataType: model.ScoreText, MinValue: new(1.0)},
		"Maximum value must be greater than Minimum value":                             {Name: "a", DataType: model.ScoreNumeric, MinValue: new(1.0), MaxValue: new(1.0)},
		"A CATEGORICAL score config needs 1 to 500 categories":                         {Name: "a", DataType: model.ScoreCategorical},
		`Duplicate category: labels and values must be unique, found "c" with 1 again`: {Name: "a", DataType: model.ScoreCategorical, Categories: append(two[:2:2], model.ScoreCategory{Label: "c", Value: 1})},
		`Duplicate category: labels and values must be unique, found "a" with 3 again`: {Name: "a", DataType: model.ScoreCategorical, Categories: append(two[:2:2], model.ScoreCategory{Label: "a", Value: 3})},
		"The categories of a BOOLEAN score config are True (1) and False (0)":          {Name: "a", DataType: model.ScoreBoolean, Categories: two},
		"Only CATEGORICAL score configs have categories":                               {Name: "a", DataType: model.ScoreNumeric, Categories: two},
	} {
		_, err := c.CreateScoreConfig(t.Context(), project, config)
		requireError(t, err, store.ErrInvalid, message)
	}
	list, err := c.ScoreConfigs(t.Context(), project, firstPage)
	require.NoError(t, err)
	assert.Zero(t, list.Total)
}

func TestApplyScoreConfig(t *testing.T) {
	c, _ := newCatalog(t)
	create := func(config model.ScoreConfig) string {
		created, err := c.CreateScoreConfig(t.Context(), project, config)
		require.NoError(t, err)
		return created.ID
	}
	numeric := create(model.ScoreConfig{Name: "n", DataType: model.ScoreNumeric, MinValue: new(0.0), MaxValue: new(5.0)})
	boolean := create(model.ScoreConfig{Name: "b", DataType: model.ScoreBoolean})
	text := create(model.ScoreConfig{Name: "t", DataType: model.ScoreText})
	categorical := create(model.ScoreConfig{
		Name: "c", DataType: model.ScoreCategorical, Categories: []model.ScoreCategory{{Label: "good", Value: 2}, {Label: "bad", Value: -1}},
	})
	long := strings.Repeat("é", 500)
	apply := func(score model.Score, inferred bool) (model.Score, error) {
		err := c.ApplyScoreConfig(t.Context(), project, &score, inferred)
		return score, err
	}
	for _, tc := range []struct {
		score, want model.Score
		inferred    bool
	}{
		{model.Score{Name: "x"}, model.Score{Name: "x"}, false},
		{model.Score{Name: "x", ConfigID: numeric, DataType: model.ScoreNumeric, Number: 5}, model.Score{Name: "n", ConfigID: numeric, DataType: model.ScoreNumeric, Number: 5}, false},
		{model.Score{Name: "x", ConfigID: boolean, DataType: model.ScoreNumeric, Number: 1}, model.Score{Name: "b", ConfigID: boolean, DataType: model.ScoreBoolean, Number: 1}, true},
		{model.Score{ConfigID: text, DataType: model.ScoreCategorical, Text: "any"}, model.Score{Name: "t", ConfigID: text, DataType: model.ScoreText, Text: "any"}, true},
		{model.Score{ConfigID: text, DataType: model.ScoreText, Text: long}, model.Score{Name: "t", ConfigID: text, DataType: model.ScoreText, Text: long}, false},
		{model.Score{ConfigID: categorical, DataType: model.ScoreCategorical, Text: "bad"}, model.Score{Name: "c", ConfigID: categorical, DataType: model.ScoreCategorical, Text: "bad", Number: -1}, false},
	} {
		got, err := apply(tc.score, tc.inferred)
		require.NoError(t, err)
		assert.Equal(t, tc.want, got)
	}
	for _, tc := range []struct {
		score    model.Score
		inferred bool
		message  string
	}{
		{model.Score{ConfigID: numeric, DataType: model.ScoreNumeric, Number: 5.1}, false, "Value exceeds the maximum value of the config: expected at most 5, got 5.1"},
		{model.Score{ConfigID: numeric, DataType: model.ScoreNumeric, Number: -1}, true, "Value is below the minimum value of the config: expected at least 0, got -1"},
		{model.Score{ConfigID: boolean, DataType: model.ScoreNumeric, Number: 1}, false, "Data type mismatch based on config: expected BOOLEAN, got NUMERIC"},
		{model.Score{ConfigID: boolean, DataType: model.ScoreNumeric, Number: 2}, true, "Value must be a number equal to either 0 or 1 for data type BOOLEAN"},
		{model.Score{ConfigID: numeric, DataType: model.ScoreCategorical, Text: "1"}, true, "Data type mismatch based on config: expected NUMERIC, got CATEGORICAL"},
		{model.Score{ConfigID: categorical, DataType: model.ScoreCategorical, Text: "Good"}, false, `Category "Good" is not one of the categories of the config`},
		{model.Score{ConfigID: text, DataType: model.ScoreCategorical}, true, "Too small: expected string to have >=1 characters"},
		{model.Score{ConfigID: text, DataType: model.ScoreCategorical, Text: strings.Repeat("é", 501)}, true, "Too big: expected string to have <=500 characters"},
		{model.Score{ConfigID: text, DataType: model.ScoreCorrection}, false, "CORRECTION scores cannot have a configId"},
	} {
		_, err := apply(tc.score, tc.inferred)
		requireError(t, err, store.ErrInvalid, tc.message)
	}
	_, err := apply(model.Score{ConfigID: "no such id", DataType: model.ScoreText}, false)
	requireError(t, err, store.ErrNotFound, "The configId you provided does not match a valid config in this project")

	_, err = c.UpdateScoreConfig(t.Context(), project, numeric, ScoreConfigUpdate{IsArchived: new(true)})
	require.NoError(t, err)
	_, err = apply(model.Score{ConfigID: numeric, DataType: model.ScoreNumeric, Number: 1}, false)
	requireError(t, err, store.ErrInvalid, "Config is archived and cannot be used to create new scores. Please restore the config first.")
}
