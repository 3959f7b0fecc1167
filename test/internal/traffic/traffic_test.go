// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// The same seed gives the same requests, and another one others.
func TestSourceFollowsItsSeed(t *testing.T) {
	bodies := func(seed uint64) [][]byte {
		s := NewSource(seed, 3)
		s.Now = func() time.Time { return noon }
		var all [][]byte
		for range 50 {
			body, err := s.Next().Body()
			require.NoError(t, err)
			all = append(all, body.Content)
		}
		return all
	}
	first := bodies(1)
	assert.Equal(t, first, bodies(1))
	assert.NotEqual(t, first, bodies(2))
}

func TestShapeOfAgents(t *testing.T) {
	var spans, smallest, largest int
	smallest = largestText
	for n := range 2000 {
		a := newAgent(1, n, 3, noon)
		require.GreaterOrEqual(t, len(a.texts), fewestSpans)
		require.LessOrEqual(t, len(a.texts), mostSpans)
		spans += len(a.texts)
		for _, text := range a.texts {
			smallest, largest = min(smallest, text.size), max(largest, text.size)
		}
	}
	assert.InDelta(t, 63, spans/2000, 10, "spans of an agent")
	assert.Equal(t, smallestText, smallest)
	assert.Equal(t, largestText, largest)
}

// Every turn of a chat carries those before it, up to a size.
func TestChatsGrow(t *testing.T) {
	a := &agent{texts: make([]text, 40)}
	for i := range a.texts {
		a.texts[i].size = 100_000
	}
	assert.Len(t, a.history(1), 1)
	assert.Len(t, a.history(4), 2)
	assert.Len(t, a.history(37), 10, "a megabyte is the most")
	s := NewSource(1, 1)
	r := &Request{agent: newAgent(1, 0, 1, noon), count: 8}
	s.Ledger.add(r)
	for _, span := range r.traces().ResourceSpans().At(0).ScopeSpans().At(0).Spans().All() {
		if span.Name() == "chat" {
			input, _ := span.Attributes().Get("langfuse.observation.input")
			var messages []map[string]string
			require.NoError(t, json.Unmarshal([]byte(input.Str()), &messages))
			assert.NotEmpty(t, messages)
		}
	}
}

func TestTally(t *testing.T) {
	l := newLedger()
	request := func(number int, s state) (ids []string) {
		r := &Request{agent: newAgent(1, number, 1, noon), count: 3}
		l.add(r)
		l.note(r, s)
		return r.ids()
	}
	kept, half, lost, through, cut := request(0, acknowledged), request(1, acknowledged), request(2, acknowledged), request(3, sent), request(4, sent)
	gone, never := request(5, sent), request(6, planned)
	found := map[string]int{"nobody sent this": 1, never[0]: 1}
	for _, id := range append(append(kept, half[:2]...), append(through, cut[0])...) {
		found[id]++
	}
	found[kept[1]]++
	spans, scores := l.Tally(Census{Spans: found})
	assert.Equal(t, Tally{Sent: 18, Acknowledged: 9, Found: 5, Unsure: 4, Doubled: 1, Lost: 4, Cut: 1, Strange: 2}, spans)
	require.ErrorContains(t, spans.Err(), "sent 18, acknowledged 9, found 5, doubled 1, lost 4 (and 4 whose answer did not arrive), cut 1, strange 2")
	assert.Equal(t, Tally{}, scores)
	require.NoError(t, scores.Err())
	assert.NotContains(t, found, gone[0])
	assert.NotContains(t, found, lost[0])
}
