// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"sync"
)

// Reply is an answer.
type Reply struct {
	Status int
	// Value is written as JSON, unless there is Content or Stream.
	Value any
	// Content is written as it is, with ContentType.
	Content     []byte
	ContentType string
	// Header is sent along.
	Header http.Header
	// Stream is for what is too large to be held in memory.
	Stream *Stream
}

// JSON is an answer with a value.
func JSON(value any) Reply { return Reply{Status: http.StatusOK, Value: value} }

const contentTypeJSON = "application/json; charset=utf-8"

// retryAfter is how many seconds a caller shall wait when there is no room now.
const retryAfter = 1

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxKeptBuffer keeps one large answer from holding its memory for ever.
const maxKeptBuffer = 1 << 20

// write sends an answer. A value that cannot be written, or for which there is no room, is found out before the status is
// sent. Once it is written down the value is let go: a reader who takes long shall not hold it, too.
func (p *Reply) write(w http.ResponseWriter, r *http.Request, makeRoom func(size int64) error) error {
	if p.Stream != nil {
		p.Stream.send(w, r)
		return nil
	}
	if p.Value == nil {
		return p.send(w, p.Content, p.ContentType)
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buffer.Cap() <= maxKeptBuffer {
			buffers.Put(buffer)
		}
	}()
	buffer.Reset()
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(p.Value); err != nil {
		return err
	}
	p.Value = nil
	if makeRoom != nil {
		if err := makeRoom(int64(buffer.Len())); err != nil {
			return err
		}
	}
	return p.send(w, buffer.Bytes(), contentTypeJSON)
}

func (p *Reply) send(w http.ResponseWriter, content []byte, contentType string) error {
	header := w.Header()
	maps.Copy(header, p.Header)
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	header.Set("X-Content-Type-Options", "nosniff")
	if p.Status != http.StatusNoContent {
		header.Set("Content-Length", strconv.Itoa(len(content)))
	}
	if p.Status == http.StatusServiceUnavailable {
		header.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(content) // who has gone needs no answer
	return nil
}
