// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file is a content with what clients compute of it.
type file struct {
	content  []byte
	hash, id string
}

func newFile(content string) file {
	sum := sha256.Sum256([]byte(content))
	return file{[]byte(content), base64.StdEncoding.EncodeToString(sum[:]), base64.RawURLEncoding.EncodeToString(sum[:])[:22]}
}

// announce is the body with which a client announces a file of a trace.
func (f file) announce(traceID, contentType string) map[string]any {
	return map[string]any{
		"contentType": contentType, "contentLength": len(f.content), "sha256Hash": f.hash, "field": "input", "traceId": traceID, "observationId": nil,
	}
}

// fetch calls an address that the server gave, as clients do: without a key.
func (h *harness) fetch(t testing.TB, method, address string, body io.Reader, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, body)
	require.NoError(t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := h.client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(content)}
}

// upload does what a client library does with a file.
func (h *harness) upload(t testing.TB, f file, announcement map[string]any) {
	t.Helper()
	address, _ := h.made(t, "/media", announcement)["uploadUrl"].(string)
	require.NotEmpty(t, address)
	put := h.fetch(t, http.MethodPut, address, bytes.NewReader(f.content),
		"Content-Type", announcement["contentType"].(string), "x-amz-checksum-sha256", f.hash, "x-ms-blob-type", "BlockBlob")
	require.Equal(t, 200, put.status, put.body)
	patch := h.send(t, http.MethodPatch, "/media/"+f.id, `{"uploadedAt":"2026-11-15T12:00:00.000Z","uploadHttpStatus":200,"uploadHttpError":null,"uploadTimeMs":12}`)
	h.like(t, 200, `{"message":"OK"}`, patch)
}

func (h *harness) mediaURL(t testing.TB, id string) string {
	t.Helper()
	return h.get(t, "/media/"+id).decode(t)["url"].(string)
}

// contents are how many contents are on disk.
func (h *harness) contents(t testing.TB) int {
	t.Helper()
	count := 0
	require.NoError(t, filepath.WalkDir(h.mediaDir, func(_ string, entry fs.DirEntry, err error) error {
		if !entry.IsDir() && entry.Name() != "signing.key" {
			count++
		}
		return err
	}))
	return count
}

func TestMedia(t *testing.T) {
	h := start(t)
	f := newFile("<script>alert(1)</script>")
	first := h.send(t, http.MethodPost, "/media", f.announce("t1", "text/html"))
	h.like(t, 201, `{"mediaId":"`+f.id+`","uploadUrl":"<id>"}`, first)
	assert.Regexp(t, `^http://weir/api/public/media/`+f.id+`/content\?`, first.decode(t)["uploadUrl"], "absolute")
	h.refuses(t, refusal{http.MethodGet, "/media/" + f.id, nil, 404, "Media not yet uploaded", nil})

	h.upload(t, f, f.announce("t1", "text/html"))
	h.like(t, 201, `{"mediaId":"`+f.id+`","uploadUrl":null}`, h.send(t, http.MethodPost, "/media", f.announce("t2", "text/html")))
	got := h.get(t, "/media/"+f.id)
	h.like(t, 200, `{"mediaId":"`+f.id+`","contentType":"text/html","contentLength":25,"uploadedAt":"2026-11-15T12:00:00.000Z","url":"<id>","urlExpiry":"<time>"}`, got)

	read := h.fetch(t, http.MethodGet, got.decode(t)["url"].(string), nil)
	assert.Equal(t, 200, read.status)
	assert.Equal(t, string(f.content), read.body)
	assert.Equal(t, "text/html", read.header.Get("Content-Type"))
	assert.Equal(t, "nosniff", read.header.Get("X-Content-Type-Options"))
	assert.Equal(t, `attachment; filename="`+f.id+`"`, read.header.Get("Content-Disposition"))
	assert.Contains(t, read.header.Get("Content-Security-Policy"), "sandbox")
}

func TestMediaWithoutAReport(t *testing.T) {
	h := start(t)
	f := newFile("x")
	address := h.made(t, "/media", f.announce("t", "a/b"))["uploadUrl"].(string)
	require.Equal(t, 200, h.fetch(t, http.MethodPut, address, bytes.NewReader(f.content)).status)
	assert.Equal(t, 200, h.get(t, "/media/"+f.id).status, "the content is there, whether or not the client says so")
}

func (h *harness) freeSpace(string) int64 {
	if h.isDiskFull.Load() {
		return 1 << 20
	}
	return math.MaxInt64
}

func TestMediaOnAFullDisk(t *testing.T) {
	h := start(t)
	f := newFile("x")
	address := h.made(t, "/media", f.announce("t", "a/b"))["uploadUrl"].(string)
	h.isDiskFull.Store(true)
	put := h.fetch(t, http.MethodPut, address, bytes.NewReader(f.content))
	assert.Equal(t, 503, put.status)
	assert.Contains(t, put.body, "There is no room for media now; try again later")
	assert.Zero(t, h.contents(t))
	h.isDiskFull.Store(false)
	assert.Equal(t, 200, h.fetch(t, http.MethodPut, address, bytes.NewReader(f.content)).status)
}

func TestMediaUploadsThatFailed(t *testing.T) {
	h := start(t)
	f := newFile("x")
	h.made(t, "/media", f.announce("t", "a/b"))
	report := func(status int) {
		h.like(t, 200, `{"message":"OK"}`, h.send(t, http.MethodPatch, "/media/"+f.id,
			fmt.Sprintf(`{"uploadedAt":"2026-11-15T12:00:00.000Z","uploadHttpStatus":%d,"uploadHttpError":"boom"}`, status)))
	}
	report(500)
	h.refuses(t, refusal{http.MethodGet, "/media/" + f.id, nil, 404, "Media upload failed with status 500: \n boom", nil})
	report(200)
	h.refuses(t, refusal{http.MethodGet, "/media/" + f.id, nil, 404, "Media not yet uploaded", nil})
	h.like(t, 200, `{"message":"OK"}`, h.beyond().send(t, http.MethodPatch, "/media/"+f.id, `{"uploadedAt":"2026-11-15","uploadHttpStatus":200}`))
	assert.NotNil(t, h.made(t, "/media", f.announce("t", "a/b"))["uploadUrl"], "whatever a client claims, the content is not there")
}

func TestMediaContents(t *testing.T) {
	h := start(t)
	f := newFile("hello")
	address := h.made(t, "/media", f.announce("t", "text/plain"))["uploadUrl"].(string)
	put := func(body string) answer { return h.fetch(t, http.MethodPut, address, strings.NewReader(body)) }
	for _, body := range []string{"", "hell", "hello!", "jello"} {
		got := put(body)
		assert.Equal(t, 400, got.status, body)
	}
	chunked := h.fetch(t, http.MethodPut, address, io.MultiReader(strings.NewReader("hello"), strings.NewReader("!")))
	assert.Equal(t, 400, chunked.status, "longer than announced, and without a length")
	assert.Zero(t, h.contents(t))
	assert.Equal(t, 200, h.fetch(t, http.MethodPut, address, io.MultiReader(strings.NewReader("hel"), strings.NewReader("lo"))).status)
	assert.Equal(t, 200, put("hello").status, "again")
	assert.Equal(t, 1, h.contents(t))

	part := h.fetch(t, http.MethodGet, h.mediaURL(t, f.id), nil, "Range", "bytes=1-3")
	assert.Equal(t, 206, part.status)
	assert.Equal(t, "ell", part.body)
	assert.Equal(t, 416, h.fetch(t, http.MethodGet, h.mediaURL(t, f.id), nil, "Range", "bytes=7-9").status)
	assert.Equal(t, 304, h.fetch(t, http.MethodGet, h.mediaURL(t, f.id), nil, "If-None-Match", part.header.Get("ETag")).status)
}

func TestLargeMedia(t *testing.T) {
	h := start(t)
	f := newFile(strings.Repeat("0123456789abcdef", 40<<16)) // 40 MiB, more than any other body may have
	h.upload(t, f, f.announce("t", "video/mp4"))
	got := h.fetch(t, http.MethodGet, h.mediaURL(t, f.id), nil)
	assert.Equal(t, f.id, newFile(got.body).id)
}

// Media have limits of their own: neither the size of other bodies nor the time that these have counts.
func TestMediaAreNoOtherBodies(t *testing.T) {
	const timeout = 200 * time.Millisecond
	h := start(t, map[string]any{"max_request_body_size": 1000, "read_timeout": timeout.String(), "write_timeout": timeout.String()})
	assert.Equal(t, 413, h.send(t, http.MethodPost, "/v2/datasets", map[string]any{"name": "x", "metadata": strings.Repeat("x", 1000)}).status)
	f := newFile(strings.Repeat("x", 100_000))
	address := h.made(t, "/media", f.announce("t", "text/plain"))["uploadUrl"].(string)
	reader, writer := io.Pipe()
	go func() {
		_, _ = writer.Write(f.content[:50_000])
		<-time.After(2 * timeout) // a line so slow that any other request would be given up
		_, _ = writer.Write(f.content[50_000:])
		_ = writer.Close()
	}()
	put := h.fetch(t, http.MethodPut, address, reader)
	assert.Equal(t, 200, put.status, put.body)
	assert.Equal(t, f.id, newFile(h.fetch(t, http.MethodGet, h.mediaURL(t, f.id), nil).body).id)
}

func TestMediaAddresses(t *testing.T) {
	h := start(t)
	f, g := newFile("hello"), newFile("other")
	upload := h.made(t, "/media", f.announce("t", "text/plain"))["uploadUrl"].(string)
	h.upload(t, f, f.announce("t", "text/plain"))
	h.upload(t, g, g.announce("t", "text/plain"))
	good := h.mediaURL(t, f.id)
	with := func(name, value string) string {
		address, err := url.Parse(good)
		require.NoError(t, err)
		query := address.Query()
		query.Set(name, value)
		address.RawQuery = query.Encode()
		return address.String()
	}
	expires, err := url.Parse(good)
	require.NoError(t, err)
	seconds, err := strconv.ParseInt(expires.Query().Get("expires"), 10, 64)
	require.NoError(t, err)
	plain, _, _ := strings.Cut(good, "?")
	forged := `{"message":"The address of the media is not valid"}`
	for what, address := range map[string]string{
		"no signature":      plain,
		"another project":   with("project", h.other),
		"another signature": with("signature", strings.Repeat("A", 43)),
		"a later end":       with("expires", strconv.FormatInt(seconds+1, 10)),
		"no end":            with("expires", "never"),
		"another media":     strings.Replace(good, f.id, g.id, 1),
		"one for uploads":   upload,
	} {
		t.Run(what, func(t *testing.T) { h.like(t, 403, forged, h.fetch(t, http.MethodGet, address, nil)) })
	}
	h.like(t, 403, forged, h.fetch(t, http.MethodPut, good, strings.NewReader("hello")))
	h.like(t, 403, forged, h.call(t, http.MethodGet, "/api/public/media/"+f.id+"/content", nil))
	assert.Equal(t, 200, h.fetch(t, http.MethodGet, good, nil).status)

	h.clock.ahead.Store(int64(time.Hour + time.Second))
	h.like(t, 403, `{"message":"The address of the media has expired: ask for a new one"}`, h.fetch(t, http.MethodGet, good, nil))
	assert.Equal(t, 200, h.fetch(t, http.MethodGet, h.mediaURL(t, f.id), nil).status)
}

func TestMediaBehindAProxy(t *testing.T) {
	headers := []string{"X-Forwarded-Proto", "https, http", "X-Forwarded-Host", "weir.example:8443, inner", "Host", "ignored"}
	for trusted, want := range map[bool]string{false: "http://weir/api/public/media/", true: "https://weir.example:8443/api/public/media/"} {
		h := start(t, map[string]any{"trust_forwarded_headers": trusted})
		f := newFile("x")
		got := h.call(t, http.MethodPost, "/api/public/media", f.announce("t", "a/b"), headers...)
		assert.True(t, strings.HasPrefix(got.decode(t)["uploadUrl"].(string), want), got.body)
	}
}

func TestMediaRefusals(t *testing.T) {
	h := start(t)
	f := newFile("x")
	h.made(t, "/media", f.announce("t", "a/b"))
	const post, path = http.MethodPost, "/media"
	with := func(changes ...any) map[string]any {
		body := f.announce("t", "image/png")
		for i := 0; i < len(changes); i += 2 {
			body[changes[i].(string)] = changes[i+1]
		}
		return body
	}
	subject := "Provide either traceId (with optional observationId) or datasetId and datasetItemId"
	h.refuses(t,
		refusal{http.MethodGet, path + "/none", nil, 404, "Media asset not found", nil},
		refusal{http.MethodPatch, path + "/none", `{"uploadedAt":"2026-01-01T00:00:00Z","uploadHttpStatus":200}`, 404, "Media asset not found", nil},
		refusal{http.MethodPatch, path + "/" + f.id, `{"uploadHttpStatus":200}`, 400, "Invalid input: expected date, received undefined", []any{"uploadedAt"}},
		refusal{http.MethodPatch, path + "/" + f.id, `{"uploadedAt":"soon","uploadHttpStatus":200}`, 400, "Invalid input: expected date, received Date", []any{"uploadedAt"}},
		refusal{http.MethodPatch, path + "/" + f.id, `{"uploadedAt":"2026-01-01T00:00:00Z"}`, 400, "Invalid input: expected number, received undefined", []any{"uploadHttpStatus"}},
		refusal{http.MethodPatch, path + "/" + f.id, `{"uploadedAt":"2026-01-01T00:00:00Z","uploadHttpStatus":9}`, 400, "uploadHttpStatus must be an HTTP status", []any{"uploadHttpStatus"}},
		refusal{http.MethodPatch, path + "/" + f.id, `{"uploadedAt":"2026-01-01T00:00:00Z","uploadHttpStatus":200,"uploadTimeMs":"x"}`, 400, "Invalid input: expected number, received string", []any{"uploadTimeMs"}},
		refusal{post, path, with("contentType", nil), 400, "Invalid input: expected string, received null", []any{"contentType"}},
		refusal{post, path, with("contentType", "png"), 400, "contentType must be a MIME type such as image/png", []any{"contentType"}},
		refusal{post, path, with("contentLength", 0), 400, "Too small: expected number to be >=1", []any{"contentLength"}},
		refusal{post, path, with("contentLength", 1.5), 400, "Invalid input: expected int, received number", []any{"contentLength"}},
		refusal{post, path, with("contentLength", maxMedia+1), 400, "contentLength must be 1 to 67108864 bytes", []any{"contentLength"}},
		refusal{post, path, with("sha256Hash", "short"), 400, "Too small: expected string to have >=44 characters", []any{"sha256Hash"}},
		refusal{post, path, with("sha256Hash", strings.Repeat("?", 44)), 400, "sha256Hash must be the SHA-256 of the content in base64, 44 characters", []any{"sha256Hash"}},
		refusal{post, path, with("field", "image"), 400, `Invalid option: expected one of "input"|"output"|"metadata"|"expectedOutput"`, []any{"field"}},
		refusal{post, path, with("field", "expectedOutput"), 400, `Invalid option: expected one of "input"|"output"|"metadata"`, []any{"field"}},
		refusal{post, path, with("traceId", nil), 400, subject, nil},
		refusal{post, path, with("datasetId", "d", "datasetItemId", "i"), 400, subject, nil},
		refusal{post, path, with("traceId", nil, "datasetId", "d"), 400, subject, nil},
	)
}

func TestMediaOfOthers(t *testing.T) {
	h := start(t)
	f := newFile("secret")
	h.upload(t, f, f.announce("t", "text/plain"))
	other := h.asOther()
	other.refuses(t,
		refusal{http.MethodGet, "/media/" + f.id, nil, 404, "Media asset not found", nil},
		refusal{http.MethodPatch, "/media/" + f.id, `{"uploadedAt":"2026-01-01T00:00:00Z","uploadHttpStatus":500}`, 404, "Media asset not found", nil},
	)
	address := other.made(t, "/media", f.announce("t", "text/plain"))["uploadUrl"]
	assert.NotNil(t, address, "nobody learns what others have")
	other.refuses(t, refusal{http.MethodGet, "/media/" + f.id, nil, 404, "Media not yet uploaded", nil})

	require.NoError(t, other.store.DeleteTraces(t.Context(), other.project, []string{"t"}))
	assert.Equal(t, 200, h.fetch(t, http.MethodGet, h.mediaURL(t, f.id), nil).status)
}

func TestMediaGoWithTheirTraces(t *testing.T) {
	h := start(t)
	f := newFile("shared")
	h.upload(t, f, f.announce("t1", "text/plain"))
	h.made(t, "/media", f.announce("t2", "text/plain"))
	address := h.mediaURL(t, f.id)
	require.NoError(t, h.store.DeleteTraces(t.Context(), h.project, []string{"t1", "unknown"}))
	assert.Equal(t, 200, h.fetch(t, http.MethodGet, address, nil).status, "another trace refers to it")
	require.NoError(t, h.store.DeleteTraces(t.Context(), h.project, []string{"t2"}))
	assert.Equal(t, 404, h.fetch(t, http.MethodGet, address, nil).status)
	assert.Equal(t, 404, h.get(t, "/media/"+f.id).status)
	assert.Zero(t, h.contents(t))
}

func TestMediaOfDatasetItems(t *testing.T) {
	h := start(t)
	set := h.made(t, "/v2/datasets", `{"name":"set"}`)["id"]
	f, missing := newFile("picture"), newFile("never uploaded")
	reference := func(f file) string {
		return "@@@langfuseMedia:type=image/png|id=" + f.id + "|source=base64_data_uri@@@"
	}
	item := h.made(t, "/dataset-items", map[string]any{
		"datasetName": "set", "input": map[string]any{"gallery": []any{reference(f)}, "gone": reference(missing)}, "expectedOutput": reference(f),
	})
	assert.Equal(t, []any{}, item["mediaReferences"], "not there yet")
	announcement := f.announce("", "image/png")
	announcement["traceId"], announcement["datasetId"], announcement["datasetItemId"] = nil, set, item["id"]
	h.upload(t, f, announcement)

	media := `"media":{"mediaId":"` + f.id + `","contentType":"image/png","contentLength":7,"url":"<id>","urlExpiry":"<time>"}`
	want := `[{"field":"input","referenceString":"` + reference(f) + `","jsonPath":"$['gallery'][0]",` + media + `},
		{"field":"expectedOutput","referenceString":"` + reference(f) + `","jsonPath":"$",` + media + `}]`
	shown := h.get(t, "/dataset-items/"+item["id"].(string))
	found := shown.decode(t)["mediaReferences"]
	h.like(t, 200, `{"mediaReferences":`+want+`}`, answer{status: 200, body: toJSON(t, map[string]any{"mediaReferences": found})})
	address := found.([]any)[0].(map[string]any)["media"].(map[string]any)["url"].(string)
	assert.Equal(t, "picture", h.fetch(t, http.MethodGet, address, nil).body)
	assert.Len(t, h.get(t, "/dataset-items", "datasetName", "set").data(t)[0]["mediaReferences"], 2)
}
