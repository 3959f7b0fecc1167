// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/ext"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// snapshot is a moment: which batches count. All statements that are run with it see the same rows, whatever is written
// meanwhile.
type snapshot struct {
	// base is a number below which all batches count.
	base batchNumber
	// committed are the others that count.
	committed map[batchNumber]bool
	table     *ext.Table
}

// committedTable is the name under which statements know the batches that count.
const committedTable = "committed_batches"

// snapshot asks for the present moment, for who writes. All that was acknowledged before is in it.
func (e *engine) snapshot(ctx context.Context) (*snapshot, error) { return e.snapshotBy(ctx, e.conn) }

func (e *engine) snapshotBy(ctx context.Context, conn driver.Conn) (*snapshot, error) {
	rows, err := conn.Query(ctx, "SELECT base, batch FROM commits")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	s := &snapshot{committed: map[batchNumber]bool{}}
	if s.table, err = ext.NewTable(committedTable, ext.Column("batch", "UInt64")); err != nil {
		return nil, err
	}
	for rows.Next() {
		var base, batch uint64
		if err := rows.Scan(&base, &batch); err != nil {
			return nil, err
		}
		s.base = max(s.base, batchNumber(base))
		s.committed[batchNumber(batch)] = true
	}
	for batch := range s.committed {
		if batch < s.base || batch == 0 {
			delete(s.committed, batch)
		} else if err := s.table.Append(uint64(batch)); err != nil {
			return nil, err
		}
	}
	e.clock.raise(s.base)
	return s, rows.Err()
}

// has tells whether a batch counts.
func (s *snapshot) has(batch batchNumber) bool { return batch < s.base || s.committed[batch] }

// latest is the highest batch that counts.
func (s *snapshot) latest() batchNumber {
	latest := s.base
	for batch := range s.committed {
		latest = max(latest, batch)
	}
	return latest
}

// counts is a condition on a column with the number of a batch.
func (s *snapshot) counts(column string) string {
	return "(" + column + " < " + strconv.FormatUint(uint64(s.base), 10) + " OR " + column + " IN " + committedTable + ")"
}

// isLive is a condition on the rows of a table: they are there at the moment. Every
// shard applies it by itself, and knows no database but those that are named.
func (s *snapshot) isLive(t target) string {
	return s.counts("batch") + " AND (batch, place) NOT IN (SELECT batch, place FROM " + t.Local("ends") +
		" WHERE " + s.counts("ended_by") + ")"
}

// moment is how readers see the tables: without a word of it in their statements, ClickHouse adds the conditions to every
// table that it reads.
type moment struct {
	*snapshot
	engine *engine
	db     *sql.DB
	// within bounds the observations that can matter, for who knows more than their statements say.
	within string
}

// momentNow is the present moment for who reads.
func (e *engine) momentNow(ctx context.Context) (*moment, error) {
	now, err := e.snapshotBy(ctx, e.moments)
	return &moment{snapshot: now, engine: e, db: e.db}, err
}

// momentBefore is the present moment for who is about to write.
func (e *engine) momentBefore(ctx context.Context) (*moment, error) {
	now, err := e.snapshot(ctx)
	return &moment{snapshot: now, engine: e, db: e.before}, err
}

// tablesOfRows are those whose rows begin and end.
var tablesOfRows = []string{"observations", "keys", "scores", "documents"}

// filters are the conditions on the tables of a statement, in the form of a setting.
func (m *moment) filters(statement string) string {
	var filters []string
	for _, table := range tablesOfRows {
		if !strings.Contains(statement, table) {
			continue
		}
		condition := m.isLive(m.engine.settings.target())
		if table == "observations" && m.within != "" {
			condition += " AND " + m.within
		}
		filters = append(filters, quote(m.engine.settings.Database+"."+table)+": "+quote(condition))
	}
	return "{" + strings.Join(filters, ", ") + "}"
}

// QueryContext runs a statement at the moment.
func (m *moment) QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error) {
	text, err := bind(statement, args)
	if err != nil {
		return nil, err
	}
	settings := clickhouse.Settings{"additional_table_filters": m.filters(statement)}
	if observe := m.engine.settings.OnRead; observe != nil {
		observe(text, settings)
	}
	rows, err := m.db.QueryContext(m.context(ctx, settings), text)
	return rows, withoutValues(err)
}

// context carries what a statement at the moment needs.
func (m *moment) context(ctx context.Context, settings clickhouse.Settings) context.Context {
	return withoutDeadline{clickhouse.Context(ctx, clickhouse.WithSettings(settings), clickhouse.WithExternalTable(m.table))}
}

// withoutDeadline is a context that ends as another one does, but does not tell when. At a deadline that it knows, the driver breaks
// off a query by itself and gives its connection back: the next one there would be given the rest of the answer.
type withoutDeadline struct{ context.Context }

func (withoutDeadline) Deadline() (at time.Time, ok bool) { return time.Time{}, false }

// between is a condition on the start of observations.
func between(first, last time.Time) string {
	return "start_time >= " + quote(timeText(first)) + " AND start_time <= " + quote(timeText(last))
}
