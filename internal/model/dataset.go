// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import (
	"encoding/json"
	"time"
)

// Dataset is a named list of items to try an application with. JSON values are nil where there are none.
type Dataset struct {
	ID          string          `json:"-"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Metadata    json.RawMessage `json:"metadata,omitempty"`
	// InputSchema and ExpectedOutputSchema are JSON schemas that every item must fit.
	InputSchema          json.RawMessage `json:"inputSchema,omitempty"`
	ExpectedOutputSchema json.RawMessage `json:"expectedOutputSchema,omitempty"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// DatasetItemStatus says whether an item takes part.
type DatasetItemStatus string

// The states of dataset items.
const (
	DatasetItemActive   DatasetItemStatus = "ACTIVE"
	DatasetItemArchived DatasetItemStatus = "ARCHIVED"
)

// DatasetItem is an input with the output that is expected for it.
type DatasetItem struct {
	ID                  string            `json:"-"`
	DatasetID           string            `json:"-"`
	DatasetName         string            `json:"datasetName"`
	Status              DatasetItemStatus `json:"status"`
	Input               json.RawMessage   `json:"input,omitempty"`
	ExpectedOutput      json.RawMessage   `json:"expectedOutput,omitempty"`
	Metadata            json.RawMessage   `json:"metadata,omitempty"`
	SourceTraceID       string            `json:"sourceTraceId,omitempty"`
	SourceObservationID string            `json:"sourceObservationId,omitempty"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// DatasetRun is one go through the items of a dataset: an experiment.
type DatasetRun struct {
	// ID is that of the experiment.
	ID          string          `json:"-"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Metadata    json.RawMessage `json:"metadata,omitempty"`
	DatasetID   string          `json:"-"`
	DatasetName string          `json:"datasetName"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// DatasetRunItem links an item to the trace that a run made of it.
type DatasetRunItem struct {
	ID            string `json:"-"`
	RunID         string `json:"-"`
	RunName       string `json:"runName"`
	DatasetItemID string `json:"datasetItemId"`
	TraceID       string `json:"traceId,omitempty"`
	ObservationID string `json:"observationId,omitempty"`
	// DatasetVersion is the state of the dataset that the item was taken from; zero for the newest.
	DatasetVersion time.Time `json:"datasetVersion,omitzero"`

	CreatedAt time.Time `json:"createdAt,omitzero"`
	UpdatedAt time.Time `json:"-"`
}
