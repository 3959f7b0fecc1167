// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/turns"
)

// What ClickHouse calls its errors.
const (
	codeEOF            = 32
	codeTypeMismatch   = 53
	codeTableExists    = 57
	codeUnknownTable   = 60
	codeSyntax         = 62
	codeOutOfBounds    = 69
	codeConversion     = 70
	codeTooManyRows    = 158
	codeTimeout        = 159
	codeTooSlow        = 160
	codeReadOnlyUser   = 164
	codeDNS            = 198
	codeTooManyQuery   = 202
	codeSocketTimeout  = 209
	codeNetwork        = 210
	codeNoKeeper       = 225
	codeAborted        = 236
	codeMemory         = 241
	codeReadOnlyTable  = 242
	codeNotAllServers  = 279
	codeTooFewReplicas = 285
	codeQuorumBusy     = 286
	codeReplicaBehind  = 289
	codeTooManyBytes   = 307
	codeUnknownInsert  = 319
	codeConstraint     = 469
	codeNoGrant        = 497
	codeNoPassword     = 516
	codeKeeper         = 999
)

func hasCode(err error, codes ...int32) bool {
	var exception *clickhouse.Exception
	return errors.As(err, &exception) && slices.Contains(codes, exception.Code)
}

// withoutValues takes the values of rows out of the words of ClickHouse: they are not for logs. It quotes them where a constraint
// is not met, and has the whole statement where a name in it is not known.
func withoutValues(err error) error {
	if exception, ok := errors.AsType[*clickhouse.Exception](err); ok {
		for _, before := range []string{"Column values:", "In scope ", "in scope ", "(in query:"} {
			exception.Message, _, _ = strings.Cut(exception.Message, before)
		}
		exception.Message = strings.TrimRight(exception.Message, " .:")
	}
	return err
}

// isAway tells an error of the connection from one that the server gave as its answer.
func isAway(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, clickhouse.ErrAcquireConnTimeout) || errors.Is(err, clickhouse.ErrConnectionClosed) ||
		hasCode(err, codeNotAllServers, codeAborted, codeEOF, codeNetwork, codeSocketTimeout, codeDNS, codeTooManyQuery,
			codeReadOnlyTable, codeNoKeeper, codeKeeper, codeTooFewReplicas, codeQuorumBusy, codeReplicaBehind, codeUnknownInsert)
}

// isPlain tells that the other side does not speak TLS.
func isPlain(err error) bool {
	_, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok
}

// errWrongValue is a value that is of another type than its column.
var errWrongValue = errors.New("a value cannot be stored")

// isWrong tells an error that is the same however often a write is sent: its values are such that no table takes them. What a person
// has to mend in ClickHouse, such as a right that was taken away or a column that is not there, is none: senders keep their data
// until then.
func isWrong(err error) bool {
	return errors.Is(err, errWrongValue) || hasCode(err, codeTypeMismatch, codeSyntax, codeOutOfBounds, codeConversion)
}

// writeError makes the error of a write one that its caller can go by. What ClickHouse cannot do now it may do later.
func (e *engine) writeError(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrConflict):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case e.closing.Err() != nil:
		return turns.ErrClosed
	case isWrong(err):
		return fmt.Errorf("failed to write to the store: %w", err)
	default:
		return fmt.Errorf("%w: ClickHouse: %w", store.ErrUnavailable, err)
	}
}
