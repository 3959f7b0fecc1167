// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs

import (
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
)

const otherName = "bBcdefghijklmnopqrst_-"

func TestMaxTotal(t *testing.T) {
	dir := t.TempDir()
	limited := func() *Store {
		s, err := Open(Settings{Dir: dir, MaxTotal: 10})
		require.NoError(t, err)
		return s
	}
	s := limited()
	require.NoError(t, put(s, "p", name, "hello"))
	require.NoError(t, put(s, "p", name, "hello"), "what replaces itself counts once")
	require.NoError(t, put(s, "q", name, "hello"))
	err := put(s, "p", otherName, "x")
	require.ErrorIs(t, err, ErrFull)
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, "the media have 10 bytes, and 1 more would be more than `max_size` (10)")

	s = limited()
	require.ErrorIs(t, put(s, "p", otherName, "x"), ErrFull, "also what was there before counts")
	discard(t, s, "q", name)
	discard(t, s, "q", name)
	require.ErrorIs(t, put(s, "p", otherName, "123456"), ErrFull)
	other := sha256.Sum256([]byte("other"))
	require.ErrorIs(t, s.Put("p", otherName, 5, other[:], strings.NewReader("hello")), ErrMismatch)
	require.ErrorIs(t, s.Put("p", otherName, 3, other[:], strings.NewReader("hello")), ErrMismatch)
	require.ErrorIs(t, s.Put("p", otherName, 5, other[:], iotest.ErrReader(errors.New("cable pulled"))), ErrBroken)
	require.NoError(t, put(s, "p", otherName, "12345"), "what failed takes no room")
	assert.Equal(t, int64(10), s.room.used)
	assert.Zero(t, s.room.unwritten)
}

func TestAFullDisk(t *testing.T) {
	dir := t.TempDir()
	free := int64(reserve + 4)
	s, err := Open(Settings{Dir: dir, FreeSpace: func(string) int64 { return free }})
	require.NoError(t, err)
	err = put(s, "p", name, "hello")
	require.ErrorIs(t, err, ErrFull)
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, "bytes free")
	assert.False(t, s.Has("p", name))
	free++
	require.NoError(t, put(s, "p", name, "hello"))
}

// zeros are endless; after some of them something happens.
type zeros struct {
	after int64
	then  func()
}

func (z *zeros) Read(p []byte) (int, error) {
	clear(p)
	if z.after -= int64(len(p)); z.after <= 0 {
		z.then()
	}
	return len(p), nil
}

func TestADiskThatFillsUpMeanwhile(t *testing.T) {
	dir := t.TempDir()
	free := int64(math.MaxInt64)
	s, err := Open(Settings{Dir: dir, FreeSpace: func(string) int64 { return free }})
	require.NoError(t, err)
	content := &zeros{after: checkEvery, then: func() { free = reserve - 1 }}
	counted := &io.LimitedReader{R: content, N: 1 << 30}
	require.ErrorIs(t, s.Put("p", name, 1<<29, make([]byte, sha256.Size), counted), ErrFull)
	assert.Less(t, int64(1<<30)-counted.N, int64(3*checkEvery), "the rest is not read")
	left, err := os.ReadDir(filepath.Join(dir, unfinished))
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Zero(t, s.room.used)
	assert.Zero(t, s.room.unwritten)
}

func TestRoomIsPromisedOnce(t *testing.T) {
	free := int64(reserve + 8)
	s, err := Open(Settings{Dir: t.TempDir(), FreeSpace: func(string) int64 { return free }})
	require.NoError(t, err)
	sum := sha256.Sum256([]byte("hello"))
	isRefused := false
	slow := &zeros{after: 0, then: func() { isRefused = errors.Is(put(s, "p", otherName, "hello"), ErrFull) }}
	require.ErrorIs(t, s.Put("p", name, 5, sum[:], slow), ErrMismatch)
	assert.True(t, isRefused, "another one is on its way")
	require.NoError(t, put(s, "p", otherName, "hello"))
}
