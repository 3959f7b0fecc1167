// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

const (
	benchWriters = 4
	benchBatch   = 512
	benchProject = "bench"

	// spansByTrace, users and tenants decide how many rows a query finds.
	spansByTrace = 10
	users        = 1000
	tenants      = 500
	// rareEvery is how many rows there are for one that has the rare word in its input.
	rareEvery = 1000
	rareWord  = "zanzibar"

	// corpusSize is so large that no compression finds the same text again.
	corpusSize = 32 << 20
)

// load makes many rows at little cost: patterns of rows with ids, times and texts put in.
type load struct {
	patterns []model.Observation
	corpus   string
	textSize int
	// start is when the first row starts, and step the time from one to the next.
	start time.Time
	step  time.Duration
}

func newLoad(textSize int, step time.Duration) *load {
	r := NewRows(7)
	l := &load{corpus: r.Text(corpusSize), textSize: textSize, start: r.Base, step: step}
	for range 64 {
		pattern := r.Plain(0)
		pattern.Metadata = ""
		l.patterns = append(l.patterns, pattern)
	}
	return l
}

// row is the n-th row. The same n gives the same row.
func (l *load) row(n int) model.Observation {
	o := l.patterns[n%len(l.patterns)]
	duration := o.End.Sub(o.Start)
	o.Start = l.start.Add(time.Duration(n) * l.step).Truncate(time.Millisecond)
	o.End = o.Start.Add(duration)
	if !o.CompletionStart.IsZero() {
		o.CompletionStart = o.Start.Add(duration / 4)
	}
	o.TraceID, o.ID = l.traceID(n), fmt.Sprintf("%016x", scramble(n))
	if o.Experiment.ID != "" {
		o.Experiment.ItemRootID = o.ID
	}
	o.ParentID = ""
	if n%spansByTrace > 0 {
		o.ParentID = fmt.Sprintf("%016x", scramble(n-n%spansByTrace))
	}
	o.UserID = fmt.Sprintf("user-%d", n/spansByTrace%users)
	o.Metadata = fmt.Sprintf(`{"tenant":"tenant-%d","attempt":%d,"resourceAttributes.service.name":"shop","scope.name":"langfuse-sdk"}`, n%tenants, n%3)
	o.Input, o.Output = l.text(n, l.textSize/2), l.text(n+1, l.textSize/2)
	if n%rareEvery == 0 {
		o.Input += " " + rareWord
	}
	return o
}

func (*load) traceID(n int) string {
	return fmt.Sprintf("%016x%016x", scramble(n/spansByTrace), scramble(-n/spansByTrace-1))
}

// scramble makes numbers that follow each other look like random ones.
func scramble(n int) uint64 {
	x := uint64(n)*0x9e3779b97f4a7c15 + 1
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// text is a piece of the corpus that begins and ends with a whole word.
func (l *load) text(n, size int) string {
	from := int(scramble(n) % uint64(len(l.corpus)-2*size-1000))
	from += strings.IndexByte(l.corpus[from:], ' ') + 1
	return l.corpus[from : from+size+strings.IndexByte(l.corpus[from+size:], ' ')]
}

// write stores so many batches, from several writers at the same time.
func (l *load) write(b *testing.B, s store.Store, batches int) {
	b.Helper()
	var next atomic.Int64
	var writers sync.WaitGroup
	for range benchWriters {
		writers.Go(func() {
			rows := make([]model.Observation, benchBatch)
			for {
				batch := int(next.Add(1) - 1)
				if batch >= batches {
					return
				}
				for i := range rows {
					rows[i] = l.row(batch*benchBatch + i)
				}
				if err := s.WriteObservations(b.Context(), benchProject, rows); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	writers.Wait()
}
