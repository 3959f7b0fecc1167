// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/weirhq/weir/internal/store"
)

const (
	fileName = "weir.duckdb"

	dirMode  os.FileMode = 0o700
	fileMode os.FileMode = 0o600
)

// engine is an open DuckDB file.
type engine struct {
	settings Settings
	path     string
	lock     io.Closer
	db       *sql.DB // another one after reopen
	writer   *writer
	seen     *seen

	closing    context.Context // done when Close begins
	stop       context.CancelFunc
	background sync.WaitGroup
	closeOnce  sync.Once
	closed     chan struct{} // closed when Close has ended
	closeErr   error
	reading    sync.RWMutex  // held for reading by everyone who reads; Close and reopen wait for them
	reads      chan struct{} // has an entry for each read that is at work

	committed chan struct{} // tells that the log has grown
	used      atomic.Int64  // bytes that hold something, as last looked at; the file may be larger
	lowDisk   atomic.Int64  // bytes that are free on the disk while they are too few, else 0
	broken    atomic.Bool   // DuckDB has given up the database
	deleted   atomic.Bool   // observations may have been deleted since the file was last tidied

	lastDocument time.Time // when a document was last changed; for who has the file to itself
}

var _ store.Store = (*engine)(nil)

// Open opens the store in a folder, or makes a new one there.
func Open(ctx context.Context, settings Settings) (store.Store, error) {
	settings = settings.withDefaults()
	if err := os.MkdirAll(settings.Dir, dirMode); err != nil {
		return nil, fmt.Errorf("failed to make the folder of the store: %w", err)
	}
	// A folder that was there before may be open to others.
	if err := os.Chmod(settings.Dir, dirMode); err != nil {
		return nil, fmt.Errorf("failed to take the folder of the store away from other users: %w", err)
	}
	path := filepath.Join(settings.Dir, fileName)
	lock, err := lockFolder(path)
	if err != nil {
		return nil, err
	}
	db, err := openCompact(ctx, path, settings)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	e := &engine{
		settings: settings, path: path, lock: lock, db: db, seen: &seen{}, closed: make(chan struct{}), committed: make(chan struct{}, 1),
		reads: make(chan struct{}, readsAtATime(settings)),
	}
	e.deleted.Store(true) // before it was opened, perhaps
	e.closing, e.stop = context.WithCancel(context.Background())
	e.writer = newWriter(e)
	if err := e.writer.connect(ctx); err != nil {
		e.stop()
		return nil, errors.Join(err, db.Close(), lock.Close())
	}
	e.secureFiles()
	for _, h := range e.writer.hands {
		e.background.Go(h.run)
	}
	e.background.Go(e.loadSeen)
	e.background.Go(e.maintain)
	return e, nil
}

// catalog is the name of the file in statements.
const catalog = "weir"

// rowGroup is how many rows are stored together. A checkpoint writes the last, unfinished group anew each time, and a read
// for a range of time skips whole groups; both want them smaller than DuckDB's own 122,880.
const rowGroup = 8_192

// openFile opens the file. It is attached to a database in memory, which holds nothing.
func openFile(ctx context.Context, path string, settings Settings) (*sql.DB, error) {
	options := url.Values{
		"temp_directory": {path + ".tmp"},
		"memory_limit":   {strconv.FormatInt(settings.MemoryLimit>>20, 10) + "MiB"},
		// The writer decides when to checkpoint; at a fixed size of the log it would stall a commit.
		"checkpoint_threshold": {"1TB"},
		"threads":              {strconv.Itoa(settings.Threads)},
		// Rows have no order of their own. But where DuckDB need not keep one, it collects the rows of an insert elsewhere
		// first, and copies them once more.
		"preserve_insertion_order": {"true"},
		// Nothing is fetched, ever.
		"autoinstall_known_extensions": {"false"},
		"autoload_known_extensions":    {"false"},
	}
	connector, err := duck.NewConnector(":memory:?"+options.Encode(), func(conn driver.ExecerContext) error {
		for _, statement := range []string{
			attach(path, catalog),
			"USE " + catalog,
		} {
			// Connections are made at any time, long after the call that opens.
			if _, err := conn.ExecContext(context.WithoutCancel(ctx), statement, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, explainOpen(err, path)
	}
	db := sql.OpenDB(connector)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(explainOpen(err, path), db.Close())
	}
	return db, nil
}

var errLocked = errors.New("locked")

// explainOpen says in one sentence what keeps the file from being opened.
func explainOpen(err error, path string) error {
	text := err.Error()
	switch {
	case errors.Is(err, errLocked) || strings.Contains(text, "Could not set lock") || strings.Contains(text, "Conflicting lock"):
		return fmt.Errorf("another process has the store %s open: stop it, or give this one another `path`", path)
	case strings.Contains(text, "not a valid DuckDB database file"):
		return fmt.Errorf("%s is no store of Weir: move it away, or set another `path`", path)
	case errors.Is(err, os.ErrPermission) || strings.Contains(text, "Permission denied"):
		return fmt.Errorf("the store %s may not be opened: its folder must belong to the user who runs Weir: %w", path, err)
	default:
		return fmt.Errorf("failed to open the store %s: %w", path, err)
	}
}

// secureFiles takes the files away from everybody else. The folder already is; DuckDB makes files as the umask says.
func (e *engine) secureFiles() {
	files, _ := filepath.Glob(e.path + "*") // the log has other names during a checkpoint
	for _, path := range files {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm() != fileMode {
			_ = os.Chmod(path, fileMode)
		}
	}
}

func (e *engine) walPath() string { return e.path + ".wal" }

// Close ends all work, writes the log into the file, and releases it. It goes on in the background when the context ends
// before that.
func (e *engine) Close(ctx context.Context) error {
	e.closeOnce.Do(func() {
		e.stop()
		go func() {
			defer close(e.closed)
			e.background.Wait()
			e.reading.Lock()
			defer e.reading.Unlock()
			e.closeErr = errors.Join(e.writer.disconnect(), e.db.Close(), e.lock.Close())
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
			return fmt.Errorf("the store %s is still being closed: %w", e.path, ctx.Err())
		}
	}
}
