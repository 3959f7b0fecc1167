// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"time"

	"go.uber.org/zap"
)

const (
	// clockInterval is how often the clock of the server is looked at.
	clockInterval = 10 * time.Second
	// settleInterval is how often what was written is put in order. Of several collectors one does it.
	settleInterval = time.Minute
)

// maintain does what comes up from time to time, until the store is closed.
func (e *engine) maintain() {
	ctx := e.closing
	clockTurns, settleTurns := time.NewTicker(clockInterval), time.NewTicker(settleInterval)
	defer clockTurns.Stop()
	defer settleTurns.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-clockTurns.C:
			if err = e.setClock(ctx); err == nil {
				_, err = e.snapshot(ctx) // which tells the clock how far others have come
			}
		case <-settleTurns.C:
			if err = e.register(ctx); err == nil && !e.settings.SettleByHand {
				err = e.Settle(ctx, time.UnixMicro(e.clock.now()))
			}
		}
		if err != nil && ctx.Err() == nil {
			e.settings.Logger.Warn("Could not look after the store in ClickHouse; it is tried again.", zap.Error(err))
		}
	}
}

// Settle puts in order what was written so long before a time that nobody is at work on it any more: what never came to
// count goes, and so do rows that have ended; what is left counts without a record of its batch. Who does the same at the
// same time does no harm.
func (e *engine) Settle(ctx context.Context, now time.Time) error {
	e.settling.Lock()
	defer e.settling.Unlock()
	nowMicros := now.UnixMicro()
	longest, err := e.longestQuery(ctx)
	if err != nil {
		return err
	}
	last, before, err := e.settledAt(ctx, now.Add(-longest-clockSkew))
	if err != nil {
		return err
	}
	if time.UnixMicro(nowMicros).Sub(last.at) < settleInterval/2 {
		return nil // another collector was faster
	}
	base := batchAt(nowMicros - (writeTime + clockSkew + longest).Microseconds())
	if base <= last.base {
		e.settings.Logger.Info("Nothing is cleaned up for now: the clock of ClickHouse was set back, or a collector with a longer `query::timeout` has started.",
			zap.Time("cleaned_up_to", last.base.time()))
		return nil
	}
	if err := e.checkClocks(ctx); err != nil {
		return err
	}
	if e.settings.OnSettle != nil {
		e.settings.OnSettle()
	}
	if err := e.deleteUncommitted(ctx, last.base, base); err != nil {
		return err
	}
	if err := e.deleteEnded(ctx, base); err != nil {
		return err
	}
	// Rows of these have been gone for so long that nobody reads any more who began before.
	if _, err := e.deleteWhere(ctx, "ends", "ended_by < ?", uint64(before.base)); err != nil {
		return err
	}
	for _, table := range []string{"claims", "collectors"} {
		if _, err := e.deleteWhere(ctx, table, "batch < ?", uint64(before.base)); err != nil {
			return err
		}
	}
	if err := e.deleteExpired(ctx, now); err != nil {
		return err
	}
	// The time at which it was done, which may be long after it began, is in the column that has to be in the future.
	done := max(nowMicros, e.clock.now())
	err = e.insert(ctx, "commits", []string{"batch", "expires", "base"}, 1, func(int) []any {
		return []any{uint64(0), uint64(done + writeTime.Microseconds()), uint64(base)}
	})
	if err != nil {
		return err
	}
	e.clock.raise(base)
	// Their numbers are below the base from now on, but somebody may just be reading with the base before.
	_, err = e.deleteWhere(ctx, "commits", "if(base = 0, batch, base) < ?", uint64(before.base))
	return err
}

// settlement is a turn of settle.
type settlement struct {
	base batchNumber
	at   time.Time
}

// settledAt is the last turn, and the last one that was over before any read began that still goes on.
func (e *engine) settledAt(ctx context.Context, began time.Time) (last, before settlement, err error) {
	rows, err := e.conn.Query(ctx, "SELECT base, expires FROM commits WHERE base > 0 ORDER BY base")
	if err != nil {
		return last, before, err
	}
	defer rows.Close()
	for rows.Next() {
		var base, expires uint64
		if err := rows.Scan(&base, &expires); err != nil {
			return last, before, err
		}
		last = settlement{batchNumber(base), time.UnixMicro(int64(expires)).Add(-writeTime)}
		if last.at.Before(began) {
			before = last
		}
	}
	return last, before, rows.Err()
}
