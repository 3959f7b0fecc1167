// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/model"
)

// fill writes traces with an observation and a score each, and a score of a session.
func (h *harness) fill(t *testing.T, traces ...string) {
	t.Helper()
	for _, id := range traces {
		row, judged := observation("o-"+id, noon), score("s-"+id, noon)
		row.TraceID, judged.TraceID, judged.ObservationID = id, id, "o-"+id
		h.write(t, row)
		h.writeScores(t, judged)
	}
	session := score("session", noon.Add(-1))
	session.TraceID, session.SessionID = "", "s"
	h.writeScores(t, session)
}

// left are the ids of all observations and all scores.
func (h *harness) left(t *testing.T) string {
	t.Helper()
	return fmt.Sprint(ids(h.get(t, "/v2/observations").data(t)), ids(h.get(t, "/v3/scores").data(t)))
}

func TestDeleteTraces(t *testing.T) {
	h := start(t)
	other := h.asOther()
	traces := []string{"c", "b", "a/b?"}
	h.fill(t, traces...)
	other.fill(t, traces...)
	all := other.left(t)
	assert.Equal(t, "[o-c o-b o-a/b?] [s-c s-b s-a/b? session]", all)

	got := h.call(t, http.MethodDelete, "/api/public/traces", map[string]any{"traceIds": []string{"c", "unknown", "", "c"}})
	assert.Equal(t, http.StatusOK, got.status)
	assert.JSONEq(t, `{"message":"Traces deleted successfully"}`, got.body)
	assert.Equal(t, "[o-b o-a/b?] [s-b s-a/b? session]", h.left(t))

	got = h.call(t, http.MethodDelete, "/api/public/traces/"+url.PathEscape("a/b?"), nil)
	assert.Equal(t, http.StatusOK, got.status)
	assert.JSONEq(t, `{"message":"Trace deleted successfully"}`, got.body)
	assert.Equal(t, "[o-b] [s-b session]", h.left(t))
	assert.Equal(t, http.StatusOK, h.call(t, http.MethodDelete, "/api/public/traces/unknown", nil).status, "nobody looks whether it was there")

	many := make([]string, 1000)
	for i := range many {
		many[i] = strconv.Itoa(i)
	}
	assert.Equal(t, http.StatusOK, h.call(t, http.MethodDelete, "/api/public/traces", map[string]any{"traceIds": many}).status)
	assert.Equal(t, "[o-b] [s-b session]", h.left(t))
	assert.Equal(t, all, other.left(t), "the same ids of another project")
}

func TestDeleteTracesErrors(t *testing.T) {
	h := start(t)
	h.fill(t, "t")
	issue := func(text string) string { return `{"message":"Invalid request data","error":[` + text + `]}` }
	many := make([]string, 1001)
	for body, want := range map[string]string{
		`{"traceIds":[]}`: issue(`{"origin":"array","code":"too_small","minimum":1,"inclusive":true,"path":["traceIds"],"message":"At least 1 traceId is required."}`),
		asJSON(t, map[string]any{"traceIds": many}): issue(`{"origin":"array","code":"too_big","maximum":1000,"inclusive":true,"path":["traceIds"],
			"message":"Cannot specify more than 1000 traces in a single request."}`),
		`{}`:                       issue(`{"expected":"array","code":"invalid_type","path":["traceIds"],"message":"Invalid input: expected array, received undefined"}`),
		`{"traceIds":"t"}`:         issue(`{"expected":"array","code":"invalid_type","path":["traceIds"],"message":"Invalid input: expected array, received string"}`),
		`{"traceIds":["t",1]}`:     issue(`{"expected":"string","code":"invalid_type","path":["traceIds",1],"message":"Invalid input: expected string, received number"}`),
		`{"traceIds":["t"],"x":1}`: issue(`{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`),
		`["t"]`:                    issue(`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}`),
		`no json`:                  `{"message":"Invalid JSON","error":"InvalidRequestError"}`,
	} {
		got := h.call(t, http.MethodDelete, "/api/public/traces", body)
		assert.Equal(t, http.StatusBadRequest, got.status, body)
		assert.JSONEq(t, want, got.body, body)
	}
	assert.Equal(t, "[o-t] [s-t session]", h.left(t), "nothing was deleted")
}

func TestDeleteScore(t *testing.T) {
	h := start(t)
	other := h.asOther()
	h.fill(t, "t")
	other.fill(t, "t")
	correction := score("correction", noon)
	correction.DataType, correction.TraceID = model.ScoreCorrection, "t"
	h.writeScores(t, correction)
	for _, id := range []string{"s-t", "correction", "unknown"} {
		got := h.call(t, http.MethodDelete, "/api/public/scores/"+id, nil)
		assert.Equal(t, http.StatusAccepted, got.status)
		assert.JSONEq(t, `{"message":"Score deletion queued successfully"}`, got.body)
	}
	assert.Equal(t, "[o-t] [session]", h.left(t), "gone from the next read on")
	assert.Equal(t, "[o-t] [s-t session]", other.left(t))
}

func TestDeletesNeedWriteAccess(t *testing.T) {
	readOnly := func(access string) map[string]any {
		return map[string]any{"projects": []any{map[string]any{"id": "p-" + access, "keys": []any{
			map[string]any{"public_key": "pk-a", "secret_key": "sk-a", "access": []any{access}},
		}}}}
	}
	for access, want := range map[string]int{"read": http.StatusForbidden, "write": http.StatusOK} {
		h := start(t, readOnly(access))
		assert.Equal(t, want, h.call(t, http.MethodDelete, "/api/public/traces", `{"traceIds":["x"]}`).status)
		assert.Equal(t, want, h.call(t, http.MethodDelete, "/api/public/traces/x", nil).status)
		status := h.call(t, http.MethodDelete, "/api/public/scores/x", nil).status
		assert.Equal(t, want == http.StatusForbidden, status == http.StatusForbidden)
		bearer := h.call(t, http.MethodDelete, "/api/public/scores/x", nil, "Authorization", "Bearer pk-a")
		assert.Equal(t, http.StatusForbidden, bearer.status, "a public key alone deletes nothing")
	}
}
