// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func gzipped(t testing.TB, content io.Reader) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = io.Copy(w, content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return packed.Bytes()
}

func zlibbed(t testing.TB, content []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, err := w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return packed.Bytes()
}

func zstded(t testing.TB, content []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return w.EncodeAll(content, nil)
}

// noise does not compress.
func noise(size int) []byte {
	out := make([]byte, size)
	state := uint32(1)
	for i := range out {
		state = state*1664525 + 1013904223
		out[i] = byte(state >> 24)
	}
	return out
}

func TestBodies(t *testing.T) {
	settings := testSettings()
	s := newTestServer(t, settings,
		Route{Method: http.MethodPost, Path: "/x", Access: Write, Handle: tell},
		Route{Method: http.MethodPost, Path: "/small", Access: Write, Handle: func(_ context.Context, r *Request) (Reply, error) {
			_, err := r.Body(1000)
			return JSON("taken"), err
		}},
	)
	const limit = 4 << 20
	refused := func(text string) string { return `{"message":"` + text + `","error":"` }
	for name, tc := range map[string]struct {
		path, encoding string
		body           []byte
		status         int
		answer         string
	}{
		"plain":              {"/x", "", noise(1000), 200, `"body":1000`},
		"identity":           {"/x", "identity", noise(1000), 200, `"body":1000`},
		"empty":              {"/x", "", nil, 200, `"body":0`},
		"gzip":               {"/x", "gzip", gzipped(t, bytes.NewReader(noise(70_000))), 200, `"body":70000`},
		"gzip in capitals":   {"/x", "GZIP", gzipped(t, strings.NewReader("x")), 200, `"body":1`},
		"zlib":               {"/x", "deflate", zlibbed(t, noise(70_000)), 200, `"body":70000`},
		"zstd":               {"/x", "zstd", zstded(t, noise(70_000)), 200, `"body":70000`},
		"no gzip":            {"/x", "gzip", []byte("plain"), 400, refused("Failed to decompress request body")},
		"gzip broken off":    {"/x", "gzip", gzipped(t, bytes.NewReader(noise(70_000)))[:50_000], 400, refused("Failed to decompress request body")},
		"no zlib":            {"/x", "deflate", []byte("plain"), 400, refused("Failed to decompress request body")},
		"no zstd":            {"/x", "zstd", []byte("plain"), 400, refused("Failed to decompress request body")},
		"another encoding":   {"/x", "br", []byte("plain"), 400, refused("Unsupported content encoding br: use gzip, deflate, zstd or none")},
		"exactly the limit":  {"/x", "", noise(limit), 200, `"body":4194304`},
		"over the limit":     {"/x", "", noise(limit + 1), 413, refused("Body exceeded 4mb limit")},
		"over when opened":   {"/x", "gzip", gzipped(t, bytes.NewReader(noise(limit+1))), 413, refused("Body exceeded 4mb limit")},
		"small and lopsided": {"/x", "gzip", gzipped(t, bytes.NewReader(make([]byte, 1<<20))), 200, `"body":1048576`},
		"a bomb":             {"/x", "gzip", gzipped(t, bytes.NewReader(make([]byte, 3<<20))), 413, refused("Body opens to more than 100 times its compressed size")},
		"a list of one":      {"/x", "identity, gzip", gzipped(t, strings.NewReader("x")), 200, `"body":1`},
		"a list of two":      {"/x", "gzip, deflate", []byte("x"), 400, refused("Unsupported content encoding gzip, deflate: use gzip, deflate, zstd or none")},
		"limit of a route":   {"/small", "", noise(1001), 413, refused("Body exceeded 0mb limit")},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.do(t, "POST", tc.path, bytes.NewReader(tc.body), append(asOne, "Content-Encoding", tc.encoding)...)
			assert.Equal(t, tc.status, got.status, got.body)
			assert.Contains(t, got.body, tc.answer)
		})
	}
	t.Run("chunked", func(t *testing.T) {
		got := s.do(t, "POST", "/x", iotest.OneByteReader(bytes.NewReader(noise(5000))), asOne...)
		assert.Contains(t, got.body, `"body":5000`)
	})
	assert.Eventually(t, func() bool { return settings.Limits.InFlight.left.Load() == 16<<20 }, time.Minute, time.Millisecond, "every byte of the budget came back")
	assert.Eventually(t, func() bool { return settings.Requests.left.Load() == 8 }, time.Minute, time.Millisecond, "and every place")
}

// zstdBomb is a frame of blocks that say "the same byte 128 KiB long", which is the most that the format can do.
func zstdBomb(size int) []byte {
	const blockSize = 128 << 10
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38} // no checksum, window of 128 KiB
	for left := size / blockSize; left > 0; left-- {
		header := uint32(1)<<1 | blockSize<<3
		if left == 1 {
			header |= 1 // the last one
		}
		frame = append(frame, byte(header), byte(header>>8), byte(header>>16), 0)
	}
	return frame
}

func TestBombNeedsLittleMemory(t *testing.T) {
	settings := testSettings()
	settings.Limits.Decompressed = 1 << 40
	s := newTestServer(t, settings, Route{Method: http.MethodPost, Path: "/x", Access: Write, Handle: tell})
	for encoding, bomb := range map[string][]byte{
		"zstd": zstdBomb(10 << 30),
		"gzip": gzipped(t, bytes.NewReader(make([]byte, 64<<20))),
	} {
		require.Less(t, len(bomb), 1<<20)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := s.do(t, "POST", "/x", bytes.NewReader(bomb), append(asOne, "Content-Encoding", encoding)...)
		runtime.ReadMemStats(&after)
		assert.Equal(t, 413, got.status)
		assert.JSONEq(t, `{"message":"Body opens to more than 100 times its compressed size","error":"PayloadTooLargeError"}`, got.body)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), encoding)
	}
}

func TestTooMuchAtATime(t *testing.T) {
	const busy = `{"message":"The server is busy with other requests","error":"ServiceUnavailableError"}`
	t.Run("bytes", func(t *testing.T) {
		settings := testSettings()
		settings.Limits.InFlight = NewBudget(1 << 20)
		s := newTestServer(t, settings, Route{Method: http.MethodPost, Path: "/x", Access: Write, Handle: tell})
		require.True(t, settings.Limits.InFlight.Take(1<<19))
		got := s.do(t, "POST", "/x", bytes.NewReader(noise(1<<19+1)), asOne...)
		assert.Equal(t, 503, got.status)
		assert.Equal(t, "1", got.header.Get("Retry-After"))
		assert.JSONEq(t, busy, got.body)
		settings.Limits.InFlight.Give(1 << 19)
		assert.Equal(t, 200, s.do(t, "POST", "/x", bytes.NewReader(noise(1<<19+1)), asOne...).status, "there is room again")
	})
	t.Run("requests", func(t *testing.T) {
		settings := testSettings()
		settings.Requests = NewBudget(1)
		inside, leave := make(chan struct{}), make(chan struct{})
		s := newTestServer(t, settings,
			Route{Method: http.MethodGet, Path: "/slow", Access: Read, Handle: func(context.Context, *Request) (Reply, error) {
				close(inside)
				<-leave
				return JSON("done"), nil
			}},
			Route{Method: http.MethodGet, Path: "/x", Access: Read, Handle: tell},
			Route{Method: http.MethodGet, Path: "/health", Handle: tell},
		)
		done := make(chan answer)
		go func() { done <- s.do(t, "GET", "/slow", nil, asOne...) }() //nolint:testifylint // a failure here is one of the test
		<-inside
		got := s.do(t, "GET", "/x", nil, asOne...)
		assert.Equal(t, 503, got.status)
		assert.JSONEq(t, busy, got.body)
		assert.Equal(t, 200, s.do(t, "GET", "/health", nil).status, "a watchdog is always answered")
		close(leave)
		assert.Equal(t, 200, (<-done).status)
		assert.Equal(t, 200, s.do(t, "GET", "/x", nil, asOne...).status)
	})
}

func FuzzBody(f *testing.F) {
	for _, encoding := range []string{"", "gzip", "deflate", "zstd", "br"} {
		f.Add(encoding, []byte("plain"))
	}
	f.Add("gzip", gzipped(f, strings.NewReader("weir")))
	f.Add("zstd", zstded(f, []byte("weir")))
	settings := testSettings()
	settings.Limits.Decompressed = 1 << 16
	server := &Server{limits: settings.Limits, requests: settings.Requests}
	f.Fuzz(func(t *testing.T, encoding string, content []byte) {
		plain, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(content))
		require.NoError(t, err)
		plain.Header["Content-Encoding"] = []string{encoding}
		r := &Request{Request: plain, server: server}
		defer r.leave()
		body, err := r.Body(0)
		if err == nil && len(body) > 1<<16 {
			t.Fatalf("read %d bytes", len(body))
		}
		if err != nil && AsError(err).Status != 400 && AsError(err).Status != 413 {
			t.Fatalf("%v", err)
		}
		r.giveBack()
	})
}

// A server of which nobody else takes anything must take a body up to its limit.
func TestAllThereIs(t *testing.T) {
	settings := testSettings()
	settings.Limits.Decompressed = 1_000_000
	settings.Limits.InFlight = NewBudget(1_000_000)
	s := newTestServer(t, settings, Route{Method: http.MethodPost, Path: "/x", Access: Write, Handle: tell})
	for _, size := range []int{900_000, 1_000_000} {
		assert.Equal(t, 200, s.do(t, "POST", "/x", bytes.NewReader(noise(size)), asOne...).status)
		assert.Equal(t, 200, s.do(t, "POST", "/x", iotest.HalfReader(bytes.NewReader(noise(size))), asOne...).status)
	}
}

// stalled opens a connection, sends the head of a request and a part of its body, and leaves it at that.
func (s *testServer) stalled(t *testing.T, path, authorization string, length int) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\nx", path, authorization, length)
	require.NoError(t, err)
}

func TestPromisesHoldNothing(t *testing.T) {
	settings := testSettings()
	reading := make(chan struct{}, 100)
	s := newTestServer(t, settings, Route{Method: http.MethodPost, Path: "/x", Access: WriteScores, Handle: func(ctx context.Context, r *Request) (Reply, error) {
		reading <- struct{}{}
		return tell(ctx, r)
	}})
	for range 20 { // more than there are places, each with more than there is room for
		s.stalled(t, "/x", asOne[1], 4<<20)
		s.stalled(t, "/x", "Bearer pk-one", 4<<20)
	}
	for range 40 {
		<-reading
	}
	assert.Equal(t, 200, s.do(t, "POST", "/x", bytes.NewReader(noise(3<<20)), asOne...).status)
}

func TestBodyThatIsTooLargeByItsOwnWord(t *testing.T) {
	settings := testSettings()
	settings.Limits.Compressed = 1000
	s := newTestServer(t, settings, Route{Method: http.MethodPost, Path: "/x", Access: Write, Handle: tell})
	got := s.do(t, "POST", "/x", bytes.NewReader(noise(1001)), asOne...)
	assert.Equal(t, 413, got.status)
	assert.Equal(t, 200, s.do(t, "POST", "/x", bytes.NewReader(noise(1000)), asOne...).status)
	got = s.do(t, "POST", "/x", iotest.OneByteReader(bytes.NewReader(noise(1001))), asOne...)
	assert.Equal(t, 413, got.status)
}

func TestStrangersHaveTheirOwnBudget(t *testing.T) {
	settings := testSettings()
	settings.Limits.Strangers = NewBudget(1000)
	s := newTestServer(t, settings, Route{Method: http.MethodPost, Path: "/x", Access: WriteScores, Handle: tell})
	assert.Equal(t, 200, s.do(t, "POST", "/x", bytes.NewReader(noise(1000)), "Authorization", "Bearer pk-one").status)
	got := s.do(t, "POST", "/x", bytes.NewReader(noise(1001)), "Authorization", "Bearer pk-one")
	assert.Equal(t, 413, got.status)
	assert.Contains(t, got.body, "more memory than all requests together may have")
	assert.Equal(t, 200, s.do(t, "POST", "/x", bytes.NewReader(noise(1001)), asOne...).status)
	assert.Eventually(t, func() bool { return settings.Limits.Strangers.left.Load() == 1000 }, time.Minute, time.Millisecond)
}

func TestBodyThatDoesNotComeInTime(t *testing.T) {
	settings := testSettings()
	handler, err := NewServer(settings, []Route{{Method: http.MethodPost, Path: "/x", Access: Write, Handle: tell}})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(handler)
	server.Config.ReadTimeout = 50 * time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /x HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Length: 10\r\n\r\nx", asOne[1])
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, 503, response.StatusCode, "a client tries again, where it would drop the batch for a 400")
	assert.Equal(t, "1", response.Header.Get("Retry-After"))
}

func TestAnswersAreBoundedToo(t *testing.T) {
	text := string(bytes.Repeat([]byte("answer"), 100_000))
	settings := testSettings()
	settings.Limits.InFlight = NewBudget(1 << 20)
	settings.MaxAnswer = 800_000
	size := len(text)
	s := newTestServer(t, settings, Route{Method: http.MethodGet, Path: "/x", Access: Read, Handle: func(context.Context, *Request) (Reply, error) {
		return JSON(text[:size]), nil
	}})
	assert.Equal(t, 200, s.do(t, "GET", "/x", nil, asOne...).status)
	given := func(b *Budget, all int64) func() bool { return func() bool { return b.left.Load() == all } }
	require.Eventually(t, given(settings.Limits.InFlight, 1<<20), time.Minute, time.Millisecond, "when the answer is sent")
	require.True(t, settings.Limits.InFlight.Take(600_000))
	assert.Equal(t, 503, s.do(t, "GET", "/x", nil, asOne...).status, "others have the memory")
	settings.Limits.InFlight.Give(600_000)
	text += text
	size = 900_000
	got := s.do(t, "GET", "/x", nil, asOne...)
	assert.Equal(t, 422, got.status)
	assert.JSONEq(t, `{"message":"Response payload is too large. Ask for fewer rows or fewer groups of fields.","error":"PayloadTooLargeError"}`, got.body)
	require.Eventually(t, given(settings.Limits.InFlight, 1<<20), time.Minute, time.Millisecond)
	require.Eventually(t, given(settings.Requests, 8), time.Minute, time.Millisecond)
}

// What is read for an answer counts before it is written down, and is let go after that.
func TestAnswersAreBoundedWhileTheyAreMade(t *testing.T) {
	const all = 1 << 20
	settings := testSettings()
	settings.Limits.InFlight = NewBudget(all)
	size := int64(1000)
	var left int64
	s := newTestServer(t, settings, Route{Method: http.MethodGet, Path: "/x", Access: Read, Handle: func(_ context.Context, r *Request) (Reply, error) {
		err := r.ReserveAnswer(size)
		left = settings.Limits.InFlight.left.Load()
		return JSON("text"), err
	}})
	given := func() bool { return settings.Limits.InFlight.left.Load() == all }
	assert.Equal(t, 200, s.do(t, "GET", "/x", nil, asOne...).status)
	assert.EqualValues(t, all-answerCopies*1000, left)
	require.Eventually(t, given, time.Minute, time.Millisecond, "when the answer is sent")
	size = all / 2
	assert.Equal(t, 200, s.do(t, "GET", "/x", nil, asOne...).status, "the largest can be had, when nobody else has anything")
	assert.Zero(t, left)
	require.Eventually(t, given, time.Minute, time.Millisecond)
	require.True(t, settings.Limits.InFlight.Take(1))
	assert.Equal(t, 503, s.do(t, "GET", "/x", nil, asOne...).status, "others have the memory")

	reply := JSON("text")
	require.NoError(t, reply.write(httptest.NewRecorder(), nil, nil))
	assert.Nil(t, reply.Value, "a reader who takes long holds the text alone")
}
