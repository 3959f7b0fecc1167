// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJudge(t *testing.T) {
	now := time.Now()
	for status := 200; status < 300; status++ {
		assert.Nil(t, judge(answer{status: status}, now))
	}
	for status := 300; status < 600; status++ {
		want := hopeless
		switch {
		case status < 400, status == 401, status == 403, status == 408, status == 429, status >= 500:
			want = later
		case status == 413:
			want = tooLarge
		case status == 400:
			want = refused
		}
		p := judge(answer{status: status}, now)
		require.NotNil(t, p)
		assert.Equal(t, want, p.verdict, status)
		assert.Equal(t, status < 400 || status == 401 || status == 403, p.misconfigured, status)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"":                               0,
		"0":                              0,
		"7":                              7 * time.Second,
		" 7 ":                            7 * time.Second,
		"-7":                             0,
		"1.5":                            0,
		"soon":                           0,
		"Sun, 15 Nov 2026 12:00:30 GMT":  30 * time.Second,
		"Sunday, 15-Nov-26 12:00:30 GMT": 30 * time.Second,
		"Sun, 15 Nov 2026 11:00:00 GMT":  0,
		"Sun, 15 Nov 2027 11:00:00 GMT":  time.Hour,
		"99999999":                       time.Hour,
		"99999999999999999999":           0,
	} {
		assert.Equal(t, want, retryAfter(header, now), "%q", header)
	}
}

func TestReasonOf(t *testing.T) {
	for body, want := range map[string]string{
		``:                                      "",
		`{"error":"Invalid content type"}`:      "Invalid content type",
		`{"message":"No authorization header"}`: "No authorization header",
		`{"message":"Not Found","error":"LangfuseNotFoundError"}`:                    "Not Found: LangfuseNotFoundError",
		`{"message":"Invalid request data","error":[{"code":"x","path":["limit"]}]}`: `Invalid request data: [{"code":"x","path":["limit"]}]`,
		`{"message":"Invalid request data","errors":["expected array"]}`:             `Invalid request data: ["expected array"]`,
		"Body exceeded 4.5mb limit\n":                                                "Body exceeded 4.5mb limit",
		"<html>\n  <h1>Bad\x00 Gateway</h1>":                                         "<html> <h1>Bad Gateway</h1>",
		"\xff\xfebinary":                                                             "binary",
		`{"message":17}`:                                                             `{"message":17}`,
		strings.Repeat("é", 600):                                                     strings.Repeat("é", 500) + "…",
	} {
		assert.Equal(t, want, reasonOf(answer{status: 400, body: []byte(body)}), "%q", body)
	}
	assert.Equal(t, `it redirects to "https://x/"`, reasonOf(answer{status: 302, header: http.Header{"Location": {"https://x/"}}}))
}

func FuzzReasonOf(f *testing.F) {
	f.Add([]byte(`{"message":"m","error":["e"]}`))
	f.Add([]byte("\xff\x00<html>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		reason := reasonOf(answer{status: 400, body: body})
		assert.LessOrEqual(t, len([]rune(reason)), maxReason+1)
		assert.NotContains(t, reason, "\n")
	})
}
