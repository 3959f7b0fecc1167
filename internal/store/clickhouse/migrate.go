// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"fmt"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// migrate brings the database to the schema of this build. One of a newer build is refused before anything in it is touched.
// Where all is as it should be, nothing is locked and nothing is changed: that is how nearly every collector starts. Each server is
// told by itself, which needs no Keeper, and all must be there to be told; a replica that is away need not be asked.
func migrate(ctx context.Context, s *Settings, servers []driver.Conn) error {
	t := s.target()
	steps, err := migrations(t)
	if err != nil {
		return err
	}
	current, away := 0, 0
	for _, server := range servers {
		version, err := schemaVersion(ctx, server, t, len(steps))
		switch {
		case t.Replicated && isAway(err):
			away++
		case err != nil:
			return err
		case version == len(steps):
			current++
		}
	}
	if current > 0 && current+away == len(servers) {
		return nil
	}
	for _, server := range servers {
		if err := server.Exec(ctx, "CREATE DATABASE IF NOT EXISTS "+t.Database); err != nil {
			return fmt.Errorf("failed to make the database %s: %w", t.Database, err)
		}
	}
	ctx, unlock, err := lockSchema(ctx, s, servers[0])
	if err != nil {
		return err
	}
	defer unlock()
	for _, server := range servers {
		version, err := schemaVersion(ctx, server, t, len(steps))
		if err != nil {
			return err
		}
		for _, step := range steps[version:] {
			if err := apply(ctx, server, t, step); err != nil {
				return fmt.Errorf("failed to bring the database %s to schema %d: %w", t.Database, step.version, err)
			}
		}
	}
	return nil
}

// schemaVersion is 0 for a new database. One that is newer than what is known is an error.
func schemaVersion(ctx context.Context, server driver.Conn, t target, known int) (int, error) {
	var isThere bool
	err := server.QueryRow(ctx, "SELECT count() > 0 FROM system.tables WHERE name = 'weir_schema' AND database = "+quote(t.Database)).Scan(&isThere)
	if err != nil || !isThere {
		return 0, err
	}
	var version uint32
	if err := server.QueryRow(ctx, "SELECT max(version) FROM "+t.Database+".weir_schema").Scan(&version); err != nil {
		return 0, err
	}
	if int(version) > known {
		return 0, fmt.Errorf("the database %s has schema %d, and this build knows schemas up to %d: use the Weir that wrote it or a newer one, or set another `database`",
			t.Database, version, known)
	}
	return int(version), nil
}

// apply does a step. Who comes after somebody who did not get to its end does it once more, so its statements must bear that.
func apply(ctx context.Context, server driver.Conn, t target, step migration) error {
	for _, statement := range append([]string{t.versionTable()}, step.statements...) {
		if err := server.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return server.Exec(ctx, fmt.Sprintf("INSERT INTO %s.weir_schema VALUES (%d, now())", t.Database, step.version))
}
