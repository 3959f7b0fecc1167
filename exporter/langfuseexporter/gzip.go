// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// gzipPool keeps compressors, each of which is some hundred kilobytes, for the next request.
type gzipPool struct {
	writers sync.Pool
}

// newGzipPool makes a pool for a level that Validate accepted; 0 stands for the default level.
func newGzipPool(level int) *gzipPool {
	if level == 0 {
		level = gzip.DefaultCompression
	}
	return &gzipPool{writers: sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, level)
		return w
	}}}
}

func (p *gzipPool) compress(body []byte) ([]byte, error) {
	w := p.writers.Get().(*gzip.Writer)
	defer p.writers.Put(w)
	// LLM text shrinks to a third or less; the buffer grows if this does not.
	out := bytes.NewBuffer(make([]byte, 0, len(body)/3+64))
	w.Reset(out)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
