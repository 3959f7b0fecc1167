// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/go-faster/city"
	"golang.org/x/sync/errgroup"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// row is a stored row: who reads knows it by its batch and its place there.
type row struct {
	batch batchNumber
	place uint32
	// home tells on which shard it is.
	home uint64
}

// homeOf is what rows are spread by, as the schema says it in the words of ClickHouse: observations by their trace, all others
// by their id.
func homeOf(id string) uint64 { return city.CH64([]byte(id)) }

// end is the end of a row.
type end struct {
	row
	by batchNumber
}

// insert writes rows into a table. values gives those of the i-th row. Replicas take one insert into a table at a time, and refuse
// who comes in between.
func (e *engine) insert(ctx context.Context, table string, columns []string, rows int, values func(i int) []any) error {
	if rows == 0 {
		return nil
	}
	for {
		err := e.insertOnce(ctx, table, columns, rows, values)
		if !hasCode(err, codeQuorumBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(rand.N(quorumPause)):
		}
	}
}

// quorumPause is about how long a majority takes for an insert.
const quorumPause = 20 * time.Millisecond

func (e *engine) insertOnce(ctx context.Context, table string, columns []string, rows int, values func(i int) []any) error {
	block, err := e.conn.PrepareBatch(ctx, "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+")")
	if err != nil {
		return err
	}
	defer func() { _ = block.Close() }()
	for i := range rows {
		if err := block.Append(values(i)...); err != nil {
			return fmt.Errorf("%w in %s: %w", errWrongValue, table, err)
		}
	}
	return withoutValues(block.Send())
}

// insertRecords writes rows of a table that sqlstore knows, behind one another in a batch.
func insertRecords[T any](ctx context.Context, e *engine, table string, columns []sqlstore.Column[T], records []*T, first row) error {
	names := make([]string, 0, len(columns)+2)
	for i := range columns {
		names = append(names, columns[i].Name)
	}
	values := make([]any, len(columns)+2)
	return e.insert(ctx, table, append(names, "batch", "place"), len(records), func(i int) []any {
		for j := range columns {
			values[j] = columns[j].Value(records[i]).Any()
		}
		values[len(columns)], values[len(columns)+1] = uint64(first.batch), first.place+uint32(i)
		return values
	})
}

func (e *engine) insertEnds(ctx context.Context, ends []end) error {
	return e.insert(ctx, "ends", []string{"batch", "place", "ended_by", "home"}, len(ends), func(i int) []any {
		return []any{uint64(ends[i].batch), ends[i].place, uint64(ends[i].by), ends[i].home}
	})
}

// commit makes a batch count. It is the one moment at which a write happens.
func (e *engine) commit(ctx context.Context, batch batchNumber, limit time.Duration) error {
	err := e.insert(ctx, "commits", []string{"batch", "expires", "base"}, 1, func(int) []any {
		return []any{uint64(batch), uint64(batch.micros() + limit.Microseconds()), uint64(0)}
	})
	if hasCode(err, codeConstraint) {
		return fmt.Errorf("%w: ClickHouse took longer than %s for a write", store.ErrUnavailable, limit)
	}
	return err
}

// together does several things at once.
func together(ctx context.Context, steps ...func(context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, step := range steps {
		group.Go(func() error { return step(ctx) })
	}
	return group.Wait()
}

// storable tells what ClickHouse could not store, or not give back as it was.
func storable[T any](columns []sqlstore.Column[T], record *T) error {
	for i := range columns {
		if err := columns[i].Value(record).Check(firstTime, lastTime); err != nil {
			return fmt.Errorf("%w: %s %w", store.ErrInvalid, columns[i].Name, err)
		}
	}
	return nil
}
