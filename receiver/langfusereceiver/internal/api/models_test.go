// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestModels(t *testing.T) {
	h := start(t)
	builtIn := h.get(t, "/models", "limit", "100").decode(t)["meta"].(map[string]any)["totalItems"].(float64)
	assert.Positive(t, builtIn)

	flat := h.send(t, http.MethodPost, "/models", `{"modelName":"0-house","matchPattern":"(?i)^house$","unit":"TOKENS","inputPrice":0.0000025,"outputPrice":1e-5,"totalPrice":null,
		"startDate":"2026-01-01","tokenizerId":"openai","tokenizerConfig":{"tokenizerModel":"gpt-4o"}}`)
	h.like(t, 200, `{"id":"<id>","modelName":"0-house","matchPattern":"(?i)^house$","startDate":"2026-01-01T00:00:00.000Z","inputPrice":0.0000025,"outputPrice":0.00001,"totalPrice":null,
		"unit":"TOKENS","tokenizerId":"openai","tokenizerConfig":{"tokenizerModel":"gpt-4o"},"isLangfuseManaged":false,"createdAt":"<time>",
		"prices":{"input":{"price":0.0000025},"output":{"price":0.00001}},
		"pricingTiers":[{"id":"<id>","name":"Standard","isDefault":true,"priority":0,"conditions":[],"prices":{"input":0.0000025,"output":0.00001}}]}`, flat)
	assert.Contains(t, flat.body, `"inputPrice":0.0000025,"outputPrice":0.00001,`, "no exponents")
	tiered := h.send(t, http.MethodPost, "/models", `{"modelName":"0-tiered","matchPattern":"^tiered$","unit":"CHARACTERS","pricingTiers":[
		{"name":"Normal","isDefault":true,"priority":0,"conditions":[],"prices":{"input":1,"cached":0.5}},
		{"name":"Long","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"^input","operator":"gt","value":200000,"caseSensitive":true}],"prices":{"input":2,"cached":1}}]}`)
	h.like(t, 200, `{"id":"<id>","modelName":"0-tiered","matchPattern":"^tiered$","startDate":null,"inputPrice":1,"outputPrice":null,"totalPrice":null,
		"unit":"CHARACTERS","tokenizerId":null,"tokenizerConfig":null,"isLangfuseManaged":false,"createdAt":"<time>",
		"prices":{"cached":{"price":0.5},"input":{"price":1}},
		"pricingTiers":[
		{"id":"<id>","name":"Long","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"^input","operator":"gt","value":200000,"caseSensitive":true}],"prices":{"cached":1,"input":2}},
		{"id":"<id>","name":"Normal","isDefault":true,"priority":0,"conditions":[],"prices":{"cached":0.5,"input":1}}]}`, tiered)

	page := h.get(t, "/models", "limit", "2")
	assert.Equal(t, builtIn+2, page.decode(t)["meta"].(map[string]any)["totalItems"])
	assert.Equal(t, []any{"0-house", "0-tiered"}, []any{page.data(t)[0]["modelName"], page.data(t)[1]["modelName"]}, "by name")

	id := "/models/" + flat.decode(t)["id"].(string)
	assert.JSONEq(t, flat.body, h.get(t, id).body)
	h.like(t, 200, `{"message":"Model successfully deleted"}`, h.send(t, http.MethodDelete, id, nil))
	assert.Equal(t, 404, h.get(t, id).status)
}

func TestBuiltInModels(t *testing.T) {
	h := start(t)
	rows := h.get(t, "/models", "limit", "100").data(t)
	at := slices.IndexFunc(rows, func(row map[string]any) bool { return row["modelName"] == "gpt-4o" })
	require.NotEqual(t, -1, at)
	id := "/models/" + rows[at]["id"].(string)
	row := h.get(t, id).decode(t)
	assert.Equal(t, rows[at], row)
	assert.Equal(t, true, row["isLangfuseManaged"])
	assert.Equal(t, 0.0000025, row["inputPrice"])
	assert.Equal(t, map[string]any{"price": 0.00001}, row["prices"].(map[string]any)["output"])
	for _, key := range []string{
		"id", "modelName", "matchPattern", "startDate", "inputPrice", "outputPrice", "totalPrice", "unit", "tokenizerId", "tokenizerConfig",
		"isLangfuseManaged", "createdAt", "prices", "pricingTiers",
	} {
		assert.Contains(t, row, key)
	}
	h.refuses(t, refusal{http.MethodDelete, id, nil, 400, "Models that are built in cannot be deleted", nil})
}

func TestModelRefusals(t *testing.T) {
	h := start(t)
	const post, path = http.MethodPost, "/models"
	tiers := func(tiers string) string {
		return `{"modelName":"m","matchPattern":"m","pricingTiers":` + tiers + `}`
	}
	h.refuses(t,
		refusal{http.MethodGet, path + "?limit=0", nil, 400, "Too small: expected number to be >=1", []any{"limit"}},
		refusal{http.MethodGet, path + "/none", nil, 404, "Model not found", nil},
		refusal{http.MethodDelete, path + "/none", nil, 404, "Model not found", nil},
		refusal{post, path, `{"matchPattern":"m","inputPrice":1}`, 400, "Invalid input: expected string, received undefined", []any{"modelName"}},
		refusal{post, path, `{"modelName":"m","inputPrice":1}`, 400, "Invalid input: expected string, received undefined", []any{"matchPattern"}},
		refusal{post, path, `{"modelName":"m","matchPattern":"m","inputPrice":"1"}`, 400, "Invalid input: expected number, received string", []any{"inputPrice"}},
		refusal{post, path, `{"modelName":"m","matchPattern":"m","inputPrice":-1}`, 400, "Too small: expected number to be >=0", []any{"inputPrice"}},
		refusal{post, path, `{"modelName":"m","matchPattern":"m","inputPrice":1,"unit":"BYTES"}`, 400, `Invalid option: expected one of "TOKENS"|"CHARACTERS"|"MILLISECONDS"|"SECONDS"|"REQUESTS"|"IMAGES"`, []any{"unit"}},
		refusal{post, path, `{"modelName":"m","matchPattern":"m","inputPrice":1,"tokenizerId":"x"}`, 400, `Invalid option: expected one of "openai"|"claude"`, []any{"tokenizerId"}},
		refusal{post, path, `{"modelName":"m","matchPattern":"m","inputPrice":1,"startDate":"soon"}`, 400, "Invalid input: expected date, received Date", []any{"startDate"}},
		refusal{post, path, `{"modelName":"m","matchPattern":"m"}`, 400, "Provide flat prices (inputPrice, outputPrice, totalPrice) or pricingTiers", []any{"pricingTiers"}},
		refusal{post, path, `{"modelName":"m","matchPattern":"m","inputPrice":1,"totalPrice":1}`, 400, "If input and/or output price is set, total price must be null", []any{"totalPrice"}},
		refusal{post, path, tiers(`[{}]`), 400, "Invalid input: expected string, received undefined", []any{"pricingTiers", 0, "name"}},
		refusal{post, path, tiers(`[{}]`), 400, "Invalid input: expected boolean, received undefined", []any{"pricingTiers", 0, "isDefault"}},
		refusal{post, path, tiers(`[{}]`), 400, "Invalid input: expected number, received undefined", []any{"pricingTiers", 0, "priority"}},
		refusal{post, path, tiers(`[{}]`), 400, "Invalid input: expected array, received undefined", []any{"pricingTiers", 0, "conditions"}},
		refusal{post, path, tiers(`[{}]`), 400, "Invalid input: expected object, received undefined", []any{"pricingTiers", 0, "prices"}},
		refusal{post, path, tiers(`[{"name":"a","isDefault":true,"priority":0,"conditions":[],"prices":{"input":null}}]`), 400, "Invalid input: expected number, received null", []any{"pricingTiers", 0, "prices", "input"}},
		refusal{post, path, tiers(`[{"name":"a","isDefault":false,"priority":0,"conditions":[{"operator":"is"}],"prices":{}}]`), 400, `Invalid option: expected one of "gt"|"gte"|"lt"|"lte"|"eq"|"neq"`, []any{"pricingTiers", 0, "conditions", 0, "operator"}},
		refusal{
			post, path, tiers(`[{"name":"a","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"x","operator":"gt","value":1}],"prices":{"input":1}}]`), 400,
			"Exactly one of the pricingTiers must be the default",
			[]any{"pricingTiers"},
		},
	)
	assert.Equal(t, 400, h.send(t, post, path, `{"modelName":"m","matchPattern":"(","inputPrice":1}`).status)
}

func TestModelsOfOthers(t *testing.T) {
	h := start(t)
	id := "/models/" + h.made(t, "/models", `{"modelName":"0-mine","matchPattern":"x","inputPrice":1}`)["id"].(string)
	other := h.asOther()
	assert.NotEqual(t, "0-mine", other.get(t, "/models", "limit", "1").data(t)[0]["modelName"])
	other.refuses(t,
		refusal{http.MethodGet, id, nil, 404, "Model not found", nil},
		refusal{http.MethodDelete, id, nil, 404, "Model not found", nil},
	)
	assert.Equal(t, 200, h.get(t, id).status)
}
