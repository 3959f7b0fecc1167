// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"time"
	"unicode/utf8"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// appendTo writes rows with the appender, which is many times as fast as INSERT. It takes part in the transaction of the
// connection.
func appendTo[T any](conn *sql.Conn, table string, columns []sqlstore.Column[T], rows iter.Seq[*T]) error {
	return conn.Raw(func(raw any) error {
		appender, err := duck.NewAppenderFromConn(raw.(driver.Conn), "", table)
		if err != nil {
			return err
		}
		values := make([]driver.Value, len(columns))
		for row := range rows {
			for i := range columns {
				values[i] = columns[i].Value(row)
				if err := storable(values[i]); err != nil {
					return errors.Join(fmt.Errorf("%w: %s %w", store.ErrInvalid, columns[i].Name, err), appender.Close())
				}
			}
			if err := appender.AppendRow(values...); err != nil {
				return errors.Join(err, appender.Close())
			}
		}
		return appender.Close()
	})
}

// The years that every engine and every reader can write down.
const firstYear, lastYear = 1, 9999

// storable tells what DuckDB could not store, or not give back as it was.
func storable(value driver.Value) error {
	switch v := value.(type) {
	case string:
		if !utf8.ValidString(v) {
			return errors.New("is not UTF-8")
		}
	case time.Time:
		if year := v.UTC().Year(); year < firstYear || year > lastYear {
			return fmt.Errorf("is in the year %d", year)
		}
	}
	return nil
}
