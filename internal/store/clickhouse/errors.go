// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/weirhq/weir/internal/store"
)

// What ClickHouse calls its errors.
const (
	codeTableExists   = 57
	codeUnknownTable  = 60
	codeTooManyRows   = 158
	codeTimeout       = 159
	codeTooSlow       = 160
	codeReadOnly      = 164
	codeTooManyQuery  = 202
	codeSocketTimeout = 209
	codeNetwork       = 210
	codeAborted       = 236
	codeMemory        = 241
	codeNotAllServers = 279
	codeTooManyBytes  = 307
	codeConstraint    = 469
	codeNoGrant       = 497
	codeNoPassword    = 516
)

func hasCode(err error, codes ...int32) bool {
	var exception *clickhouse.Exception
	return errors.As(err, &exception) && slices.Contains(codes, exception.Code)
}

// isAway tells an error of the connection from one that the server gave as its answer.
func isAway(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, clickhouse.ErrAcquireConnTimeout) || errors.Is(err, clickhouse.ErrConnectionClosed) ||
		hasCode(err, codeNotAllServers, codeAborted, codeNetwork, codeSocketTimeout, codeTooManyQuery, codeReadOnly)
}

var errClosed = fmt.Errorf("%w: it is closed", store.ErrUnavailable)

// writeError makes the error of a write one that its caller can go by. What ClickHouse cannot do now it may do later.
func (e *engine) writeError(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrConflict):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case e.closing.Err() != nil:
		return errClosed
	default:
		return fmt.Errorf("%w: ClickHouse: %w", store.ErrUnavailable, err)
	}
}
