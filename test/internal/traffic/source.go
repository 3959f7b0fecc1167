// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// running is how many agents are at work at the same time.
	running = 12
	// patience is about how many requests later the scores of an agent come.
	patience = 16
	// mostScores is how many an agent gets.
	mostScores = 4
)

// Source makes requests, the same ones for the same seed.
type Source struct {
	Ledger *Ledger
	// Now gives the times of spans.
	Now func() time.Time

	seed     uint64
	projects int

	mu      sync.Mutex
	random  *rand.Rand
	agents  int // that were begun
	running []*agent
	judged  []*agent // whose scores are still to come
	scores  int
}

// NewSource makes a source for so many projects.
func NewSource(seed uint64, projects int) *Source {
	corpus() // made now and not in the middle of a measurement
	return &Source{
		Ledger: newLedger(), Now: time.Now, seed: seed, projects: projects, random: rand.New(rand.NewPCG(seed, 0)),
	}
}

// Next is the next request of one of the agents that are at work.
func (s *Source) Next() *Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.judged) > 0 && s.random.IntN(patience) < len(s.judged) {
		a := s.judged[0]
		s.judged = s.judged[1:]
		return s.scoresOf(a)
	}
	for len(s.running) < running {
		s.running = append(s.running, newAgent(s.seed, s.agents, s.projects, s.Now()))
		s.agents++
	}
	at := s.random.IntN(len(s.running))
	a := s.running[at]
	r := &Request{Project: a.project, agent: a}
	r.first, r.count = a.take(1 + s.random.IntN(requestSpans))
	if a.isDone() {
		s.running[at] = s.running[len(s.running)-1]
		s.running = s.running[:len(s.running)-1]
		s.judged = append(s.judged, a)
	}
	s.Ledger.add(r)
	return r
}

func (s *Source) scoresOf(a *agent) *Request {
	r := &Request{Project: a.project, agent: a, isScores: true, first: s.scores, count: 1 + s.random.IntN(mostScores), seed: s.seed}
	s.scores += r.count
	s.Ledger.add(r)
	return r
}

// scoreID names the n-th score of all.
func scoreID(seed uint64, n int) string { return fmt.Sprintf("score-%d-%d", seed, n) }
