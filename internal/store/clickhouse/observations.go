// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/ext"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// observationJob is one call of WriteObservations.
type observationJob struct {
	rows []sqlstore.ObservationRecord
}

func (j *observationJob) countRows() int { return len(j.rows) }

func (e *engine) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	end, err := e.mayWrite(project)
	if err != nil {
		return err
	}
	defer end()
	if len(rows) == 0 {
		return nil
	}
	var bytes int64
	j := &observationJob{rows: make([]sqlstore.ObservationRecord, len(rows))}
	for i := range rows {
		if rows[i].TraceID == "" || rows[i].ID == "" {
			return fmt.Errorf("%w: an observation needs a trace id and an id", store.ErrInvalid)
		}
		record := &j.rows[i]
		*record = sqlstore.ObservationRecord{Project: project, StoredObservation: store.StoredObservation{Observation: rows[i]}}
		if rows[i].Start.IsZero() {
			return fmt.Errorf("%w: an observation needs a start", store.ErrInvalid)
		}
		if err := storable(sqlstore.ObservationColumns, record); err != nil {
			return err
		}
		bytes += record.PayloadSize() + 1024
	}
	return e.writeError(ctx, e.observations.Submit(ctx, j, bytes))
}

// mayWrite refuses what can be refused without asking the server, and else keeps the store open.
func (e *engine) mayWrite(project string) (end func(), err error) {
	if project == "" {
		return nil, fmt.Errorf("%w: a write needs a project", store.ErrInvalid)
	}
	return e.begin()
}

// observationKey is what makes an observation the same as another one.
type observationKey struct{ project, traceID, id string }

func keyOf(r *sqlstore.ObservationRecord) observationKey {
	return observationKey{r.Project, r.TraceID, r.ID}
}

// storedKey is a row that has a key.
type storedKey struct {
	row
	key       observationKey
	createdAt time.Time
	counts    bool // and is not one that is still on its way, or never came
}

// lastRows puts the rows of a group together; of equal keys the last counts.
func lastRows(group []*observationJob) []*sqlstore.ObservationRecord {
	at := make(map[observationKey]int)
	var records []*sqlstore.ObservationRecord
	for _, j := range group {
		for i := range j.rows {
			r := &j.rows[i]
			if place, again := at[keyOf(r)]; again {
				records[place] = r
				continue
			}
			at[keyOf(r)] = len(records)
			records = append(records, r)
		}
	}
	return records
}

// writeObservations writes what several callers gave.
func (e *engine) writeObservations(ctx context.Context, group []*observationJob) error {
	return e.replaceRecords(ctx, lastRows(group), keepCreation)
}

// replaceRecords writes rows in place of those with the same keys. Others may write the same at the same time: who comes
// later by the number of its batch wins. Whoever looks after it has written finds all who wrote before, so of two at least
// one finds the other, and either says which row ends. Which rows are written, and which are
// replaced, tells a function that is given the rows and what is there of them.
func (e *engine) replaceRecords(
	ctx context.Context, records []*sqlstore.ObservationRecord,
	choose func([]*sqlstore.ObservationRecord, []storedKey) ([]*sqlstore.ObservationRecord, []storedKey),
) error {
	wanted, err := wantedKeys(records)
	if err != nil {
		return err
	}
	before, err := e.findKeys(ctx, wanted, true)
	if err != nil {
		return err
	}
	all := len(records)
	if records, before = choose(records, before); len(records) == 0 {
		return nil
	}
	if len(records) < all {
		if wanted, err = wantedKeys(records); err != nil {
			return err
		}
	}
	var above batchNumber
	for i := range before {
		above = max(above, before[i].batch)
	}
	first := row{batch: e.clock.next(above, 0), place: firstPlace()}

	ends := endsOf(before, first.batch)
	err = together(ctx,
		func(ctx context.Context) error {
			return insertRecords(ctx, e, "observations", sqlstore.ObservationColumns, records, first)
		},
		func(ctx context.Context) error { return e.insertKeys(ctx, records, first) },
		func(ctx context.Context) error { return e.insertEnds(ctx, ends) })
	if err != nil {
		return err
	}
	after, err := e.findKeys(ctx, wanted, false)
	if err != nil {
		return err
	}
	if err := e.insertEnds(ctx, endsOfRivals(records, first, before, after)); err != nil {
		return err
	}
	return e.commit(ctx, first.batch, writeTime)
}

// keepCreation gives rows the times that the store knows.
func keepCreation(records []*sqlstore.ObservationRecord, before []storedKey) ([]*sqlstore.ObservationRecord, []storedKey) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	created := make(map[observationKey]time.Time)
	for i := range before {
		if before[i].counts {
			created[before[i].key] = before[i].createdAt
		}
	}
	for _, r := range records {
		r.CreatedAt, r.UpdatedAt = now, now
		if at, ok := created[keyOf(r)]; ok {
			r.CreatedAt = at
		}
		if r.UpdatedAt.Before(r.CreatedAt) {
			r.UpdatedAt = r.CreatedAt // the clock was set back
		}
	}
	return records, before
}

func endsOf(before []storedKey, by batchNumber) []end {
	ends := make([]end, len(before))
	for i := range before {
		ends[i] = end{before[i].row, by}
	}
	return ends
}

// endsOfRivals are those of rows that came while ours were on their way: of theirs which are older than ours, and of ours
// which are older than theirs.
func endsOfRivals(records []*sqlstore.ObservationRecord, first row, before, after []storedKey) []end {
	known := make(map[row]bool, len(before))
	for i := range before {
		known[before[i].row] = true
	}
	var ends []end
	places := map[observationKey]int{}
	for i := range after {
		rival := &after[i]
		if rival.batch == first.batch || known[rival.row] {
			continue
		}
		if rival.batch < first.batch {
			ends = append(ends, end{rival.row, first.batch})
			continue
		}
		if len(places) == 0 {
			for place, r := range records {
				places[keyOf(r)] = place
			}
		}
		ours := row{first.batch, first.place + uint32(places[rival.key]), homeOf(rival.key.traceID)}
		ends = append(ends, end{ours, rival.batch})
	}
	return ends
}

var keyColumns = []string{"project", "trace_id", "id", "start_time", "created_at", "batch", "place"}

func (e *engine) insertKeys(ctx context.Context, records []*sqlstore.ObservationRecord, first row) error {
	return e.insert(ctx, "keys", keyColumns, len(records), func(i int) []any {
		r := records[i]
		return []any{r.Project, r.TraceID, r.ID, r.Start, r.CreatedAt, uint64(first.batch), first.place + uint32(i)}
	})
}

// wantedTable is the name under which statements know the keys that somebody looks for.
const wantedTable = "wanted_keys"

func wantedKeys(records []*sqlstore.ObservationRecord) (*ext.Table, error) {
	table, err := ext.NewTable(wantedTable, ext.Column("project", "String"), ext.Column("trace_id", "String"), ext.Column("id", "String"))
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		if err := table.Append(r.Project, r.TraceID, r.ID); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// findKeys finds the rows with some keys, those too that do not count yet. With live, what has ended is left out.
func (e *engine) findKeys(ctx context.Context, wanted *ext.Table, live bool) ([]storedKey, error) {
	const columns = "SELECT project, trace_id, id, created_at, batch, place FROM keys WHERE (project, trace_id, id) IN " + wantedTable
	found, err := e.readKeys(clickhouse.Context(ctx, clickhouse.WithExternalTable(wanted)), columns)
	if err != nil || len(found) == 0 || !live {
		return found, err
	}
	now, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	ended, err := e.endedRows(ctx, now, found)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].counts = now.has(found[i].batch)
	}
	return slices.DeleteFunc(found, func(k storedKey) bool { return ended[k.row] }), nil
}

func (e *engine) readKeys(ctx context.Context, statement string) ([]storedKey, error) {
	rows, err := e.conn.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []storedKey
	for rows.Next() {
		var k storedKey
		var batch uint64
		if err := rows.Scan(&k.key.project, &k.key.traceID, &k.key.id, &k.createdAt, &batch, &k.place); err != nil {
			return nil, err
		}
		k.batch, k.home, k.createdAt = batchNumber(batch), homeOf(k.key.traceID), k.createdAt.UTC()
		found = append(found, k)
	}
	return found, rows.Err()
}

// endedRows tells which of some rows have ended at a moment.
func (e *engine) endedRows(ctx context.Context, now *snapshot, found []storedKey) (map[row]bool, error) {
	looked, err := ext.NewTable(wantedTable, ext.Column("batch", "UInt64"), ext.Column("place", "UInt32"))
	if err != nil {
		return nil, err
	}
	for i := range found {
		if err := looked.Append(uint64(found[i].batch), found[i].place); err != nil {
			return nil, err
		}
	}
	rows, err := e.conn.Query(clickhouse.Context(ctx, clickhouse.WithExternalTable(now.table, looked)),
		"SELECT batch, place, home FROM ends WHERE (batch, place) IN "+wantedTable+" AND "+now.counts("ended_by"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ended := map[row]bool{}
	for rows.Next() {
		var batch uint64
		var r row
		if err := rows.Scan(&batch, &r.place, &r.home); err != nil {
			return nil, err
		}
		r.batch = batchNumber(batch)
		ended[r] = true
	}
	return ended, rows.Err()
}
