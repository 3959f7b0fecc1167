// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"context"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/stretchr/testify/require"
)

// lockedServer has a lock that is not old, and answers so many questions before the time is over.
type lockedServer struct {
	driver.Conn
	answers int
	over    context.CancelFunc
}

type noRows struct{ driver.Rows }

func (noRows) Next() bool   { return false }
func (noRows) Err() error   { return nil }
func (noRows) Close() error { return nil }

func (s *lockedServer) answer(ctx context.Context, answer error) error {
	s.answers--
	if s.answers < 0 {
		s.over()
		return ctx.Err()
	}
	return answer
}

func (s *lockedServer) Exec(ctx context.Context, _ string, _ ...any) error {
	return s.answer(ctx, &clickhouse.Exception{Code: codeTableExists})
}

func (s *lockedServer) Query(ctx context.Context, _ string, _ ...any) (driver.Rows, error) {
	return noRows{}, s.answer(ctx, nil)
}

// Who has seen a lock says so, whatever it was doing when its time was over.
func TestLockedUntilTheTimeIsOver(t *testing.T) {
	settings := Settings{Database: "d"}.WithDefaults()
	for answers := 1; answers <= 3; answers++ {
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := lockSchema(ctx, &settings, &lockedServer{answers: answers, over: cancel})
		require.ErrorIs(t, err, errLocked, "after %d answers", answers)
	}
}
