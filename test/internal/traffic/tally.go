// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"errors"
	"fmt"
)

// Census is what was found at the end: how often each span, by trace and span id, and each score, by its id, is there.
type Census struct {
	Spans, Scores map[string]int
}

// Tally is what the ledger and a census say together.
type Tally struct {
	Sent, Acknowledged int
	// Found is what was acknowledged and is there.
	Found int
	// Unsure is what is there though nobody was told so: a connection broke, and the data was through.
	Unsure int
	// Doubled are rows too many of one id, Lost is what was acknowledged and is not there.
	Doubled, Lost int
	// Cut are spans of requests of which only a part is there, Strange are rows that nobody sent.
	Cut, Strange int
}

func (t Tally) String() string {
	text := fmt.Sprintf("sent %d, acknowledged %d, found %d, doubled %d, lost %d", t.Sent, t.Acknowledged, t.Found, t.Doubled, t.Lost)
	if t.Unsure > 0 {
		text += fmt.Sprintf(" (and %d whose answer did not arrive)", t.Unsure)
	}
	if t.Cut > 0 {
		text += fmt.Sprintf(", cut %d", t.Cut)
	}
	if t.Strange > 0 {
		text += fmt.Sprintf(", strange %d", t.Strange)
	}
	return text
}

// Err is what must never be.
func (t Tally) Err() error {
	if t.Doubled+t.Lost+t.Cut+t.Strange > 0 {
		return errors.New(t.String())
	}
	return nil
}

// Tally holds what was found against what was sent.
func (l *Ledger) Tally(found Census) (spans, scores Tally) {
	spans.Strange, scores.Strange = len(found.Spans), len(found.Scores)
	for _, r := range l.all() {
		if r.isScores {
			scores.count(r, found.Scores)
		} else {
			spans.count(r, found.Spans)
		}
	}
	return spans, scores
}

func (t *Tally) count(r *Request, found map[string]int) {
	there := 0
	for _, id := range r.ids() {
		if times := found[id]; times > 0 && r.state != planned {
			there++
			t.Strange--
			t.Doubled += times - 1
		}
	}
	switch r.state {
	case planned:
	case sent:
		t.Sent += r.count
		t.Unsure += there
		if there < r.count {
			t.Cut += there
		}
	case acknowledged:
		t.Sent += r.count
		t.Acknowledged += r.count
		t.Found += there
		t.Lost += r.count - there
	}
}
