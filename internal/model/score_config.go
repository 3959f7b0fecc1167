// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import "time"

// ScoreConfig says what scores under its name must be like.
type ScoreConfig struct {
	ID          string        `json:"-"`
	Name        string        `json:"name"`
	DataType    ScoreDataType `json:"dataType"`
	IsArchived  bool          `json:"isArchived,omitempty"`
	Description string        `json:"description,omitempty"`
	// MinValue and MaxValue bound NUMERIC scores; nil is no bound.
	MinValue *float64 `json:"minValue,omitempty"`
	MaxValue *float64 `json:"maxValue,omitempty"`
	// Categories are the values of CATEGORICAL and BOOLEAN scores.
	Categories []ScoreCategory `json:"categories,omitempty"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// ScoreCategory is a label with the number that stands for it.
type ScoreCategory struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
}
