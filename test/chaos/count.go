// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/weirhq/weir/test/internal/traffic"
)

// count looks for everything that was acknowledged: behind, where it is forwarded, and in the store of the process, as it
// is and after one more start.
func (f *field) count(ctx context.Context) error {
	if f.behind != nil {
		if err := f.delivered(ctx, func() (traffic.Census, error) { return f.behind.client.Census(ctx) }); err != nil {
			return err
		}
		if err := f.countAt(ctx, f.behind.client, "behind"); err != nil {
			return err
		}
	}
	if err := f.countAt(ctx, f.client, "in the store"); err != nil {
		return err
	}
	if err := f.restart(ctx); err != nil {
		return err
	}
	return f.countAt(ctx, f.client, "in the store after one more kill")
}

func (f *field) countAt(ctx context.Context, client *traffic.Client, where string) error {
	found, err := client.Census(ctx)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, tail(f.process))
	}
	return f.hold(found, where)
}

// hold prints what was found, and fails when it is not what was acknowledged.
func (f *field) hold(found traffic.Census, where string) error {
	spans, scores := f.source.Ledger.Tally(found)
	f.say("spans %s: %s", where, spans)
	f.say("scores %s: %s", where, scores)
	if spans.Acknowledged == 0 || scores.Acknowledged == 0 {
		return errors.New("nothing was acknowledged, which proves nothing")
	}
	return errors.Join(spans.Err(), scores.Err())
}
