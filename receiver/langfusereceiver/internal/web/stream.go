// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// Stream is an answer that is sent as it is read, so that its size does not matter. It is somebody's file, of which nobody
// knows what it does: it is never shown as a page of ours.
type Stream struct {
	// Content is closed when it was sent.
	Content     io.ReadSeekCloser
	ContentType string
	// Name is what the content is called, and changes with it.
	Name     string
	Modified time.Time
	// Fresh is how long others may keep it.
	Fresh time.Duration
}

// idle is how long nothing may move of a body that is sent or read as it comes. The timeouts of the server are for requests
// of usual size.
const idle = 30 * time.Second

// send sends the content, or the parts of it that the caller asks for.
func (s *Stream) send(w http.ResponseWriter, r *http.Request) {
	defer s.Content.Close()
	header := w.Header()
	header.Set("Content-Type", s.ContentType)
	header.Set("X-Content-Type-Options", "nosniff")
	// Opened as a page, it is saved and not run; and even if it were, it would have no origin, no scripts and no network.
	header.Set("Content-Disposition", `attachment; filename="`+s.Name+`"`)
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "private, max-age="+strconv.Itoa(int(s.Fresh.Seconds())))
	header.Set("ETag", `"`+s.Name+`"`)
	header.Set(gzhttp.HeaderNoCompression, "true") // or its parts could not be asked for
	http.ServeContent(&patientWriter{w, http.NewResponseController(w)}, r, "", s.Modified, s.Content)
}

// patientWriter gives the reader of an answer time for each part of it.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (p *patientWriter) Write(content []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(idle)) // who cannot has no deadline
	return p.ResponseWriter.Write(content)
}

// Stream is the body as it comes, for routes that take one of any size: whoever reads it bounds it. Its sender has a while
// for each part of it, and not for the whole; meanwhile others work in its place.
func (r *Request) Stream() io.Reader {
	r.leave()
	return &patientReader{r.Request.Body, http.NewResponseController(r.writer)}
}

type patientReader struct {
	reader  io.Reader
	control *http.ResponseController
}

func (p *patientReader) Read(content []byte) (int, error) {
	deadline := time.Now().Add(idle)
	_ = p.control.SetReadDeadline(deadline)
	_ = p.control.SetWriteDeadline(deadline.Add(idle)) // there is an answer to give at the end
	return p.reader.Read(content)
}
