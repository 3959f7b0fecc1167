// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClockNeverGoesBack(t *testing.T) {
	c := newClock()
	var last batchNumber
	step := func(what string, above batchNumber, moments int) {
		next := c.next(above, moments)
		assert.Greater(t, next.micros()-int64(moments), last.micros(), what)
		assert.Greater(t, next, above, what)
		last = next
	}
	for range 1000 {
		step("one after the other", 0, 0)
	}
	step("with moments of its own", 0, 1000)
	step("after one with moments", 0, 3)
	step("after what somebody else wrote", last+batchAt(5_000_000), 0)
	asked := time.Now()
	c.set(asked.Add(-time.Hour).UnixMicro(), asked, asked)
	step("when the clock of the server was set back", 0, 0)
}

func TestClockIsThatOfTheServer(t *testing.T) {
	c := newClock()
	asked := time.Now()
	c.set(asked.Add(time.Hour).UnixMicro(), asked, asked)
	assert.WithinDuration(t, asked.Add(time.Hour), c.next(0, 0).time(), 5*time.Second)
}

func TestClocksThatDiffer(t *testing.T) {
	began := time.Now()
	var offsets []time.Duration
	for _, ahead := range []time.Duration{2 * time.Second, -time.Second, 3 * time.Second} {
		asked := began.Add(time.Minute)
		offsets = append(offsets, offsetFrom(began, asked.Add(ahead+time.Second).UnixMicro(), asked, asked.Add(2*time.Second)))
	}
	require.NoError(t, tooFarApart(offsets))
	require.ErrorContains(t, tooFarApart(append(offsets, -3*time.Second)), "the clocks of the ClickHouse servers are 6s apart")
}

// busyServer tells its time after so long, each time, and what it tells is an hour ahead when it answers.
type busyServer struct {
	driver.Conn
	takes []time.Duration
}

type timeRow struct{ driver.Row }

func (timeRow) Scan(into ...any) error {
	*into[0].(*int64) = time.Now().Add(time.Hour).UnixMicro()
	return nil
}

func (s *busyServer) QueryRow(context.Context, string, ...any) driver.Row {
	<-time.After(s.takes[0])
	s.takes = s.takes[1:]
	return timeRow{}
}

func TestSlowAnswersDoNotSetTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &busyServer{takes: []time.Duration{20 * time.Second, 3 * time.Second, 100 * time.Millisecond}}
		e := &engine{conn: server, clock: newClock()}
		require.NoError(t, e.setClock(t.Context()))
		assert.InDelta(t, time.Hour, e.clock.offset, float64(time.Second))

		server.takes = []time.Duration{20 * time.Second, 20 * time.Second, 20 * time.Second}
		before := e.clock.offset
		require.ErrorIs(t, e.setClock(t.Context()), errSlowClock)
		assert.Equal(t, before, e.clock.offset, "it stays as it was")

		quick, slow := &busyServer{takes: []time.Duration{0}}, &busyServer{takes: []time.Duration{20 * time.Second, 0}}
		e.shards = [][]driver.Conn{{quick}, {slow}}
		require.NoError(t, e.checkClocks(t.Context()), "they are not apart")
	})
}
