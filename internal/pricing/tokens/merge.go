// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package tokens // import "github.com/weirhq/weir/internal/pricing/tokens"

import "math"

const (
	// noRank says that a part makes no token with the one after it.
	noRank = math.MaxUint32

	// maxPiece bounds the memory for one piece. A longer one, which no language has, is cut; a cut may cost a token.
	maxPiece = 1 << 16
)

// merger merges the bytes of pieces into tokens. Its memory serves one piece after another.
type merger struct {
	vocabulary vocabulary
	// parts are what is merged so far, by the offset of their first byte.
	parts []part
	// queue is a heap of the pairs that can be merged: rank above, offset below, so the leftmost of equals is first.
	queue []uint64
}

// part is a token in the making.
type part struct {
	previous, next int32
	// rank is that of the token which the part makes with the next one. Entries of the queue that say otherwise are stale.
	rank uint32
}

// count is the number of tokens of a piece.
func (m *merger) count(piece string) int {
	if len(piece) < longestToken {
		if _, ok := m.vocabulary[piece]; ok {
			return 1
		}
	}
	count := 0
	for len(piece) > maxPiece {
		count += m.merge(piece[:maxPiece])
		piece = piece[maxPiece:]
	}
	return count + m.merge(piece)
}

// merge merges the pair of the lowest rank until there is none. With the heap this takes n log n steps.
func (m *merger) merge(piece string) int {
	m.parts, m.queue = m.parts[:0], m.queue[:0]
	for i := range len(piece) {
		m.parts = append(m.parts, part{previous: int32(i - 1), next: int32(i + 1)})
	}
	for i := range m.parts {
		m.rank(piece, int32(i))
	}
	count := len(piece)
	for len(m.queue) > 0 {
		lowest := m.pop()
		i, rank := int32(lowest&math.MaxUint32), uint32(lowest>>32)
		if m.parts[i].rank != rank {
			continue
		}
		gone := m.parts[i].next
		m.parts[gone].rank = noRank
		after := m.parts[gone].next
		m.parts[i].next = after
		if int(after) < len(m.parts) {
			m.parts[after].previous = i
		}
		count--
		m.rank(piece, i)
		if before := m.parts[i].previous; before >= 0 {
			m.rank(piece, before)
		}
	}
	return count
}

// rank finds what a part makes with the next one, and queues it.
func (m *merger) rank(piece string, i int32) {
	p := &m.parts[i]
	p.rank = noRank
	if int(p.next) >= len(m.parts) {
		return
	}
	end := m.parts[p.next].next
	if end-i >= longestToken {
		return
	}
	if rank, ok := m.vocabulary[piece[i:end]]; ok {
		p.rank = rank
		m.push(uint64(rank)<<32 | uint64(i))
	}
}

// push and pop are those of container/heap, without its interfaces: this is the innermost loop.
func (m *merger) push(entry uint64) {
	m.queue = append(m.queue, entry)
	q := m.queue
	for i := len(q) - 1; i > 0; {
		parent := (i - 1) / 2
		if q[parent] <= q[i] {
			break
		}
		q[parent], q[i] = q[i], q[parent]
		i = parent
	}
}

func (m *merger) pop() uint64 {
	q := m.queue
	lowest, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if right := child + 1; right < len(q) && q[right] < q[child] {
			child = right
		}
		if q[i] <= q[child] {
			break
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
	m.queue = q
	return lowest
}
