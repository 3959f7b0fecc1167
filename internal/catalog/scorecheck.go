// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

// ApplyScoreConfig holds a score to the config that it names, if it names one: see CheckScore.
func (c *Catalog) ApplyScoreConfig(ctx context.Context, project string, score *model.Score, inferred bool) error {
	if score.ConfigID == "" {
		return nil
	}
	config, err := c.configs.get(recordKey{project, score.ConfigID}, func() (model.ScoreConfig, error) {
		d, err := c.find(ctx, project, kindScoreConfig, score.ConfigID)
		if err != nil {
			return model.ScoreConfig{}, err
		}
		if d.Revision == store.NoRevision {
			return model.ScoreConfig{}, notFound("The configId you provided does not match a valid config in this project")
		}
		return readScoreConfig(d)
	})
	if err != nil {
		return err
	}
	return CheckScore(&config, score, inferred)
}

// maxScoreText is how long a TEXT score may be.
const maxScoreText = 500

// CheckScore holds a score to a config, and gives it the name of the config and the number of its category. That the data
// type is inferred says that the client sent none: then NUMERIC stands for any number, and CATEGORICAL for any text.
func CheckScore(config *model.ScoreConfig, score *model.Score, inferred bool) error {
	switch {
	case score.DataType == model.ScoreCorrection:
		return invalid("configId", "CORRECTION scores cannot have a configId")
	case config.IsArchived:
		return invalid("configId", "Config is archived and cannot be used to create new scores. Please restore the config first.")
	case !inferred && config.DataType != score.DataType,
		inferred && config.DataType.IsNumber() != score.DataType.IsNumber():
		return invalid("dataType", "Data type mismatch based on config: expected %s, got %s", config.DataType, score.DataType)
	}
	score.DataType, score.Name = config.DataType, config.Name
	switch config.DataType {
	case model.ScoreNumeric:
		if config.MinValue != nil && score.Number < *config.MinValue {
			return invalid("value", "Value is below the minimum value of the config: expected at least %v, got %v", *config.MinValue, score.Number)
		}
		if config.MaxValue != nil && score.Number > *config.MaxValue {
			return invalid("value", "Value exceeds the maximum value of the config: expected at most %v, got %v", *config.MaxValue, score.Number)
		}
	case model.ScoreBoolean:
		if score.Number != 0 && score.Number != 1 {
			return invalid("value", "Value must be a number equal to either 0 or 1 for data type BOOLEAN")
		}
	case model.ScoreText:
		return checkText("value", score.Text, 1, maxScoreText)
	case model.ScoreCategorical:
		for _, category := range config.Categories {
			if category.Label == score.Text {
				score.Number = category.Value
				return nil
			}
		}
		return invalid("value", "Category %q is not one of the categories of the config", score.Text)
	}
	return nil
}
