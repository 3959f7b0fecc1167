// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	depth   = 100_000
	hugeKey = 4 << 20
)

// malformed are bodies that break parsers.
func malformed() map[string]string {
	deep := strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
	return map[string]string{
		"deep lists":             strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"deep objects":           deep,
		"deep lists, not closed": strings.Repeat("[", depth),
		"deep in a value":        `{"name":"deep","metadata":` + deep + `,"input":` + deep + `,"value":` + deep + `,"prompt":` + deep + `,"batch":` + deep + `}`,
		"deep in a span":         `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":` + strings.Repeat(`{"arrayValue":{"values":[`, depth) + strings.Repeat("]}}", depth) + `}]}]}]}]}`,
		"huge key":               `{"` + strings.Repeat("k", hugeKey) + `":1}`,
		"huge key in metadata":   `{"name":"n","value":1,"traceId":"t","metadata":{"` + strings.Repeat("k", hugeKey) + `":1}}`,
		"huge number":            `{"name":"n","traceId":"t","value":1` + strings.Repeat("0", hugeKey) + `}`,
		"huge exponent":          `{"name":"n","traceId":"t","value":1e999999999,"inputPrice":1e-999999999,"modelName":"m","matchPattern":"m"}`,
		"double keys":            `{"name":"a","name":"b","value":1,"value":2,"traceId":"t","traceId":"u","metadata":{"k":1,"k":{"k":2}}}`,
		"many keys":              `{"name":"n","value":1,"traceId":"t","metadata":{` + strings.Repeat(`"k":1,`, 200_000) + `"k":1}}`,
		"invalid UTF-8":          "{\"name\":\"\xff\xfe\xc0\x80\",\"value\":1,\"traceId\":\"\xed\xa0\x80\",\"prompt\":\"\xf8\"}",
		"half surrogates":        `{"name":"\ud800","value":1,"traceId":"\udc00\ud800","prompt":"\ud83d"}`,
		"NUL":                    `{"name":"a\u0000b","value":1,"traceId":"\u0000","prompt":"\u0000"}`,
		"byte order mark":        "\ufeff{}",
		"UTF-16":                 "\xff\xfe{\x00}\x00",
		"nothing":                "",
		"null":                   "null",
		"a number":               "1",
		"cut off":                `{"name":"`,
		"two values":             `{} {}`,
		"NaN":                    `{"value":NaN}`,
	}
}

// No body, however it is made, gets anything but an answer that says no in JSON, or is taken for what it is.
func TestMalformedBodies(t *testing.T) {
	s := start(t)
	for _, route := range s.bodyRoutes() {
		for name, body := range malformed() {
			for _, contentType := range []string{"application/json", "application/x-protobuf"} {
				got := s.call(route.method, route.path, []byte(body), "Content-Type", contentType)
				assert.Less(t, got.status, http.StatusInternalServerError, "%s to %v as %s: %.300s", name, route, contentType, got.body)
				if got.status >= http.StatusBadRequest {
					assert.True(t, json.Valid([]byte(got.body)), "%s to %v: %.300s", name, route, got.body)
				}
				assert.Less(t, len(got.body), 1<<20, "%s to %v: an error repeats what was sent", name, route)
			}
		}
	}
	s.isWell()
	// What was taken can be read.
	for _, path := range []string{
		"/api/public/v2/observations?fields=core,basic,io,metadata,model,usage,trace_context", "/api/public/v3/scores?fields=details,subject,annotation",
		"/api/public/v2/prompts", "/api/public/v2/datasets", "/api/public/score-configs", "/api/public/models", "/api/public/comments",
		"/api/public/annotation-queues", "/api/public/dataset-items",
	} {
		assert.Equal(t, http.StatusOK, s.call(http.MethodGet, path, nil).status, path)
	}
}

// Headers and addresses of any kind are answered, too.
func TestMalformedRequests(t *testing.T) {
	s := start(t)
	for name, lines := range map[string]string{
		"no host":             "GET /api/public/health HTTP/1.1\r\n\r\n",
		"two lengths":         "POST /api/public/scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
		"length and chunks":   "POST /api/public/scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"negative length":     "POST /api/public/scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
		"bad chunk":           "POST /api/public/scores HTTP/1.1\r\nHost: localhost\r\n" + s.login() + "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
		"bad escape":          "GET /api/public/traces/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"NUL in the path":     "GET /api/public/traces/%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + s.login() + "\r\n",
		"not UTF-8":           "GET /api/public/traces/%ff%fe?filter=%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + s.login() + "\r\n",
		"up and out":          "GET /api/public/media/../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + s.login() + "\r\n",
		"up and out, escaped": "GET /api/public/media/..%2f..%2f..%2fetc%2fpasswd/content?project=project-0 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
		"two megabytes":       "GET /api/public/health HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("x", 2<<20) + "\r\n\r\n",
		"a long address":      "GET /api/public/traces/" + strings.Repeat("x", 2<<20) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"a bad login":         "GET /api/public/projects HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Basic !!!\r\n\r\n",
		"an endless login":    "GET /api/public/projects HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Basic " + strings.Repeat("A", 500_000) + "\r\n\r\n",
		"HTTP/2 preface":      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"TLS":                 "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
		"not HTTP":            "\x00\x01\x02\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			status := s.raw(lines)
			assert.NotEqual(t, http.StatusOK, status)
			assert.Less(t, status, http.StatusInternalServerError)
		})
	}
	s.isWell()
}
