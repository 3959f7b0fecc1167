// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"encoding/json"

	"github.com/weirhq/weir/internal/model"
)

// observationBody is an observation of the v2 API. Groups of fields that were not asked for are nil, and then their fields
// are left out.
type observationBody struct {
	ID                  string                `json:"id"`
	TraceID             string                `json:"traceId"`
	StartTime           timestamp             `json:"startTime"`
	EndTime             timestamp             `json:"endTime"`
	ProjectID           string                `json:"projectId"`
	ParentObservationID nullText              `json:"parentObservationId"`
	Type                model.ObservationType `json:"type"`

	*basicFields
	*timeFields
	*ioFields
	*metadataFields
	*modelFields
	*usageFields
	*promptFields
	*traceFields

	// What follows is always there. The prices are texts, so that no client rounds them.
	Latency          *float64 `json:"latency"`
	TimeToFirstToken *float64 `json:"timeToFirstToken"`
	ModelID          nullText `json:"modelId"`
	InputPrice       nullText `json:"inputPrice"`
	OutputPrice      nullText `json:"outputPrice"`
	TotalPrice       nullText `json:"totalPrice"`
}

type basicFields struct {
	Name              string      `json:"name"`
	Level             model.Level `json:"level"`
	StatusMessage     string      `json:"statusMessage"`
	Version           string      `json:"version"`
	Environment       string      `json:"environment"`
	Bookmarked        bool        `json:"bookmarked"`
	Public            bool        `json:"public"`
	UserID            string      `json:"userId"`
	SessionID         string      `json:"sessionId"`
	IsRootObservation bool        `json:"isRootObservation"`
}

type timeFields struct {
	CompletionStartTime timestamp `json:"completionStartTime"`
	CreatedAt           timestamp `json:"createdAt"`
	UpdatedAt           timestamp `json:"updatedAt"`
}

type ioFields struct {
	Input  nullText `json:"input"`
	Output nullText `json:"output"`
}

type metadataFields struct {
	Metadata json.RawMessage `json:"metadata"`
}

type modelFields struct {
	Model string `json:"model"`
	// ProvidedModelName is what some versions of the client libraries call it.
	ProvidedModelName string          `json:"providedModelName"`
	InternalModelID   string          `json:"internalModelId"`
	ModelParameters   json.RawMessage `json:"modelParameters"`
}

type usageFields struct {
	UsageDetails         usageObject `json:"usageDetails"`
	InputUsage           int64       `json:"inputUsage"`
	OutputUsage          int64       `json:"outputUsage"`
	TotalUsage           int64       `json:"totalUsage"`
	CostDetails          costObject  `json:"costDetails"`
	InputCost            *amount     `json:"inputCost"`
	OutputCost           *amount     `json:"outputCost"`
	TotalCost            amount      `json:"totalCost"`
	UsagePricingTierID   nullText    `json:"usagePricingTierId"`
	UsagePricingTierName nullText    `json:"usagePricingTierName"`
}

type promptFields struct {
	PromptID      string `json:"promptId"`
	PromptName    string `json:"promptName"`
	PromptVersion *int   `json:"promptVersion"`
}

type traceFields struct {
	Tags      []string `json:"tags"`
	Release   string   `json:"release"`
	TraceName nullText `json:"traceName"`
}
