// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const project = "p-1"

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// patience is how long anything may take on a slow machine.
const patience = time.Minute

func open(t testing.TB, settings Settings) *engine {
	t.Helper()
	if settings.WriteWait == 0 {
		settings.WriteWait = patience
	}
	s, err := Open(t.Context(), settings)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
	return s.(*engine)
}

func observation(n int, start time.Time) model.Observation {
	return model.Observation{
		TraceID: fmt.Sprint("trace-", n/10), ID: fmt.Sprint("span-", n), Start: start, End: start.Add(time.Second),
		Name: "chat", Type: model.TypeGeneration, Environment: "default", Level: model.LevelDefault,
		Input: strings.Repeat("in ", 100), Metadata: `{"a.b":"c","n":7}`,
	}
}

func observations(first, n int, start time.Time) []model.Observation {
	rows := make([]model.Observation, n)
	for i := range rows {
		rows[i] = observation(first+i, start.Add(time.Duration(i)*time.Millisecond))
	}
	return rows
}

func list(t *testing.T, s store.Store, q query.Observations) []store.StoredObservation {
	t.Helper()
	q.Project = project
	if q.Limit == 0 {
		q.Limit = query.MaxLimit
	}
	page, err := s.ListObservations(t.Context(), q)
	require.NoError(t, err)
	return page.Rows
}

// A panic over one batch fails that batch, and nothing else.
func TestAPanicFailsOneWrite(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	err := e.writer.Submit(t.Context(), &job{run: func(context.Context, *sql.Tx, *sql.Conn) error { panic("boom") }}, 0)
	require.ErrorIs(t, err, store.ErrInvalid)
	require.ErrorContains(t, err, "it cannot be stored: boom")
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 10, noon)))
	assert.Len(t, list(t, e, query.Observations{}), 10)
}

func TestFilesBelongToTheUserAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.Mkdir(dir, 0o755))
	e := open(t, Settings{Dir: dir})
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 10, noon)))
	e.secureFiles()
	for path, want := range map[string]os.FileMode{dir: 0o700, e.path: 0o600, e.walPath(): 0o600} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), path)
	}
}

// A second process gets one clear sentence. The child is this test in another process.
func TestASecondProcessIsTold(t *testing.T) {
	if dir := os.Getenv("WEIR_TEST_SECOND_PROCESS"); dir != "" {
		_, err := Open(t.Context(), Settings{Dir: dir})
		fmt.Println("second:", err)
		return
	}
	dir := t.TempDir()
	e := open(t, Settings{Dir: dir})
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestASecondProcessIsTold$")
	child.Env = append(os.Environ(), "WEIR_TEST_SECOND_PROCESS="+dir)
	out, err := child.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "second: another process has the store "+e.path+" open: stop it, or give this one another `path`\n")
}

func TestAFileOfANewerBuildIsRefused(t *testing.T) {
	dir := t.TempDir()
	e := open(t, Settings{Dir: dir})
	_, err := e.db.ExecContext(t.Context(), "INSERT INTO weir_schema VALUES (99, now()::TIMESTAMP)")
	require.NoError(t, err)
	require.NoError(t, e.Close(t.Context()))
	_, err = Open(t.Context(), Settings{Dir: dir})
	steps, stepsErr := migrations()
	require.NoError(t, stepsErr)
	require.EqualError(t, err, "the store "+e.path+" has schema 99, and this build knows schemas up to "+strconv.Itoa(len(steps))+": "+
		"use the Weir that wrote it or a newer one, or set another `path`")
}

func TestAFileThatIsNotOursIsRefused(t *testing.T) {
	for name, write := range map[string]func(path string){
		"no database": func(path string) {
			require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("not a database ", 1000)), 0o600))
		},
		"another database": func(path string) {
			db, err := sql.Open("duckdb", path)
			require.NoError(t, err)
			_, err = db.ExecContext(t.Context(), "CREATE TABLE other (a INTEGER)")
			require.NoError(t, err)
			require.NoError(t, db.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, fileName)
			write(path)
			_, err := Open(t.Context(), Settings{Dir: dir})
			require.ErrorContains(t, err, path+" is no store of Weir: move it away, or set another `path`")
		})
	}
}

func TestAFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(t.Context(), Settings{Dir: filepath.Join(file, "data")})
	require.ErrorContains(t, err, "failed to make the folder of the store")
}

func TestMaxSizeRefusesWrites(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), MaxSize: 1000})
	e.measure()
	err := e.WriteObservations(t.Context(), project, observations(0, 1, noon))
	require.ErrorIs(t, err, store.ErrUnavailable)
	assert.ErrorContains(t, err, "more than `max_size` (1000); raise it, or set `retention`")
	assert.Empty(t, list(t, e, query.Observations{}))
}

// What retention deletes makes room below the limit, though the file stays as large as it was.
func TestRetentionMakesRoomInAFullStore(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), Retention: 24 * time.Hour, MaxSize: 24 << 20, Now: func() time.Time { return noon }})
	var err error
	for n := 0; err == nil; n += 500 {
		rows := observations(n, 500, noon.Add(-30*time.Hour))
		for i := range rows {
			rows[i].Input = incompressible(2000)
		}
		err = e.WriteObservations(t.Context(), project, rows)
		e.checkpoint()
		e.measure()
	}
	require.ErrorIs(t, err, store.ErrUnavailable)
	e.deleteExpired()
	e.measure()
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 1, noon)))
}

// A call that is given up in the middle leaves a store that still works.
func TestCancelledChangesLeaveAWorkingStore(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	score := model.Score{
		ID: "s", Name: "n", DataType: model.ScoreNumeric, TraceID: "t", Source: model.ScoreFromAPI, Environment: "default", Timestamp: noon,
	}
	for i := range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*20*time.Microsecond)
		_ = e.WriteScores(ctx, project, []model.Score{score})
		_ = e.DeleteTraces(ctx, project, []string{"t"})
		_ = e.WriteObservations(ctx, project, observations(i, 1, noon))
		cancel()
	}
	require.NoError(t, e.WriteScores(t.Context(), project, []model.Score{score}))
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 300, noon)))
	stats, err := e.Stats(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 300, stats.Observations)
	assert.EqualValues(t, 1, stats.Scores)
}

// Close waits for reads, and leaves nothing open.
func TestCloseWaitsForReads(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 10, noon)))
	reading, ended := make(chan struct{}), make(chan error, 1)
	var finished atomic.Bool
	go func() {
		ended <- e.read(t.Context(), func(ctx context.Context) error {
			close(reading)
			<-ctx.Done()
			finished.Store(true)
			return ctx.Err()
		})
	}()
	<-reading
	require.NoError(t, e.Close(t.Context()))
	assert.True(t, finished.Load(), "Close waited for the read")
	require.ErrorIs(t, <-ended, store.ErrUnavailable)
}

// Close does not wait longer than its context, and goes on all the same.
func TestCloseHonoursItsContext(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	e.reading.RLock() // a read that does not end
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := e.Close(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "the store "+e.path+" is still being closed")
	e.reading.RUnlock()
	require.NoError(t, e.Close(t.Context()))
}

// Whatever a client can make large counts while it waits to be written.
func TestEverythingLargeCounts(t *testing.T) {
	const n = 1 << 20
	large := strings.Repeat("x", n)
	for name, o := range map[string]model.Observation{
		"input": {Input: large}, "output": {Output: large}, "metadata": {Metadata: large}, "status": {StatusMessage: large},
		"parameters": {ModelParameters: large}, "tags": {Tags: []string{large}}, "calls": {ToolCalls: []string{large}},
		"definitions": {ToolDefinitions: []model.NamedText{{Name: "f", Text: large}}},
		"experiment":  {Experiment: model.Experiment{ItemExpectedOutput: large}},
	} {
		assert.InDelta(t, n, weigh(&o), 2*rowWeight, name)
	}
	for name, score := range map[string]model.Score{"text": {Text: large}, "comment": {Comment: large}, "metadata": {Metadata: large}} {
		assert.InDelta(t, n, weighScores([]model.Score{score}), 2*rowWeight, name)
	}
}

// A full store writes its log into the file, which is smaller, before it goes on refusing.
func TestAFullStoreMakesRoom(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), MaxSize: 16 << 20})
	var err error
	for n := 0; err == nil; n += 500 {
		err = e.WriteObservations(t.Context(), project, observations(n, 500, noon))
		e.measure()
	}
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.Eventually(t, func() bool {
		return e.WriteObservations(t.Context(), project, observations(0, 1, noon)) == nil
	}, 30*time.Second, 10*time.Millisecond)
}

func TestQueryLimits(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), QueryTimeout: time.Nanosecond})
	_, err := e.ListObservations(t.Context(), query.Observations{Project: project, Limit: 1})
	require.ErrorIs(t, err, store.ErrTooExpensive)
	assert.ErrorContains(t, err, "it took longer than 1ns; ask for a shorter range of time")
	_, err = e.ListDocuments(t.Context(), query.Documents{Project: project, Kind: "k", Limit: 1})
	require.ErrorIs(t, err, store.ErrTooExpensive)
	assert.ErrorContains(t, err, "it took longer than 1ns; ask for fewer entries a page (`limit`)")
}

func TestCheckpointKeepsEverything(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 500, noon)))
	before := fileSize(e.walPath())
	e.checkpoint()
	assert.Less(t, fileSize(e.walPath()), before)
	assert.Len(t, list(t, e, query.Observations{}), 500)
}

func TestRowKeysDiffer(t *testing.T) {
	assert.NotEqual(t, rowKey("p", "t\x00x", "i"), rowKey("p", "t", "x\x00i"))
	assert.NotEqual(t, rowKey("p", "1:t", "i"), rowKey("p1", ":t", "i"))
	assert.NotEqual(t, rowKey("p", "t", "1:i"), rowKey("p", "t1", ":i"))
}

func TestReplacingAfterReopening(t *testing.T) {
	dir := t.TempDir()
	first := open(t, Settings{Dir: dir, Now: func() time.Time { return noon }})
	require.NoError(t, first.WriteObservations(t.Context(), project, observations(0, 50, noon)))
	require.NoError(t, first.Close(t.Context()))

	second := open(t, Settings{Dir: dir, Now: func() time.Time { return noon.Add(time.Hour) }})
	rows := observations(0, 50, noon.Add(time.Minute))
	require.NoError(t, second.WriteObservations(t.Context(), project, rows))
	got := list(t, second, query.Observations{Groups: query.GroupAll})
	require.Len(t, got, 50)
	for _, row := range got {
		assert.Equal(t, noon, row.CreatedAt)
		assert.Equal(t, noon.Add(time.Hour), row.UpdatedAt)
		assert.False(t, row.Start.Before(noon.Add(time.Minute)))
	}
	assert.Equal(t, rows[49], got[0].Observation)
}

func incompressible(n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(' ' + rand.IntN(95))
	}
	return string(text)
}

func TestReadsWaitForTheirTurn(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), Threads: 1, QueryTimeout: 50 * time.Millisecond})
	require.Equal(t, 2, cap(e.reads))
	inside, leave := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			assert.NoError(t, e.read(context.WithoutCancel(t.Context()), func(context.Context) error {
				inside <- struct{}{}
				<-leave
				return nil
			}))
		})
		<-inside
	}
	_, err := e.Stats(t.Context())
	require.ErrorIs(t, err, store.ErrUnavailable, "a third has no place")
	close(leave)
	wg.Wait()
	_, err = e.Stats(t.Context())
	require.NoError(t, err)
}
