// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoctest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	project     = `{"data":[{"id":"p","name":"n","organization":{"id":"o","name":"n"},"metadata":{}}]}`
	observation = `{"id":"b","traceId":"t","startTime":"2026-08-22T10:11:12.123Z","endTime":null,"projectId":"p","parentObservationId":null,` +
		`"type":"SPAN","modelId":null,"inputPrice":null,"outputPrice":null,"totalPrice":"0.1"}`
	score = `{"id":"s","projectId":"p","name":"q","dataType":"BOOLEAN","value":true,"source":"API","timestamp":"2026-08-22T10:11:12.123Z",` +
		`"environment":"default","createdAt":"2026-08-22T10:11:12.123Z","updatedAt":"2026-08-22T10:11:12.123Z"}`
	issues = `{"message":"Invalid request data","error":[{"code":"too_big","path":["limit"],"message":"Too big","origin":"number","maximum":1000,"inclusive":true}]}`
)

type sample struct {
	method, address  string
	body             string
	requestHeader    map[string]string
	anonymous        bool
	undescribed      bool
	status           int
	answer           string
	answerHeader     map[string]string
	withoutRequestID bool

	want []string // a piece of each problem
}

func page(rows string) string { return `{"data":[` + rows + `],"meta":{}}` }

func TestGoodExchanges(t *testing.T) {
	for name, s := range map[string]sample{
		"projects":            {address: "/api/public/projects", status: 200, answer: project},
		"health":              {address: "/api/public/health", anonymous: true, status: 200, answer: `{"status":"OK","version":"4.55.0","weir":"1"}`},
		"health, any method":  {method: "POST", address: "/api/public/health?failIfNoRecentEvents=true", anonymous: true, status: 200, answer: `{"status":"OK","version":"4"}`},
		"health, unwell":      {address: "/api/public/health", anonymous: true, status: 503, answer: `{"status":"Database not available","version":"4"}`, answerHeader: map[string]string{"Retry-After": "1"}},
		"observations":        {address: "/api/public/v2/observations?limit=1000&fields=core,io&environment=a&environment=b&parentObservationId=&fromStartTime=2026-08-22T00:00:00Z", status: 200, answer: page(observation)},
		"observations, empty": {address: "/api/public/v2/observations?limit=", status: 200, answer: page("")},
		"filter": {
			address: "/api/public/v2/observations?filter=%5B%7B%22type%22%3A%22null%22%2C%22column%22%3A%22userId%22%2C%22operator%22%3A%22is%20null%22%2C%22value%22%3A%22%22%7D%5D",
			status:  200, answer: page(""),
		},
		"scores":             {address: "/api/public/v3/scores?dataType=numeric&valueMin=0.5&toTimestamp=2026-01-01", status: 200, answer: `{"data":[` + score + `],"meta":{"limit":50}}`},
		"one score":          {method: "POST", address: "/api/public/scores", body: `{"name":"q","value":1,"traceId":"t","comment":null,"metadata":null}`, status: 200, answer: `{"id":"s"}`},
		"several scores":     {method: "POST", address: "/api/public/scores", body: `[{"name":"q","value":"good","sessionId":"t","timestamp":"2026-08-22T10:11:12.123Z"}]`, status: 202, answer: `{"message":"Accepted"}`},
		"wrong scores":       {method: "POST", address: "/api/public/scores", body: `[{"name":"q","value":"good"}]`, status: 207, answer: `{"accepted":0,"rejected":1,"errors":[{"message":"no"}]}`},
		"with a public key":  {method: "POST", address: "/api/public/scores", requestHeader: map[string]string{"Authorization": "Bearer pk"}, body: `{"name":"q","value":1}`, status: 200, answer: `{"id":"s"}`},
		"issues":             {address: "/api/public/v2/observations?limit=1001", status: 400, answer: issues},
		"class":              {address: "/api/public/v2/observations?nosuch=1", status: 400, answer: `{"message":"no","error":"InvalidRequestError"}`},
		"not let in":         {address: "/api/public/v2/observations", anonymous: true, status: 401, answer: `{"message":"No authorization header"}`},
		"unknown path":       {address: "/api/public/nosuch", status: 404, answer: `{"message":"Not Found","error":"LangfuseNotFoundError"}`},
		"unknown method":     {method: "PUT", address: "/api/public/projects", status: 405, answer: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`},
		"slash at the end":   {address: "/api/public/projects/", status: 308, answerHeader: map[string]string{"Content-Type": "text/html"}},
		"double slash":       {address: "//api/public/projects", status: 200, answer: project},
		"preflight":          {method: "OPTIONS", address: "/api/public/projects", anonymous: true, status: 204, withoutRequestID: true},
		"slash in a name":    {method: "DELETE", address: "/api/public/v2/prompts/a%2Fb?version=1", status: 204},
		"OTLP, JSON":         {method: "POST", address: "/v1/traces", body: `{"resourceSpans":[]}`, status: 200, answer: `{}`},
		"OTLP, gzip":         {method: "POST", address: "/v1/traces", body: squeezed(t, `{"resourceSpans":[]}`), requestHeader: map[string]string{"Content-Encoding": "gzip"}, status: 200, answer: `{}`},
		"OTLP, blanks":       {method: "POST", address: "/v1/traces", body: `{}`, requestHeader: map[string]string{"x-langfuse-ingestion-version": " 4 "}, status: 200, answer: `{}`},
		"OTLP, protobuf":     {method: "POST", address: "/api/public/otel/v1/logs", body: "\x0a", requestHeader: map[string]string{"Content-Type": "application/x-protobuf"}, status: 200, answerHeader: map[string]string{"Content-Type": "application/x-protobuf"}},
		"OTLP, refused":      {method: "POST", address: "/v1/metrics", body: "a", requestHeader: map[string]string{"Content-Type": "text/plain"}, status: 400, answer: `{"error":"Invalid content type"}`},
		"ingestion":          {method: "POST", address: "/api/public/ingestion", body: `{"batch":[{"id":"e","type":"score-create","timestamp":"2026-08-22T10:11:12.123Z","body":{"name":"q","value":true}}]}`, status: 207, answer: `{"successes":[{"id":"e","status":201}],"errors":[]}`},
		"ingestion, in part": {method: "POST", address: "/api/public/ingestion", body: `{"batch":[{"id":"e"}]}`, status: 207, answer: `{"successes":[],"errors":[{"id":"e","status":400,"message":"m","error":"e"}]}`},
		"file sent":          {method: "PUT", address: "/api/public/media/m/content?project=p&expires=1&signature=s", anonymous: true, body: "\x89PNG", requestHeader: map[string]string{"Content-Type": "image/png"}, status: 200},
		"file read":          {address: "/api/public/media/m/content?project=p&expires=1&signature=s", anonymous: true, status: 200, answer: "\x89PNG", answerHeader: map[string]string{"Content-Type": "image/png", "ETag": `"m"`}},
		"description":        {address: "/api/openapi.yaml", anonymous: true, status: 200, answer: "openapi: 3.0.3", answerHeader: map[string]string{"Content-Type": "application/yaml"}},
		"prompt":             {address: "/api/public/v2/prompts/a", status: 200, answer: `{"name":"a","version":1,"type":"chat","prompt":[{"role":"user","content":"c"}],"config":null,"labels":[],"tags":[]}`},
		"on purpose":         {address: "/api/public/projects?nosuch=1", undescribed: true, status: 200, answer: project},
		"dataset item":       {method: "POST", address: "/api/public/dataset-items", body: `{"datasetName":"d","status":null,"input":[1]}`, status: 409, answer: `{"message":"m","error":"LangfuseConflictError"}`},
		"score config":       {method: "PATCH", address: "/api/public/score-configs/c", body: `{"isArchived":true}`, status: 404, answer: `{"message":"m","error":"LangfuseNotFoundError"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Empty(t, s.problems(t))
		})
	}
}

func TestBadExchanges(t *testing.T) {
	for name, s := range map[string]sample{
		"status":                {address: "/api/public/projects", status: 201, answer: project, want: []string{"the status is not described"}},
		"path":                  {address: "/api/public/nosuch", status: 200, answer: `{}`, want: []string{"the path is not described"}},
		"method":                {method: "DELETE", address: "/api/public/projects", status: 200, answer: `{}`, want: []string{"the method is not described"}},
		"error without a class": {address: "/api/public/nosuch", status: 404, answer: `{"message":"Not Found"}`, want: []string{`property "error" is missing`}},
		"extra field":           {address: "/api/public/v2/observations", status: 200, answer: page(strings.Replace(observation, `{`, `{"secret":1,`, 1)), want: []string{`at /data/0: property "secret" is unsupported`}},
		"missing field":         {address: "/api/public/projects", status: 200, answer: strings.Replace(project, `,"metadata":{}`, "", 1), want: []string{`at /data/0/metadata: property "metadata" is missing`}},
		"wrong type":            {address: "/api/public/v2/observations", status: 200, answer: page(strings.Replace(observation, `"0.1"`, `0.1`, 1)), want: []string{"at /data/0/totalPrice: value must be a string"}},
		"null":                  {address: "/api/public/v2/observations", status: 200, answer: page(strings.Replace(observation, `"projectId":"p"`, `"projectId":null`, 1)), want: []string{"at /data/0/projectId: Value is not nullable"}},
		"enum":                  {address: "/api/public/v2/observations", status: 200, answer: page(strings.Replace(observation, "SPAN", "Span", 1)), want: []string{"at /data/0/type: value is not one of the allowed values"}},
		"form of a time":        {address: "/api/public/v2/observations", status: 200, answer: page(strings.Replace(observation, ".123Z", "Z", 1)), want: []string{"at /data/0/startTime: "}},
		"value of a score":      {address: "/api/public/v3/scores", status: 200, answer: `{"data":[` + strings.Replace(score, "true", "1", 1) + `],"meta":{"limit":50}}`, want: []string{"at /data/0: "}},
		"cursor that is null":   {address: "/api/public/v2/observations", status: 200, answer: `{"data":[],"meta":{"cursor":null}}`, want: []string{"at /meta/cursor: Value is not nullable"}},
		"no JSON":               {address: "/api/public/projects", status: 200, answer: `<html>`, want: []string{"failed to decode"}},
		"content type":          {address: "/api/public/projects", status: 200, answer: project, answerHeader: map[string]string{"Content-Type": "text/plain"}, want: []string{`the content type "text/plain" of the answer is not described`}},
		"unwanted body":         {method: "DELETE", address: "/api/public/v2/prompts/a", status: 204, answer: `{}`, want: []string{"the answer has a body"}},
		"no id of the request":  {address: "/api/public/projects", status: 200, answer: project, withoutRequestID: true, want: []string{`header "X-Request-Id" missing`}},
		"no time to come back":  {address: "/api/public/v2/observations", status: 503, answer: `{"message":"m","error":"ServiceUnavailableError"}`, want: []string{`header "Retry-After" missing`}},
		"error in another form": {method: "POST", address: "/v1/traces", body: `{}`, status: 400, answer: `{"message":"m","error":"InvalidRequestError"}`, want: []string{`property "message" is unsupported`}},

		"parameter":            {address: "/api/public/projects?nosuch=1", status: 200, answer: project, want: []string{`the query parameter "nosuch" is not described`}},
		"parameter out of it":  {address: "/api/public/v2/observations?limit=1001", status: 200, answer: page(""), want: []string{`"limit"`}},
		"parameter, no number": {address: "/api/public/v2/observations?limit=many", status: 200, answer: page(""), want: []string{`"limit"`}},
		"parameter missing":    {address: "/api/public/experiments", status: 200, answer: page(""), want: []string{`"fromStartTime"`}},
		"group of fields":      {address: "/api/public/v3/scores?fields=nosuch", status: 200, answer: `{"data":[],"meta":{"limit":50}}`, want: []string{`"fields"`}},
		"filter":               {address: "/api/public/v2/observations?filter=%5B%7B%22type%22%3A%22nosuch%22%7D%5D", status: 200, answer: page(""), want: []string{`"filter"`}},
		"no key":               {address: "/api/public/projects", anonymous: true, status: 200, answer: project, want: []string{"no credentials for projectKeys"}},
		"public key alone":     {address: "/api/public/projects", requestHeader: map[string]string{"Authorization": "Bearer pk"}, status: 200, answer: project, want: []string{"no credentials for projectKeys"}},
		"body, missing member": {method: "POST", address: "/api/public/score-configs", body: `{"name":"q"}`, status: 404, answer: `{"message":"m","error":"LangfuseNotFoundError"}`, want: []string{"the status is not described"}},
		"body, wrong":          {method: "DELETE", address: "/api/public/traces", body: `{"traceIds":[]}`, status: 200, answer: `{"message":"m"}`, want: []string{"at /traceIds: minimum number of items is 1"}},
		"body, extra member":   {method: "DELETE", address: "/api/public/traces", body: `{"traceIds":["a"],"b":1}`, status: 200, answer: `{"message":"m"}`, want: []string{`property "b" is unsupported`}},
		"body, none":           {method: "DELETE", address: "/api/public/traces", status: 200, answer: `{"message":"m"}`, want: []string{"value is required but missing"}},
		"body, not described":  {address: "/api/public/projects", body: `{}`, status: 200, answer: project, want: []string{"the request has a body"}},
		"body, content type":   {method: "DELETE", address: "/api/public/traces", body: `a`, requestHeader: map[string]string{"Content-Type": "text/plain"}, status: 200, answer: `{"message":"m"}`, want: []string{`the content type "text/plain" of the request is not described`}},
		"two problems":         {address: "/api/public/v2/observations?nosuch=1&limit=-1", status: 200, answer: page(""), want: []string{"nosuch", `"limit"`}},
		"answer on purpose":    {address: "/api/public/projects?nosuch=1", undescribed: true, status: 200, answer: `{}`, want: []string{`property "data" is missing`}},
	} {
		t.Run(name, func(t *testing.T) {
			problems := s.problems(t)
			require.Len(t, problems, len(s.want), "%q", problems)
			for i, want := range s.want {
				assert.Contains(t, problems[i], want)
				assert.Less(t, len(problems[i]), 600, "it is short enough to read")
			}
		})
	}
}

// The client sees what it would see without the check, and the test hears of every problem.
func TestTransport(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Equal(t, `{"traceIds":["a"]}`, string(body))
		w.Header().Set("X-Request-Id", "1")
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, `{"message":"m","more":1}`)
	}))
	defer server.Close()
	var problems []string
	client := http.Client{Transport: transport{report: func(problem string) { problems = append(problems, problem) }, base: http.DefaultTransport}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, server.URL+"/api/public/traces", strings.NewReader(`{"traceIds":["a"]}`))
	require.NoError(t, err)
	request.SetBasicAuth("pk", "sk")
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	assert.Equal(t, `{"message":"m","more":1}`, string(body))
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], `DELETE /api/public/traces answered 200: the answer is not as described: `)
	assert.Contains(t, problems[0], `at /: property "more" is unsupported`)
}

func TestTransportFailsTheTest(t *testing.T) {
	s := sample{address: "/api/public/projects", status: 200, answer: `{}`}
	witness := &witness{TB: t}
	client := http.Client{Transport: Transport(witness, s.server())}
	answer, err := client.Do(s.request(t))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, 1, witness.failures)
}

func TestTransportClosesConnections(t *testing.T) {
	base := &closer{RoundTripper: http.DefaultTransport}
	(&http.Client{Transport: Transport(t, base)}).CloseIdleConnections()
	assert.Equal(t, 1, base.closed)
	(&http.Client{Transport: Transport(t, sample{}.server())}).CloseIdleConnections() // has none to close
}

type closer struct {
	http.RoundTripper
	closed int
}

func (c *closer) CloseIdleConnections() { c.closed++ }

type witness struct {
	testing.TB
	failures int
}

func (w *witness) Error(...any) { w.failures++ }

func TestRoutes(t *testing.T) {
	routes := Routes()
	assert.Contains(t, routes, Route{"GET", "/api/public/v2/observations"})
	assert.Contains(t, routes, Route{"POST", "/v1/traces"})
	assert.Contains(t, routes, Route{"*", "/api/public/health"})
	assert.Contains(t, routes, Route{"PATCH", "/api/public/v2/prompts/{promptName}/versions/{version}"})
	assert.NotContains(t, routes, Route{"GET", "/api/public/health"})
}

// problems sends the sample through the check.
func (s sample) problems(t *testing.T) []string {
	t.Helper()
	var problems []string
	answer, err := transport{report: func(problem string) { problems = append(problems, problem) }, base: s.server()}.RoundTrip(s.request(t))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return problems
}

func (s sample) request(t *testing.T) *http.Request {
	t.Helper()
	method := s.method
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	if s.body != "" {
		body = strings.NewReader(s.body)
	}
	ctx := t.Context()
	if s.undescribed {
		ctx = Undescribed(ctx)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://weir.test"+s.address, body)
	require.NoError(t, err)
	if !s.anonymous {
		request.SetBasicAuth("pk", "sk")
	}
	if s.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range s.requestHeader {
		request.Header.Set(name, value)
	}
	return request
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// server is a transport that always has the answer of the sample.
func (s sample) server() http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		answer := &http.Response{StatusCode: s.status, Request: request, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(s.answer))}
		if !s.withoutRequestID {
			answer.Header.Set("X-Request-Id", "1")
		}
		if s.answer != "" {
			answer.Header.Set("Content-Type", "application/json; charset=utf-8")
		}
		for name, value := range s.answerHeader {
			answer.Header.Set(name, value)
		}
		return answer, nil
	})
}

func squeezed(t *testing.T, text string) string {
	t.Helper()
	var buffer bytes.Buffer
	writer := gzip.NewWriter(&buffer)
	_, err := writer.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	return buffer.String()
}
