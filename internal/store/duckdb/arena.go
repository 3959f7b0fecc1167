// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"encoding/binary"
	"runtime"
	"unsafe"
)

// text is a string as DuckDB has it in a vector (duckdb_string_t): its length, and all of it if it is short, else its first
// four bytes and where it is.
type text struct {
	length uint32
	rest   [inlined]byte
}

const inlined = 12

const (
	// arenaBlock is the size of the pieces in which memory for texts is taken; a longer text has a piece of its own.
	arenaBlock = 1 << 20
	// arenaKept is how many of them a chunk takes before it is handed over, and how many stay for the next.
	arenaKept = 4
)

// arena holds the texts of a chunk where C code may read them: in memory that the collector of garbage is told to leave in
// its place for as long as it takes.
type arena struct {
	blocks [][]byte
	used   int // blocks that have texts
	free   []byte
	pinned runtime.Pinner
	pins   int // blocks that are pinned
}

// text copies a string into the arena.
func (a *arena) text(s string) text {
	t := text{length: uint32(len(s))}
	if len(s) <= inlined {
		copy(t.rest[:], s)
		return t
	}
	if len(s) > len(a.free) {
		a.grow(len(s))
	}
	copy(a.free, s)
	copy(t.rest[:4], s)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(a.free))) //nolint:gosec // pinned until the appender has copied it
	binary.NativeEndian.PutUint64(t.rest[4:], uint64(at))
	a.free = a.free[len(s):]
	return t
}

func (a *arena) grow(n int) {
	if n > arenaBlock {
		// Not among the blocks, which are all of one size: it is let go with the chunk.
		own := make([]byte, n)
		a.pinned.Pin(unsafe.SliceData(own)) //nolint:gosec // to pin is what makes it safe
		a.free = own
		return
	}
	if a.used == len(a.blocks) {
		a.blocks = append(a.blocks, make([]byte, arenaBlock))
	}
	if a.used == a.pins {
		a.pinned.Pin(unsafe.SliceData(a.blocks[a.used])) //nolint:gosec // to pin is what makes it safe
		a.pins++
	}
	a.free = a.blocks[a.used]
	a.used++
}

// empty forgets the texts. Their memory stays pinned for the next ones.
func (a *arena) empty() { a.used, a.free = 0, nil }

// release gives the memory back, but for some that is kept for the next time.
func (a *arena) release() {
	a.empty()
	a.pinned.Unpin()
	a.pins = 0
	if len(a.blocks) > arenaKept {
		clear(a.blocks[arenaKept:])
		a.blocks = a.blocks[:arenaKept]
	}
}
