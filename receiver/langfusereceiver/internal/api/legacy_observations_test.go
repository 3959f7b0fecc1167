// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

func TestLegacyObservation(t *testing.T) {
	h := start(t)
	h.postGeneration(t)
	want := object{
		"id": spanID, "projectId": h.project, "traceId": traceID, "parentObservationId": nil, "type": "GENERATION", "name": "answer",
		"environment": "staging", "startTime": "2026-08-22T10:11:12.123Z", "endTime": "2026-08-22T10:11:13.623Z",
		"completionStartTime": "2026-08-22T10:11:12.623Z", "createdAt": "now", "updatedAt": "now", "version": "v1", "level": "WARNING",
		"statusMessage": "careful", "input": object{"q": 1.0}, "output": "four", "model": "gpt-4o", "modelParameters": object{"temperature": 0.5},
		"promptId": nil, "promptName": "greeting", "promptVersion": 3.0,
		"usageDetails": object{"input": 10.0, "output": 20.0, "total": 30.0}, "costDetails": object{"input": 0.000025, "output": 0.0002, "total": 0.000225},
		"usage": object{"unit": "TOKENS", "input": 10.0, "output": 20.0, "total": 30.0}, "unit": "TOKENS",
		"promptTokens": 10.0, "completionTokens": 20.0, "totalTokens": 30.0, "usagePricingTierName": "Standard",
		"inputPrice": 0.0000025, "outputPrice": 0.00001, "totalPrice": nil,
		"calculatedInputCost": 0.000025, "calculatedOutputCost": 0.0002, "calculatedTotalCost": 0.000225, "latency": 1.5, "timeToFirstToken": 0.5,
	}
	list := h.get(t, "/observations").data(t)
	require.Len(t, list, 1)
	for _, got := range []map[string]any{list[0], h.get(t, "/observations/"+spanID).decode(t), h.get(t, "/traces/"+traceID).decode(t)["observations"].([]any)[0].(map[string]any)} {
		assert.NotEmpty(t, got["modelId"])
		assert.NotEmpty(t, got["usagePricingTierId"])
		metadata := got["metadata"].(map[string]any)
		assert.Equal(t, object{"b": object{"c": true}}, metadata["nested"])
		assert.Equal(t, "langfuse-sdk", metadata["scope"].(map[string]any)["name"])
		assert.Equal(t, want, without(exactTimes(t, got), "modelId", "usagePricingTierId", "metadata", "_deprecation"))
	}
}

func TestLegacyObservationWithNothing(t *testing.T) {
	h := start(t)
	h.write(t, model.Observation{TraceID: "t", ID: "o", Start: noon, Type: model.TypeEvent, Level: model.LevelDefault})
	got := h.get(t, "/observations/o").decode(t)
	assert.Equal(t, object{
		"id": "o", "projectId": h.project, "traceId": "t", "parentObservationId": nil, "type": "EVENT", "name": nil, "environment": "default",
		"startTime": "2026-11-15T12:00:00.000Z", "endTime": nil, "completionStartTime": nil, "createdAt": "now", "updatedAt": "now", "version": nil,
		"level": "DEFAULT", "statusMessage": nil, "input": nil, "output": nil, "metadata": object{}, "model": nil, "modelParameters": object{}, "modelId": nil,
		"promptId": nil, "promptName": nil, "promptVersion": nil, "usageDetails": object{}, "costDetails": object{},
		"usage": object{"unit": "TOKENS", "input": 0.0, "output": 0.0, "total": 0.0}, "unit": "TOKENS", "promptTokens": 0.0, "completionTokens": 0.0,
		"totalTokens": 0.0, "usagePricingTierId": nil, "usagePricingTierName": nil, "inputPrice": nil, "outputPrice": nil, "totalPrice": nil,
		"calculatedInputCost": nil, "calculatedOutputCost": nil, "calculatedTotalCost": nil, "latency": nil, "timeToFirstToken": nil,
	}, without(exactTimes(t, got), "_deprecation"))
}

func TestLegacyMetadata(t *testing.T) {
	h := start(t)
	for flat, want := range map[string]string{
		`{"a.b":1,"a.c":"x","d":[1]}`:                   `{"a":{"b":1,"c":"x"},"d":[1]}`,
		`{"a":1,"a.b":2}`:                               `{"a":1,"a.b":2}`,
		`{"a.b":2,"a":1}`:                               `{"a":1,"a.b":2}`,
		`{"a.b":2,"a.b.c":1}`:                           `{"a":{"b":2},"a.b.c":1}`,
		`{"resourceAttributes.service.name":"s"}`:       `{"resourceAttributes":{"service.name":"s"}}`,
		`{"attributes.http.method":"GET"}`:              `{"attributes":{"http.method":"GET"}}`,
		`{"scope.attributes.k.v":1,"scope.name":"n"}`:   `{"scope":{"name":"n","attributes":{"k.v":1}}}`,
		`{"` + strings.Repeat("a.", 20000) + `a":true}`: `{"` + strings.Repeat("a.", 20000) + `a":true}`,
	} {
		row := observation("m", noon)
		row.Metadata = flat
		h.write(t, row)
		assert.JSONEq(t, want, asJSON(t, h.get(t, "/observations/m").decode(t)["metadata"]))
	}
}

func TestLegacyObservationParameters(t *testing.T) {
	h := start(t)
	a, b, c := observation("a", noon), observation("b", noon.Add(time.Minute)), observation("c", noon.Add(2*time.Minute))
	a.TraceID, a.UserID, a.Version, a.Environment = "other", "ada", "v1", "prod"
	b.ParentID, b.Type, b.Level, b.Environment = "a", model.TypeGeneration, model.LevelError, "dev"
	h.write(t, a, b, c)
	for _, tc := range []struct {
		parameters []string
		want       string
	}{
		{nil, "c b a"},
		{[]string{"name", "n-a"}, "a"},
		{[]string{"name", ""}, "c b a"},
		{[]string{"userId", "ada"}, "a"},
		{[]string{"type", "GENERATION"}, "b"},
		{[]string{"traceId", "other"}, "a"},
		{[]string{"level", "ERROR"}, "b"},
		{[]string{"parentObservationId", "a"}, "b"},
		{[]string{"environment", "prod", "environment", "dev"}, "b a"},
		{[]string{"fromStartTime", "2026-11-15T12:01:00Z"}, "c b"},
		{[]string{"toStartTime", "2026-11-15T12:01:00Z"}, "a"},
		{[]string{"version", "v1"}, "a"},
		{[]string{"filter", `[{"type":"string","column":"id","operator":"=","value":"b"}]`}, "b"},
		{[]string{"name", "n-a", "filter", `[{"type":"string","column":"name","operator":"=","value":"n-b"}]`}, "b"},
	} {
		got := h.get(t, "/observations", tc.parameters...)
		want := strings.Fields(tc.want)
		assert.Equal(t, want, ids(got.data(t)), tc.parameters)
		assert.EqualValues(t, len(want), got.decode(t)["meta"].(map[string]any)["totalItems"], tc.parameters)
	}
	for _, parameters := range [][]string{{"unknown", "1"}, {"type", "", "level", ""}} {
		assert.Equal(t, []string{"c", "b", "a"}, ids(h.beyond().get(t, "/observations", parameters...).data(t)), parameters)
	}
	for parameter, value := range map[string]string{"type": "span", "level": "x", "fromStartTime": "x", "filter": "x"} {
		assert.Equal(t, 400, h.get(t, "/observations", parameter, value).status, parameter)
	}
}
