// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
)

const name = "aBcdefghijklmnopqrst_-"

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(Settings{Dir: dir, MaxSize: 100})
	require.NoError(t, err)
	return s
}

// put stores a text under a name that follows from nothing, which is fine here.
func put(s *Store, project, name, text string) error {
	sum := sha256.Sum256([]byte(text))
	return s.Put(project, name, int64(len(text)), sum[:], strings.NewReader(text))
}

func read(t *testing.T, s *Store, project string) string {
	t.Helper()
	file, err := s.Open(project, name)
	require.NoError(t, err)
	defer file.Close()
	content, err := io.ReadAll(file)
	require.NoError(t, err)
	return string(content)
}

func TestStore(t *testing.T) {
	s := open(t, t.TempDir())
	assert.False(t, s.Has("p", name))
	_, err := s.Open("p", name)
	require.ErrorIs(t, err, store.ErrNotFound)

	require.NoError(t, put(s, "p", name, "hello"))
	require.NoError(t, put(s, "p", name, "hello"), "again")
	assert.True(t, s.Has("p", name))
	assert.Equal(t, "hello", read(t, s, "p"))
	assert.False(t, s.Has("q", name), "another project")

	require.NoError(t, put(s, "q", name, "hello"))
	discard(t, s, "p", name)
	discard(t, s, "p", name)
	assert.False(t, s.Has("p", name))
	assert.Equal(t, "hello", read(t, s, "q"))
}

func TestOddNames(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "media"))
	for _, odd := range []string{"", ".", "..", "../../../../etc/passwd", "signing.key", strings.Repeat("a", 21), strings.Repeat("a", 23), "aaaaaaaaaaaaaaaaaaaa/b", name + "\n"} {
		require.ErrorIs(t, put(s, "p", odd, "x"), store.ErrNotFound, odd)
		assert.False(t, s.Has("p", odd))
		_, err := s.Open("p", odd)
		require.ErrorIs(t, err, store.ErrNotFound)
		discard(t, s, "p", odd)
	}
	for _, project := range []string{"", "..", "../x", "a/b", "\x00"} {
		require.NoError(t, put(s, project, name, "x"), project)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing beside the folder")
}

func TestWhatIsNotAsAnnounced(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	sum := sha256.Sum256([]byte("hello"))
	other := sha256.Sum256([]byte("other"))
	broken := errors.New("cable pulled")
	for reason, err := range map[string]error{
		"it has 5 bytes and not 6":        s.Put("p", name, 6, sum[:], strings.NewReader("hello")),
		"it has more than 4 bytes":        s.Put("p", name, 4, sum[:], strings.NewReader("hello")),
		"it has another SHA-256":          s.Put("p", name, 5, other[:], strings.NewReader("hello")),
		"101 bytes are more than 100":     s.Put("p", name, 101, sum[:], iotest.ErrReader(broken)),
		"it has 0 bytes and not 5":        s.Put("p", name, 5, sum[:], strings.NewReader("")),
		"the content is not what was ann": s.Put("p", name, 5, nil, strings.NewReader("hello")),
	} {
		require.ErrorIs(t, err, ErrMismatch)
		assert.ErrorContains(t, err, reason)
	}
	err := s.Put("p", name, 5, sum[:], io.MultiReader(strings.NewReader("hel"), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, ErrBroken)
	require.ErrorIs(t, err, broken)
	assert.False(t, s.Has("p", name))
	left, err := os.ReadDir(filepath.Join(dir, unfinished))
	require.NoError(t, err)
	assert.Empty(t, left, "nothing is left behind")
}

func TestADiskThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, unfinished)))
	require.ErrorIs(t, put(s, "p", name, "hello"), store.ErrUnavailable)
}

func TestFilesAreForTheOwnerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "media")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	s := open(t, dir)
	require.NoError(t, put(s, "p", name, "hello"))
	files := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		if entry.IsDir() {
			assert.Equal(t, dirMode, info.Mode().Perm(), path)
		} else {
			files++
			assert.Equal(t, fileMode, info.Mode().Perm(), path)
		}
		return nil
	}))
	assert.Equal(t, 2, files, "the content and the key")
}

func TestOpenedAgain(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	require.NoError(t, put(s, "p", name, "hello"))
	stray := filepath.Join(dir, unfinished, "content-1")
	require.NoError(t, os.WriteFile(stray, []byte("half"), 0o600))
	grant := Grant{Method: "GET", Project: "p", ID: name}
	var signature string
	grant.Expires, signature = s.Sign(grant)

	again := open(t, dir)
	assert.Equal(t, "hello", read(t, again, "p"))
	assert.NoFileExists(t, stray)
	require.NoError(t, again.Verify(grant, signature), "the key is kept")

	require.NoError(t, os.WriteFile(filepath.Join(dir, keyFile), []byte("short"), 0o600))
	_, err := Open(Settings{Dir: dir})
	assert.ErrorContains(t, err, "holds no key: delete it, and a new one is made")
}

func TestManyAtOnce(t *testing.T) {
	s := open(t, t.TempDir())
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			assert.NoError(t, put(s, "p", name, "hello"))
			assert.Equal(t, "hello", read(t, s, "p"))
		})
	}
	wait.Wait()
}

func TestSignatures(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 500, time.UTC)
	s, err := Open(Settings{Dir: t.TempDir(), Lifetime: time.Minute, Now: func() time.Time { return now }})
	require.NoError(t, err)
	grant := Grant{Method: "PUT", Project: "p", ID: name}
	expires, signature := s.Sign(grant)
	assert.Equal(t, time.Date(2026, 11, 15, 12, 1, 0, 0, time.UTC), expires)
	grant.Expires = expires
	require.NoError(t, s.Verify(grant, signature))

	for what, change := range map[string]func(*Grant){
		"method":  func(g *Grant) { g.Method = "GET" },
		"project": func(g *Grant) { g.Project = "q" },
		"id":      func(g *Grant) { g.ID = name[1:] + "x" },
		"expires": func(g *Grant) { g.Expires = g.Expires.Add(time.Second) },
		"moved":   func(g *Grant) { g.Project, g.ID = g.Project+g.ID[:1], g.ID[1:] },
	} {
		forged := grant
		change(&forged)
		require.ErrorIs(t, s.Verify(forged, signature), ErrForged, what)
	}
	for _, text := range []string{"", "x", signature[1:], signature + "A", string(bytes.Repeat([]byte("A"), 43))} {
		require.ErrorIs(t, s.Verify(grant, text), ErrForged, text)
	}
	now = expires.Add(-time.Nanosecond)
	require.NoError(t, s.Verify(grant, signature))
	now = expires
	require.ErrorIs(t, s.Verify(grant, signature), ErrExpired)

	other := open(t, t.TempDir())
	require.ErrorIs(t, other.Verify(grant, signature), ErrForged, "another key")
}

// discard deletes a content, if it is there.
func discard(t *testing.T, s *Store, project, name string) {
	t.Helper()
	aside, err := s.setAside(project, name)
	require.NoError(t, err)
	if aside != nil {
		require.NoError(t, aside.remove())
	}
}
