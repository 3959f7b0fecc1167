// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/store"
)

func TestKindsOfErrors(t *testing.T) {
	exception := func(code int32) error { return &clickhouse.Exception{Code: code} }
	e := &engine{closing: context.Background()}
	for name, c := range map[string]struct {
		err         error
		away, wrong bool
	}{
		"the connection broke":       {err: io.ErrUnexpectedEOF, away: true},
		"a shard is away":            {err: exception(279), away: true},
		"no such host":               {err: exception(198), away: true},
		"the table is read-only":     {err: exception(242), away: true},
		"no Keeper":                  {err: exception(225), away: true},
		"the Keeper failed":          {err: exception(999), away: true},
		"too few replicas":           {err: exception(285), away: true},
		"another insert goes on":     {err: exception(286), away: true},
		"the replica is behind":      {err: exception(289), away: true},
		"an insert may have failed":  {err: exception(319), away: true},
		"the user may only read":     {err: exception(164)},
		"the table has gone":         {err: exception(60)},
		"the disk is full":           {err: exception(243)},
		"a value of another type":    {err: errWrongValue, wrong: true},
		"a column of another type":   {err: exception(53), wrong: true},
		"a column that is not there": {err: exception(16)},
		"another number of columns":  {err: exception(20)},
		"a column that is none":      {err: exception(44)},
		"a name that is not known":   {err: exception(47)},
		"a type that is not known":   {err: exception(50)},
		"no such setting":            {err: exception(115)},
		"a number out of bounds":     {err: exception(69), wrong: true},
		"a text that is no number":   {err: exception(70), wrong: true},
		"not SQL":                    {err: exception(62), wrong: true},
	} {
		assert.Equal(t, c.away, isAway(c.err), name)
		assert.Equal(t, !c.wrong, errors.Is(e.writeError(t.Context(), c.err), store.ErrUnavailable), name)
	}
}

func TestWhatIsWrongAtTheStartIsSaid(t *testing.T) {
	settings := &Settings{Endpoints: []string{"one:9440"}, Database: "weir", Username: "ada"}
	for _, c := range []struct {
		err  error
		said string
	}{
		{&clickhouse.Exception{Code: 516}, "ClickHouse at [one:9440] does not accept the `username` \"ada\" with this `password`"},
		{&clickhouse.Exception{Code: 497}, "the user \"ada\" may not do in ClickHouse what a store needs: grant it the rights of docs/clickhouse.md on the database weir"},
		{fmt.Errorf("dial: %w", tls.RecordHeaderError{Msg: "odd"}), "ClickHouse at [one:9440] does not speak TLS: give the secure port in `endpoints`"},
		{io.ErrUnexpectedEOF, "ClickHouse at [one:9440] does not answer; check `endpoints`"},
	} {
		assert.ErrorContains(t, explainOpen(c.err, settings), c.said)
	}
}

// What may pass by itself does not end the start of a collector.
func TestWhatPassesIsWaitedFor(t *testing.T) {
	for _, err := range []error{errLocked, errSlowClock, io.ErrUnexpectedEOF} {
		assert.ErrorIs(t, explainOpen(err, &Settings{}), store.ErrUnavailable)
	}
}
