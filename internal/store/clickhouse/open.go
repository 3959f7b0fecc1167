// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/semaphore"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/turns"
)

// engine is a store in a database of ClickHouse.
type engine struct {
	settings Settings
	// conn and before are for writing and what is read before it, moments and db are for reading: those who read cannot take the
	// connections of those who write. shards are the servers themselves, the replicas of each.
	conn    driver.Conn
	before  *sql.DB
	moments driver.Conn
	db      *sql.DB
	shards  [][]driver.Conn
	clock   *clock
	token   uint64 // of this collector among all

	settling sync.Mutex // held by who settles
	expired  time.Time  // when what was too old was last deleted

	observations *groups[*observationJob]
	scores       *groups[*scoreJob]
	documents    *semaphore.Weighted // held by who changes documents

	closing    context.Context // done when Close begins
	stop       context.CancelFunc
	background sync.WaitGroup
	working    sync.RWMutex // held for reading by everyone who reads or writes; Close waits for them
	closeOnce  sync.Once
	closed     chan struct{} // closed when Close has ended
	closeErr   error
}

// Store is a store that can be asked whether it takes data.
type Store interface {
	store.Store
	Look(ctx context.Context) error
}

// Open connects to ClickHouse and makes what is missing of the database. A server that is away is an ErrUnavailable.
func Open(ctx context.Context, settings Settings) (Store, error) {
	settings = settings.WithDefaults()
	if err := settings.Validate(); err != nil {
		return nil, err
	}
	first, err := settings.openWriter(settings.Endpoints, "default")
	if err != nil {
		return nil, fmt.Errorf("failed to connect to ClickHouse: %w", err)
	}
	defer func() { _ = first.Close() }()
	if err := checkServer(ctx, first, &settings); err != nil {
		return nil, explainOpen(err, &settings)
	}
	e := &engine{
		settings: settings, clock: newClock(), token: rand.Uint64(), documents: semaphore.NewWeighted(1), closed: make(chan struct{}),
	}
	e.closing, e.stop = context.WithCancel(context.Background())
	if err := e.connect(ctx, first); err != nil {
		e.stop()
		return nil, errors.Join(explainOpen(err, &settings), e.disconnect())
	}
	e.observations = newGroups(e, e.writeObservations)
	e.scores = newGroups(e, e.writeScores)
	for range writingHands {
		e.background.Go(e.observations.run)
	}
	e.background.Go(e.scores.run)
	e.background.Go(e.maintain)
	return e, nil
}

// connect finds all servers, brings the schema up to date and opens the connections.
func (e *engine) connect(ctx context.Context, first driver.Conn) error {
	shards, err := shardAddresses(ctx, first, &e.settings)
	if err != nil {
		return err
	}
	for _, addresses := range shards {
		replicas := make([]driver.Conn, len(addresses))
		e.shards = append(e.shards, replicas)
		for i := range addresses {
			if replicas[i], err = e.settings.openWriter(addresses[i], "default"); err != nil {
				return err
			}
		}
	}
	if err := migrate(ctx, &e.settings, slices.Concat(e.shards...)); err != nil {
		return err
	}
	if err := checkEndpoints(ctx, &e.settings); err != nil {
		return err
	}
	if e.conn, err = e.settings.openWriter(e.settings.Endpoints, e.settings.Database); err != nil {
		return err
	}
	if e.moments, err = e.settings.openWriter(e.settings.Endpoints, e.settings.Database); err != nil {
		return err
	}
	e.before, e.db = e.settings.openReader(), e.settings.openReader()
	if err := e.setClock(ctx); err != nil {
		return err
	}
	return e.register(ctx)
}

func (e *engine) disconnect() error {
	var errs []error
	for _, conn := range append(slices.Concat(e.shards...), e.conn, e.moments) {
		if conn != nil {
			errs = append(errs, conn.Close())
		}
	}
	for _, db := range []*sql.DB{e.before, e.db} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// explainOpen says in one sentence what keeps the store from being opened.
func explainOpen(err error, s *Settings) error {
	switch {
	case hasCode(err, codeNoPassword):
		return fmt.Errorf("ClickHouse at %v does not accept the `username` %q with this `password`", s.Endpoints, s.Username)
	case hasCode(err, codeNoGrant, codeReadOnlyUser):
		return fmt.Errorf("the user %q may not do in ClickHouse what a store needs: grant it the rights of docs/clickhouse.md on the database %s: %w",
			s.Username, s.Database, err)
	case isPlain(err):
		return fmt.Errorf("ClickHouse at %v does not speak TLS: give the secure port in `endpoints` (on a cluster also in its `remote_servers`), or leave `tls` out: %w",
			s.Endpoints, err)
	case errors.Is(err, errLocked), errors.Is(err, errSlowClock):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	case isAway(err):
		return fmt.Errorf("%w: ClickHouse at %v does not answer; check `endpoints`: %w", store.ErrUnavailable, s.Endpoints, err)
	default:
		return fmt.Errorf("failed to open the store in ClickHouse: %w", err)
	}
}

// Close ends all work and releases the connections. It goes on in the background when the context ends before that.
func (e *engine) Close(ctx context.Context) error {
	e.closeOnce.Do(func() {
		e.stop()
		go func() {
			defer close(e.closed)
			e.background.Wait()
			e.working.Lock()
			defer e.working.Unlock()
			e.closeErr = e.disconnect()
		}()
	})
	select {
	case <-e.closed:
		return e.closeErr
	case <-ctx.Done():
		select {
		case <-e.closed: // which of two is taken is a matter of luck
			return e.closeErr
		default:
			return fmt.Errorf("the store in ClickHouse is still being closed: %w", ctx.Err())
		}
	}
}

// begin keeps the store open until the returned function is called.
func (e *engine) begin() (end func(), err error) {
	e.working.RLock()
	if e.closing.Err() != nil {
		e.working.RUnlock()
		return nil, turns.ErrClosed
	}
	return e.working.RUnlock, nil
}

// within is a context for work that is finished even when nobody waits for it any more, but not for ever.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}
