// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/weirbin"
)

// A short load works; `make load` is the long one.
func TestLoad(t *testing.T) {
	require.NoError(t, run(options{
		binary: weirbin.Path(t), root: weirbin.Root(t), dir: t.TempDir(), duration: 2 * time.Second, rate: 200, writers: 4, readers: 1, projects: 2, seed: 1,
	}, false))
}

func TestOutcome(t *testing.T) {
	o := newOutcome(load{rate: 100})
	busy := traffic.Answer{Status: http.StatusServiceUnavailable, Header: http.Header{}}
	polite := traffic.Answer{Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"1"}}}
	for _, result := range []traffic.Result{
		{Name: "write", Answer: traffic.Answer{Status: http.StatusOK}, Spans: 10, Size: 1000, Took: time.Second},
		{Name: "metrics", Answer: traffic.Answer{Status: http.StatusOK}, Size: 500},
		{Name: "write", Answer: busy, Spans: 10, Size: 1000},
		{Name: "write", Answer: polite, Spans: 10, Size: 1000},
		{Name: "write", Answer: traffic.Answer{Status: http.StatusInternalServerError}, Spans: 10},
		{Name: "filter", Err: errors.New("Get x: connection refused")},
		{Name: "write", Err: fmt.Errorf("Post x: write: %w", syscall.EPIPE)},
	} {
		o.add(result)
	}
	o.elapsed = 2 * time.Second
	assert.Equal(t, 10, o.spans)
	assert.Equal(t, 1000, o.bytes)
	assert.InDelta(t, 5, o.rate(), 0)
	assert.Equal(t, 2, o.shed)
	assert.Equal(t, 1, o.rude)
	assert.Equal(t, 1, o.cut)
	assert.Equal(t, 2, o.failures())
	require.ErrorContains(t, o.err(), "requests failed")
	require.ErrorContains(t, newOutcome(load{}).err(), "no span was acknowledged")
	assert.Equal(t, map[string]int{"write: 503": 2, "write: 500": 1, "filter: connection refused": 1, "write: broken pipe": 1}, o.failed)
}

func TestJudge(t *testing.T) {
	good := func() (over, after *outcome) {
		over, after = newOutcome(load{rate: 200}), newOutcome(load{rate: 50})
		over.shed, over.failed = 3, map[string]int{"write: 503": 3}
		after.spans, after.elapsed = 50, time.Second
		return over, after
	}
	over, after := good()
	require.NoError(t, judge(over, after))
	for want, spoil := range map[string]func(over, after *outcome){
		"nothing was shed":                  func(over, _ *outcome) { over.shed, over.failed = 0, nil },
		"1 requests were cut off":           func(over, _ *outcome) { over.cut, over.failed["write: broken pipe"] = 1, 1 },
		"had no Retry-After":                func(over, _ *outcome) { over.rude = 1 },
		"at twice the knee requests failed": func(over, _ *outcome) { over.failed["write: 500"] = 1 },
		"memory went up":                    func(over, _ *outcome) { over.usage.Peak = memoryLimit + 1 },
		"after the load requests failed":    func(_, after *outcome) { after.shed, after.failed["write: 503"] = 1, 1 },
		"acknowledged 10 of 50 spans/s":     func(_, after *outcome) { after.spans = 10 },
	} {
		over, after := good()
		spoil(over, after)
		require.ErrorContains(t, judge(over, after), want)
	}
}
