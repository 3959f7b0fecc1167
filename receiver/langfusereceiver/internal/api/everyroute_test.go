// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
)

// secret is in every text of an estate that no request has to name.
const secret = "secret"

// estate is what a project has one of each of, by the names of the variable parts of paths.
type estate map[string]string

// settle gives the project one of everything.
func (h *harness) settle(t *testing.T) estate {
	t.Helper()
	e := estate{
		"traceId": traceID, "observationId": spanID, "sessionId": "secret-session", "scoreId": "their-score", "experimentId": "their-experiment",
		"datasetName": "their-set", "itemId": "their-item", "runName": "secret run", "promptName": "their-prompt", "version": "1",
	}
	made := func(path string, body any) string { return h.made(t, path, body)["id"].(string) }
	e["configId"] = made("/score-configs", `{"name":"secret","dataType":"NUMERIC"}`)
	e["datasetId"] = made("/v2/datasets", `{"name":"their-set","description":"secret"}`)
	made("/dataset-items", `{"datasetName":"their-set","id":"their-item","input":"secret"}`)
	made("/dataset-run-items", object{"runName": e["runName"], "datasetItemId": "their-item", "traceId": traceID, "metadata": secret})
	made("/v2/prompts", `{"name":"their-prompt","prompt":"secret","tags":["secret"],"labels":["production"]}`)
	e["commentId"] = made("/comments", object{"projectId": h.project, "objectType": "TRACE", "objectId": traceID, "content": secret})
	e["modelId"] = made("/models", `{"modelName":"0-secret","matchPattern":"x","inputPrice":1}`)
	e["queueId"] = made("/annotation-queues", object{"name": secret, "scoreConfigIds": []string{e["configId"]}})
	h.made(t, "/annotation-queues/"+e["queueId"]+"/assignments", `{"userId":"ann"}`)
	e["queueItemId"] = made("/annotation-queues/"+e["queueId"]+"/items", object{"objectId": "secret-session", "objectType": "SESSION"})
	f := newFile("a secret file")
	e["mediaId"] = f.id
	h.upload(t, f, f.announce(traceID, "text/secret"))

	first, second := rich(), item("second", "second", noon.Add(-time.Minute))
	first.TraceID, first.ID, first.SessionID, first.Name, first.Environment, first.Model = traceID, spanID, e["sessionId"], secret, secret, secret
	first.Experiment.ID, first.Experiment.ItemRootID, first.Experiment.Name, first.Experiment.DatasetID = e["experimentId"], spanID, secret, e["datasetId"]
	second.Name, second.Environment, second.Experiment.Name = secret, secret, secret
	h.write(t, first, second)
	judged, older := score(e["scoreId"], noon), score("older", noon.Add(-time.Minute))
	judged.ObservationID, judged.Name, judged.Comment, judged.Environment = spanID, secret, secret, secret
	older.Name, older.TraceID, older.SessionID = secret, "", e["sessionId"]
	h.writeScores(t, judged, older)
	return e
}

// path puts the names and ids into a path of the description.
func (e estate) path(pattern string) string {
	var replace []string
	for name, value := range e {
		if name == "itemId" && strings.Contains(pattern, "/annotation-queues/") {
			value = e["queueItemId"]
		}
		replace = append(replace, "{"+name+"}", url.PathEscape(value))
	}
	return strings.NewReplacer(replace...).Replace(pattern)
}

// visit is a request of somebody who knows all names and ids of another project.
type visit struct {
	query []string // name, value, name, value
	body  any
	// status is what the visitor gets.
	status int
	// owner is the query of the owner where it differs.
	owner []string
	// shared says that there is something for everybody.
	shared bool
}

func (v visit) path(pattern string, e estate, query []string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Add(query[i], query[i+1])
	}
	if len(values) == 0 {
		return e.path(pattern)
	}
	return e.path(pattern) + "?" + values.Encode()
}

// visits are for each route what a visitor tries. The bodies are good ones.
func visits(t *testing.T, owner, visitor *harness, e estate) map[string][]visit {
	t.Helper()
	signed := func(h *harness, id string) []string {
		address, err := url.Parse(h.mediaURL(t, id))
		require.NoError(t, err)
		query := address.Query()
		return []string{"project", query.Get("project"), "expires", query.Get("expires"), "signature", query.Get("signature")}
	}
	f := newFile("mine")
	visitor.upload(t, f, f.announce("mine", "text/plain"))
	ownAddress, theirAddress := signed(visitor, f.id), signed(owner, e["mediaId"])
	claimed := append([]string{"project", owner.project}, ownAddress[2:]...)
	cursor := func(path string, query ...string) string {
		found := owner.get(t, path, append(query, "limit", "1")...).cursor(t)
		require.NotEmpty(t, found, path)
		return found
	}
	condition := func(column, value string) string {
		return fmt.Sprintf(`[{"type":"string","column":%q,"operator":"=","value":%q}]`, column, value)
	}
	grouped := metricsQuery(t, object{"dimensions": []any{object{"field": "name"}}})

	// Who sends data may claim to be somebody else, too.
	resource := `"resource":{"attributes":[` + text("weir.project.id", owner.project) + "," + text("weir.public_key", owner.keys[0]) + `]}`
	spans := []visit{{status: 200, body: `{"resourceSpans":[{` + resource + `,"scopeSpans":[{"spans":[{"traceId":"` + traceID + `","spanId":"` + spanID +
		`","name":"mine","startTimeUnixNano":"1794744000000000000","endTimeUnixNano":"1794744001000000000"}]}]}]}`}}
	records := []visit{{status: 200, body: `{"resourceLogs":[{` + resource + `,"scopeLogs":[{"logRecords":[{"eventName":"gen_ai.evaluation.result","traceId":"` + traceID +
		`","spanId":"` + spanID + `","attributes":[` + text("gen_ai.evaluation.name", "mine") + "," + text("gen_ai.evaluation.score.label", "x") + `]}]}]}]}`}}
	points := []visit{{status: 200, body: `{"resourceMetrics":[]}`}}
	scored := object{"id": e["scoreId"], "name": "mine", "value": 0, "traceId": traceID, "comment": "mine"}
	ofConfig := object{"name": "mine", "value": 0, "traceId": traceID, "configId": e["configId"]}
	events := func(body object) object {
		return object{"batch": []any{object{"id": "e", "type": "score-create", "timestamp": "2026-11-15T12:00:00Z", "body": body}}}
	}
	open, nothing, none := []visit{{status: 200, shared: true}}, []visit{{status: 404}}, []visit{{status: 200}}

	return map[string][]visit{
		"* /api/public/health":     open,
		"* /api/public/ready":      open,
		"GET /api/openapi.yaml":    open,
		"GET /api/docs":            open,
		"GET /api/public/projects": open,

		"POST /api/public/otel/v1/traces":  spans,
		"POST /api/public/otel/v1/logs":    records,
		"POST /api/public/otel/v1/metrics": points,
		"POST /v1/traces":                  spans,
		"POST /v1/logs":                    records,
		"POST /v1/metrics":                 points,
		"POST /api/public/scores":          {{status: 200, body: scored}, {status: 404, body: ofConfig}, {status: 200, body: []any{scored}}},
		"POST /api/public/ingestion":       {{status: 207, body: events(scored)}, {status: 207, body: events(ofConfig)}},

		"GET /api/public/v2/observations": {
			{status: 200},
			{status: 200, query: []string{"traceId", traceID, "fields", "core,basic,io,metadata,model"}},
			{status: 200, query: []string{"filter", condition("id", spanID)}},
			{status: 400, query: []string{"cursor", cursor("/v2/observations")}},
		},
		"GET /api/public/v3/scores": {
			{status: 200, query: []string{"fields", "details,subject"}},
			{status: 200, query: []string{"id", e["scoreId"], "traceId", traceID}},
			{status: 400, query: []string{"cursor", cursor("/v3/scores")}},
		},
		"GET /api/public/experiments": {
			{status: 200, query: []string{"fromStartTime", before, "fields", "metadata,scores"}},
			{status: 200, query: []string{"fromStartTime", before, "id", e["experimentId"], "datasetId", e["datasetId"]}},
			{status: 400, query: []string{"fromStartTime", before, "cursor", cursor("/experiments", "fromStartTime", before)}},
		},
		"GET /api/public/experiment-items": {
			{status: 200, query: []string{"fromStartTime", before, "fields", "io,scores"}},
			{status: 200, query: []string{"fromStartTime", before, "experimentId", e["experimentId"], "datasetId", e["datasetId"]}},
			{status: 400, query: []string{"fromStartTime", before, "cursor", cursor("/experiment-items", "fromStartTime", before)}},
		},
		"GET /api/public/v2/metrics": {{status: 200, query: []string{"query", grouped}}},

		"DELETE /api/public/traces":           {{status: 200, body: object{"traceIds": []string{traceID}}}},
		"DELETE /api/public/traces/{traceId}": none,
		"DELETE /api/public/scores/{scoreId}": {{status: 202}},

		"GET /api/public/score-configs":              none,
		"POST /api/public/score-configs":             {{status: 200, body: `{"name":"mine","dataType":"TEXT"}`}},
		"GET /api/public/score-configs/{configId}":   nothing,
		"PATCH /api/public/score-configs/{configId}": {{status: 404, body: `{"isArchived":true}`}},

		"GET /api/public/v2/datasets":               none,
		"POST /api/public/v2/datasets":              {{status: 200, body: `{"name":"their-set","description":"mine"}`}},
		"GET /api/public/v2/datasets/{datasetName}": nothing,
		"GET /api/public/datasets":                  none,
		"POST /api/public/datasets":                 {{status: 200, body: `{"name":"their-set","description":"mine"}`}},
		"GET /api/public/datasets/{datasetName}":    nothing,

		"GET /api/public/dataset-items":             {{status: 200}, {status: 404, query: []string{"datasetName", e["datasetName"]}}},
		"POST /api/public/dataset-items":            {{status: 404, body: `{"datasetName":"their-set","id":"their-item","input":"mine"}`}},
		"GET /api/public/dataset-items/{itemId}":    nothing,
		"DELETE /api/public/dataset-items/{itemId}": nothing,

		"GET /api/public/dataset-run-items":                            {{status: 404, query: []string{"datasetId", e["datasetId"], "runName", e["runName"]}}},
		"POST /api/public/dataset-run-items":                           {{status: 404, body: `{"runName":"mine","datasetItemId":"their-item","traceId":"t"}`}},
		"GET /api/public/datasets/{datasetName}/runs":                  nothing,
		"GET /api/public/datasets/{datasetName}/runs/{runName}":        nothing,
		"DELETE /api/public/datasets/{datasetName}/runs/{runName}":     nothing,
		"GET /api/public/v2/prompts":                                   {{status: 200}, {status: 200, query: []string{"name", e["promptName"]}}},
		"POST /api/public/v2/prompts":                                  {{status: 201, body: `{"name":"their-prompt","prompt":"mine","labels":["production"]}`}},
		"GET /api/public/v2/prompts/{promptName}":                      nothing,
		"DELETE /api/public/v2/prompts/{promptName}":                   nothing,
		"PATCH /api/public/v2/prompts/{promptName}/versions/{version}": {{status: 404, body: `{"newLabels":["mine"]}`}},

		"POST /api/public/media":                  {{status: 201, body: newFile("a secret file").announce("mine", "text/plain")}},
		"GET /api/public/media/{mediaId}":         nothing,
		"PATCH /api/public/media/{mediaId}":       {{status: 404, body: `{"uploadedAt":"2026-01-01T00:00:00Z","uploadHttpStatus":500}`}},
		"GET /api/public/media/{mediaId}/content": {{status: 403, query: ownAddress, owner: theirAddress}, {status: 403, query: claimed, owner: theirAddress}},
		"PUT /api/public/media/{mediaId}/content": {{status: 403, query: ownAddress, body: "mine"}, {status: 403, query: claimed, body: "mine"}},

		"GET /api/public/comments": {{status: 200}, {status: 200, query: []string{"objectType", "TRACE", "objectId", traceID}}},
		"POST /api/public/comments": {
			{status: 400, body: object{"projectId": owner.project, "objectType": "TRACE", "objectId": traceID, "content": "mine"}},
			{status: 200, body: object{"projectId": visitor.project, "objectType": "TRACE", "objectId": traceID, "content": "mine"}},
		},
		"GET /api/public/comments/{commentId}": nothing,

		"GET /api/public/models":              {{status: 200, shared: true}},
		"POST /api/public/models":             {{status: 200, body: `{"modelName":"mine","matchPattern":"x","inputPrice":1}`}},
		"GET /api/public/models/{modelId}":    nothing,
		"DELETE /api/public/models/{modelId}": nothing,

		"GET /api/public/annotation-queues":                             none,
		"POST /api/public/annotation-queues":                            {{status: 400, body: object{"name": "mine", "scoreConfigIds": []string{e["configId"]}}}},
		"GET /api/public/annotation-queues/{queueId}":                   nothing,
		"GET /api/public/annotation-queues/{queueId}/items":             nothing,
		"POST /api/public/annotation-queues/{queueId}/items":            {{status: 404, body: `{"objectId":"mine","objectType":"TRACE"}`}},
		"GET /api/public/annotation-queues/{queueId}/items/{itemId}":    nothing,
		"PATCH /api/public/annotation-queues/{queueId}/items/{itemId}":  {{status: 404, body: `{"status":"COMPLETED"}`}},
		"DELETE /api/public/annotation-queues/{queueId}/items/{itemId}": nothing,
		"POST /api/public/annotation-queues/{queueId}/assignments":      {{status: 404, body: `{"userId":"me"}`}},
		"DELETE /api/public/annotation-queues/{queueId}/assignments":    {{status: 404, body: `{"userId":"ann"}`}},

		"GET /api/public/traces":                       {{status: 200}, {status: 200, query: []string{"sessionId", e["sessionId"]}}},
		"GET /api/public/traces/{traceId}":             nothing,
		"GET /api/public/observations":                 {{status: 200}, {status: 200, query: []string{"traceId", traceID}}},
		"GET /api/public/observations/{observationId}": nothing,
		"GET /api/public/sessions":                     none,
		"GET /api/public/sessions/{sessionId}":         nothing,
		"GET /api/public/scores":                       {{status: 200}, {status: 200, query: []string{"scoreIds", e["scoreId"]}}},
		"GET /api/public/scores/{scoreId}":             nothing,
		"GET /api/public/v2/scores":                    {{status: 200}, {status: 200, query: []string{"traceId", traceID}}},
		"GET /api/public/v2/scores/{scoreId}":          nothing,
		"GET /api/public/metrics":                      {{status: 200, query: []string{"query", grouped}}},
		"GET /api/public/metrics/daily":                none,
	}
}

// everyRoute lists the routes of the description, which are those of the server: reads before changes, and what makes
// something of a name last. It fails for a route of which there are no visits.
func everyRoute(t *testing.T, known map[string][]visit) []apidoctest.Route {
	t.Helper()
	// Retired writes say the same to everybody and look at nothing; TestRetiredWrites has them.
	routes := slices.DeleteFunc(apidoctest.Routes(), func(route apidoctest.Route) bool {
		return slices.Contains(retiredWrites, route.Method+" "+strings.TrimPrefix(route.Path, "/api/public"))
	})
	var names []string
	for _, route := range routes {
		name := route.Method + " " + route.Path
		names = append(names, name)
		require.NotEmpty(t, known[name], "say in `visits` what somebody with the ids of another project gets from %s", name)
	}
	for name := range known {
		require.Contains(t, names, name, "there is no such route")
	}
	order := []string{apidoctest.AnyMethod, http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodPost}
	slices.SortStableFunc(routes, func(a, b apidoctest.Route) int { return slices.Index(order, a.Method) - slices.Index(order, b.Method) })
	return routes
}

// methodOf is a method of a route that may take all of them.
func methodOf(route apidoctest.Route) string {
	if route.Method == apidoctest.AnyMethod {
		return http.MethodGet
	}
	return route.Method
}
