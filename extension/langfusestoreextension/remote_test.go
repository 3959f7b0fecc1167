// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configtls"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
)

var errAway = fmt.Errorf("%w: ClickHouse at [there:9000] does not answer", store.ErrUnavailable)

func onClickHouse(changes ...func(*ClickHouseConfig)) func(*Config) {
	return func(c *Config) {
		section := defaultClickHouse()
		for _, change := range changes {
			change(&section)
		}
		c.ClickHouse = configoptional.Some(section)
	}
}

// startRemote starts an extension whose attempts to open ClickHouse end as given, one after the other; the rest succeed.
func (h *harness) startRemote(cfg *Config, attempts ...error) (*storeExtension, *fakeEngine, error) {
	h.t.Helper()
	engine := &fakeEngine{Naive: storetest.NewNaive()}
	e := h.create(cfg)
	e.openClickHouse = func(_ context.Context, settings clickhouse.Settings) (clickhouse.Store, error) {
		engine.remote = settings
		if len(attempts) > 0 {
			err := attempts[0]
			attempts = attempts[1:]
			return nil, err
		}
		return engine, nil
	}
	err := e.Start(h.t.Context(), h.host)
	return e, engine, err
}

func TestSettingsOfClickHouse(t *testing.T) {
	h := newHarness(t)
	_, engine, err := h.startRemote(configWith(func(c *Config) {
		c.Query.Timeout, c.Retention = time.Second, 48*time.Hour
	}, onClickHouse(func(c *ClickHouseConfig) {
		c.Endpoints, c.Database, c.Username, c.Password = []string{"a:1", "b:2"}, "d", "u", "p"
		c.Cluster, c.Replicated, c.DialTimeout, c.MaxConnections, c.MemoryLimit = "c", true, time.Minute, 5, gib
		c.TLS = configoptional.Some(configtls.ClientConfig{ServerName: "name"})
	})))
	require.NoError(t, err)
	got := engine.remote
	require.NotNil(t, got.TLS)
	assert.Equal(t, "name", got.TLS.ServerName)
	got.TLS = nil
	assert.Equal(t, clickhouse.Settings{
		Endpoints: []string{"a:1", "b:2"}, Database: "d", Username: "u", Password: "p", Cluster: "c", Replicated: true,
		DialTimeout: time.Minute, MaxConnections: 5, QueryTimeout: time.Second, QueryMemory: 1 << 30, Retention: 48 * time.Hour, Logger: h.set.Logger,
	}, got)
	assert.Empty(t, h.host.statuses())
	assert.NotContains(t, fmt.Sprint(h.logs.All()), "Password")
}

func TestTLSOfClickHouseThatCannotBe(t *testing.T) {
	_, _, err := newHarness(t).startRemote(configWith(onClickHouse(func(c *ClickHouseConfig) {
		c.TLS = configoptional.Some(configtls.ClientConfig{Config: configtls.Config{CAFile: "/nowhere"}})
	})))
	require.ErrorContains(t, err, "`clickhouse::tls`: ")
}

// A collector that starts before ClickHouse waits for it, and tells everybody to try again.
func TestClickHouseThatComesLater(t *testing.T) {
	h := newHarness(t)
	e, _, err := h.startRemote(configWith(onClickHouse()), errAway, errors.New("no password"))
	require.NoError(t, err)
	assert.Equal(t, []componentstatus.Status{componentstatus.StatusRecoverableError}, h.host.statuses())
	s := e.Store()
	for name, err := range everyMethod(t.Context(), s) {
		assert.ErrorIs(t, err, store.ErrUnavailable, name)
		assert.ErrorContains(t, err, "ClickHouse at [there:9000] does not answer", name)
	}
	require.Eventually(t, func() bool {
		return s.WriteObservations(t.Context(), project, []model.Observation{observation("a")}) == nil
	}, 30*time.Second, 10*time.Millisecond)
	for name, err := range everyMethod(t.Context(), s) {
		assert.NotErrorIs(t, err, store.ErrUnavailable, name)
	}
	page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 10})
	require.NoError(t, err)
	assert.Len(t, page.Rows, 1)
	require.Eventually(t, func() bool { return len(h.host.statuses()) == 2 }, 30*time.Second, time.Millisecond)
	assert.Equal(t, componentstatus.StatusOK, h.host.statuses()[1])
	assert.Equal(t, 1, h.logs.FilterMessage("The store cannot be opened; it is tried again.").Len(), "what a person has to mend is told")
}

// everyMethod calls all that a store can do.
func everyMethod(ctx context.Context, s store.Store) map[string]error {
	last := func(_ any, err error) error { return err }
	return map[string]error{
		"WriteObservations":   s.WriteObservations(ctx, "p", nil),
		"DeleteTraces":        s.DeleteTraces(ctx, "p", nil),
		"WriteScores":         s.WriteScores(ctx, "p", nil),
		"DeleteScores":        s.DeleteScores(ctx, "p", nil),
		"WriteDocuments":      s.WriteDocuments(ctx, "p", nil),
		"ListObservations":    last(s.ListObservations(ctx, query.Observations{Project: "p", Limit: 1})),
		"ListScores":          last(s.ListScores(ctx, query.Scores{Project: "p", Limit: 1})),
		"ListDocuments":       last(s.ListDocuments(ctx, query.Documents{Project: "p", Kind: "k", Limit: 1})),
		"DocumentProjects":    last(s.DocumentProjects(ctx, "k")),
		"ListExperiments":     last(s.ListExperiments(ctx, query.Experiments{Project: "p", Limit: 1})),
		"ListExperimentItems": last(s.ListExperimentItems(ctx, query.ExperimentItems{Project: "p", Limit: 1})),
		"QueryMetrics":        last(s.QueryMetrics(ctx, query.Metrics{Project: "p"})),
		"ListTraces":          last(s.ListTraces(ctx, query.Traces{Project: "p", Limit: 1})),
		"ListSessions":        last(s.ListSessions(ctx, query.Sessions{Project: "p", Limit: 1})),
		"ListDays":            last(s.ListDays(ctx, query.Daily{Project: "p", Limit: 1})),
		"ScoresByID":          last(s.ScoresByID(ctx, "p", []string{"a"})),
		"Stats":               last(s.Stats(ctx)),
	}
}

func TestClickHouseThatNeverComes(t *testing.T) {
	h := newHarness(t)
	forever := make([]error, 100)
	for i := range forever {
		forever[i] = errAway
	}
	e, engine, err := h.startRemote(configWith(onClickHouse()), forever...)
	require.NoError(t, err)
	require.NoError(t, e.Shutdown(t.Context()), "it does not wait for it")
	assert.Zero(t, engine.closed)
	assert.ErrorIs(t, e.Store().WriteScores(t.Context(), project, nil), store.ErrUnavailable)
}

// What a person has to mend ends the start.
func TestClickHouseThatRefuses(t *testing.T) {
	h := newHarness(t)
	refused := errors.New("ClickHouse does not accept the password")
	e, _, err := h.startRemote(configWith(onClickHouse()), refused)
	assert.Equal(t, refused, err)
	assert.Nil(t, e.Store())
	require.NoError(t, e.Shutdown(t.Context()))
}

func TestMediaWithClickHouse(t *testing.T) {
	h := newHarness(t)
	e, _, err := h.startRemote(configWith(onClickHouse()))
	require.NoError(t, err)
	assert.Nil(t, e.Media())
	assert.Equal(t, 1, h.logs.FilterMessageSnippet("set `media::path`").Len())
	require.NoError(t, e.Store().DeleteTraces(t.Context(), project, []string{"t"}))

	dir := t.TempDir()
	h = newHarness(t)
	e, _, err = h.startRemote(configWith(onClickHouse(), func(c *Config) { c.Media.Path = dir }))
	require.NoError(t, err)
	require.NotNil(t, e.Media())
	assert.FileExists(t, dir+"/signing.key")
	assert.Zero(t, h.logs.FilterMessageSnippet("set `media::path`").Len())
}

// A store that was away and answers again takes data, unless a write failed just now.
func TestHealthByLooking(t *testing.T) {
	h := newHarness(t)
	clock := time.Now()
	health := &health{host: h.host, logger: h.set.Logger, now: func() time.Time { return clock }}
	health.looked(nil)
	assert.Empty(t, h.host.statuses())
	health.looked(errAway)
	health.looked(nil)
	assert.Equal(t, []componentstatus.Status{componentstatus.StatusRecoverableError, componentstatus.StatusOK}, h.host.statuses())
	health.note(t.Context(), errAway)
	clock = clock.Add(lookInterval)
	health.looked(nil)
	assert.Len(t, h.host.statuses(), 3, "it answers, but does not take data")
	clock = clock.Add(time.Second)
	health.looked(nil)
	assert.Len(t, h.host.statuses(), 4, "nobody has tried since")
}

// brokenStore answers no question.
type brokenStore struct {
	*storetest.Naive
	err error
}

func (b *brokenStore) Look(context.Context) error { return b.err }

// Not only a store that is away is bad news: so is one whose tables have gone.
func TestLookFindsWhatIsBroken(t *testing.T) {
	h := newHarness(t)
	health := &health{host: h.host, logger: h.set.Logger, now: time.Now}
	broken := &brokenStore{Naive: storetest.NewNaive(), err: errors.New("the table has gone")}
	lookOnce(t.Context(), broken, health)
	assert.Equal(t, []componentstatus.Status{componentstatus.StatusRecoverableError}, h.host.statuses())
	broken.err = nil
	lookOnce(t.Context(), broken, health)
	assert.Equal(t, componentstatus.StatusOK, h.host.statuses()[1])

	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	broken.err = context.Canceled
	lookOnce(stopped, broken, health)
	assert.Len(t, h.host.statuses(), 2, "who stops learns nothing")
}
