// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// requireSameMetrics ends the test when two stores do not give the same aggregates.
func requireSameMetrics(ctx context.Context, tb testing.TB, s, naive store.Store, q query.Metrics) []store.MetricRow {
	tb.Helper()
	want, err := naive.QueryMetrics(ctx, q)
	require.NoError(tb, err)
	got, err := s.QueryMetrics(ctx, q)
	require.NoError(tb, err, "%+v", q)
	if problems := compareMetrics(want, got); len(problems) > 0 {
		tb.Fatalf("%+v:\n  %s", q, strings.Join(problems, "\n  "))
	}
	return got
}

func compareMetrics(want, got []store.MetricRow) []string {
	var problems []string
	if len(want) != len(got) {
		problems = append(problems, fmt.Sprintf("%d rows, want %d", len(got), len(want)))
	}
	for i := range min(len(want), len(got)) {
		columns := slices.Sorted(maps.Keys(want[i]))
		if found := slices.Sorted(maps.Keys(got[i])); !slices.Equal(columns, found) {
			return append(problems, fmt.Sprintf("row %d has the columns %q, want %q", i, found, columns))
		}
		for _, column := range columns {
			if !sameCell(want[i][column], got[i][column]) {
				problems = append(problems, fmt.Sprintf("row %d, %s: %T %v, want %T %v", i, column, got[i][column], got[i][column], want[i][column], want[i][column]))
			}
		}
		if len(problems) >= maxProblems {
			break
		}
	}
	return problems
}

// sameCell wants the same type and the same value; floats may be off in their last bits, as no order of steps is prescribed.
func sameCell(want, got any) bool {
	if reflect.TypeOf(want) != reflect.TypeOf(got) {
		return false
	}
	switch want := want.(type) {
	case float64:
		return isClose(want, got.(float64))
	case json.Number:
		return ratOf(want).Cmp(ratOf(got)) == 0
	case [][3]float64:
		return slices.EqualFunc(want, got.([][3]float64), func(w, g [3]float64) bool {
			return isClose(w[0], g[0]) && isClose(w[1], g[1]) && w[2] == g[2]
		})
	default:
		return reflect.DeepEqual(want, got)
	}
}

func isClose(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}
