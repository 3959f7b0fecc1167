// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	// bombSize is what a bomb opens to.
	bombSize = 10 << 30
	// pieceSize is what each of its pieces opens to.
	pieceSize = 16 << 20
)

// bomb is a stream that opens to ten gigabytes. Each of the three encodings lets one piece follow itself for ever.
func bomb(t *testing.T, encoding string) func() io.Reader {
	t.Helper()
	var stream, piece bytes.Buffer
	var head, body io.WriteCloser
	var err error
	switch encoding {
	case "gzip":
		head, body = gzip.NewWriter(&stream), gzip.NewWriter(&piece)
	case "zstd":
		head, err = zstd.NewWriter(&stream)
		require.NoError(t, err)
		body, err = zstd.NewWriter(&piece)
	case "deflate":
		_, err = stream.Write([]byte{0x78, 0x9c}) // the header of a zlib stream, behind which there are blocks
		require.NoError(t, err)
		head, err = flate.NewWriter(&stream, flate.DefaultCompression)
		require.NoError(t, err)
		body, err = flate.NewWriter(&piece, flate.DefaultCompression)
	}
	require.NoError(t, err)
	// Valid as far as it goes: a parser that reads as it comes would go on.
	_, err = io.WriteString(head, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"`)
	require.NoError(t, err)
	_, err = body.Write(bytes.Repeat([]byte("a"), pieceSize))
	require.NoError(t, err)
	for _, end := range []io.WriteCloser{head, body} {
		if blocks, ok := end.(*flate.Writer); ok {
			require.NoError(t, blocks.Flush()) // not the last block
		} else {
			require.NoError(t, end.Close())
		}
	}
	return func() io.Reader {
		parts := []io.Reader{bytes.NewReader(stream.Bytes())}
		for range bombSize / pieceSize {
			parts = append(parts, bytes.NewReader(piece.Bytes()))
		}
		return io.MultiReader(parts...)
	}
}

// The pieces do open, and into each other.
func TestBombsOpen(t *testing.T) {
	for encoding, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"deflate": func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
		"zstd":    func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		opened, err := open(bomb(t, encoding)())
		require.NoError(t, err)
		const some = 3 * pieceSize
		n, err := io.CopyN(io.Discard, opened, some)
		require.NoError(t, err, encoding)
		assert.EqualValues(t, some, n)
	}
}

// defuse sends a bomb. Whoever does may be cut off in the middle of it, which is an answer too; but nobody is left waiting.
func (s *server) defuse(route route, encoding string, body io.Reader) (got answer, answered bool) {
	s.t.Helper()
	got, err := s.try(s.t.Context(), route.method, route.path, body, "Content-Encoding", encoding)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		assert.False(s.t, failed.Timeout(), "%v with %s took longer than %s", route, encoding, patience)
	}
	return got, err == nil
}

// A body that opens to ten gigabytes is refused long before, on every route that takes a body, several at a time.
func TestBombs(t *testing.T) {
	s := start(t)
	var senders sync.WaitGroup
	limit := make(chan struct{}, 8)
	for _, encoding := range []string{"gzip", "deflate", "zstd"} {
		body := bomb(t, encoding)
		for _, route := range s.bodyRoutes() {
			limit <- struct{}{}
			senders.Go(func() {
				defer func() { <-limit }()
				want := []int{http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable}
				if strings.HasSuffix(route.path, "/metrics") {
					want = []int{http.StatusOK} // of which nothing is kept, and so nothing is opened
				}
				if got, answered := s.defuse(route, encoding, body()); answered {
					assert.Contains(t, want, got.status, "%v with %s: %s", route, encoding, got.body)
				}
			})
		}
	}
	senders.Wait()
	s.isWell()
}

// The receiver for stock OTLP exporters has a limit, too.
func TestBombsAsOTLP(t *testing.T) {
	s := start(t)
	s.API, s.OTLP = s.OTLP, s.API
	for _, encoding := range []string{"gzip", "deflate", "zstd"} {
		body := bomb(t, encoding)
		if got, answered := s.defuse(route{http.MethodPost, "/v1/traces"}, encoding, body()); answered {
			assert.GreaterOrEqual(t, got.status, http.StatusBadRequest, "%s: %s", encoding, got.body)
			assert.Less(t, got.status, http.StatusInternalServerError, "%s: %s", encoding, got.body)
		}
	}
	s.API, s.OTLP = s.OTLP, s.API
	s.isWell()
}
