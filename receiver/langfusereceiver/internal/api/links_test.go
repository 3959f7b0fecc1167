// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A span that names a version of a prompt is linked to it where there is one.
func TestObservationsOfPrompts(t *testing.T) {
	h := start(t)
	var id any
	for range 3 {
		id = h.made(t, "/v2/prompts", `{"name":"greeting","prompt":"hi"}`)["id"]
	}
	h.postGeneration(t)
	assert.Equal(t, id, h.row(t, "fields", "prompt")["promptId"])
	h.asOther().postGeneration(t)
	assert.Empty(t, h.asOther().row(t, "fields", "prompt")["promptId"], "a prompt of another project")
}

// The models of a project come before those that are built in, when a span is priced and when a price is shown.
func TestObservationsOfOwnModels(t *testing.T) {
	h := start(t)
	id := h.made(t, "/models", `{"modelName":"ours","matchPattern":"^gpt-4o$","inputPrice":0.5,"outputPrice":0.25}`)["id"].(string)
	h.postGeneration(t)
	row := h.row(t, "fields", "model,usage")
	assert.Equal(t, id, row["modelId"])
	assert.Equal(t, "0.5", row["inputPrice"])
	assert.Equal(t, "0.25", row["outputPrice"])
	assert.Nil(t, row["totalPrice"])
	assert.Equal(t, map[string]any{"input": 5.0, "output": 5.0, "total": 10.0}, row["costDetails"])

	other := h.asOther()
	other.postGeneration(t)
	assert.Equal(t, "0.0000025", other.row(t, "fields", "model")["inputPrice"], "a model of another project")

	require.Equal(t, 200, h.send(t, http.MethodDelete, "/models/"+id, nil).status)
	row = h.row(t, "fields", "model,usage")
	assert.Nil(t, row["inputPrice"], "nobody knows any more")
	assert.Equal(t, 10.0, row["totalCost"], "what it cost stays")
}
