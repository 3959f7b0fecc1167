// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// The number of a batch is a time in microseconds with the number of its collector behind it, so no two are the same. Of two that
// were acknowledged one after the other the later has the higher number.
const collectorBits = 12

const (
	// writeTime is how long a write may take; the constraints of the tables refuse what comes later.
	writeTime = 60 * time.Second
	// claimTime is the same for what was claimed, on which others may wait.
	claimTime = 10 * time.Second
	// clockSkew is how far the clocks of servers may be apart.
	clockSkew = 5 * time.Second
	// longestTelling is how long a server may take to tell its time, tellings how often it may try.
	longestTelling = time.Second
	tellings       = 3
)

type batchNumber uint64

func batchAt(micros int64) batchNumber { return batchNumber(micros) << collectorBits }

func (b batchNumber) micros() int64 { return int64(b >> collectorBits) }

func (b batchNumber) time() time.Time { return time.UnixMicro(b.micros()).UTC() }

// clock gives numbers to batches by the clock of the server, so that collectors whose own clocks differ agree.
type clock struct {
	lock   sync.Mutex
	offset time.Duration // of the server's clock from ours
	began  time.Time     // has a monotonic reading, so that setting the clock changes nothing
	last   int64
	number batchNumber // of the collector
}

func newClock() *clock {
	return &clock{began: time.Now(), number: batchNumber(rand.Uint64N(1 << collectorBits))}
}

func (c *clock) collector() batchNumber {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.number
}

func (c *clock) setCollector(number batchNumber) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.number = number
}

// now is the time of the server in microseconds.
func (c *clock) now() int64 {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.read()
}

func (c *clock) read() int64 { return c.began.Add(time.Since(c.began) + c.offset).UnixMicro() }

// next is higher than all before it and than what was seen, and leaves room for so many moments before it.
func (c *clock) next(above batchNumber, moments int) batchNumber {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.last = max(c.read(), c.last+1, above.micros()+1) + int64(moments)
	return batchAt(c.last) + c.number
}

// raise keeps the numbers that come above one: whatever is below it needs no commit to count.
func (c *clock) raise(base batchNumber) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.last = max(c.last, base.micros())
}

// set brings the clock in line with that of the server.
func (c *clock) set(server int64, asked, answered time.Time) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.offset = offsetFrom(c.began, server, asked, answered)
}

// offsetFrom is how far the clock of a server is ahead of one that began at a time.
func offsetFrom(began time.Time, server int64, asked, answered time.Time) time.Duration {
	middle := asked.Add(answered.Sub(asked) / 2)
	return time.UnixMicro(server).Sub(began.Add(middle.Sub(began)).Round(0))
}

// errSlowClock says that no answer of a server tells its time well enough.
var errSlowClock = fmt.Errorf("ClickHouse takes longer than %s to tell the time", longestTelling)

// serverTime asks a server for its time. An answer that took long says little: the question may have waited for a connection, and
// nobody knows since when it has been that time. So it is asked again.
func serverTime(ctx context.Context, server driver.Conn) (micros int64, asked, answered time.Time, err error) {
	for range tellings {
		asked = time.Now()
		err = server.QueryRow(ctx, "SELECT toUnixTimestamp64Micro(now64(6))").Scan(&micros)
		answered = time.Now()
		if err != nil || answered.Sub(asked) <= longestTelling {
			return micros, asked, answered, err
		}
	}
	return 0, asked, answered, errSlowClock
}

// setClock asks the server for its time. Without a good answer the clock stays as it is.
func (e *engine) setClock(ctx context.Context) error {
	micros, asked, answered, err := serverTime(ctx, e.conn)
	if err == nil {
		e.clock.set(micros, asked, answered)
	}
	return err
}

// checkClocks finds servers whose clocks are further apart than is allowed for: what is late for one of them is in time for
// another, so nobody may clean up.
func (e *engine) checkClocks(ctx context.Context) error {
	var offsets []time.Duration
	for _, server := range slices.Concat(e.shards...) {
		micros, asked, answered, err := serverTime(ctx, server)
		if err != nil {
			return err
		}
		offsets = append(offsets, offsetFrom(e.clock.began, micros, asked, answered))
	}
	return tooFarApart(offsets)
}

func tooFarApart(offsets []time.Duration) error {
	if apart := slices.Max(offsets) - slices.Min(offsets); apart > clockSkew {
		return fmt.Errorf("the clocks of the ClickHouse servers are %s apart, and nothing is cleaned up while they are more than %s: set them by NTP",
			apart.Round(time.Millisecond), clockSkew)
	}
	return nil
}

// firstPlace begins the places of the rows of a batch anywhere: should two collectors ever come upon the same number, their
// rows still are different ones.
func firstPlace() uint32 { return rand.Uint32() }
