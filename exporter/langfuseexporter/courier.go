// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/exporter/exporterhelper"
)

// shipment is a batch that goes out as one request and can be cut in two.
type shipment interface {
	items() int
	encode() ([]byte, error)
	// cut makes n shipments of it, of about the same number of items; there are at least n.
	cut(n int) []shipment
	// settle reads the answer to a request that was taken, which may still complain about single items.
	settle(ctx context.Context, a answer) settlement
	// drop counts and logs items that will not be delivered.
	drop(ctx context.Context, reason string, bytes int, why error)
}

// settlement is what became of a shipment that was taken.
type settlement struct {
	// again must be sent again, because of why; both are nil when nothing must.
	again shipment
	why   *problem
	// dropped is how many items were dropped, because of cause.
	dropped int
	cause   error
}

// The reasons for which items are dropped and batches are cut, as they stand in the metrics.
const (
	reasonTooLarge = "too_large" // the service answered 413
	reasonRefused  = "refused"   // the service answered 400
	reasonRejected = "rejected"  // the service answered another 4xx
	reasonMaxSize  = "max_size"  // larger than the configured limit of a request
)

// courier delivers shipments to one address of the service.
type courier struct {
	service     *service
	path        string
	contentType string
	// maxBytes and maxItems bound a request; a single item that is larger goes alone.
	maxBytes, maxItems int
	// stopping ends a long delivery when the queue keeps what is left for the next start.
	stopping atomic.Bool
}

var errStopping = errors.New("the exporter stops")

// stop ends deliveries after the request under way, where a queue on disk keeps what is left. Without one, what is in
// memory is better tried to the end.
func (c *courier) stop() {
	c.stopping.Store(c.service.cfg.isPersistent())
}

// deliver sends a shipment, cut in as many pieces as it takes: the service refuses a whole batch for its size or
// for one bad item, so halving finds what is bad while everything else arrives. It returns what is left when
// the rest must wait, with the reason. A permanent error means that nothing of the shipment was delivered in this call;
// what is dropped beside something that was delivered is counted and logged, and no error of the whole.
func (c *courier) deliver(ctx context.Context, whole shipment) (left []shipment, _ error) {
	var lastDrop error
	delivered := 0
	left = []shipment{whole}
	for len(left) > 0 {
		if c.stopping.Load() {
			return left, errStopping
		}
		part := left[len(left)-1]
		left = left[:len(left)-1]

		tried, err := c.send(ctx, part)
		switch {
		case err != nil: // no answer: the network, or the context
			return append(left, part), err
		case tried.problem == nil:
			delivered += part.items() - tried.dropped
			if tried.dropped > 0 {
				lastDrop = tried.cause
			}
			if tried.again != nil {
				return append(left, tried.again), tried.why
			}
		case tried.problem.verdict == later:
			return append(left, part), tried.problem
		case tried.problem.verdict == hopeless:
			part.drop(ctx, reasonRejected, tried.bytes, tried.problem)
			for _, lost := range left {
				lost.drop(ctx, reasonRejected, 0, tried.problem)
			}
			left, lastDrop = nil, tried.problem
		case part.items() > 1:
			c.service.telemetry.ExporterLangfuseBatchSplits.Add(ctx, 1, c.service.because(tried.reason()))
			pieces := part.cut(c.pieces(part, &tried))
			slices.Reverse(pieces)
			left = append(left, pieces...)
		default:
			lastDrop = tried.problem
			part.drop(ctx, tried.reason(), tried.bytes, tried.problem)
		}
	}
	if delivered == 0 && lastDrop != nil {
		return nil, consumererror.NewPermanent(lastDrop)
	}
	return nil, nil
}

// pieces is in how many pieces a part is cut: as many as its size asks for, else two.
func (c *courier) pieces(part shipment, tried *attempt) int {
	if !tried.untried {
		return 2
	}
	byItems := (part.items() + c.maxItems - 1) / c.maxItems
	byBytes := (tried.bytes + c.maxBytes - 1) / c.maxBytes
	return min(max(byItems, byBytes, 2), part.items())
}

// attempt is what came of trying to send a part: a settlement when it was taken, else a problem.
type attempt struct {
	settlement
	problem *problem
	// bytes is the size of the body, and untried says that it was over our own limit and not sent.
	bytes   int
	untried bool
}

func (a *attempt) reason() string {
	switch {
	case a.untried:
		return reasonMaxSize
	case a.problem.verdict == tooLarge:
		return reasonTooLarge
	default:
		return reasonRefused
	}
}

// send makes one request of a part. An error means that there is no answer to go by.
func (c *courier) send(ctx context.Context, part shipment) (attempt, error) {
	if part.items() > c.maxItems {
		return attempt{problem: &problem{verdict: tooLarge}, untried: true}, nil
	}
	body, err := part.encode()
	if err != nil {
		return attempt{problem: &problem{verdict: refused, reason: err.Error()}}, nil //nolint:nilerr // cutting finds the item
	}
	tried := attempt{bytes: len(body)}
	if len(body) > c.maxBytes && part.items() > 1 {
		tried.problem, tried.untried = &problem{verdict: tooLarge}, true
		return tried, nil
	}
	a, err := c.service.client.post(ctx, c.path, c.contentType, body)
	if err != nil {
		return tried, fmt.Errorf("failed to send to the service: %w", err)
	}
	if tried.problem = judge(a, time.Now()); tried.problem == nil {
		tried.settlement = part.settle(ctx, a)
	}
	// Once, whether the whole was refused or, in an answer that judges each item, only some of it.
	c.service.standing.note(ctx, cmp.Or(tried.problem, tried.why))
	return tried, nil
}

// throttled makes the retry loop of the helper wait as long as the service asked for.
func throttled(err error) error {
	var p *problem
	if errors.As(err, &p) && p.retryAfter > 0 {
		return exporterhelper.NewThrottleRetry(err, p.retryAfter)
	}
	return err
}
