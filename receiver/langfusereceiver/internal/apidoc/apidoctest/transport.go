// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoctest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Transport sends requests through another transport, http.DefaultTransport when that is nil, and fails the test when an
// answer is not as the description says, or when a request succeeds that the description does not allow.
func Transport(t testing.TB, base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return transport{report: func(problem string) {
		t.Helper()
		t.Error(problem)
	}, base: base}
}

type undescribedKey struct{}

// Undescribed marks the context of a request that goes beyond the description on purpose, such as one with a parameter
// that the server passes over. Its answer is checked all the same.
func Undescribed(ctx context.Context) context.Context {
	return context.WithValue(ctx, undescribedKey{}, true)
}

type transport struct {
	report func(problem string)
	base   http.RoundTripper
}

// RoundTrip is that of the other transport, with both bodies read and checked.
func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	var sent []byte
	if request.Body != nil {
		var err error
		sent, err = io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		_ = request.Body.Close()
		request = request.Clone(request.Context())
		request.Body = io.NopCloser(bytes.NewReader(sent))
	}
	answer, err := t.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	received, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(received))

	e, err := newExchange(request, sent, answer, received)
	if err != nil {
		t.report(fmt.Sprintf("%s %s: %v", request.Method, request.URL.Path, err))
		return answer, nil
	}
	for _, problem := range e.problems(request.Context()) {
		t.report(fmt.Sprintf("%s %s answered %d: %s", request.Method, e.path(), answer.StatusCode, problem))
	}
	return answer, nil
}

// CloseIdleConnections is that of the other transport: http.Client asks for it by its name.
func (t transport) CloseIdleConnections() {
	if closer, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// decompress opens a body by its Content-Encoding.
func decompress(header http.Header, body []byte) ([]byte, error) {
	if len(body) == 0 {
		return body, nil
	}
	var (
		reader io.Reader
		err    error
	)
	switch encoding := strings.ToLower(header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return body, nil
	case "gzip":
		reader, err = gzip.NewReader(bytes.NewReader(body))
	case "deflate":
		reader, err = zlib.NewReader(bytes.NewReader(body))
	case "zstd":
		var decoder *zstd.Decoder
		if decoder, err = zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1)); err == nil {
			defer decoder.Close()
		}
		reader = decoder
	default:
		return nil, fmt.Errorf("content encoding %q is not described", encoding)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
