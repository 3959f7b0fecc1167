// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const (
	// rowsEnv is how many rows are loaded before reads are measured; several numbers with commas.
	rowsEnv     = "WEIR_STORE_ROWS"
	defaultRows = "20000"

	// loadedDays is the time over which loaded rows are spread.
	loadedDays = 30
)

// Bench measures an engine: how fast it writes, and how long it reads when so many rows are loaded as WEIR_STORE_ROWS
// says.
func Bench(b *testing.B, engine Engine) {
	for _, size := range []int{1 << 10, 12 << 10} {
		b.Run(fmt.Sprintf("write/%dkB", size>>10), func(b *testing.B) { benchWrites(b, engine, size) })
	}
	sizes := os.Getenv(rowsEnv)
	if sizes == "" {
		sizes = defaultRows
	}
	for size := range strings.SplitSeq(sizes, ",") {
		rows, err := strconv.Atoi(size)
		require.NoError(b, err, rowsEnv)
		b.Run(fmt.Sprintf("read/%d", rows), func(b *testing.B) { benchReads(b, engine, rows) })
	}
}

// benchWrites measures batches of 512 rows from 4 writers at the same time.
func benchWrites(b *testing.B, engine Engine, size int) {
	s := engine.open(b, b.TempDir())
	l := newLoad(size, time.Millisecond)
	b.ResetTimer()
	l.write(b, s, b.N)
	b.StopTimer()
	rows := float64(b.N * benchBatch)
	b.ReportMetric(rows/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(rows*float64(size)/1e6/b.Elapsed().Seconds(), "MB/s")
}

// benchReads measures what a reader asks for most.
func benchReads(b *testing.B, engine Engine, rows int) {
	s := engine.open(b, b.TempDir())
	l := newLoad(1<<10, loadedDays*24*time.Hour/time.Duration(rows))
	began := time.Now()
	batches := (rows + benchBatch - 1) / benchBatch
	l.write(b, s, batches)
	b.Logf("loaded %d rows in %v", batches*benchBatch, time.Since(began))

	const usual = query.GroupBasic | query.GroupTime | query.GroupModel | query.GroupUsage | query.GroupTraceContext
	// The middle one stands for all: neither at the end that is written nor at the other.
	middle, old := l.row(rows/2), l.row(rows/10)
	day := middle.Start.Truncate(24 * time.Hour)
	text := func(column query.Column, text string) query.Condition {
		return query.Condition{Column: column, Operator: query.OpEqual, Text: text}
	}
	tenant := text(query.ColumnMetadata, "tenant-7")
	tenant.Key = "tenant"
	for _, read := range []struct {
		name string
		query.Observations
	}{
		{"newest page", query.Observations{Groups: usual, Limit: 50}},
		{"newest page with text", query.Observations{Groups: usual | query.GroupIO | query.GroupMetadata, Limit: 50}},
		{"deep page", query.Observations{Groups: usual, Limit: 50, After: &query.ObservationKey{Start: old.Start, TraceID: old.TraceID, ID: old.ID}}},
		{"one trace", query.Observations{Groups: query.GroupAll, Limit: query.MaxLimit, Where: []query.Condition{ofTrace(middle.TraceID)}}},
		{"user", query.Observations{Groups: usual, Limit: 50, Where: []query.Condition{text(query.ColumnUserID, middle.UserID)}}},
		{"metadata key", query.Observations{Groups: usual, Limit: 50, Where: []query.Condition{tenant}}},
		{"full text in a day", query.Observations{
			Groups: usual, Limit: 50, From: day, To: day.Add(24 * time.Hour),
			Where: []query.Condition{{Column: query.ColumnInput, Operator: query.OpMatches, Text: rareWord}},
		}},
	} {
		read.Project = benchProject
		b.Run(read.name, func(b *testing.B) { benchRead(b, s, read.Observations) })
	}
	b.Run("analysis", func(b *testing.B) { benchAnalysis(b, s, l, rows) })
}

// benchRead reads a page again and again. It reports the median and the 95th percentile beside the mean.
func benchRead(b *testing.B, s store.Store, q query.Observations) {
	var took []time.Duration
	var rows int
	for b.Loop() {
		began := time.Now()
		page, err := s.ListObservations(b.Context(), q)
		took = append(took, time.Since(began))
		if err != nil {
			b.Fatal(err)
		}
		rows += len(page.Rows)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
	if rows == 0 {
		b.Error("it found nothing, so it measures nothing")
	}
}
