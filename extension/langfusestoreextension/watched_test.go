// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/weirhq/weir/extension/langfusestoreextension/internal/metadatatest"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

var errFull = fmt.Errorf("%w: it holds 10 bytes, more than `max_size`", store.ErrUnavailable)

// counts gives how often each operation was measured, by operation and outcome.
func (h *harness) counts(name string) map[string]uint64 {
	h.t.Helper()
	counts := map[string]uint64{}
	got, err := h.tel.GetMetric("otelcol_extension_langfuse_store_" + name)
	if err != nil {
		return counts // nothing was measured
	}
	for _, point := range got.Data.(metricdata.Histogram[float64]).DataPoints {
		id, _ := point.Attributes.Value("extension")
		require.Equal(h.t, "langfuse_store", id.AsString())
		operation, _ := point.Attributes.Value("operation")
		outcome, _ := point.Attributes.Value("outcome")
		counts[operation.AsString()+" "+outcome.AsString()] += point.Count
		require.GreaterOrEqual(h.t, point.Sum, 0.0)
		require.Less(h.t, point.Sum, 60.0, "seconds")
	}
	return counts
}

func TestEveryCallIsMeasured(t *testing.T) {
	h := newHarness(t)
	e, engine := h.startFake()
	s, ctx := e.Store(), t.Context()
	require.NoError(t, s.WriteObservations(ctx, project, []model.Observation{observation("a"), observation("b")}))
	require.NoError(t, s.WriteScores(ctx, project, []model.Score{score("s")}))
	require.NoError(t, s.WriteScores(ctx, project, []model.Score{score("s")}))
	_, err := s.ListObservations(ctx, query.Observations{Project: project, Limit: 1})
	require.NoError(t, err)
	_, err = s.ListObservations(ctx, query.Observations{})
	require.ErrorIs(t, err, store.ErrInvalid)
	_, err = s.ScoresByID(ctx, project, []string{"s"})
	require.NoError(t, err)
	require.NoError(t, s.DeleteScores(ctx, project, []string{"s"}))
	require.NoError(t, s.DeleteTraces(ctx, project, []string{"other"}))
	engine.fail(errFull)
	require.ErrorIs(t, s.WriteObservations(ctx, project, []model.Observation{observation("c")}), store.ErrUnavailable)
	engine.settings.OnCheckpoint(1500 * time.Millisecond)

	assert.Equal(t, map[string]uint64{
		"write_observations ok": 1, "write_observations error": 1, "write_scores ok": 2, "delete_scores ok": 1, "delete_traces ok": 1,
	}, h.counts("commit_duration"))
	assert.Equal(t, map[string]uint64{
		"list_observations ok": 1, "list_observations error": 1, "scores_by_id ok": 1,
		"list_documents ok": 1, // the media of the traces that were deleted
	}, h.counts("query_duration"))

	itself := attribute.String("extension", "langfuse_store")
	ignore := metricdatatest.IgnoreTimestamp()
	metadatatest.AssertEqualExtensionLangfuseStoreCheckpointDuration(t, h.tel, []metricdata.HistogramDataPoint[float64]{{
		Attributes: attribute.NewSet(itself), Count: 1, Sum: 1.5,
		Min: metricdata.NewExtrema(1.5), Max: metricdata.NewExtrema(1.5),
		Bounds:       []float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30},
		BucketCounts: []uint64{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0},
	}}, ignore)
}

func TestRowsAndBytes(t *testing.T) {
	h := newHarness(t)
	e, _ := h.startFake()
	require.NoError(t, e.Store().WriteObservations(t.Context(), project, []model.Observation{observation("a"), observation("b")}))
	require.NoError(t, e.Store().WriteObservations(t.Context(), "p-2", []model.Observation{observation("a")}))
	require.NoError(t, e.Store().WriteScores(t.Context(), project, []model.Score{score("s")}))

	itself := attribute.String("extension", "langfuse_store")
	table := func(name string) attribute.Set { return attribute.NewSet(itself, attribute.String("table", name)) }
	ignore := metricdatatest.IgnoreTimestamp()
	metadatatest.AssertEqualExtensionLangfuseStoreRows(t, h.tel, []metricdata.DataPoint[int64]{
		{Attributes: table("observations"), Value: 3}, {Attributes: table("scores"), Value: 1},
	}, ignore)
	metadatatest.AssertEqualExtensionLangfuseStoreDiskUsage(t, h.tel,
		[]metricdata.DataPoint[int64]{{Attributes: attribute.NewSet(itself), Value: 0}}, ignore)

	require.NoError(t, e.Shutdown(t.Context()))
	_, err := h.tel.GetMetric("otelcol_extension_langfuse_store_rows")
	assert.Error(t, err, "a closed store is not asked any more")
}

func TestHealthIsToldWhenItChanges(t *testing.T) {
	h := newHarness(t)
	e, engine := h.startFake()
	write := func(want error) {
		t.Helper()
		require.ErrorIs(t, e.Store().WriteObservations(t.Context(), project, []model.Observation{observation("a")}), want)
		require.ErrorIs(t, e.Store().WriteScores(t.Context(), project, []model.Score{score("s")}), want)
	}
	write(nil)
	assert.Empty(t, h.host.statuses(), "the collector itself says that all is well at start")
	engine.fail(errFull)
	write(store.ErrUnavailable)
	write(store.ErrUnavailable)
	require.Equal(t, []componentstatus.Status{componentstatus.StatusRecoverableError}, h.host.statuses())
	assert.Equal(t, errFull, h.host.events[0].Err())
	assert.Equal(t, 1, h.logs.FilterMessage("The store takes no data; senders are told to try again.").Len())

	require.NoError(t, e.Store().DeleteTraces(t.Context(), project, []string{"trace-1"}))
	assert.Len(t, h.host.statuses(), 1, "that it can delete does not mean that it can write")

	engine.fail(nil)
	write(nil)
	require.Equal(t, []componentstatus.Status{componentstatus.StatusRecoverableError, componentstatus.StatusOK}, h.host.statuses())
	assert.Equal(t, 1, h.logs.FilterMessage("The store takes data again.").Len())

	require.NoError(t, e.Shutdown(t.Context()))
	write(store.ErrUnavailable)
	assert.Len(t, h.host.statuses(), 2, "that a closed store takes nothing is no news")
}

// What is the fault of a caller says nothing about the store.
func TestWhatIsNotTheFaultOfTheStore(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tc := range map[string]struct {
		ctx context.Context
		err error
	}{
		"invalid":        {t.Context(), fmt.Errorf("%w: no id", store.ErrInvalid)},
		"another error":  {t.Context(), errors.New("who knows")},
		"caller left":    {done, context.Canceled},
		"both":           {done, fmt.Errorf("%w: %w", store.ErrUnavailable, context.Canceled)},
		"caller in time": {t.Context(), context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			e, engine := h.startFake()
			engine.fail(tc.err)
			require.ErrorIs(t, e.Store().WriteObservations(tc.ctx, project, []model.Observation{observation("a")}), tc.err)
			assert.Empty(t, h.host.statuses())
		})
	}
}

func TestHealthUnderConcurrency(t *testing.T) {
	h := newHarness(t)
	e, engine := h.startFake()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 100 {
				if i == 0 {
					engine.fail(errFull)
				} else {
					engine.fail(nil)
				}
				_ = e.Store().WriteScores(t.Context(), project, []model.Score{score("s")})
			}
		})
	}
	group.Wait()
	engine.fail(nil)
	require.NoError(t, e.Store().WriteScores(t.Context(), project, nil))
	statuses := h.host.statuses()
	for i, status := range statuses {
		want := componentstatus.StatusRecoverableError
		if i%2 == 1 {
			want = componentstatus.StatusOK
		}
		require.Equal(t, want, status, "report %d", i)
	}
	assert.Zero(t, len(statuses)%2, "it ends well")
}
