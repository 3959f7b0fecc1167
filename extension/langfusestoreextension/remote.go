// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/clickhouse"
)

const (
	// startPatience is how long the start of the collector waits for ClickHouse once it is connected; after that it goes on without.
	startPatience = 10 * time.Second
	// startDials is how often it connects one after the other.
	startDials = 4
	// firstPause and longestPause are how long it takes until ClickHouse is tried again.
	firstPause   = time.Second
	longestPause = 15 * time.Second
	// lookInterval is how often ClickHouse is asked whether it is there, lookPatience how long it may take to answer.
	lookInterval = 5 * time.Second
	lookPatience = 10 * time.Second
)

// openRemote opens a store in ClickHouse. Where that is away, the collector starts all the same, tells senders and readers to
// try again, and opens the store when it can: a collector that ended would be started again and again, by every replica at
// once. What ClickHouse refuses, such as a password, is for a person to mend, and ends the start.
func (e *storeExtension) openRemote(ctx, background context.Context, health *health) (store.Store, error) {
	settings, err := e.cfg.ClickHouseSettings(ctx, e.set.Logger)
	if err != nil {
		return nil, err
	}
	late := &lateStore{}
	err = e.tryRemote(ctx, settings, late)
	if err != nil && !errors.Is(err, store.ErrUnavailable) {
		return nil, err
	}
	if err := e.meters.watch(late, sharedStatsAge); err != nil {
		return nil, errors.Join(err, late.Close(ctx))
	}
	if err != nil {
		health.change(err)
	}
	if e.cfg.mediaPath() == "" {
		e.set.Logger.Info("Media are refused: set `media::path` to a folder that all collectors of this store share.")
	}
	e.background.Go(func() {
		if e.keepTrying(background, settings, late, health, err) {
			look(background, late, health)
		}
	})
	return late, nil
}

func (e *storeExtension) tryRemote(ctx context.Context, settings clickhouse.Settings, late *lateStore) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience+startDials*settings.DialTimeout)
	defer cancel()
	opened := time.Now()
	engine, err := e.openClickHouse(ctx, settings)
	if err != nil {
		late.isAway(err)
		return err
	}
	late.isThere(engine)
	e.set.Logger.Info("The store is open.", zap.Strings("endpoints", settings.Endpoints), zap.String("database", settings.Database),
		zap.Duration("took", time.Since(opened)))
	return nil
}

// keepTrying opens the store after the last attempt has failed, and tells whether it is open in the end.
func (e *storeExtension) keepTrying(ctx context.Context, settings clickhouse.Settings, late *lateStore, health *health, last error) bool {
	for pause := firstPause; last != nil; pause = min(2*pause, longestPause) {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
		err := e.tryRemote(ctx, settings, late)
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrUnavailable) && err.Error() != last.Error() {
			e.set.Logger.Error("The store cannot be opened; it is tried again.", zap.Error(err))
		}
		last = err
	}
	health.looked(nil)
	return true
}

// look asks the store from time to time whether it is there, also when nobody writes.
func look(ctx context.Context, s clickhouse.Store, health *health) {
	ticker := time.NewTicker(lookInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		lookOnce(ctx, s, health)
	}
}

// lookOnce asks once. Whatever the answer is wrong with, a table that has gone as much as a server, somebody should know.
func lookOnce(ctx context.Context, s clickhouse.Store, health *health) {
	asking, cancel := context.WithTimeout(ctx, lookPatience)
	defer cancel()
	err := s.Look(asking)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: ClickHouse took longer than %s to answer", store.ErrUnavailable, lookPatience)
	}
	if ctx.Err() == nil {
		health.looked(err)
	}
}
