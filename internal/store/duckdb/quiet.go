// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// pause is how long to wait before looking again whether a thread of DuckDB has finished what it took over.
const pause = 100 * time.Microsecond

// native gives the connection of the C interface below a connection of the driver, which has no method for it.
func native(driverConn any) (mapping.Connection, error) {
	if conn := reflect.ValueOf(driverConn); conn.Kind() == reflect.Pointer && conn.Elem().Kind() == reflect.Struct {
		if field := conn.Elem().FieldByName("conn"); field.IsValid() && field.Type() == reflect.TypeFor[mapping.Connection]() {
			return mapping.Connection{Ptr: field.FieldByName("Ptr").UnsafePointer()}, nil
		}
	}
	return mapping.Connection{}, fmt.Errorf("%T is no connection of the DuckDB driver that this build was made for", driverConn)
}

// execQuietly runs a statement as the driver does, but for one thing. While a thread of DuckDB is busy with the statement,
// the driver has DuckDB ask for more work without a break, and one core does nothing else. In a profile of writing that was
// almost a fifth of all samples.
func execQuietly(conn *sql.Conn, statement string) error {
	return conn.Raw(func(driverConn any) error {
		handle, err := native(driverConn)
		if err != nil {
			return err
		}
		var prepared mapping.PreparedStatement
		defer mapping.DestroyPrepare(&prepared)
		if mapping.Prepare(handle, statement, &prepared) == mapping.StateError {
			return errors.New(mapping.PrepareError(prepared))
		}
		var pending mapping.PendingResult
		defer mapping.DestroyPending(&pending)
		if mapping.PendingPrepared(prepared, &pending) == mapping.StateError {
			return errors.New(mapping.PendingError(pending))
		}
		for {
			switch state := mapping.PendingExecuteTask(pending); {
			case state == mapping.PendingStateError:
				return errors.New(mapping.PendingError(pending))
			case mapping.PendingExecutionIsFinished(state):
				return result(pending)
			case state == mapping.PendingStateNoTasksAvailable:
				time.Sleep(pause)
			}
		}
	})
}

// result ends a statement that has been executed.
func result(pending mapping.PendingResult) error {
	var result mapping.Result
	defer mapping.DestroyResult(&result)
	if mapping.ExecutePending(pending, &result) == mapping.StateError {
		return errors.New(mapping.ResultError(&result))
	}
	return nil
}
