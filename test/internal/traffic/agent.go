// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

const (
	fewestSpans = 10
	mostSpans   = 200

	smallestText = 1 << 10
	largestText  = 1 << 20
	// largestMessage is the most that somebody says at a time; documents come from tools.
	largestMessage = 16 << 10

	// requestBytes is about how large a request gets; client libraries flush before that.
	requestBytes = 2 << 20
	// requestSpans is the most that one has.
	requestSpans = 50
)

// agent is one run of an application: a trace. Everything in it follows from the seed and its number.
type agent struct {
	number  int
	project int
	trace   pcommon.TraceID
	start   time.Time
	texts   []text // one a span: what a tool gave back, or the next message of the chat
	// next is the span to send next; the root ends last, and so is sent last.
	next int
}

// text is a piece of the corpus.
type text struct{ from, size int }

func newAgent(seed uint64, number, projects int, start time.Time) *agent {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	a := &agent{number: number, project: random.IntN(projects), start: start}
	binary.BigEndian.PutUint64(a.trace[:8], random.Uint64())
	binary.BigEndian.PutUint64(a.trace[8:], random.Uint64()|1)
	// Most agents are short, some are long.
	spans := int(fewestSpans * math.Pow(mostSpans/fewestSpans, random.Float64()))
	for span := range spans {
		most := largestText
		if turn(span) {
			most = largestMessage
		}
		// Each size is half as frequent as the one below it.
		size := min(smallestText<<bits.TrailingZeros64(random.Uint64()), most)
		a.texts = append(a.texts, text{random.IntN(corpusSize), size})
	}
	return a
}

// spanID is that of the n-th span; the root is the first.
func (a *agent) spanID(n int) pcommon.SpanID {
	id := binary.BigEndian.Uint64(a.trace[8:]) + uint64(n)*0x9e3779b97f4a7c15
	return pcommon.SpanID(binary.BigEndian.AppendUint64(nil, id|1<<63))
}

// order is the span that is sent as the n-th.
func (a *agent) order(n int) int { return (n + 1) % len(a.texts) }

func (a *agent) isDone() bool { return a.next == len(a.texts) }

// turn tells whether a span is a call of a model, which carries the chat so far.
func turn(span int) bool { return span%3 == 1 }

// history are the messages of the chat before a turn, the oldest left out where they would be too many.
func (a *agent) history(span int) []text {
	size := 0
	for first := span; ; first -= 3 {
		if first < 0 || size+a.texts[first].size > largestText {
			messages := make([]text, 0, (span-first)/3)
			for n := first + 3; n <= span; n += 3 {
				messages = append(messages, a.texts[n])
			}
			return messages
		}
		size += a.texts[first].size
	}
}

// weight is about how many bytes a span has.
func (a *agent) weight(span int) int {
	size := a.texts[span].size
	if turn(span) {
		for _, message := range a.history(span) {
			size += message.size
		}
	}
	return size
}

// take are the spans of the next request, by the order in which they are sent.
func (a *agent) take(most int) (first, count int) {
	first = a.next
	for size := 0; !a.isDone() && a.next-first < most && size < requestBytes; a.next++ {
		size += a.weight(a.order(a.next))
	}
	return first, a.next - first
}
