// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/validation"
)

func TestPaths(t *testing.T) {
	s := newTestServer(t, testSettings(),
		Route{Method: http.MethodGet, Path: "/api/public/prompts", Handle: tell},
		Route{Method: http.MethodGet, Path: "/api/public/prompts/{name}", Handle: tell},
		Route{Method: http.MethodGet, Path: "/api/public/projects", Handle: tell, Style: StyleMessage},
		Route{Method: AnyMethod, Path: "/api/public/health", Handle: tell},
	)
	const notFound = `{"message":"Not Found","error":"LangfuseNotFoundError"}`
	const wrongMethod = `{"message":"Method not allowed","error":"MethodNotAllowedError"}`
	named := func(name string) string { return fmt.Sprintf(`{"project":"","name":%q,"body":0}`, name) }
	for _, tc := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/api/public/prompts", 200, named("")},
		{"GET", "//api/public/prompts", 200, named("")},
		{"GET", "/api/public/prompts/plain", 200, named("plain")},
		{"GET", "/api/public/prompts/folder%2Fname", 200, named("folder/name")},
		{"GET", "/api/public/prompts/a%2F%2Fb%2F..%2Fc", 200, named("a//b/../c")},
		{"GET", "/api/public/prompts/a%20b+c%3F", 200, named("a b+c?")},
		{"GET", "/api/public/prompts/folder/name", 404, notFound},
		{"GET", "/api/public/prompts/", 404, notFound},
		{"GET", "/api/public/nothing", 404, notFound},
		{"GET", "/", 404, notFound},
		{"POST", "/api/public/prompts", 405, wrongMethod},
		{"HEAD", "/api/public/prompts", 405, ""},
		{"HEAD", "/api/public/health", 200, ""},
		{"DELETE", "/api/public/health", 200, named("")},
	} {
		t.Run(tc.method+" "+tc.path, func(t *testing.T) {
			got := s.do(t, tc.method, tc.path, nil)
			assert.Equal(t, tc.status, got.status)
			assert.Equal(t, tc.body, got.body)
			assert.Equal(t, "application/json; charset=utf-8", got.header.Get("Content-Type"))
		})
	}
	t.Run("the style of a route", func(t *testing.T) {
		assert.Equal(t, `{"message":"Method not allowed"}`, s.do(t, "POST", "/api/public/projects", nil).body)
	})
	t.Run("a slash at the end", func(t *testing.T) {
		got := s.do(t, "GET", "/api/public/projects/?a=b%20c", nil)
		assert.Equal(t, 308, got.status)
		assert.Equal(t, "/api/public/projects?a=b%20c", got.header.Get("Location"))
		assert.NotEmpty(t, got.header.Get("X-Request-Id"))
	})
}

// told is an error with a text for callers.
func told(kind error) error { return &catalog.Error{Kind: kind, Message: "said to the caller"} }

func TestErrors(t *testing.T) {
	issues := validation.Issues{validation.TooBig(validation.OfNumber, 1000, "limit"), validation.Missing("string", "body", 0, "id")}
	const listed = `[{"origin":"number","code":"too_big","maximum":1000,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=1000"},` +
		`{"expected":"string","code":"invalid_type","path":["body",0,"id"],"message":"Invalid input: expected string, received undefined"}]`
	for name, tc := range map[string]struct {
		err    error
		style  Style
		status int
		body   string
	}{
		"issues":             {issues, StyleStandard, 400, `{"message":"Invalid request data","error":` + listed + `}`},
		"issues of OTLP":     {issues, StyleOTLP, 400, `{"error":"Invalid request data: limit: Too big: expected number to be <=1000; body.0.id: Invalid input: expected string, received undefined"}`},
		"issues in envelope": {issues, StyleEnvelope, 400, `{"message":"Invalid request data","errors":["Too big: expected number to be <=1000","Invalid input: expected string, received undefined"]}`},
		"a refusal":          {validation.Refuse("not so"), StyleStandard, 400, `{"message":"not so","error":"InvalidRequestError"}`},
		"a bare message":     {validation.Refuse("not so"), StyleMessage, 400, `{"message":"not so"}`},
		"OTLP":               {validation.Refuse("not so"), StyleOTLP, 400, `{"error":"not so"}`},
		"not found":          {fmt.Errorf("%w: no trace", store.ErrNotFound), StyleStandard, 404, `{"message":"not found: no trace","error":"LangfuseNotFoundError"}`},
		"a text of its own":  {told(store.ErrNotFound), StyleStandard, 404, `{"message":"said to the caller","error":"LangfuseNotFoundError"}`},
		"invalid":            {told(store.ErrInvalid), StyleStandard, 400, `{"message":"said to the caller","error":"InvalidRequestError"}`},
		"conflict":           {told(store.ErrConflict), StyleStandard, 409, `{"message":"said to the caller","error":"LangfuseConflictError"}`},
		"unavailable":        {told(store.ErrUnavailable), StyleStandard, 503, `{"message":"The store is not available now; try again later","error":"ServiceUnavailableError"}`},
		"too expensive":      {told(store.ErrTooExpensive), StyleStandard, 422, `{"message":"said to the caller","error":"Request timed out"}`},
		"about a field":      {&catalog.Error{Kind: store.ErrInvalid, Message: "no", Path: []string{"name"}}, StyleStandard, 400, `{"message":"Invalid request data","error":[{"code":"custom","path":["name"],"message":"no"}]}`},
		"given up":           {context.DeadlineExceeded, StyleStandard, 503, `{"message":"The request was given up","error":"ServiceUnavailableError"}`},
		"our fault":          {errors.New("secret detail"), StyleStandard, 500, `{"message":"Internal Server Error","error":"InternalServerError"}`},
		"named":              {unauthorized("who?"), StyleNamed, 401, `{"message":"who?","error":"UnauthorizedError"}`},
		"not named":          {unauthorized("who?"), StyleStandard, 401, `{"message":"who?"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestServer(t, testSettings(), Route{
				Method: http.MethodGet, Path: "/x", Style: tc.style,
				Handle: func(context.Context, *Request) (Reply, error) { return Reply{}, tc.err },
			})
			got := s.do(t, "GET", "/x", nil)
			assert.Equal(t, tc.status, got.status)
			assert.JSONEq(t, tc.body, got.body)
			assert.Equal(t, tc.status == 503, got.header.Get("Retry-After") != "")
		})
	}
}

func TestPanicIsAnAnswer(t *testing.T) {
	s := newTestServer(t, testSettings(), Route{
		Method: http.MethodGet, Path: "/x",
		Handle: func(context.Context, *Request) (Reply, error) { panic("no") },
	})
	got := s.do(t, "GET", "/x", nil)
	assert.Equal(t, 500, got.status)
	assert.JSONEq(t, `{"message":"Internal Server Error","error":"InternalServerError"}`, got.body)
}

func TestValueThatIsNoJSONIsAnAnswer(t *testing.T) {
	s := newTestServer(t, testSettings(), Route{
		Method: http.MethodGet, Path: "/x",
		Handle: func(context.Context, *Request) (Reply, error) { return JSON(func() {}), nil },
	})
	assert.Equal(t, 500, s.do(t, "GET", "/x", nil).status)
}

// What a caller sent is in the answer that says no, and not in the log.
func TestLogDoesNotRepeatTheCaller(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	settings := testSettings()
	settings.Logger = zap.New(core)
	s := newTestServer(t, settings, Route{Method: http.MethodGet, Path: "/{name}", Access: Read, Handle: func(_ context.Context, r *Request) (Reply, error) {
		return Reply{}, NotFound("There is no " + r.Segment("name"))
	}})
	got := s.do(t, http.MethodGet, "/a-prompt", nil, asOne...)
	assert.Contains(t, got.body, "There is no a-prompt")
	require.Eventually(t, func() bool { return logs.Len() == 1 }, time.Minute, time.Millisecond)
	fields := logs.All()[0].ContextMap()
	assert.Equal(t, "LangfuseNotFoundError", fields["error_class"])
	assert.NotContains(t, fmt.Sprint(fields), "a-prompt")
}

func TestRequestID(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	settings := testSettings()
	settings.Logger = zap.New(core)
	s := newTestServer(t, settings, Route{Method: http.MethodGet, Path: "/x/{name}", Handle: tell, Access: Read})

	own := s.do(t, "GET", "/x/y?filter=prompt-text", nil, append(asOne, "X-Request-Id", "abc-1")...)
	assert.Equal(t, "abc-1", own.header.Get("X-Request-Id"))
	made := s.do(t, "GET", "/x/y", nil, append(asOne, "X-Request-Id", "not fit\tfor a log")...)
	assert.Regexp(t, "^[0-9a-f]{16}$", made.header.Get("X-Request-Id"))

	require.Equal(t, 2, logs.Len())
	fields := logs.All()[0].ContextMap()
	assert.Equal(t, "abc-1", fields["request_id"])
	assert.Equal(t, "/x/{name}", fields["route"])
	assert.Equal(t, "one", fields["project"])
	assert.NotContains(t, fmt.Sprint(logs.All()), "prompt-text")
	assert.NotContains(t, fmt.Sprint(logs.All()), "sk-one")
}

func TestLargeAnswersAreCompressed(t *testing.T) {
	text := strings.Repeat("weir ", 1000)
	s := newTestServer(t, testSettings(), Route{
		Method: http.MethodGet, Path: "/x",
		Handle: func(context.Context, *Request) (Reply, error) { return JSON(text), nil },
	})
	got := s.do(t, "GET", "/x", nil, "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", got.header.Get("Content-Encoding"))
	reader, err := gzip.NewReader(strings.NewReader(got.body))
	require.NoError(t, err)
	plain, err := io.ReadAll(reader)
	require.NoError(t, err)
	assert.JSONEq(t, `"`+text+`"`, string(plain))
	assert.Empty(t, s.do(t, "GET", "/x", nil).header.Get("Content-Encoding"))
}

func TestCORS(t *testing.T) {
	s := newTestServer(t, testSettings(), Route{Method: http.MethodPost, Path: "/x", Access: WriteScores, Handle: tell})
	asked := s.do(t, "OPTIONS", "/x", nil, "Origin", "https://app.example", "Access-Control-Request-Headers", "authorization,content-type", "Access-Control-Request-Method", "POST")
	assert.Equal(t, 204, asked.status)
	assert.Equal(t, "https://app.example", asked.header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, "GET,HEAD,PUT,PATCH,POST,DELETE", asked.header.Get("Access-Control-Allow-Methods"))
	assert.Equal(t, "authorization,content-type", asked.header.Get("Access-Control-Allow-Headers"))
	assert.Equal(t, []string{"Origin", "Access-Control-Request-Headers"}, asked.header.Values("Vary"))
	assert.Empty(t, asked.header.Get("Access-Control-Allow-Credentials"))

	done := s.do(t, "POST", "/x", nil, "Origin", "https://app.example", "Authorization", "Bearer pk-one")
	assert.Equal(t, 200, done.status)
	assert.Equal(t, "https://app.example", done.header.Get("Access-Control-Allow-Origin"))
	assert.NotEmpty(t, asked.header.Get("X-Request-Id"))
	refused := s.do(t, "POST", "/x", nil, "Origin", "https://app.example")
	assert.Equal(t, 401, refused.status)
	assert.Equal(t, "https://app.example", refused.header.Get("Access-Control-Allow-Origin"), "a page must be able to read why")
}

func TestCORSForSome(t *testing.T) {
	settings := testSettings()
	settings.CORS = CORS{Origins: []string{"http://localhost:*", "https://app.example"}, Headers: []string{"authorization"}, Exposed: []string{"X-Request-Id"}, MaxAge: 60}
	s := newTestServer(t, settings, Route{Method: http.MethodDelete, Path: "/x", Handle: tell})
	for origin, allowed := range map[string]bool{
		"http://localhost:5173": true, "https://app.example": true, "HTTPS://APP.EXAMPLE": true,
		"http://localhost": false, "https://evil.example": false, "https://app.example.evil": false, "": false, "null": false,
	} {
		got := s.do(t, "OPTIONS", "/x", nil, "Origin", origin, "Access-Control-Request-Method", "DELETE", "Access-Control-Request-Headers", "x-other")
		assert.Equal(t, 204, got.status)
		if !allowed {
			assert.Empty(t, got.header.Get("Access-Control-Allow-Origin"), origin)
			assert.Empty(t, got.header.Get("Access-Control-Allow-Methods"), origin)
			continue
		}
		assert.Equal(t, origin, got.header.Get("Access-Control-Allow-Origin"))
		assert.Contains(t, got.header.Get("Access-Control-Allow-Methods"), "DELETE")
		assert.Equal(t, "authorization", got.header.Get("Access-Control-Allow-Headers"))
		assert.Equal(t, "60", got.header.Get("Access-Control-Max-Age"))
		assert.Equal(t, "X-Request-Id", got.header.Get("Access-Control-Expose-Headers"))
		assert.Empty(t, got.header.Get("Access-Control-Allow-Credentials"))
	}
}

func TestLoopbackOnly(t *testing.T) {
	settings := testSettings()
	settings.LoopbackOnly = true
	handler, err := NewServer(settings, []Route{{Method: http.MethodGet, Path: "/x", Handle: tell}})
	require.NoError(t, err)
	for host, status := range map[string]int{
		"localhost": 200, "localhost:3000": 200, "LOCALHOST:1": 200, "127.0.0.1:3000": 200, "[::1]:3000": 200, "[::1]": 200,
		"evil.example": 403, "evil.example:3000": 403, "10.0.0.1": 403, "localhost.evil.example": 403,
	} {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
		request.Host = host
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		assert.Equal(t, status, recorder.Code, host)
		if status == 403 {
			assert.Contains(t, recorder.Body.String(), "call localhost, or set keys of your own")
		}
	}
}

func TestPatternForWhoMeasures(t *testing.T) {
	handler, err := NewServer(testSettings(), []Route{{Method: http.MethodGet, Path: "/x/{name}", Handle: tell}})
	require.NoError(t, err)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x/y", nil)
	handler.ServeHTTP(httptest.NewRecorder(), request)
	assert.Equal(t, "/x/{name}", request.Pattern)
}
