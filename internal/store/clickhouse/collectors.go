// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"math/rand/v2"
	"time"
)

// register tells other collectors that this one is at work, and sees to it that its number is its own. It says so first and looks
// then, so of two with the same number at least one finds the other, and takes one that is free.
func (e *engine) register(ctx context.Context) error {
	for {
		number := e.clock.collector()
		err := e.insert(ctx, "collectors", []string{"number", "token", "query_time", "batch"}, 1, func(int) []any {
			return []any{uint16(number), e.token, uint64(e.settings.QueryTimeout.Microseconds()), uint64(batchAt(e.clock.now()))}
		})
		if err != nil {
			return err
		}
		taken, err := e.othersNumbers(ctx)
		if err != nil || !taken[number] {
			return err
		}
		free := make([]batchNumber, 0, 1<<collectorBits)
		for number := range batchNumber(1 << collectorBits) {
			if !taken[number] {
				free = append(free, number)
			}
		}
		if len(free) == 0 {
			return nil // so many at once there are only by way of restarts, and those are forgotten in a few minutes
		}
		e.clock.setCollector(free[rand.IntN(len(free))])
	}
}

// othersNumbers are those that other collectors have.
func (e *engine) othersNumbers(ctx context.Context) (map[batchNumber]bool, error) {
	numbers, err := e.numbers(ctx, "SELECT DISTINCT toUInt64(number) FROM collectors WHERE token <> ?", e.token)
	taken := make(map[batchNumber]bool, len(numbers))
	for _, number := range numbers {
		taken[number] = true
	}
	return taken, err
}

// longestQuery is how old the moment may be that anybody reads.
func (e *engine) longestQuery(ctx context.Context) (time.Duration, error) {
	var micros uint64
	err := e.conn.QueryRow(ctx, "SELECT max(query_time) FROM collectors").Scan(&micros)
	return max(e.settings.QueryTimeout, time.Duration(micros)*time.Microsecond), err
}
