// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/ext"

	"github.com/weirhq/weir/internal/store"
)

// Who reads something to write it anew must not overlook what another collector writes meanwhile. So it says first what it
// is about to change, and then looks whether somebody else said the same since the moment that it read. Of two at least one
// finds the other; who finds another retreats, and begins again with what is there by then.

// claimKey is something that is about to change.
type claimKey struct{ project, kind, id string }

// scoreClaims is the kind of claims on scores; those on documents have the kind of the document behind a letter.
const scoreClaims = "s"

func documentClaims(kind string) string { return "d" + kind }

// errRival says that somebody else changes the same.
var errRival = errors.New("somebody else changes the same")

// longestWait is how long a change waits for others: longer than one who died in the middle of it is waited for.
const longestWait = 2*claimTime + 2*clockSkew

// exclusively runs a change that reads at a moment and then writes a batch, until nobody else is in its way. The change gives
// what it claims and what it writes; with nothing to write it is over.
func (e *engine) exclusively(ctx context.Context, change func(context.Context, *moment) (*change, error)) error {
	ctx, cancel := within(ctx, longestWait)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := e.tryExclusively(ctx, change)
		if !errors.Is(err, errRival) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", store.ErrUnavailable, errRival)
		case <-time.After(rand.N(pause)):
		}
	}
}

// change is what is written at once.
type change struct {
	batch  batchNumber
	claims []claimKey
	write  func(context.Context) error
}

func (e *engine) tryExclusively(ctx context.Context, prepare func(context.Context, *moment) (*change, error)) error {
	now, err := e.momentBefore(ctx)
	if err != nil {
		return err
	}
	c, err := prepare(ctx, now)
	if err != nil || c == nil {
		return err
	}
	// The rows do no harm before they count, so nobody waits for the claims.
	err = together(ctx, c.write, func(ctx context.Context) error { return e.insertClaims(ctx, c, false) })
	if err != nil {
		return err
	}
	rivals, err := e.hasRivals(ctx, now.snapshot, c)
	if err != nil {
		return err
	}
	if rivals {
		// Who finds this claim later need not wait for it.
		return errors.Join(errRival, e.insertClaims(ctx, c, true))
	}
	return e.commit(ctx, c.batch, claimTime)
}

func (e *engine) insertClaims(ctx context.Context, c *change, released bool) error {
	return e.insert(ctx, "claims", []string{"project", "kind", "id", "batch", "released"}, len(c.claims), func(i int) []any {
		return []any{c.claims[i].project, c.claims[i].kind, c.claims[i].id, uint64(c.batch), released}
	})
}

// hasRivals looks for claims of others that the moment does not know, and that may still come to count.
func (e *engine) hasRivals(ctx context.Context, now *snapshot, c *change) (bool, error) {
	claimed, err := ext.NewTable(wantedTable, ext.Column("project", "String"), ext.Column("kind", "String"), ext.Column("id", "String"))
	if err != nil {
		return false, err
	}
	for _, key := range c.claims {
		if err := claimed.Append(key.project, key.kind, key.id); err != nil {
			return false, err
		}
	}
	rows, err := e.conn.Query(clickhouse.Context(ctx, clickhouse.WithExternalTable(claimed)),
		"SELECT batch FROM claims WHERE (project, kind, id) IN "+wantedTable+" GROUP BY batch HAVING max(released) = 0")
	if err != nil {
		return false, err
	}
	defer rows.Close()
	late := batchAt(e.clock.now() - (claimTime + clockSkew).Microseconds())
	var unsure []batchNumber
	for rows.Next() {
		var batch uint64
		if err := rows.Scan(&batch); err != nil {
			return false, err
		}
		if number := batchNumber(batch); number != c.batch && !now.has(number) {
			unsure = append(unsure, number)
		}
	}
	if err := rows.Err(); err != nil || len(unsure) == 0 {
		return false, err
	}
	// One that is late never counts, unless it already did when this one looked.
	latest, err := e.snapshot(ctx)
	if err != nil {
		return false, err
	}
	for _, number := range unsure {
		if number >= late || latest.has(number) {
			return true, nil
		}
	}
	return false, nil
}
