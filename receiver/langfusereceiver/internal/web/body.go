// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// BodyLimits bound what a request may bring.
type BodyLimits struct {
	// Compressed is the largest body as it comes over the network; 0 is no limit.
	Compressed int64
	// Decompressed is the largest body after decompression.
	Decompressed int64
	// Ratio is how much larger than its compressed form a body may be.
	Ratio int64
	// InFlight bounds the bodies of all requests together.
	InFlight *Budget
}

const (
	// innocentSize is what a body may open to before its ratio counts: small ones of one letter are no attack.
	innocentSize = 1 << 20
	// readStep is by how much the room for a body grows; each step is taken from the budget first.
	readStep = 64 << 10
)

// ErrDecompress says that a body is not in the encoding that its header names.
var ErrDecompress = BadRequest("Failed to decompress request body")

// errRead says that a body broke off.
var errRead = BadRequest("Failed to read request body")

func tooLarge(limit int64) *Error {
	return NewError(http.StatusRequestEntityTooLarge, fmt.Sprintf("Body exceeded %s limit", megabytes(limit)))
}

func megabytes(size int64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(size)/(1<<20)), ".0") + "mb"
}

// Body reads and decompresses the body, of at most limit bytes where that is less than the general limit. The body stays
// in the budget until the request is answered.
func (r *Request) Body(limit int64) ([]byte, error) {
	limits := r.server.limits
	if limit <= 0 || limit > limits.Decompressed {
		limit = limits.Decompressed
	}
	raw := &countingReader{reader: r.Request.Body}
	reader, err := decompressor(r.Header.Get("Content-Encoding"), raw)
	if err != nil {
		return nil, bodyError(err, raw)
	}
	defer reader.Close()

	var body bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength <= limit {
		if err := r.reserve(r.ContentLength); err != nil {
			return nil, err
		}
		body.Grow(int(r.ContentLength))
	}
	for {
		if int64(body.Len()) >= r.reserved {
			if err := r.reserve(max(readStep, int64(body.Len())/4)); err != nil {
				return nil, err
			}
		}
		n, err := io.CopyN(&body, reader, min(r.reserved-int64(body.Len()), limit+1-int64(body.Len())))
		switch size := int64(body.Len()); {
		case size > limit:
			return nil, tooLarge(limit)
		case size > innocentSize && size > raw.count*limits.Ratio:
			return nil, NewError(http.StatusRequestEntityTooLarge, fmt.Sprintf("Body opens to more than %d times its compressed size", limits.Ratio))
		case errors.Is(err, io.EOF):
			return body.Bytes(), nil
		case err != nil:
			return nil, bodyError(err, raw)
		case n == 0:
			return nil, errRead
		}
	}
}

// reserve takes room for the body from the budget.
func (r *Request) reserve(size int64) error {
	if !r.server.limits.InFlight.Take(size) {
		return Unavailable("The server is busy with other requests")
	}
	r.reserved += size
	return nil
}

// bodyError tells what was wrong with a body: its size, its transport, or else its encoding.
func bodyError(err error, raw *countingReader) error {
	var (
		large *http.MaxBytesError
		said  *Error
	)
	switch {
	case errors.As(err, &said):
		return said
	case errors.As(err, &large), errors.As(raw.err, &large):
		return tooLarge(large.Limit)
	case raw.err != nil:
		return errRead
	default:
		return ErrDecompress
	}
}

// decompressor opens a body. Some clients say deflate for what is a zlib stream, as the standard has it.
func decompressor(encoding string, body io.Reader) (io.ReadCloser, error) {
	switch encoding = strings.ToLower(strings.TrimSpace(encoding)); encoding {
	case "", "identity", "none":
		return io.NopCloser(body), nil
	case "gzip", "x-gzip":
		return gzip.NewReader(body)
	case "deflate", "zlib":
		return zlib.NewReader(body)
	case "zstd":
		decoder, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, err
		}
		return decoder.IOReadCloser(), nil
	default:
		return nil, BadRequest("Unsupported content encoding " + encoding + ": use gzip, deflate, zstd or none")
	}
}

// countingReader tells how much came over the network, and what went wrong there.
type countingReader struct {
	reader io.Reader
	count  int64
	err    error
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	c.count += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}
