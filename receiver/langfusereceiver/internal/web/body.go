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
	"os"
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
	// InFlight bounds the bodies and answers of all requests together.
	InFlight *Budget
	// Strangers bounds the bodies of those who show a public key alone, so that they cannot crowd out the others.
	Strangers *Budget
}

const (
	// innocentSize is what a body may open to before its ratio counts: small ones of one letter are no attack.
	innocentSize = 1 << 20
	// readStep is how much is read at a time.
	readStep = 32 << 10
	// zstdWindow is how much a decompressor of that kind may hold.
	zstdWindow = 8 << 20
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
// in the budget until the request is answered. While it comes in, others may work in the place of the request: how long
// that takes is up to the sender.
func (r *Request) Body(limit int64) ([]byte, error) {
	limits := &r.server.limits
	if limit <= 0 || limit > limits.Decompressed {
		limit = limits.Decompressed
	}
	if limits.Compressed > 0 && r.ContentLength > limits.Compressed {
		return nil, tooLarge(limits.Compressed)
	}
	left := r.leave()
	body, err := r.readBody(limit)
	if err == nil && left {
		err = r.enter()
	}
	return body, err
}

func (r *Request) readBody(limit int64) ([]byte, error) {
	raw := &countingReader{reader: r.Request.Body}
	reader, err := r.decompressor(raw)
	if err != nil {
		return nil, bodyError(err, raw)
	}
	defer reader.Close()
	var body bytes.Buffer
	step := make([]byte, readStep)
	for held := int64(0); ; {
		n, err := reader.Read(step)
		size := int64(body.Len() + n)
		switch {
		case size > limit:
			return nil, tooLarge(limit)
		case size > innocentSize && size > raw.count*r.server.limits.Ratio:
			return nil, NewError(http.StatusRequestEntityTooLarge, fmt.Sprintf("Body opens to more than %d times its compressed size", r.server.limits.Ratio))
		}
		if more := size - held; more > 0 {
			if err := r.Reserve(more); err != nil {
				return nil, err
			}
			held = size
		}
		body.Write(step[:n])
		switch {
		case errors.Is(err, io.EOF):
			return body.Bytes(), nil
		case err != nil:
			return nil, bodyError(err, raw)
		}
	}
}

// Discard reads the body to its end and keeps nothing of it.
func (r *Request) Discard() error {
	r.leave()
	if _, err := io.Copy(io.Discard, r.Request.Body); err != nil {
		return bodyError(err, &countingReader{err: err})
	}
	return nil
}

// Reserve takes memory from the budget until the request is answered. What could never be had is refused for good.
func (r *Request) Reserve(size int64) error {
	budget := r.server.limits.InFlight
	if r.Caller != nil && r.Caller.ScoresOnly {
		budget = r.server.limits.Strangers
	}
	if r.reserved+size > budget.size {
		return NewError(http.StatusRequestEntityTooLarge, "The request needs more memory than all requests together may have")
	}
	if !budget.Take(size) {
		return errBusy
	}
	r.budget = budget
	r.reserved += size
	return nil
}

// answerCopies is how often an answer is in memory while it is made: as rows, and as text here and in the encoder.
const answerCopies = 3

// ReserveAnswer takes memory for an answer with so many bytes of text, as soon as they are read. In the end the answer itself
// takes its place.
func (r *Request) ReserveAnswer(size int64) error {
	return r.Reserve(min(answerCopies*size, r.server.limits.InFlight.size-r.reserved))
}

// giveBack gives what was reserved back.
func (r *Request) giveBack() {
	if r.budget != nil {
		r.budget.Give(r.reserved)
		r.reserved = 0
	}
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
	case errors.Is(raw.err, os.ErrDeadlineExceeded):
		return Unavailable("The body did not come in time")
	case raw.err != nil:
		return errRead
	default:
		return ErrDecompress
	}
}

// decompressor opens a body. Some clients say deflate for what is a zlib stream, as the standard has it.
func (r *Request) decompressor(body io.Reader) (io.ReadCloser, error) {
	switch encoding := contentEncoding(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity", "none":
		return io.NopCloser(body), nil
	case "gzip", "x-gzip":
		return gzip.NewReader(body)
	case "deflate", "zlib":
		return zlib.NewReader(body)
	case "zstd":
		if err := r.Reserve(zstdWindow); err != nil {
			return nil, err
		}
		decoder, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, err
		}
		return decoder.IOReadCloser(), nil
	default:
		return nil, BadRequest("Unsupported content encoding " + encoding + ": use gzip, deflate, zstd or none")
	}
}

// contentEncoding is the one of a list that does something; more than one is none that we know.
func contentEncoding(header string) string {
	var encodings []string
	for encoding := range strings.SplitSeq(strings.ToLower(header), ",") {
		if encoding = strings.TrimSpace(encoding); encoding != "" && encoding != "identity" {
			encodings = append(encodings, encoding)
		}
	}
	return strings.Join(encodings, ", ")
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
