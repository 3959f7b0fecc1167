// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"context"
	"sync"
	"time"
)

const (
	// mostLag is how much a pump that fell behind makes up for.
	mostLag = time.Second
	// pause is how long a sender waits before it sends the same again.
	pause = 50 * time.Millisecond
)

// Result is what came of a request.
type Result struct {
	// Name is "write", "score" or that of a read.
	Name   string
	Answer Answer
	Err    error
	Took   time.Duration
	// Spans and Size, in bytes before compression, are what it brought.
	Spans, Size int
}

// IsAcknowledged tells whether the server has it.
func (r Result) IsAcknowledged() bool { return r.Err == nil && r.Answer.IsAcknowledged() }

// Pump sends what a source makes.
type Pump struct {
	Source *Source
	Client *Client
	// Rate is in spans a second; 0 is as fast as it goes.
	Rate float64
	// Writers send at the same time.
	Writers int
	// Insist has a request sent again until it is acknowledged or the pump stops, as a patient client library does.
	Insist bool
	// Each, if set, is told every result.
	Each func(Result)

	mu   sync.Mutex
	next time.Time
}

// Run sends until the context ends, and waits for the answers to what is under way.
func (p *Pump) Run(ctx context.Context) {
	p.next = time.Now()
	var writers sync.WaitGroup
	for range p.Writers {
		writers.Go(func() {
			for ctx.Err() == nil {
				p.step(ctx)
			}
		})
	}
	writers.Wait()
}

// step sends one request when its time has come.
func (p *Pump) step(ctx context.Context) {
	request, when := p.take()
	body, err := request.Body()
	if err != nil {
		panic(err) // of our own making
	}
	if !Wait(ctx, time.Until(when)) {
		return
	}
	for {
		p.Source.Ledger.Sent(request)
		result := Result{Name: "write", Spans: request.Spans(), Size: body.Size}
		if request.isScores {
			result.Name = "score"
		}
		began := time.Now()
		// Who stops sending still wants to know what became of the last request.
		result.Answer, result.Err = p.Client.Send(context.WithoutCancel(ctx), request.Project, body)
		result.Took = time.Since(began)
		if result.IsAcknowledged() {
			p.Source.Ledger.Acknowledged(request)
		}
		if p.Each != nil {
			p.Each(result)
		}
		if result.IsAcknowledged() || !p.Insist || !Wait(ctx, pause) {
			return
		}
	}
}

// take gives the next request, and the moment at which it is due.
func (p *Pump) take() (*Request, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	request := p.Source.Next()
	when := p.next
	if p.Rate > 0 {
		if earliest := time.Now().Add(-mostLag); p.next.Before(earliest) {
			p.next = earliest
		}
		p.next = p.next.Add(time.Duration(float64(request.Spans()) / p.Rate * float64(time.Second)))
	}
	return request, when
}

// Wait lets time pass; it tells whether that was before the context ended.
func Wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
