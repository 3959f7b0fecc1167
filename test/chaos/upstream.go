// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/upstream"
	"github.com/weirhq/weir/test/internal/weirproc"
)

var upstreamFault = fault{
	name:  "upstream",
	about: "the service behind a sidecar answers every status, hangs, cuts connections before and after it has the data, and goes down",
	run:   upstreamTrouble,
}

func upstreamTrouble(ctx context.Context, f *field) error {
	service, err := upstream.New()
	if err != nil {
		return err
	}
	mood := &mood{random: rand.New(rand.NewPCG(f.seed, 2)), statuses: f.statuses(false)}
	service.Behave = mood.behave
	if err := service.Listen(); err != nil {
		return err
	}
	defer service.Close()
	key := traffic.Keys(1)[0]
	f.set.Config = weirproc.Shipped(f.root, "sidecar.yaml")
	f.set.Env = map[string]string{
		"WEIR_DATA_DIR": filepath.Join(f.dir, "queue"), "WEIR_UPSTREAM_URL": service.URL(),
		"LANGFUSE_PUBLIC_KEY": key.Public, "LANGFUSE_SECRET_KEY": key.Secret,
	}
	f.set.Args = append(f.set.Args, "--config=yaml:exporters: {langfuse: {timeout: 3s, retry_on_failure: {initial_interval: 20ms, max_interval: 200ms}, "+
		"sending_queue: {batch: {min_size: 50000, flush_timeout: 50ms}}}}")
	if err := f.start(ctx); err != nil {
		return err
	}
	err = f.underLoad(ctx, func(ctx context.Context) error {
		for range f.rounds {
			if err := f.acknowledgeMore(ctx, 500); err != nil {
				return err
			}
			service.Close()
			traffic.Wait(ctx, time.Second)
			if err := service.Listen(); err != nil {
				return err
			}
		}
		return f.eventually(ctx, "every status was answered", mood.isThrough)
	})
	if err != nil {
		return err
	}
	mood.become(nil)
	if err := f.delivered(ctx, func() (traffic.Census, error) { return atService(service), nil }); err != nil {
		return err
	}
	f.say("%d statuses that are not final, hanging, cut connections, down %d times", len(f.statuses(false)), f.rounds)
	if err := f.hold(atService(service), "at the service"); err != nil {
		return err
	}
	return f.finalAnswers(ctx, service, mood)
}

// finalAnswers has the service refuse for good, too. What it refused is not there, and not sent again; it is what the
// collector says that it dropped, to the last span and score.
func (f *field) finalAnswers(ctx context.Context, service *upstream.Service, m *mood) error {
	m.become(f.statuses(true))
	err := f.underLoad(ctx, func(ctx context.Context) error { return f.eventually(ctx, "every status was answered", m.isThrough) })
	if err != nil {
		return err
	}
	m.become(nil)
	var spans, scores traffic.Tally
	var droppedSpans, droppedScores int
	err = f.eventually(ctx, "what is not at the service is what the collector dropped", func() bool {
		spans, scores = f.source.Ledger.Tally(atService(service))
		droppedSpans, droppedScores = f.dropped(ctx, "spans"), f.dropped(ctx, "log_records")
		return spans.Lost == droppedSpans && scores.Lost == droppedScores
	})
	f.say("spans after final answers: %s; %d dropped, says the collector", spans, droppedSpans)
	f.say("scores after final answers: %s; %d dropped, says the collector", scores, droppedScores)
	if refused := f.refusedForGood(service); refused == 0 || refused != spans.Lost+scores.Lost {
		err = errors.Join(err, fmt.Errorf("%d were refused for good, and %d are not there", refused, spans.Lost+scores.Lost))
	}
	spans.Lost, scores.Lost = 0, 0
	return errors.Join(err, spans.Err(), scores.Err(), errors.Join(service.Faults()...))
}

// refusedForGood is how many spans and scores the service gave a final answer to.
func (f *field) refusedForGood(service *upstream.Service) (count int) {
	final := f.statuses(true)
	for _, status := range service.Refused() {
		if slices.Contains(final, status) {
			count++
		}
	}
	return count
}

// dropped is what the collector says that it did not deliver.
func (f *field) dropped(ctx context.Context, what string) int {
	count, err := f.process.Metric(ctx, "otelcol_exporter_langfuse_dropped_"+what)
	if err != nil {
		return -1
	}
	return int(count)
}

// atService counts what the service has; twice is what it has said yes to twice.
func atService(service *upstream.Service) traffic.Census {
	count := func(kept map[string]upstream.Deliveries) map[string]int {
		found := map[string]int{}
		for id, d := range kept {
			found[id] = max(d.Answered, 1)
		}
		return found
	}
	return traffic.Census{Spans: count(service.Spans()), Scores: count(service.Scores())}
}

// mood is how the service feels.
type mood struct {
	mu       sync.Mutex
	random   *rand.Rand
	statuses []int // that it answers, in turn; without any it is well
	answered int
}

// statuses are those that leave the sender something to do, or those after which there is nothing to be done.
func (f *field) statuses(final bool) (all []int) {
	for status := 300; status < 600; status++ {
		switch status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests,
			http.StatusBadRequest, http.StatusRequestEntityTooLarge: // of the last two, what they mean depends
			if !final {
				all = append(all, status)
			}
		default:
			if final == (status/100 == 4) && status%f.everyStatus == 0 {
				all = append(all, status)
			}
		}
	}
	return all
}

// become sets the statuses that are answered from now on.
func (m *mood) become(statuses []int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.statuses, m.answered = statuses, 0
}

// isThrough tells whether every status was answered.
func (m *mood) isThrough() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answered >= len(m.statuses)
}

// behave is well one time out of two, so that things go on.
func (m *mood) behave(_ *http.Request, content upstream.Content) upstream.Behaviour {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.statuses) == 0 || m.random.IntN(2) == 0 {
		return upstream.Behaviour{}
	}
	isFinal := m.statuses[0]/100 == 4
	if !isFinal {
		switch m.random.IntN(16) {
		case 0:
			return upstream.Behaviour{Cut: true}
		case 1:
			return upstream.Behaviour{Cut: true, Keep: true} // it has the data, and nobody knows
		case 2:
			return upstream.Behaviour{Hang: true, Keep: m.random.IntN(2) == 0}
		}
	}
	status := m.statuses[m.answered%len(m.statuses)]
	m.answered++
	switch status {
	case http.StatusTooManyRequests:
		return upstream.Behaviour{Status: status, Header: map[string]string{"Retry-After": "1"}}
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		if content.Len() == 1 {
			return upstream.Behaviour{} // there is nothing left to cut: that would be final
		}
	}
	return upstream.Behaviour{Status: status}
}
