// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestScoreConfigs(t *testing.T) {
	h := start(t)
	h.like(t, 200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`, h.get(t, "/score-configs"))

	numeric := h.send(t, http.MethodPost, "/score-configs", `{"name":"quality (v1.0) _-","dataType":"NUMERIC","minValue":0,"maxValue":1.5,"description":"how good","categories":null}`)
	h.like(t, 200, `{"id":"<id>","projectId":"<project>","name":"quality (v1.0) _-","dataType":"NUMERIC","isArchived":false,"minValue":0,"maxValue":1.5,
		"categories":null,"description":"how good","createdAt":"<time>","updatedAt":"<time>"}`, numeric)
	boolean := h.send(t, http.MethodPost, "/score-configs", `{"name":"right","dataType":"BOOLEAN"}`)
	h.like(t, 200, `{"id":"<id>","projectId":"<project>","name":"right","dataType":"BOOLEAN","isArchived":false,"minValue":null,"maxValue":null,
		"categories":[{"label":"True","value":1},{"label":"False","value":0}],"description":null,"createdAt":"<time>","updatedAt":"<time>"}`, boolean)
	categorical := h.send(t, http.MethodPost, "/score-configs", `{"name":"tone","dataType":"CATEGORICAL","categories":[{"label":"good","value":1},{"label":"bad","value":0.5}]}`)
	h.like(t, 200, `{"id":"<id>","projectId":"<project>","name":"tone","dataType":"CATEGORICAL","isArchived":false,"minValue":null,"maxValue":null,
		"categories":[{"label":"good","value":1},{"label":"bad","value":0.5}],"description":null,"createdAt":"<time>","updatedAt":"<time>"}`, categorical)
	text := h.send(t, http.MethodPost, "/score-configs", `{"name":"note","dataType":"TEXT"}`)
	assert.Equal(t, 200, text.status, text.body)

	id := "/score-configs/" + numeric.decode(t)["id"].(string)
	assert.Equal(t, numeric.body, h.get(t, id).body)

	page := h.beyond().get(t, "/score-configs", "limit", "3", "page", "", "other", "ignored")
	assert.Equal(t, []any{"note", "tone", "right"}, names(page.data(t)), "the newest first")
	assert.Equal(t, map[string]any{"page": 1.0, "limit": 3.0, "totalItems": 4.0, "totalPages": 2.0}, page.decode(t)["meta"])
	assert.Equal(t, []any{"quality (v1.0) _-"}, names(h.get(t, "/score-configs", "limit", "3", "page", "2").data(t)))
	assert.Empty(t, h.get(t, "/score-configs", "page", "3").data(t))

	h.like(t, 200, `{"id":"<id>","projectId":"<project>","name":"quality 2","dataType":"NUMERIC","isArchived":true,"minValue":-1,"maxValue":3,
		"categories":null,"description":"better","createdAt":"<time>","updatedAt":"<time>"}`,
		h.send(t, http.MethodPatch, id, `{"name":"quality 2","isArchived":true,"minValue":-1,"maxValue":3,"description":"better"}`))
	assert.Equal(t, "quality 2", h.get(t, id).decode(t)["name"])
	assert.Equal(t, false, h.send(t, http.MethodPatch, id, `{"isArchived":false,"name":null}`).decode(t)["isArchived"], "null leaves a field as it is")
}

// names are those of rows.
func names(rows []map[string]any) []any {
	var all []any
	for _, row := range rows {
		all = append(all, row["name"])
	}
	return all
}

func TestScoreConfigRefusals(t *testing.T) {
	h := start(t)
	id := "/score-configs/" + h.made(t, "/score-configs", `{"name":"n","dataType":"NUMERIC","minValue":0}`)["id"].(string)
	const post, path = http.MethodPost, "/score-configs"
	missing := "Score config not found within authorized project"
	h.refuses(t,
		refusal{http.MethodGet, path + "?page=0", nil, 400, "Too small: expected number to be >=1", []any{"page"}},
		refusal{http.MethodGet, path + "?limit=101", nil, 400, "Too big: expected number to be <=100", []any{"limit"}},
		refusal{http.MethodGet, path + "?limit=x", nil, 400, "Invalid input: expected number, received NaN", []any{"limit"}},
		refusal{http.MethodGet, path + "?page=1&page=2", nil, 400, "Invalid input: expected string, received array", []any{"page"}},
		refusal{http.MethodGet, path + "/none", nil, 404, missing, nil},
		refusal{post, path, "{", 400, "Invalid JSON", nil},
		refusal{post, path, "[]", 400, "Invalid input: expected object, received array", []any{}},
		refusal{post, path, `{"dataType":"TEXT"}`, 400, "Invalid input: expected string, received undefined", []any{"name"}},
		refusal{post, path, `{"name":"","dataType":"TEXT"}`, 400, "Too small: expected string to have >=1 characters", []any{"name"}},
		refusal{post, path, `{"name":"` + strings.Repeat("x", 36) + `","dataType":"TEXT"}`, 400, "Too big: expected string to have <=35 characters", []any{"name"}},
		refusal{post, path, `{"name":"a/b","dataType":"TEXT"}`, 400, "Name must consist of letters, digits, blanks and the characters _ . ( ) -", []any{"name"}},
		refusal{post, path, `{"name":"n"}`, 400, `Invalid option: expected one of "NUMERIC"|"CATEGORICAL"|"BOOLEAN"|"TEXT"`, []any{"dataType"}},
		refusal{post, path, `{"name":"n","dataType":"CORRECTION"}`, 400, `Invalid option: expected one of "NUMERIC"|"CATEGORICAL"|"BOOLEAN"|"TEXT"`, []any{"dataType"}},
		refusal{post, path, `{"name":"n","dataType":"NUMERIC","minValue":"1"}`, 400, "Invalid input: expected number, received string", []any{"minValue"}},
		refusal{post, path, `{"name":"n","dataType":"NUMERIC","minValue":1,"maxValue":1}`, 400, "Maximum value must be greater than Minimum value", []any{"maxValue"}},
		refusal{post, path, `{"name":"n","dataType":"TEXT","maxValue":1}`, 400, "Only NUMERIC score configs have minValue and maxValue", []any{"minValue"}},
		refusal{post, path, `{"name":"n","dataType":"CATEGORICAL"}`, 400, "A CATEGORICAL score config needs 1 to 500 categories", []any{"categories"}},
		refusal{post, path, `{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"a"}]}`, 400, "Invalid input: expected number, received undefined", []any{"categories", 0, "value"}},
		refusal{post, path, `{"name":"n","dataType":"CATEGORICAL","categories":[{"value":1}]}`, 400, "Invalid input: expected string, received undefined", []any{"categories", 0, "label"}},
		refusal{
			post, path, `{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"a","value":1},{"label":"a","value":2}]}`, 400,
			`Duplicate category: labels and values must be unique, found "a" with 2 again`,
			[]any{"categories"},
		},
		refusal{post, path, `{"name":"n","dataType":"NUMERIC","categories":[{"label":"a","value":1}]}`, 400, "Only CATEGORICAL score configs have categories", []any{"categories"}},
		refusal{http.MethodPatch, id, `{}`, 400, "Request body cannot be empty. At least one field must be provided for update.", nil},
		refusal{http.MethodPatch, id, `{"isArchived":"yes"}`, 400, "Invalid input: expected boolean, received string", []any{"isArchived"}},
		refusal{http.MethodPatch, id, `{"name":""}`, 400, "Too small: expected string to have >=1 characters", []any{"name"}},
		refusal{http.MethodPatch, id, `{"maxValue":-1}`, 400, "Maximum value must be greater than Minimum value", []any{"maxValue"}},
		refusal{http.MethodPatch, path + "/none", `{"isArchived":true}`, 404, missing, nil},
		refusal{http.MethodDelete, id, nil, 405, "Method not allowed", nil},
	)
}

func TestScoreConfigsOfOthers(t *testing.T) {
	h := start(t)
	id := "/score-configs/" + h.made(t, "/score-configs", `{"name":"n","dataType":"TEXT"}`)["id"].(string)
	other := h.asOther()
	assert.Empty(t, other.get(t, "/score-configs").data(t))
	other.refuses(t,
		refusal{http.MethodGet, id, nil, 404, "Score config not found within authorized project", nil},
		refusal{http.MethodPatch, id, `{"isArchived":true}`, 404, "Score config not found within authorized project", nil},
	)
	assert.Equal(t, false, h.get(t, id).decode(t)["isArchived"])
}
