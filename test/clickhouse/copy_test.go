// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package clickhouse

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/internal/store/storetest"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
	"github.com/weirhq/weir/test/internal/weirbin"
)

var projectsToCopy = []string{"one", "two"}

// fillEmbedded writes what a store can hold, in two projects, and closes it.
func fillEmbedded(t *testing.T, dir string) (versionsAt time.Time) {
	t.Helper()
	s, err := duckdb.Open(t.Context(), duckdb.Settings{Dir: dir})
	require.NoError(t, err)
	files, err := blobs.Open(blobs.Settings{Dir: filepath.Join(dir, "media")})
	require.NoError(t, err)
	entries := catalog.New(s, catalog.Options{})
	for n, p := range projectsToCopy {
		r := storetest.NewRows(uint64(n))
		for range 100 {
			require.NoError(t, s.WriteObservations(t.Context(), p, append(r.Trace(59), r.Odd())))
		}
		var scores []model.Score
		for i := range 3000 {
			scores = append(scores, r.Score(strconv.Itoa(i)))
		}
		require.NoError(t, s.WriteScores(t.Context(), p, scores))
		for i := range 250 {
			for version := range 1 + i%3 {
				require.NoError(t, s.WriteDocuments(t.Context(), p, []store.DocumentChange{{
					Document: store.Document{Kind: "kind", ID: strconv.Itoa(i), Name: "name", Body: fmt.Sprint(i, version)}, Expect: store.AnyRevision, KeepOld: true,
				}}))
			}
			if i == 100 {
				page, err := s.ListDocuments(t.Context(), query.Documents{Project: p, Kind: "kind", Limit: 1})
				require.NoError(t, err)
				versionsAt = page.Rows[0].UpdatedAt
			}
		}
		require.NoError(t, s.WriteDocuments(t.Context(), p, []store.DocumentChange{{
			Document: store.Document{Kind: "kind", ID: "7"}, Delete: true, Expect: store.AnyRevision, KeepOld: true,
		}}))
		content := "content of " + p
		sum := sha256.Sum256([]byte(content))
		record, err := entries.CreateMedia(t.Context(), p, catalog.MediaCreate{
			ContentType: "text/plain", ContentLength: int64(len(content)), SHA256: base64.StdEncoding.EncodeToString(sum[:]),
			Link: model.MediaLink{TraceID: "t", Field: "input"},
		})
		require.NoError(t, err)
		require.NoError(t, files.Put(p, record.ID, int64(len(content)), sum[:], strings.NewReader(content)))
	}
	require.NoError(t, s.Close(t.Context()))
	return versionsAt
}

// printed is what a program says, readable while it runs.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(text)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

func TestCopy(t *testing.T) {
	server := clickhouseserver.Start(t)
	dir, mediaDir := t.TempDir(), t.TempDir()
	versionsAt := fillEmbedded(t, dir)
	command := func(args ...string) (*exec.Cmd, *printed) {
		out := &printed{}
		cmd := exec.CommandContext(t.Context(), filepath.Join(weirbin.Root(t), "_build", "weir-copy"),
			append([]string{"--config=" + filepath.Join(weirbin.Root(t), "configs", "cluster.yaml"), "--from=" + dir}, args...)...)
		cmd.Env = append(os.Environ(), "WEIR_CLICKHOUSE_ENDPOINTS="+server.Address, "WEIR_MEDIA_DIR="+mediaDir)
		cmd.Stdout, cmd.Stderr = out, out
		return cmd, out
	}
	fails := func(cmd *exec.Cmd, out *printed, want string) {
		t.Helper()
		require.Error(t, cmd.Run())
		require.Contains(t, out.String(), want)
	}

	// What cannot be is refused before anything is written.
	cmd, out := command("--from=" + t.TempDir())
	fails(cmd, out, "there is no embedded store in")
	cmd, out = command("--store=langfuse_store/other")
	fails(cmd, out, "has no extension langfuse_store/other")
	cmd, out = command("--config=" + filepath.Join(weirbin.Root(t), "configs", "local.yaml"))
	fails(cmd, out, "has no `clickhouse`")
	cmd, out = command()
	cmd.Env = append(cmd.Env, "WEIR_MEDIA_DIR=")
	fails(cmd, out, "set `media::path` to a folder that all collectors share, or leave them behind")
	open, err := duckdb.Open(t.Context(), duckdb.Settings{Dir: dir})
	require.NoError(t, err)
	cmd, out = command()
	fails(cmd, out, "has the store "+filepath.Join(dir, "weir.duckdb")+" open")
	require.NoError(t, open.Close(t.Context()))

	// Killed in the middle, and run again.
	cmd, out = command()
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "observations: ") }, time.Minute, time.Millisecond, "%s", out)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	whole := func(out *printed) {
		t.Helper()
		assert.Regexp(t, `observations\s+12000\s+\d+\s+\d+\s+0\s+12000\s+0\n`, out.String())
		assert.Regexp(t, `scores\s+6000\s+\d+\s+\d+\s+0\s+6000\s+0\n`, out.String())
		assert.Regexp(t, `media\s+2\s+\d+\s+\d+\s+0\s+2\s+0\n`, out.String())
	}

	// ClickHouse is away for a moment.
	cmd, out = command()
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "observations: ") }, time.Minute, time.Millisecond, "%s", out)
	server.Kill()
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "It is tried again: ") }, time.Minute, time.Millisecond, "%s", out)
	require.NoError(t, server.Start())
	require.NoError(t, cmd.Wait(), "%s", out)
	whole(out)

	// Rows that readers do not find are copied again, whatever else is there of them.
	conn := connect(t, server.Address, "weir")
	lost := readAll[uint64](t, conn, "SELECT count() FROM observations WHERE cityHash64(id) % 7 = 0")[0]
	require.Positive(t, lost)
	require.NoError(t, conn.Exec(t.Context(), "DELETE FROM observations WHERE cityHash64(id) % 7 = 0"))
	cmd, out = command()
	require.NoError(t, cmd.Run(), "%s", out)
	whole(out)
	assert.Regexp(t, fmt.Sprintf(`observations\s+12000\s+%d\s+%d\s+0\s+12000\s+0\n`, lost, 12000-lost), out.String())

	cmd, out = command()
	require.NoError(t, cmd.Run(), "%s", out)
	whole(out)
	assert.Regexp(t, `observations\s+12000\s+0\s+12000\s+0\s+12000\s+0\n`, out.String(), "there is nothing left to do")

	// What collectors would delete stays behind.
	cmd, out = command()
	cmd.Env = append(cmd.Env, "WEIR_CLICKHOUSE_DATABASE=young", "WEIR_RETENTION=1h")
	require.NoError(t, cmd.Run(), "%s", out)
	assert.Regexp(t, `scores\s+6000\s+0\s+0\s+6000\s+0\s+0\n`, out.String())

	from, err := duckdb.Open(t.Context(), duckdb.Settings{Dir: dir})
	require.NoError(t, err)
	defer func() { _ = from.Close(t.Context()) }()
	to, err := engine.Open(t.Context(), engine.Settings{Endpoints: []string{server.Address}, Database: "weir"})
	require.NoError(t, err)
	defer func() { _ = to.Close(t.Context()) }()
	for _, p := range projectsToCopy {
		sameContent(t, from, to, p, versionsAt)
	}
}

// sameContent compares all that two stores hold of a project, the times included.
func sameContent(t *testing.T, from, to store.Store, p string, versionsAt time.Time) {
	t.Helper()
	for after, first := (*query.ObservationKey)(nil), true; first || after != nil; first = false {
		q := query.Observations{Project: p, Limit: query.MaxLimit, Groups: query.GroupAll, After: after}
		want, err := from.ListObservations(t.Context(), q)
		require.NoError(t, err)
		got, err := to.ListObservations(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, want, got)
		after = want.Next
	}
	var ids []string
	for i := range 3000 {
		ids = append(ids, strconv.Itoa(i))
	}
	want, err := from.ScoresByID(t.Context(), p, ids)
	require.NoError(t, err)
	got, err := to.ScoresByID(t.Context(), p, ids)
	require.NoError(t, err)
	require.Len(t, want, 3000)
	require.ElementsMatch(t, want, got)
	for _, q := range []query.Documents{
		{Project: p, Kind: "kind", Limit: query.MaxLimit},
		{Project: p, Kind: "kind", Limit: query.MaxLimit, AsOf: versionsAt},
		{Project: p, Kind: "media", Limit: query.MaxLimit},
		{Project: p, Kind: "media_link", Limit: query.MaxLimit},
	} {
		want, err := from.ListDocuments(t.Context(), q)
		require.NoError(t, err)
		got, err := to.ListDocuments(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
