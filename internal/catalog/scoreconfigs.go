// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"math"
	"regexp"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const (
	maxScoreConfigName = 35
	maxCategories      = 500
	maxCategoryLabel   = 500
)

var scoreConfigName = regexp.MustCompile(`^[\p{L}\p{N}_ .()-]+$`)

// booleanCategories are those of every BOOLEAN config.
var booleanCategories = []model.ScoreCategory{{Label: "True", Value: 1}, {Label: "False", Value: 0}}

// ScoreConfigUpdate is what is to change; nil leaves a field as it is.
type ScoreConfigUpdate struct {
	Name        *string
	IsArchived  *bool
	Description *string
	MinValue    *float64
	MaxValue    *float64
	Categories  []model.ScoreCategory
}

func errNoScoreConfig() error { return notFound("Score config not found within authorized project") }

// ScoreConfigs lists the score configs, newest first.
func (c *Catalog) ScoreConfigs(ctx context.Context, project string, page Page) (List[model.ScoreConfig], error) {
	return list(ctx, c, query.Documents{Project: project, Kind: kindScoreConfig}, page, readScoreConfig)
}

// ScoreConfig is the score config with an id.
func (c *Catalog) ScoreConfig(ctx context.Context, project, id string) (model.ScoreConfig, error) {
	d, err := c.find(ctx, project, kindScoreConfig, id)
	if err != nil {
		return model.ScoreConfig{}, err
	}
	if d.Revision == store.NoRevision {
		return model.ScoreConfig{}, errNoScoreConfig()
	}
	return readScoreConfig(d)
}

// CreateScoreConfig makes a score config. Its id and times are not looked at.
func (c *Catalog) CreateScoreConfig(ctx context.Context, project string, config model.ScoreConfig) (model.ScoreConfig, error) {
	if err := completeScoreConfig(&config); err != nil {
		return model.ScoreConfig{}, err
	}
	body, err := encode(config)
	if err != nil {
		return model.ScoreConfig{}, err
	}
	changes := []store.DocumentChange{{Document: store.Document{Kind: kindScoreConfig, ID: newID(), Name: config.Name, Body: body}}}
	if err := c.documents.WriteDocuments(ctx, project, changes); err != nil {
		return model.ScoreConfig{}, err
	}
	return readScoreConfig(changes[0].Document)
}

// UpdateScoreConfig changes a score config.
func (c *Catalog) UpdateScoreConfig(ctx context.Context, project, id string, update ScoreConfigUpdate) (model.ScoreConfig, error) {
	if update.isEmpty() {
		return model.ScoreConfig{}, invalid("", "Request body cannot be empty. At least one field must be provided for update.")
	}
	var changes []store.DocumentChange
	err := c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.find(ctx, project, kindScoreConfig, id)
		if err != nil {
			return nil, err
		}
		if d.Revision == store.NoRevision {
			return nil, errNoScoreConfig()
		}
		config, err := readScoreConfig(d)
		if err != nil {
			return nil, err
		}
		update.apply(&config)
		if err := completeScoreConfig(&config); err != nil {
			return nil, err
		}
		expect := d.Revision
		d.Name = config.Name
		if d.Body, err = encode(config); err != nil {
			return nil, err
		}
		changes = []store.DocumentChange{{Document: d, Expect: expect}}
		return changes, nil
	})
	if err != nil {
		return model.ScoreConfig{}, err
	}
	c.configs.forget(func(key recordKey) bool { return key == recordKey{project, id} })
	return readScoreConfig(changes[0].Document)
}

func (u *ScoreConfigUpdate) isEmpty() bool {
	return u.Name == nil && u.IsArchived == nil && u.Description == nil && u.MinValue == nil && u.MaxValue == nil && u.Categories == nil
}

func (u *ScoreConfigUpdate) apply(config *model.ScoreConfig) {
	set(&config.Name, u.Name)
	set(&config.IsArchived, u.IsArchived)
	set(&config.Description, u.Description)
	if u.MinValue != nil {
		config.MinValue = u.MinValue
	}
	if u.MaxValue != nil {
		config.MaxValue = u.MaxValue
	}
	if u.Categories != nil {
		config.Categories = u.Categories
	}
}

func set[T any](target, value *T) {
	if value != nil {
		*target = *value
	}
}

func readScoreConfig(d store.Document) (model.ScoreConfig, error) {
	var config model.ScoreConfig
	err := decode(d, &config)
	config.ID, config.CreatedAt, config.UpdatedAt = d.ID, d.CreatedAt, d.UpdatedAt
	return config, err
}

// completeScoreConfig checks a config and gives a BOOLEAN one its categories.
func completeScoreConfig(config *model.ScoreConfig) error {
	if err := checkText("name", config.Name, 1, maxScoreConfigName); err != nil {
		return err
	}
	if !scoreConfigName.MatchString(config.Name) {
		return invalid("name", "Name must consist of letters, digits, blanks and the characters _ . ( ) -")
	}
	if err := checkText("description", config.Description, 0, maxDescription); err != nil {
		return err
	}
	if err := oneOf("dataType", config.DataType, model.ScoreNumeric, model.ScoreCategorical, model.ScoreBoolean, model.ScoreText); err != nil {
		return err
	}
	if err := checkRange(config); err != nil {
		return err
	}
	switch config.DataType {
	case model.ScoreCategorical:
		return checkCategories(config.Categories)
	case model.ScoreBoolean:
		if len(config.Categories) > 0 && !isBoolean(config.Categories) {
			return invalid("categories", "The categories of a BOOLEAN score config are True (1) and False (0)")
		}
		config.Categories = slices.Clone(booleanCategories)
	default:
		if len(config.Categories) > 0 {
			return invalid("categories", "Only CATEGORICAL score configs have categories")
		}
	}
	return nil
}

func checkRange(config *model.ScoreConfig) error {
	if config.DataType != model.ScoreNumeric && (config.MinValue != nil || config.MaxValue != nil) {
		return invalid("minValue", "Only NUMERIC score configs have minValue and maxValue")
	}
	for _, bound := range []*float64{config.MinValue, config.MaxValue} {
		if bound != nil && (math.IsNaN(*bound) || math.IsInf(*bound, 0)) {
			return invalid("minValue", "minValue and maxValue must be finite numbers")
		}
	}
	if config.MinValue != nil && config.MaxValue != nil && *config.MaxValue <= *config.MinValue {
		return invalid("maxValue", "Maximum value must be greater than Minimum value")
	}
	return nil
}

func checkCategories(categories []model.ScoreCategory) error {
	if len(categories) == 0 || len(categories) > maxCategories {
		return invalid("categories", "A CATEGORICAL score config needs 1 to %d categories", maxCategories)
	}
	labels, values := map[string]bool{}, map[float64]bool{}
	for _, category := range categories {
		if err := checkText("categories", category.Label, 1, maxCategoryLabel); err != nil {
			return err
		}
		if math.IsNaN(category.Value) || math.IsInf(category.Value, 0) {
			return invalid("categories", "The value of a category must be a finite number")
		}
		if labels[category.Label] || values[category.Value] {
			return invalid("categories", "Duplicate category: labels and values must be unique, found %q with %v again", category.Label, category.Value)
		}
		labels[category.Label], values[category.Value] = true, true
	}
	return nil
}

func isBoolean(categories []model.ScoreCategory) bool {
	if len(categories) != len(booleanCategories) {
		return false
	}
	seen := map[model.ScoreCategory]bool{}
	for _, category := range categories {
		seen[category] = true
	}
	return seen[booleanCategories[0]] && seen[booleanCategories[1]]
}
