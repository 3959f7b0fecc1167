// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/scorelog"
)

const (
	reasonNotAScore    = "not_a_score"
	reasonInvalidScore = "invalid_score"
)

// scoreExporter writes the score events of a logs pipeline.
type scoreExporter struct {
	*target
	warnOnce sync.Once
}

// leftOut is what of a batch is no score, and why.
type leftOut struct {
	others  int // records that are something else
	invalid int
	firstID string // of the invalid ones
	why     error
}

// push writes a batch. When it returns nil, every score is durable.
func (e *scoreExporter) push(ctx context.Context, ld plog.Logs) error {
	projects, left := e.scoresOf(ld)
	var verdicts []error
	for _, part := range projects {
		if err := e.write(ctx, part); err != nil {
			verdicts = append(verdicts, err)
		}
	}
	err := together(verdicts)
	if isSettled(err) {
		e.count(ctx, left)
	}
	return err
}

func (e *scoreExporter) scoresOf(ld plog.Logs) (projects parts[model.Score], left leftOut) {
	records := ld.LogRecordCount()
	for _, rl := range ld.ResourceLogs().All() {
		part := projects.of(e.stampOf(rl.Resource()).project, records)
		for _, sl := range rl.ScopeLogs().All() {
			for _, record := range sl.LogRecords().All() {
				if !scorelog.IsScore(record) {
					left.others++
					continue
				}
				score, err := scorelog.Read(record, e.names)
				if err != nil {
					left.invalid++
					if left.why == nil {
						left.firstID, left.why = score.ID, err
					}
					continue
				}
				part.rows = append(part.rows, e.completed(score))
			}
		}
	}
	return projects, left
}

// completed is the score as it is stored: times are kept in milliseconds, as clients see them.
func (e *scoreExporter) completed(score model.Score) model.Score {
	score.Timestamp = score.Timestamp.Truncate(time.Millisecond)
	if score.Environment = e.names.Environment(score.Environment); score.Environment == "" {
		score.Environment = model.DefaultEnvironment
	}
	return score
}

func (e *scoreExporter) write(ctx context.Context, p *part[model.Score]) error {
	if len(p.rows) == 0 {
		return nil
	}
	if err := e.store.WriteScores(ctx, p.project, p.rows); err != nil {
		return verdict(fmt.Errorf("failed to write %d scores of project %q: %w", len(p.rows), p.project, err))
	}
	return nil
}

func (e *scoreExporter) count(ctx context.Context, left leftOut) {
	if left.others > 0 {
		e.telemetry.ExporterLangfuseStoreDroppedLogRecords.Add(ctx, int64(left.others), e.because(reasonNotAScore))
		e.warnOnce.Do(func() {
			e.set.Logger.Warn("The logs pipeline of this exporter carries records that are no score events "+
				"(gen_ai.evaluation.result). They are not stored, only counted: the store has no place for logs.",
				zap.Stringer("exporter", e.set.ID))
		})
	}
	if left.invalid > 0 {
		e.telemetry.ExporterLangfuseStoreDroppedLogRecords.Add(ctx, int64(left.invalid), e.because(reasonInvalidScore))
		e.set.Logger.Warn("Dropped events that are no valid scores; the first of them is named.",
			zap.Int("scores", left.invalid), zap.String("score_id", left.firstID), zap.Error(left.why))
	}
}
