// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/consumer/consumertest"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/scorelog"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/wire"
)

// taken are the scores that reached the pipeline.
func (h *harness) taken(t *testing.T) []model.Score {
	t.Helper()
	scores := []model.Score{}
	for _, ld := range h.records.AllLogs() {
		for _, resource := range ld.ResourceLogs().All() {
			project, ok := resource.Resource().Attributes().Get("weir.project.id")
			require.True(t, ok)
			require.Equal(t, "one", project.Str())
			for _, scope := range resource.ScopeLogs().All() {
				for _, record := range scope.LogRecords().All() {
					require.True(t, scorelog.IsScore(record))
					score, err := scorelog.Read(record, wire.NewNames("langfuse"))
					require.NoError(t, err)
					scores = append(scores, score)
				}
			}
		}
	}
	h.records.Reset()
	return scores
}

func (h *harness) postJSON(t *testing.T, path, body string) answer {
	t.Helper()
	return h.post(t, path, "application/json", []byte(body))
}

func TestScoresOfEveryType(t *testing.T) {
	h := newHarness(t, nil)
	base := model.Score{ID: "s", Name: "n", TraceID: "t", Source: model.ScoreFromAPI, Environment: "default"}
	with := func(change func(*model.Score)) model.Score {
		s := base
		change(&s)
		return s
	}
	for name, tc := range map[string]struct {
		body string
		want model.Score
	}{
		"number":           {`{"id":"s","name":"n","traceId":"t","value":0.5}`, with(func(s *model.Score) { s.DataType, s.Number = model.ScoreNumeric, 0.5 })},
		"numeric":          {`{"id":"s","name":"n","traceId":"t","value":-3,"dataType":"NUMERIC"}`, with(func(s *model.Score) { s.DataType, s.Number = model.ScoreNumeric, -3 })},
		"text":             {`{"id":"s","name":"n","traceId":"t","value":"good"}`, with(func(s *model.Score) { s.DataType, s.Text = model.ScoreCategorical, "good" })},
		"empty category":   {`{"id":"s","name":"n","traceId":"t","value":"","dataType":"CATEGORICAL"}`, with(func(s *model.Score) { s.DataType = model.ScoreCategorical })},
		"true as one":      {`{"id":"s","name":"n","traceId":"t","value":1,"dataType":"BOOLEAN"}`, with(func(s *model.Score) { s.DataType, s.Number = model.ScoreBoolean, 1 })},
		"false as zero":    {`{"id":"s","name":"n","traceId":"t","value":0.0,"dataType":"BOOLEAN"}`, with(func(s *model.Score) { s.DataType = model.ScoreBoolean })},
		"true":             {`{"id":"s","name":"n","traceId":"t","value":true,"dataType":"BOOLEAN"}`, with(func(s *model.Score) { s.DataType, s.Number = model.ScoreBoolean, 1 })},
		"free text":        {`{"id":"s","name":"n","traceId":"t","value":"because","dataType":"TEXT"}`, with(func(s *model.Score) { s.DataType, s.Text = model.ScoreText, "because" })},
		"correction":       {`{"id":"s","name":"ignored","traceId":"t","observationId":"o","value":"","dataType":"CORRECTION"}`, with(func(s *model.Score) { s.DataType, s.Name, s.ObservationID = model.ScoreCorrection, "output", "o" })},
		"of a session":     {`{"id":"s","name":"n","sessionId":"x","value":1,"traceId":null}`, with(func(s *model.Score) { s.DataType, s.Number, s.TraceID, s.SessionID = model.ScoreNumeric, 1, "", "x" })},
		"of an experiment": {`{"id":"s","name":"n","datasetRunId":"r","value":1}`, with(func(s *model.Score) { s.DataType, s.Number, s.TraceID, s.ExperimentID = model.ScoreNumeric, 1, "", "r" })},
		"with everything": {
			`{"id":"s","name":"n","traceId":"0af7651916cd43dd8448eb211c80319c","observationId":"b7ad6b7169203331","value":1,"comment":"c","metadata":{"a":[1,{"b":null}]},"environment":"Langfuse-Prod","configId":"cfg","queueId":"q","source":"ANNOTATION","timestamp":"2020-01-01T00:00:00Z","unknown":1}`,
			with(func(s *model.Score) {
				s.DataType, s.Number, s.TraceID, s.ObservationID = model.ScoreNumeric, 1, "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
				s.Comment, s.Metadata, s.Environment, s.ConfigID, s.QueueID, s.Source = "c", `{"a":[1,{"b":null}]}`, "prod", "cfg", "q", model.ScoreFromAnnotation
			}),
		},
		"metadata that is no object": {`{"id":"s","name":"n","traceId":"t","value":1,"metadata":[1, "x"]}`, with(func(s *model.Score) { s.DataType, s.Number, s.Metadata = model.ScoreNumeric, 1, `{"metadata":[1,"x"]}` })},
		"an odd environment":         {`{"id":"s","name":"n","traceId":"t","value":1,"environment":"no blanks please"}`, with(func(s *model.Score) { s.DataType, s.Number = model.ScoreNumeric, 1 })},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.postJSON(t, "/api/public/scores", tc.body)
			require.Equal(t, answer{200, nil, `{"id":"s"}`}, withoutHeader(got))
			scores := h.taken(t)
			require.Len(t, scores, 1)
			assert.WithinDuration(t, time.Now(), scores[0].Timestamp, time.Minute, "a timestamp in the body does not count")
			scores[0].Timestamp = time.Time{}
			assert.Equal(t, tc.want, scores[0])
		})
	}
}

func TestScoresWithoutAnID(t *testing.T) {
	h := newHarness(t, nil)
	for _, body := range []string{`{"name":"n","traceId":"t","value":1}`, `{"id":"","name":"n","traceId":"t","value":1}`, `{"id":null,"name":"n","traceId":"t","value":1}`} {
		var made idBody
		got := h.postJSON(t, "/api/public/scores", body)
		require.NoError(t, json.Unmarshal([]byte(got.body), &made))
		assert.Regexp(t, "^[0-9a-f]{8}-[0-9a-f-]{27}$", made.ID)
		assert.Equal(t, made.ID, h.taken(t)[0].ID)
	}
}

func TestManyScores(t *testing.T) {
	h := newHarness(t, nil)
	got := h.postJSON(t, "/api/public/scores", `[{"id":"a","name":"n","traceId":"t","value":1},{"id":"b","name":"n","sessionId":"s","value":"x"}]`)
	assert.Equal(t, answer{200, nil, `[{"id":"a"},{"id":"b"}]`}, withoutHeader(got))
	scores := h.taken(t)
	require.Len(t, scores, 2)
	assert.Equal(t, []string{"a", "b"}, []string{scores[0].ID, scores[1].ID})

	got = h.postJSON(t, "/api/public/scores", `[{"id":"a","name":"n","traceId":"t","value":1},{"id":"b","value":"x"}]`)
	assert.Equal(t, 400, got.status)
	assert.JSONEq(t, `{"message":"Invalid request data","error":[
		{"expected":"string","code":"invalid_type","path":[1,"name"],"message":"Invalid input: expected string, received undefined"},
		{"code":"custom","path":[1,"traceId","sessionId","datasetRunId","observationId"],"message":"Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId requires traceId."}]}`, got.body)
	assert.Empty(t, h.taken(t), "all or nothing")
	got = h.postJSON(t, "/api/public/scores", `[{"name":"","traceId":"t","value":1},{"id":"b","name":"n","traceId":"t","value":1}]`)
	assert.Equal(t, 1, strings.Count(got.body, `"code"`), "each fault is told once: %s", got.body)
	assert.Equal(t, answer{200, nil, `[]`}, withoutHeader(h.postJSON(t, "/api/public/scores", `[]`)))
}

func TestManyScoresOfALibrary(t *testing.T) {
	h := newHarness(t, nil)
	post := func(body string) answer {
		return withoutHeader(h.post(t, "/api/public/scores", "application/json", []byte(body), "X-Langfuse-Sdk-Name", "python"))
	}
	const right = `{"id":"a","name":"n","traceId":"t","value":1,"timestamp":"2026-03-04T05:06:07.890Z"}`
	got := post(`[` + right + `,{"id":"b","name":"n","sessionId":"s","value":"x"}]`)
	assert.Equal(t, answer{202, nil, `{"message":"Accepted"}`}, got)
	scores := h.taken(t)
	require.Len(t, scores, 2)
	assert.Equal(t, []string{"a", "b"}, []string{scores[0].ID, scores[1].ID})
	assert.Equal(t, time.Date(2026, 3, 4, 5, 6, 7, 890_000_000, time.UTC), scores[0].Timestamp.UTC())
	assert.WithinDuration(t, time.Now(), scores[1].Timestamp, time.Minute)

	got = post(`[{"id":"b","value":"x","sessionId":"s"},` + right + `,7,{"name":"n","traceId":"t","value":1,"timestamp":"soon"}]`)
	assert.Equal(t, answer{207, nil, `{"accepted":1,"rejected":3,"errors":[` +
		`{"message":"score 0 of the list: name: Invalid input: expected string, received undefined"},` +
		`{"message":"score 2 of the list: Invalid input: expected object, received number"},` +
		`{"message":"score 3 of the list: timestamp: Invalid ISO datetime"}]}`}, got)
	scores = h.taken(t)
	require.Len(t, scores, 1, "what is right is taken")
	assert.Equal(t, "a", scores[0].ID)

	assert.Equal(t, answer{202, nil, `{"message":"Accepted"}`}, post(`[]`))
	assert.Equal(t, 400, post(`[{]`).status)
}

func TestBadScores(t *testing.T) {
	h := newHarness(t, nil)
	custom := func(path, message string) string {
		return `{"code":"custom","path":[` + path + `],"message":"` + message + `"}`
	}
	const subject = `"traceId","sessionId","datasetRunId","observationId"`
	for body, want := range map[string]string{
		`{"name":"n","value":1}`:                                                                  custom(subject, subjectMessage),
		`{"name":"n","value":1,"traceId":"t","sessionId":"s"}`:                                    custom(subject, subjectMessage),
		`{"name":"n","value":1,"sessionId":"s","observationId":"o"}`:                              custom(subject, subjectMessage),
		`{"name":"","value":1,"traceId":"t"}`:                                                     `{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["name"],"message":"Too small: expected string to have >=1 characters"}`,
		`{"name":null,"value":1,"traceId":"t"}`:                                                   `{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received null"}`,
		`{"name":"n","value":null,"traceId":"t"}`:                                                 `{"expected":"string","code":"invalid_type","path":["value"],"message":"Invalid input: expected string, received null"}`,
		`{"name":"n","value":"x","traceId":"t","dataType":"NUMERIC"}`:                             `{"expected":"number","code":"invalid_type","path":["value"],"message":"Invalid input: expected number, received string"}`,
		`{"name":"n","value":1,"traceId":"t","dataType":"TEXT"}`:                                  `{"expected":"string","code":"invalid_type","path":["value"],"message":"Invalid input: expected string, received number"}`,
		`{"name":"n","value":"","traceId":"t","dataType":"TEXT"}`:                                 `{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["value"],"message":"Too small: expected string to have >=1 characters"}`,
		`{"name":"n","value":"` + strings.Repeat("ü", 501) + `","traceId":"t","dataType":"TEXT"}`: `{"origin":"string","code":"too_big","maximum":500,"inclusive":true,"path":["value"],"message":"Too big: expected string to have <=500 characters"}`,
		`{"name":"n","value":2,"traceId":"t","dataType":"BOOLEAN"}`:                               custom(`"value"`, "Value must be a number equal to either 0 or 1 for data type BOOLEAN"),
		`{"name":"n","value":"true","traceId":"t","dataType":"BOOLEAN"}`:                          custom(`"value"`, "Value must be a number equal to either 0 or 1 for data type BOOLEAN"),
		`{"name":"n","value":1,"traceId":"t","dataType":"numeric"}`:                               `{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"dataType","path":["dataType"],"message":"Invalid input"}`,
		`{"name":"n","value":1,"traceId":"t","dataType":null}`:                                    `{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"dataType","path":["dataType"],"message":"Invalid input"}`,
		`{"name":"n","value":1,"traceId":"t","environment":null}`:                                 `{"expected":"string","code":"invalid_type","path":["environment"],"message":"Invalid input: expected string, received null"}`,
		`{"name":"n","value":1,"traceId":"t","source":"EVAL"}`:                                    `{"code":"invalid_value","values":["API","ANNOTATION"],"path":["source"],"message":"Invalid option: expected one of \"API\"|\"ANNOTATION\""}`,
		`{"name":"n","value":1,"traceId":"t","source":"ANNOTATION"}`:                              custom(`"configId"`, "configId is required when source is ANNOTATION (except for CORRECTION scores)."),
		`{"value":"x","sessionId":"s","dataType":"CORRECTION"}`:                                   custom(`"traceId"`, "A score of data type CORRECTION is about a trace or an observation: provide traceId"),
		`{"value":"x","traceId":"s","dataType":"CORRECTION","configId":"c"}`:                      custom(`"configId"`, "A score of data type CORRECTION has no configId"),
		`{"id":"a\rb","name":"n","value":1,"traceId":"t"}`:                                        custom(`"id"`, "an id must not have a carriage return"),
		`"text"`: `{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}`,
	} {
		got := h.postJSON(t, "/api/public/scores", body)
		assert.Equal(t, 400, got.status, body)
		assert.JSONEq(t, `{"message":"Invalid request data","error":[`+want+`]}`, got.body, body)
	}
	got := h.postJSON(t, "/api/public/scores", `{"name":`)
	assert.Equal(t, 400, got.status)
	assert.JSONEq(t, `{"message":"Invalid JSON","error":"InvalidRequestError"}`, got.body)
	assert.Empty(t, h.taken(t))
}

func TestScoresNeedAPipeline(t *testing.T) {
	h := newHarness(t, func(s *Settings) { s.Logs = nil })
	for path, body := range map[string]string{"/api/public/scores": `{}`, "/api/public/ingestion": `{"batch":[]}`} {
		got := h.postJSON(t, path, body)
		assert.Equal(t, 501, got.status)
		assert.JSONEq(t, "{\"message\":\"This server takes no scores and no log records: add `langfuse` to the receivers of a logs pipeline\",\"error\":\"NotImplementedError\"}", got.body)
	}
	for err, status := range map[error]int{errors.New("full"): 503, consumererror.NewPermanent(errors.New("odd")): 400} {
		h := newHarness(t, func(s *Settings) { s.Logs = consumertest.NewErr(err) })
		assert.Equal(t, status, h.postJSON(t, "/api/public/scores", `{"name":"n","traceId":"t","value":1}`).status)
		assert.Equal(t, status, h.postJSON(t, "/api/public/ingestion", batchOf(scoreEvent("e", `{"id":"s","name":"n","traceId":"t","value":1}`))).status)
	}
}

// configs know one config, for texts.
type configs struct{}

func (configs) ApplyScoreConfig(_ context.Context, project string, score *model.Score, inferred bool) error {
	switch score.ConfigID {
	case "":
		return nil
	case "away":
		return store.ErrUnavailable
	case "tone":
		return catalog.CheckScore(&model.ScoreConfig{Name: "Tone", DataType: model.ScoreCategorical, Categories: []model.ScoreCategory{{Label: "kind", Value: 1}}}, score, inferred)
	default:
		return &catalog.Error{Kind: store.ErrNotFound, Message: "no config " + score.ConfigID + " in " + project}
	}
}

func TestScoresAreHeldToTheirConfig(t *testing.T) {
	h := newHarness(t, func(s *Settings) { s.Configs = configs{} })
	for body, want := range map[string]answer{
		`{"id":"s","name":"other","traceId":"t","value":"kind","configId":"tone"}`: {200, nil, `{"id":"s"}`},
		`{"id":"s","name":"other","traceId":"t","value":"rude","configId":"tone"}`: {400, nil, `{"message":"Invalid request data","error":[{"code":"custom","path":["value"],"message":"Category \"rude\" is not one of the categories of the config"}]}`},
		`{"id":"s","name":"other","traceId":"t","value":1,"configId":"tone"}`:      {400, nil, `{"message":"Invalid request data","error":[{"code":"custom","path":["dataType"],"message":"Data type mismatch based on config: expected CATEGORICAL, got NUMERIC"}]}`},
		`{"id":"s","name":"other","traceId":"t","value":1,"configId":"gone"}`:      {404, nil, `{"message":"no config gone in one","error":"LangfuseNotFoundError"}`},
		`{"id":"s","name":"other","traceId":"t","value":1,"configId":"away"}`:      {503, nil, `{"message":"The store is not available now; try again later","error":"ServiceUnavailableError"}`},
	} {
		assert.Equal(t, want, withoutHeader(h.postJSON(t, "/api/public/scores", body)))
	}
	scores := h.taken(t)
	require.Len(t, scores, 1)
	assert.Equal(t, "Tone", scores[0].Name)
}
