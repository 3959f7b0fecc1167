// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/store"
)

func TestErrorsOfTheStore(t *testing.T) {
	for name, tc := range map[string]struct {
		err       error
		permanent bool
	}{
		"invalid":                      {store.ErrInvalid, true},
		"wrapped":                      {fmt.Errorf("%w: an observation needs an id", store.ErrInvalid), true},
		"conflict":                     {store.ErrConflict, true},
		"not found":                    {store.ErrNotFound, true},
		"too expensive":                {store.ErrTooExpensive, false},
		"unavailable":                  {store.ErrUnavailable, false},
		"unavailable, wrapped":         {fmt.Errorf("%w: disk full", store.ErrUnavailable), false},
		"unavailable for a bad reason": {fmt.Errorf("%w: %w", store.ErrUnavailable, store.ErrInvalid), false},
		"cancelled":                    {context.Canceled, false},
		"too late":                     {context.DeadlineExceeded, false},
		"unknown":                      {errors.New("who knows"), false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			h.store.fails = func(context.Context, string) error { return tc.err }
			err := h.traces(configWith()).ConsumeTraces(t.Context(), spans(0, 3))
			require.ErrorIs(t, err, tc.err)
			assert.Equal(t, tc.permanent, consumererror.IsPermanent(err))
			assert.ErrorContains(t, err, `failed to write 3 observations of project "default": `)

			err = h.scores(configWith()).ConsumeLogs(t.Context(), evaluations("a", "s-1", "s-2"))
			require.ErrorIs(t, err, tc.err)
			assert.Equal(t, tc.permanent, consumererror.IsPermanent(err))
			assert.ErrorContains(t, err, `failed to write 2 scores of project "a": `)
			assert.Len(t, h.store.writes, 2, "nothing is tried again without being asked")
		})
	}
}

// Each project gets its part, whatever becomes of the others; while one part can be sent again, the batch can.
func TestProjectsFailForThemselves(t *testing.T) {
	for name, tc := range map[string]struct {
		fails     map[string]error
		permanent bool
		says      []string
		silent    []string
	}{
		"one for good":         {map[string]error{"b": store.ErrInvalid}, true, []string{`"b"`}, nil},
		"one for now":          {map[string]error{"a": store.ErrUnavailable}, false, []string{`"a"`}, nil},
		"two for good":         {map[string]error{"a": store.ErrInvalid, "c": store.ErrInvalid}, true, []string{`"a"`, `"c"`}, nil},
		"for good and for now": {map[string]error{"a": store.ErrInvalid, "b": store.ErrUnavailable}, false, []string{`"b"`}, []string{`"a"`}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			h.store.fails = func(_ context.Context, project string) error { return tc.fails[project] }
			td := ptrace.NewTraces()
			for _, project := range []string{"a", "b", "c"} {
				addSpans(td, project, 0, 1)
			}
			err := h.traces(configWith()).ConsumeTraces(t.Context(), td)
			require.Error(t, err)
			assert.Equal(t, tc.permanent, consumererror.IsPermanent(err))
			for _, text := range tc.says {
				assert.ErrorContains(t, err, text)
			}
			for _, text := range tc.silent {
				assert.NotContains(t, err.Error(), text)
			}
			for _, project := range []string{"a", "b", "c"} {
				want := 1
				if tc.fails[project] != nil {
					want = 0
				}
				assert.Len(t, h.storedNames(project), want, project)
			}
		})
	}
}

func TestTheContextReachesTheStore(t *testing.T) {
	h := newHarness(t)
	h.store.fails = func(ctx context.Context, _ string) error {
		<-ctx.Done()
		return ctx.Err()
	}
	e := h.traces(configWith(func(c *Config) { c.Timeout = time.Millisecond }))
	require.ErrorIs(t, e.ConsumeTraces(t.Context(), spans(0, 1)), context.DeadlineExceeded)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	patient := h.traces(configWith(func(c *Config) { c.Timeout = 0 }))
	require.ErrorIs(t, patient.ConsumeTraces(ctx, spans(0, 1)), context.Canceled)
}

// With retries on, a store that is away for a while loses nothing, and what is left out is counted once.
func TestRetries(t *testing.T) {
	quick := configWith(func(c *Config) {
		c.RetryConfig.Enabled = true
		c.RetryConfig.InitialInterval = time.Millisecond
		c.RetryConfig.MaxInterval = time.Millisecond
	})
	h := newHarness(t)
	attempts := 0
	h.store.fails = func(context.Context, string) error {
		attempts++
		if attempts%3 != 0 {
			return store.ErrUnavailable
		}
		return nil
	}
	td := spans(0, 2)
	td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(1).SetSpanID(pcommon.SpanID{})
	require.NoError(t, h.traces(quick).ConsumeTraces(t.Context(), td))
	assert.Equal(t, map[string]int64{"invalid_id": 1}, h.dropped("spans"))

	ld := evaluations("", "s-1")
	ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().AppendEmpty()
	require.NoError(t, h.scores(quick).ConsumeLogs(t.Context(), ld))
	assert.Equal(t, map[string]int64{"not_a_score": 1}, h.dropped("log_records"))
	assert.Len(t, h.store.writes, 6)

	h.store.fails = func(context.Context, string) error { return store.ErrInvalid }
	require.ErrorIs(t, h.scores(quick).ConsumeLogs(t.Context(), ld), store.ErrInvalid)
	assert.Len(t, h.store.writes, 7, "what can never succeed is not tried again")
	assert.Equal(t, map[string]int64{"not_a_score": 2}, h.dropped("log_records"))
	assert.Equal(t, 2, ld.LogRecordCount())
}
