// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

// journal is a naive store that outlives its process: every write goes to the end of a file first, which is read when the
// store is opened. It shows that the tests of durability can pass, and with late set that they can fail.
type journal struct {
	*Naive
	writing sync.Mutex
	file    *os.File
	// late keeps entries back until there are some more, though they are acknowledged.
	late    bool
	pending bytes.Buffer
	entries int
}

// entry is one line of the file.
type entry struct {
	Project      string
	Observations []model.Observation    `json:",omitempty"`
	Scores       []model.Score          `json:",omitempty"`
	Traces       []string               `json:",omitempty"`
	ScoreIDs     []string               `json:",omitempty"`
	Documents    []store.DocumentChange `json:",omitempty"`
	// At is when it was written.
	At time.Time
}

func journalEngine(late bool) Engine {
	return Engine{Open: func(tb testing.TB, dir string) store.Store {
		tb.Helper()
		file, err := os.OpenFile(filepath.Join(dir, "journal"), os.O_RDWR|os.O_CREATE, 0o600)
		require.NoError(tb, err)
		j := &journal{Naive: NewNaive(), file: file, late: late}
		require.NoError(tb, j.replay())
		return j
	}}
}

// replay does again what is in the file. A last line that was cut off is as good as never written.
func (j *journal) replay() error {
	reader := bufio.NewReader(j.file)
	var size int64
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("byte %d: %w", size, err)
		}
		if err := j.apply(context.Background(), &e); err != nil {
			return err
		}
		size += int64(len(line))
	}
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	_, err := j.file.Seek(size, io.SeekStart)
	return err
}

func (j *journal) apply(ctx context.Context, e *entry) error {
	j.clock = func() time.Time { return e.At }
	switch {
	case e.Observations != nil:
		return j.Naive.WriteObservations(ctx, e.Project, e.Observations)
	case e.Scores != nil:
		return j.Naive.WriteScores(ctx, e.Project, e.Scores)
	case e.Documents != nil:
		return j.Naive.WriteDocuments(ctx, e.Project, e.Documents)
	case e.Traces != nil:
		return j.Naive.DeleteTraces(ctx, e.Project, e.Traces)
	default:
		return j.Naive.DeleteScores(ctx, e.Project, e.ScoreIDs)
	}
}

func (j *journal) do(ctx context.Context, e entry) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	e.At = time.Now()
	if err := j.apply(ctx, &e); err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.pending.Write(append(line, '\n'))
	j.entries++
	if j.late && j.entries%20 != 0 {
		return nil
	}
	_, err = j.file.Write(j.pending.Bytes())
	j.pending.Reset()
	return err
}

func (j *journal) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	return j.do(ctx, entry{Project: project, Observations: rows})
}

func (j *journal) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	return j.do(ctx, entry{Project: project, Scores: scores})
}

func (j *journal) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	return j.do(ctx, entry{Project: project, Documents: changes})
}

func (j *journal) DeleteTraces(ctx context.Context, project string, ids []string) error {
	return j.do(ctx, entry{Project: project, Traces: ids})
}

func (j *journal) DeleteScores(ctx context.Context, project string, ids []string) error {
	return j.do(ctx, entry{Project: project, ScoreIDs: ids})
}

func (j *journal) Close(ctx context.Context) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	if err := j.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return j.Naive.Close(ctx)
}

func TestJournal(t *testing.T) {
	t.Run("close", func(t *testing.T) { closing(t, journalEngine(false)) })
	t.Run("reopen", func(t *testing.T) { reopening(t, journalEngine(false)) })
	t.Run("random", func(t *testing.T) { RunRandom(t, journalEngine(false)) })
}

func TestJournalKill(t *testing.T) {
	// Two rounds show that it can pass; the rest is for engines that could do wrong.
	t.Setenv(killsEnv, cmp.Or(os.Getenv(killsEnv), "2"))
	KillTest(t, journalEngine(false))
}
