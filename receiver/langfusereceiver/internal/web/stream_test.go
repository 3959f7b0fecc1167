// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// closing is a content that tells when it was closed.
type closing struct {
	*bytes.Reader
	closed chan struct{}
}

func (c *closing) Close() error {
	close(c.closed)
	return nil
}

func TestStreams(t *testing.T) {
	text := strings.Repeat("<script>alert(1)</script>", 1000)
	closed := make(chan struct{})
	s := newTestServer(t, testSettings(), Route{
		Method: http.MethodGet, Path: "/file", Access: Signed, Handle: func(context.Context, *Request) (Reply, error) {
			closed = make(chan struct{})
			return Reply{Status: http.StatusOK, Stream: &Stream{
				Content: &closing{bytes.NewReader([]byte(text)), closed}, ContentType: "text/html", Name: "page",
				Modified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Fresh: time.Minute,
			}}, nil
		},
	})
	got := s.do(t, http.MethodGet, "/file", nil, "Accept-Encoding", "gzip")
	<-closed
	assert.Equal(t, 200, got.status)
	assert.Equal(t, text, got.body)
	for name, want := range map[string]string{
		"Content-Type": "text/html", "Content-Length": "25000", "Content-Encoding": "", "X-Content-Type-Options": "nosniff",
		"Content-Disposition":     `attachment; filename="page"`,
		"Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
		"Etag":                    `"page"`, "Last-Modified": "Fri, 02 Jan 2026 03:04:05 GMT", "Accept-Ranges": "bytes", "Cache-Control": "private, max-age=60",
		"Cross-Origin-Resource-Policy": "cross-origin", "Referrer-Policy": "no-referrer", "No-Gzip-Compression": "",
	} {
		assert.Equal(t, want, got.header.Get(name), name)
	}
	part := s.do(t, http.MethodGet, "/file", nil, "Range", "bytes=1-6")
	assert.Equal(t, 206, part.status)
	assert.Equal(t, "script", part.body)
	assert.Equal(t, 304, s.do(t, http.MethodGet, "/file", nil, "If-None-Match", `"page"`).status)
}

func TestBodiesOfAnySize(t *testing.T) {
	settings := testSettings()
	settings.Limits.Compressed = 1000
	count := func(_ context.Context, r *Request) (Reply, error) {
		n, err := io.Copy(io.Discard, r.Stream())
		return JSON(n), err
	}
	s := newTestServer(t, settings,
		Route{Method: http.MethodPut, Path: "/any", Access: Signed, AnySize: true, Handle: count},
		Route{Method: http.MethodPut, Path: "/bounded", Access: Signed, Handle: count},
	)
	body := func(n int) io.Reader { return bytes.NewReader(make([]byte, n)) }
	assert.Equal(t, "100000", s.do(t, http.MethodPut, "/any", body(100_000)).body)
	assert.Equal(t, "1000", s.do(t, http.MethodPut, "/bounded", body(1000)).body)
	assert.Equal(t, 413, s.do(t, http.MethodPut, "/bounded", body(1001)).status)
}

func TestSignedRoutesCount(t *testing.T) {
	settings := testSettings()
	settings.Requests = NewBudget(0)
	s := newTestServer(t, settings, Route{Method: http.MethodGet, Path: "/file", Access: Signed, Handle: tell})
	assert.Equal(t, 503, s.do(t, http.MethodGet, "/file", nil).status)
}
