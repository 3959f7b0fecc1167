// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"crypto/tls"
	"errors"
	"fmt"
	"regexp"
	"time"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store/turns"
)

// Settings of the engine. Zero values stand for the defaults.
type Settings struct {
	// Endpoints are the addresses of the native protocol, host:port. They are tried in their order.
	Endpoints []string
	// Database has the tables; it is made if it is not there.
	Database string
	Username string
	Password string
	// TLS, if set, is how connections are secured.
	TLS *tls.Config
	// DialTimeout bounds how long it takes to connect, to all endpoints together.
	DialTimeout time.Duration
	// MaxConnections bounds the connections for queries, those for writing, and those for what either looks up first, each.
	MaxConnections int

	// Cluster is the name of a cluster of the servers: tables are then spread over its shards.
	Cluster string
	// Replicated makes every table one that is kept on all replicas of its shard. It needs a Keeper, and has not been tried against
	// a running one.
	Replicated bool

	// WriteWait bounds how long a write waits for its turn.
	WriteWait time.Duration
	// QueryTimeout bounds a read, QueryMemory the memory that ClickHouse may use for it, in bytes.
	QueryTimeout time.Duration
	QueryMemory  int64
	// Retention is how long an observation is kept after its start, and a score after its time; 0 is for ever.
	Retention time.Duration

	Logger *zap.Logger
	// OnRead, if set, is told the text and the settings of every statement that reads, for tests.
	OnRead func(statement string, settings map[string]any)
	// OnSettle, if set, is called by who settles once it knows how far others came, for tests.
	OnSettle func()
	// SettleByHand leaves it to who calls Settle, for tests.
	SettleByHand bool
}

const (
	defaultEndpoint       = "localhost:9000"
	defaultDatabase       = "weir"
	defaultUsername       = "default"
	defaultDialTimeout    = 5 * time.Second
	defaultMaxConnections = 16
	defaultQueryTimeout   = 30 * time.Second
	defaultQueryMemory    = 4 << 30
)

// WithDefaults puts defaults in place of zero values.
func (s Settings) WithDefaults() Settings {
	if len(s.Endpoints) == 0 {
		s.Endpoints = []string{defaultEndpoint}
	}
	if s.Database == "" {
		s.Database = defaultDatabase
	}
	if s.Username == "" {
		s.Username = defaultUsername
	}
	if s.DialTimeout == 0 {
		s.DialTimeout = defaultDialTimeout
	}
	if s.MaxConnections == 0 {
		s.MaxConnections = defaultMaxConnections
	}
	if s.WriteWait == 0 {
		s.WriteWait = turns.DefaultWait
	}
	if s.QueryTimeout == 0 {
		s.QueryTimeout = defaultQueryTimeout
	}
	if s.QueryMemory == 0 {
		s.QueryMemory = defaultQueryMemory
	}
	if s.Logger == nil {
		s.Logger = zap.NewNop()
	}
	return s
}

// plainName is a name that needs no quotes anywhere; names of databases and clusters become part of statements.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// MaxQueryTimeout is how old the moment may be that a read shows; what was ended before it is cleaned up.
const MaxQueryTimeout = 10 * time.Minute

// Validate names every setting that is wrong.
func (s Settings) Validate() error {
	var errs []error
	if !plainName.MatchString(s.Database) {
		errs = append(errs, fmt.Errorf("`database` must be made of letters, digits and underscores, found %q", s.Database))
	}
	if s.Cluster != "" && !plainName.MatchString(s.Cluster) {
		errs = append(errs, fmt.Errorf("`cluster` must be made of letters, digits and underscores, found %q", s.Cluster))
	}
	if s.Replicated && s.Cluster == "" {
		errs = append(errs, errors.New("`replicated` needs a `cluster`: set it to one of `SELECT DISTINCT cluster FROM system.clusters`"))
	}
	if s.QueryTimeout > MaxQueryTimeout {
		errs = append(errs, fmt.Errorf("the timeout of a query must be at most %s, found %s", MaxQueryTimeout, s.QueryTimeout))
	}
	return errors.Join(errs...)
}
