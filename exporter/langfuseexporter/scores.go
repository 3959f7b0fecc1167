// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/scorelog"
	"github.com/weirhq/weir/internal/wire"
)

const (
	reasonNotAScore    = "not_a_score"
	reasonInvalidScore = "invalid_score"

	// maxEvents bounds the events of one request, since its answer speaks of each of them. The client libraries send as
	// many.
	maxEvents = 100
)

// scoreExporter delivers the score events of a logs pipeline.
type scoreExporter struct {
	service *service
	courier *courier
	names   wire.Names

	warnOnce sync.Once
}

func newScoreExporter(s *service) *scoreExporter {
	_, maxBytes := takeOverMaxSize(s.cfg.QueueConfig)
	return &scoreExporter{service: s, names: wire.NewNames(s.cfg.Service), courier: &courier{
		service: s, path: wire.PathIngestion, contentType: contentJSON,
		maxBytes: min(maxBytes, maxRequestBytes), maxItems: maxEvents,
	}}
}

func (e *scoreExporter) push(ctx context.Context, ld plog.Logs) error {
	batch := e.scoresOf(ctx, ld)
	if batch.items() == 0 {
		return nil // what was in it is counted and logged
	}
	left, err := e.courier.deliver(ctx, batch)
	if err == nil || consumererror.IsPermanent(err) {
		return err
	}
	return throttled(consumererror.NewLogs(err, logsOf(left)))
}

// scoresOf reads the scores of a batch. Whatever is no score is counted here, once, and never comes back.
func (e *scoreExporter) scoresOf(ctx context.Context, ld plog.Logs) *scoreBatch {
	batch := &scoreBatch{exporter: e}
	others := 0
	for _, rl := range ld.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, record := range sl.LogRecords().All() {
				if !scorelog.IsScore(record) {
					others++
					continue
				}
				score, err := scorelog.Read(record, e.names)
				if err != nil {
					e.dropRecord(ctx, reasonInvalidScore, score.ID, err)
					continue
				}
				batch.events = append(batch.events, newScoreEvent(&score, rl, sl, record))
			}
		}
	}
	if others > 0 {
		e.service.telemetry.ExporterLangfuseDroppedLogRecords.Add(ctx, int64(others), e.service.because(reasonNotAScore))
		e.warnOnce.Do(func() {
			e.service.set.Logger.Warn("The logs pipeline of this exporter carries records that are no score events "+
				"(gen_ai.evaluation.result). They are not sent, only counted: the service has no place for logs.",
				zap.Stringer("exporter", e.service.set.ID))
		})
	}
	return batch
}

func (e *scoreExporter) dropRecord(ctx context.Context, reason, scoreID string, why error) {
	e.service.telemetry.ExporterLangfuseDroppedLogRecords.Add(ctx, 1, e.service.because(reason))
	e.service.set.Logger.Warn("Dropped a score.",
		zap.String("reason", reason), zap.String("score_id", scoreID), zap.Error(why))
}

// scoreBatch is scores on their way.
type scoreBatch struct {
	exporter *scoreExporter
	events   []scoreEvent
}

func (b *scoreBatch) items() int { return len(b.events) }

func (b *scoreBatch) encode() ([]byte, error) {
	size := len(`{"batch":[]}`)
	for i := range b.events {
		size += len(b.events[i].text) + 1
	}
	body := append(make([]byte, 0, size), `{"batch":[`...)
	for i := range b.events {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, b.events[i].text...)
	}
	return append(body, `]}`...), nil
}

func (b *scoreBatch) cut(n int) []shipment {
	pieces := make([]shipment, n)
	for i := range pieces {
		pieces[i] = &scoreBatch{b.exporter, b.events[i*len(b.events)/n : (i+1)*len(b.events)/n]}
	}
	return pieces
}

// settle reads the answer, which judges every event for itself. Events that failed for a reason that passes
// are sent again, the others are dropped; what the answer does not complain about is delivered.
func (b *scoreBatch) settle(ctx context.Context, a answer) settlement {
	var said struct {
		Errors []struct {
			ID      string          `json:"id"`
			Status  int             `json:"status"`
			Message string          `json:"message"`
			Error   json.RawMessage `json:"error"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(a.body, &said); err != nil {
		if a.status != http.StatusMultiStatus {
			return settlement{} // another implementation: the status is what counts
		}
		// Which events failed is in an answer that cannot be read. Events keep their ids, so sending all again is safe.
		return settlement{again: b, why: &problem{verdict: later, status: a.status, reason: "the answer cannot be read: " + err.Error()}}
	}
	byID := make(map[string]*scoreEvent, len(b.events))
	for i := range b.events {
		byID[b.events[i].id] = &b.events[i]
	}
	again := &scoreBatch{exporter: b.exporter}
	var outcome settlement
	for _, failed := range said.Errors {
		event, known := byID[failed.ID]
		if !known {
			b.exporter.service.set.Logger.Warn("The service complains about an event that was not sent, or sent once.",
				zap.Int("status", failed.Status), zap.String("reason", oneLine(failed.Message+": "+detailOf(failed.Error))))
			continue
		}
		delete(byID, failed.ID) // an answer may name an event twice
		p := problemOf(failed.Status)
		p.reason = oneLine(failed.Message + ": " + detailOf(failed.Error))
		p.retryAfter = retryAfter(a.header.Get("Retry-After"), time.Now())
		if p.verdict != later {
			b.exporter.dropRecord(ctx, reasonRefused, event.scoreID, &p)
			outcome.dropped++
			outcome.cause = &p
			continue
		}
		again.events = append(again.events, *event)
		outcome.again, outcome.why = again, &p
	}
	return outcome
}

func (b *scoreBatch) drop(ctx context.Context, reason string, _ int, why error) {
	for i := range b.events {
		b.exporter.dropRecord(ctx, reason, b.events[i].scoreID, why)
	}
}

// logsOf rebuilds the records of the events that are left, for the next attempt.
func logsOf(left []shipment) plog.Logs {
	ld := plog.NewLogs()
	for _, part := range left {
		for _, event := range part.(*scoreBatch).events {
			event.appendTo(ld)
		}
	}
	return ld
}
