// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// watchedStore is the store that other components get. It measures what they do, and makes known when writes begin to
// fail and when they work again. Methods that are not here are not measured.
type watchedStore struct {
	store.Store
	meters *meters
	health *health
}

func (w *watchedStore) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	done := w.meters.commit(ctx, "write_observations")
	err := w.Store.WriteObservations(ctx, project, rows)
	done(err)
	w.health.note(ctx, err)
	return err
}

func (w *watchedStore) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	done := w.meters.commit(ctx, "write_scores")
	err := w.Store.WriteScores(ctx, project, scores)
	done(err)
	w.health.note(ctx, err)
	return err
}

// DeleteTraces says nothing about health: a store that is too full to write can still delete.
func (w *watchedStore) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	done := w.meters.commit(ctx, "delete_traces")
	err := w.Store.DeleteTraces(ctx, project, traceIDs)
	done(err)
	return err
}

func (w *watchedStore) DeleteScores(ctx context.Context, project string, ids []string) error {
	done := w.meters.commit(ctx, "delete_scores")
	err := w.Store.DeleteScores(ctx, project, ids)
	done(err)
	return err
}

func (w *watchedStore) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	done := w.meters.query(ctx, "list_observations")
	page, err := w.Store.ListObservations(ctx, q)
	done(err)
	return page, err
}

func (w *watchedStore) ScoresByID(ctx context.Context, project string, ids []string) ([]store.StoredScore, error) {
	done := w.meters.query(ctx, "scores_by_id")
	scores, err := w.Store.ScoresByID(ctx, project, ids)
	done(err)
	return scores, err
}

// WriteDocuments says nothing about health: documents are few, and whoever writes one is told at once.
func (w *watchedStore) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	done := w.meters.commit(ctx, "write_documents")
	err := w.Store.WriteDocuments(ctx, project, changes)
	done(err)
	return err
}

func (w *watchedStore) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	done := w.meters.query(ctx, "list_documents")
	page, err := w.Store.ListDocuments(ctx, q)
	done(err)
	return page, err
}

// Close ends the watch first: that a closed store takes no data is no news.
func (w *watchedStore) Close(ctx context.Context) error {
	w.health.end()
	return w.Store.Close(ctx)
}
