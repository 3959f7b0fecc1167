// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/storetest"
)

const (
	project = "project"
	other   = "other project"
)

var firstPage = Page{Number: 1, Limit: 50}

// clock is a clock that a test may set forward.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

func newCatalog(t *testing.T) (*Catalog, *clock) {
	t.Helper()
	prices, err := pricing.Default()
	require.NoError(t, err)
	c := &clock{now: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)}
	return New(storetest.NewNaive(), Options{Prices: prices, Now: c.Now}), c
}

// requireError holds an error to its kind and its whole text.
func requireError(t *testing.T, err, kind error, message string) {
	t.Helper()
	require.ErrorIs(t, err, kind)
	require.EqualError(t, err, message)
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, message, e.Message)
}

func TestPages(t *testing.T) {
	c, _ := newCatalog(t)
	for page, message := range map[Page]string{
		{0, 10}:       "Too small: expected number to be >=1",
		{-1, 10}:      "Too small: expected number to be >=1",
		{1, 0}:        "limit must be 1 to 1000",
		{1, 1001}:     "limit must be 1 to 1000",
		{1 << 40, 10}: "page is too large",
	} {
		_, err := c.ScoreConfigs(t.Context(), project, page)
		requireError(t, err, store.ErrInvalid, message)
	}
	list, err := c.ScoreConfigs(t.Context(), project, Page{3, 10})
	require.NoError(t, err)
	require.Empty(t, list.Rows)
	require.Zero(t, list.Total)
}

func TestCacheForgetsWhatWasReadBeforeAChange(t *testing.T) {
	_, clock := newCatalog(t)
	c := newCache[string, int](Options{Now: clock.Now, Refresh: time.Minute})
	read := func(value int) func() (int, error) { return func() (int, error) { return value, nil } }
	get := func(f func() (int, error)) int {
		value, err := c.get("a", f)
		require.NoError(t, err)
		return value
	}
	require.Equal(t, 1, get(read(1)))
	require.Equal(t, 1, get(read(2)), "remembered")
	c.forget(func(key string) bool { return key == "b" })
	require.Equal(t, 1, get(read(2)), "another one was forgotten")
	c.forget(func(string) bool { return true })
	require.Equal(t, 2, get(func() (int, error) {
		c.forget(func(string) bool { return true }) // somebody changes it meanwhile
		return 2, nil
	}))
	require.Equal(t, 3, get(read(3)), "what was read before a change is not remembered after it")
	clock.advance(time.Minute)
	require.Equal(t, 4, get(read(4)), "too old")
}
