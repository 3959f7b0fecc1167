// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

func openShared(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(Settings{Dir: dir, Shared: true})
	require.NoError(t, err)
	return s
}

// All who open a folder at the same time sign with the same key.
func TestOneKeyForAll(t *testing.T) {
	dir := t.TempDir()
	stores := make([]*Store, 8)
	var opening sync.WaitGroup
	for i := range stores {
		opening.Go(func() {
			s, err := Open(Settings{Dir: dir, Shared: true})
			assert.NoError(t, err)
			stores[i] = s
		})
	}
	opening.Wait()
	grant := Grant{Method: "GET", Project: "p", ID: "x"}
	expires, signature := stores[0].Sign(grant)
	grant.Expires = expires
	for _, s := range stores {
		require.NoError(t, s.Verify(grant, signature))
	}
	left, err := os.ReadDir(filepath.Join(dir, unfinished))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// Who opens a shared folder leaves alone what others are uploading, and clears what nobody is any more.
func TestUploadsOfOthers(t *testing.T) {
	dir := t.TempDir()
	openShared(t, dir)
	fresh, old := filepath.Join(dir, unfinished, "content-1"), filepath.Join(dir, unfinished, "content-2")
	for _, path := range []string{fresh, old} {
		require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	longAgo := time.Now().Add(-2 * unfinishedTime)
	require.NoError(t, os.Chtimes(old, longAgo, longAgo))
	openShared(t, dir)
	assert.FileExists(t, fresh)
	assert.NoFileExists(t, old)
	_, err := Open(Settings{Dir: dir})
	require.NoError(t, err)
	assert.NoFileExists(t, fresh, "nobody else has it")
}

// What another process announces anew while it is deleted here stays, or has to be uploaded again: a record never says that a
// content is there which is not. Another process takes no turns, so it is another store on the same folder.
func TestAnnouncedElsewhereWhileItIsSwept(t *testing.T) {
	for after := range 4 { // after how many looks for the record the other comes
		engine, entries, here, media := sweeper(t)
		elsewhere := openShared(t, here.settings.Dir)
		var looks, announced atomic.Int64
		var isThere atomic.Bool
		engine.onListed = func(q query.Documents, _ int) {
			if q.Kind != "media" || looks.Add(1) != int64(after) || announced.Add(1) > 1 {
				return
			}
			_, is, err := elsewhere.Announce(t.Context(), entries, "p", catalog.MediaCreate{
				ContentType: "text/plain", ContentLength: 5, SHA256: media.SHA256, Link: model.MediaLink{TraceID: "t2", Field: "input"},
			})
			assert.NoError(t, err)
			isThere.Store(is)
		}
		require.NoError(t, Sweeping(engine, entries, here).DeleteTraces(t.Context(), "p", []string{"t"}))
		if isThere.Load() {
			assert.True(t, elsewhere.Has("p", media.ID), "after %d", after)
		}
		left, err := os.ReadDir(filepath.Join(here.settings.Dir, unfinished))
		require.NoError(t, err)
		assert.Empty(t, left, "after %d", after)
	}
}

func TestPutBack(t *testing.T) {
	s := open(t, t.TempDir())
	const name = "aBcdefghijklmnopqrst_-"
	require.NoError(t, put(s, "p", name, "hello"))
	used := s.room.used
	taken, err := s.setAside("p", name)
	require.NoError(t, err)
	assert.False(t, s.Has("p", name))
	assert.Equal(t, used-5, s.room.used)
	require.NoError(t, taken.putBack())
	assert.True(t, s.Has("p", name))
	assert.Equal(t, used, s.room.used)
}

func TestCopyContents(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	source := open(t, from)
	const name = "aBcdefghijklmnopqrst_-"
	require.NoError(t, put(source, "p", name, "hello"))
	require.NoError(t, put(source, "q", name, "world"))
	target := openShared(t, to)
	require.NoError(t, put(target, "p", name, "hello"))
	for _, want := range []int{1, 0} {
		copied, all, err := CopyContents(t.Context(), from, to)
		require.NoError(t, err)
		assert.Equal(t, want, copied)
		assert.Equal(t, 2, all)
		found, err := CountContents(from, to)
		require.NoError(t, err)
		assert.Equal(t, 2, found)
	}
	file, err := target.Open("q", name)
	require.NoError(t, err)
	defer file.Close()
	text := make([]byte, 9)
	n, _ := file.Read(text)
	assert.Equal(t, "world", string(text[:n]))
	place, err := target.path("q", name)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(place, 1))
	found, err := CountContents(from, to)
	require.NoError(t, err)
	assert.Equal(t, 1, found, "a part of a content is none")
	some, err := HasContents(t.TempDir())
	require.NoError(t, err)
	assert.False(t, some)
}
