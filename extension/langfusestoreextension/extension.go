// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/internal/storeprovider"
)

var (
	_ extension.Extension    = (*storeExtension)(nil)
	_ storeprovider.Provider = (*storeExtension)(nil)
)

// storeExtension owns the store from Start to Shutdown.
type storeExtension struct {
	cfg    *Config
	set    extension.Settings
	prices *pricing.Table
	meters *meters
	// openEmbedded and openClickHouse open the engines; tests have others.
	openEmbedded   func(context.Context, duckdb.Settings) (store.Store, error)
	openClickHouse func(context.Context, clickhouse.Settings) (clickhouse.Store, error)

	// All of these are nil before Start.
	store   *watchedStore
	catalog *catalog.Catalog
	media   *blobs.Store // and where no media are taken
	shared  store.Store  // what other components get

	// now gives the time; tests have another one.
	now func() time.Time
	// background is what goes on until Shutdown, which ends it and waits for it.
	background     sync.WaitGroup
	stopBackground context.CancelFunc
}

func newStoreExtension(cfg *Config, set extension.Settings) (*storeExtension, error) {
	prices, err := cfg.prices()
	if err != nil {
		return nil, err
	}
	meters, err := newMeters(set)
	if err != nil {
		return nil, err
	}
	return &storeExtension{
		cfg: cfg, set: set, prices: prices, meters: meters, openEmbedded: duckdb.Open, openClickHouse: clickhouse.Open, now: time.Now,
	}, nil
}

// Start opens the store. One in ClickHouse may be away: it is then opened as soon as it is there.
func (e *storeExtension) Start(ctx context.Context, host component.Host) error {
	if err := e.checkNeighbours(host); err != nil {
		return err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx)) // it goes on after Start
	e.stopBackground = stop
	health := &health{host: host, logger: e.set.Logger, now: time.Now}
	engine, err := e.openEngine(ctx, background, health)
	if err != nil {
		stop()
		return err
	}
	e.store = &watchedStore{Store: engine, meters: e.meters, health: health}
	e.catalog = catalog.New(e.store, catalog.Options{Prices: e.prices, MaxMediaBytes: int64(e.cfg.Media.MaxSize)})
	if e.cfg.mediaPath() == "" {
		e.shared = e.store
		return nil
	}
	if err := e.openMedia(background); err != nil {
		return errors.Join(err, e.Shutdown(ctx))
	}
	return nil
}

// openEngine opens the engine that is configured.
func (e *storeExtension) openEngine(ctx, background context.Context, health *health) (store.Store, error) {
	opened := time.Now()
	if e.cfg.ClickHouse.HasValue() {
		return e.openRemote(ctx, background, health)
	}
	engine, err := e.openEmbedded(ctx, e.embeddedSettings())
	if err != nil {
		return nil, err
	}
	if err := e.meters.watch(engine, statsAge); err != nil {
		return nil, errors.Join(err, engine.Close(ctx))
	}
	e.set.Logger.Info("The store is open in "+absolute(e.cfg.embedded().Path)+".", zap.Duration("took", time.Since(opened)))
	return engine, nil
}

// absolute is where a folder is, for people: a path as it is configured depends on where the process was started.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// openMedia opens the folder of the media.
func (e *storeExtension) openMedia(background context.Context) error {
	var err error
	e.media, err = blobs.Open(blobs.Settings{
		Dir: e.cfg.mediaPath(), Lifetime: e.cfg.Media.URLExpiry, MaxSize: int64(e.cfg.Media.MaxSize), MaxTotal: int64(e.cfg.MaxSize),
		// The lock of the embedded engine keeps others away from its media too.
		Shared: e.cfg.ClickHouse.HasValue(),
	})
	if err != nil {
		return err
	}
	e.shared = blobs.Sweeping(e.store, e.catalog, e.media)
	e.startExpiry(background)
	return nil
}

func (e *storeExtension) embeddedSettings() duckdb.Settings {
	embedded := e.cfg.embedded()
	return duckdb.Settings{
		Dir:          embedded.Path,
		MemoryLimit:  int64(embedded.MemoryLimit),
		Threads:      embedded.Threads,
		QueryTimeout: e.cfg.Query.Timeout,
		MaxSize:      int64(e.cfg.MaxSize),
		Retention:    e.cfg.Retention,
		Logger:       e.set.Logger,
		OnCheckpoint: e.meters.checkpoint,
	}
}

// checkNeighbours refuses a path that another store of the same configuration has. The lock of the file keeps other
// processes away, but not a second opening by the same one, and two writers would ruin the file.
func (e *storeExtension) checkNeighbours(host component.Host) error {
	if e.cfg.ClickHouse.HasValue() {
		return nil
	}
	path, err := filepath.Abs(e.cfg.embedded().Path)
	if err != nil {
		return err
	}
	for id, neighbour := range host.GetExtensions() {
		other, ok := neighbour.(*storeExtension)
		if !ok || other == e || other.cfg.ClickHouse.HasValue() {
			continue
		}
		if theirs, err := filepath.Abs(other.cfg.embedded().Path); err == nil && theirs == path {
			return fmt.Errorf("the extension %s has the same `embedded::path`, %s: give each store a path of its own", id, e.cfg.embedded().Path)
		}
	}
	return nil
}

// Shutdown closes the store and releases its files. It may be called without Start, and twice.
func (e *storeExtension) Shutdown(ctx context.Context) error {
	e.meters.Shutdown()
	if e.stopBackground != nil {
		e.stopBackground()
		e.background.Wait()
	}
	if e.store == nil {
		return nil
	}
	return e.store.Close(ctx)
}

// Store is the open store; nil before Start.
func (e *storeExtension) Store() store.Store { return e.shared }

// Media are the contents of the media in the catalog; nil before Start, and where no media are taken.
func (e *storeExtension) Media() *blobs.Store { return e.media }

// Catalog is what the store holds beside signals; nil before Start.
func (e *storeExtension) Catalog() *catalog.Catalog { return e.catalog }

// Tokenize is the setting of that name.
func (e *storeExtension) Tokenize() bool { return e.cfg.Tokenize }
