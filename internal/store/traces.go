// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package store // import "github.com/weirhq/weir/internal/store"

import (
	"context"
	"encoding/json"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// Traces are what older readers know of observations: put together by trace, by session and by day.
type Traces interface {
	// ListTraces gives a page in the order that was asked for. One trace is a page of one id.
	ListTraces(ctx context.Context, q query.Traces) (TracePage, error)
	// ListSessions gives a page of sessions, the latest first.
	ListSessions(ctx context.Context, q query.Sessions) (SessionPage, error)
	// ListDays gives the numbers of days, the latest first.
	ListDays(ctx context.Context, q query.Daily) (DayPage, error)
}

// Trace is what its observations make of it. A text is that of the first observation that has one, by start time and id;
// input, output and metadata are those of the first logical root that has them, and so is the name if no observation
// carries a name of the trace.
type Trace struct {
	ID string
	// Timestamp is the first start.
	Timestamp   time.Time
	Name        string
	UserID      string
	SessionID   string
	Release     string
	Version     string
	Environment string
	// Tags are those of all observations, sorted.
	Tags []string
	// Public and Bookmarked are true if any observation says so.
	Public     bool
	Bookmarked bool
	CreatedAt  time.Time
	UpdatedAt  time.Time

	Input    string
	Output   string
	Metadata string

	// Latency is the time from the first start to the last start or end.
	Latency   time.Duration
	TotalCost model.Decimal

	// ObservationIDs are in the order of start time and id. ScoreIDs are those of the trace and of its observations, the
	// newest first, without CORRECTION.
	ObservationIDs []string
	ScoreIDs       []string
}

// TracePage is a part of the list of traces.
type TracePage struct {
	Rows []Trace
	// Total is the number of traces on all pages, if it was asked for.
	Total int64
}

// Session is what observations with the same session id make of it.
type Session struct {
	ID string
	// CreatedAt is the first start.
	CreatedAt time.Time
	// Environment is that of the first observation that has one.
	Environment string
}

// SessionPage is a part of the list of sessions.
type SessionPage struct {
	Rows []Session
	// Total is the number of sessions on all pages, if it was asked for.
	Total int64
}

// Numbers are what came together: sums are exact.
type Numbers struct {
	Traces       int64
	Observations int64
	TotalCost    json.Number
}

// Day is the numbers of one day.
type Day struct {
	// Date is such as 2006-01-02.
	Date string
	Numbers
	// Models are sorted by name; the empty one is what has no model.
	Models []ModelUsage
}

// ModelUsage is the numbers of one model.
type ModelUsage struct {
	Model string
	Numbers
	InputUsage, OutputUsage, TotalUsage json.Number
}

// DayPage is a part of the list of days.
type DayPage struct {
	Rows []Day
	// Total is the number of days on all pages, if it was asked for.
	Total int64
}
