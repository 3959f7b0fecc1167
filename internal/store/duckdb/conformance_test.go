// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/storetest"
)

var underTest = storetest.Engine{
	Open: func(t testing.TB, dir string) store.Store {
		s, err := Open(t.Context(), Settings{Dir: dir, WriteWait: patience})
		require.NoError(t, err)
		return s
	},
}

func TestConformance(t *testing.T) { storetest.Run(t, underTest) }

func TestRandom(t *testing.T) { storetest.RunRandom(t, underTest) }

func TestKill(t *testing.T) { storetest.KillTest(t, underTest) }

func BenchmarkStore(b *testing.B) { storetest.Bench(b, underTest) }
