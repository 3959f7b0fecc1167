// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"slices"
	"sync"
)

// state is what is known about a request.
type state int

const (
	planned state = iota
	sent
	acknowledged
)

// Ledger knows every request that was made, and what came of it.
type Ledger struct {
	mu       sync.Mutex
	requests []*Request
}

func newLedger() *Ledger { return &Ledger{} }

func (l *Ledger) add(r *Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r)
}

// Sent notes that a request is about to leave.
func (l *Ledger) Sent(r *Request) { l.note(r, sent) }

// Acknowledged notes that the server said it has the content.
func (l *Ledger) Acknowledged(r *Request) { l.note(r, acknowledged) }

func (l *Ledger) note(r *Request, s state) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.state = max(r.state, s)
}

// AcknowledgedCount is how many spans and scores were acknowledged so far.
func (l *Ledger) AcknowledgedCount() (spans, scores int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.requests {
		switch {
		case r.state != acknowledged:
		case r.isScores:
			scores += r.count
		default:
			spans += r.count
		}
	}
	return spans, scores
}

func (l *Ledger) all() []*Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.requests)
}

// ids are the names of what is in a request, as a census has them.
func (r *Request) ids() []string {
	ids := make([]string, 0, r.count)
	for n := r.first; n < r.first+r.count; n++ {
		if r.isScores {
			ids = append(ids, scoreID(r.seed, n))
			continue
		}
		ids = append(ids, r.agent.trace.String()+r.agent.spanID(r.agent.order(n)).String())
	}
	return ids
}
