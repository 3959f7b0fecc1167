// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"fmt"

	"github.com/weirhq/weir/internal/validation"
)

// ItemGroups are the groups of fields of an item of an experiment that a reader wants.
type ItemGroups uint8

// The groups of fields of an item.
const (
	ItemGroupDataset ItemGroups = 1 << iota
	ItemGroupIO
	ItemGroupMetadata
	ItemGroupItemMetadata
	ItemGroupExperimentMetadata
	ItemGroupScores
)

// Has tells whether any of the groups is wanted.
func (g ItemGroups) Has(some ItemGroups) bool { return g&some != 0 }

// ExperimentItemsRequest is what a caller of the list of items asked for.
type ExperimentItemsRequest struct {
	Query  ExperimentItems
	Groups ItemGroups
}

var (
	experimentColumns = []FilterColumn{
		{Name: "id", Column: ColumnExperimentID, Type: FilterStringOptions},
		{Name: "name", Column: ColumnExperimentName, Type: FilterStringOptions},
		{Name: "datasetId", Column: ColumnExperimentDatasetID, Type: FilterStringOptions},
	}
	experimentItemColumns = []FilterColumn{
		{Name: "experimentId", Column: ColumnExperimentID, Type: FilterStringOptions},
		{Name: "experimentName", Column: ColumnExperimentName, Type: FilterStringOptions},
		{Name: "experimentItemId", Column: ColumnExperimentItemID, Type: FilterStringOptions},
		{Name: "datasetId", Column: ColumnExperimentDatasetID, Type: FilterStringOptions},
	}
	experimentFilter     = shortTable(experimentColumns)
	experimentItemFilter = shortTable(experimentItemColumns)

	itemGroupNames = []string{"core", "dataset", "io", "metadata", "itemMetadata", "experimentMetadata", "scores"}
	itemGroups     = map[string]ItemGroups{
		"dataset": ItemGroupDataset, "io": ItemGroupIO, "metadata": ItemGroupMetadata, "itemMetadata": ItemGroupItemMetadata,
		"experimentMetadata": ItemGroupExperimentMetadata, "scores": ItemGroupScores,
	}
)

// shortTable is a table of so few columns that a message can name them all.
func shortTable(columns []FilterColumn) *FilterTable {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].Name
	}
	return NewFilterTable(columns...).WithMistakes(func(_ string, at []any) error {
		return validation.Issues{validation.NotOneOf(names, at...)}
	}, nil)
}

// ParseExperiments reads the query of an address that lists experiments of a project. It asks for scores and metadata
// where the caller wants them shown. Its errors are validation.Issues or a *validation.Refusal.
func ParseExperiments(project, rawQuery string) (Experiments, error) {
	p := listParams{validation.NewParams(rawQuery)}
	q := Experiments{Project: project, Limit: p.Int("limit", 1, MaxSmallLimit, DefaultLimit)}
	q.From, q.To = p.RequiredTime("fromStartTime"), p.Time("toStartTime")
	scoreLimit := p.Int("scoreLimit", 1, MaxScoreLimit, MaxScoreLimit)
	for _, name := range p.ListOf("fields", "core", "metadata", "scores") {
		switch name {
		case "metadata":
			q.WithMetadata = true
		case "scores":
			q.ScoreLimit = scoreLimit
		}
	}
	fixed := p.anyOf(experimentColumns)
	filter, filterError := p.filter(experimentFilter)
	at, cursorError := p.cursor(ListExperiments, project)
	if err := mergeErrors(p.Err(), filterError, cursorError); err != nil {
		return Experiments{}, err
	}
	if at != nil {
		q.After = &ExperimentKey{LastStart: at.Time, ID: at.ExperimentID}
	}
	q.Where = combine(fixed, filter)
	if err := q.Validate(); err != nil {
		return Experiments{}, fmt.Errorf("a request became a query that no store can answer: %w", err)
	}
	return q, nil
}

// ParseExperimentItems reads the query of an address that lists items of experiments of a project. Its errors are
// validation.Issues or a *validation.Refusal.
func ParseExperimentItems(project, rawQuery string) (ExperimentItemsRequest, error) {
	p := listParams{validation.NewParams(rawQuery)}
	request := ExperimentItemsRequest{Groups: ItemGroupDataset}
	q := &request.Query
	q.Project, q.Limit = project, p.Int("limit", 1, MaxSmallLimit, DefaultLimit)
	q.From, q.To = p.RequiredTime("fromStartTime"), p.Time("toStartTime")
	if names := p.ListOf("fields", itemGroupNames...); len(names) > 0 {
		request.Groups = 0
		for _, name := range names {
			request.Groups |= itemGroups[name]
		}
	}
	q.Groups = request.Groups.ofObservation()
	if scoreLimit := p.Int("scoreLimit", 1, MaxScoreLimit, MaxScoreLimit); request.Groups.Has(ItemGroupScores) {
		q.ScoreLimit = scoreLimit
	}
	fixed := p.anyOf(experimentItemColumns)
	filter, filterError := p.filter(experimentItemFilter)
	at, cursorError := p.cursor(ListExperimentItems, project)
	if err := mergeErrors(p.Err(), filterError, cursorError); err != nil {
		return ExperimentItemsRequest{}, err
	}
	if at != nil {
		q.After = &ObservationKey{Start: at.Time, TraceID: at.TraceID, ID: at.ID}
	}
	q.Where = combine(fixed, filter)
	if err := q.Validate(); err != nil {
		return ExperimentItemsRequest{}, fmt.Errorf("a request became a query that no store can answer: %w", err)
	}
	return request, nil
}

// ofObservation are the groups of the observation behind an item that are needed to show it.
func (g ItemGroups) ofObservation() Groups {
	groups := GroupBasic
	if g.Has(ItemGroupIO) {
		groups |= GroupIO
	}
	if g.Has(ItemGroupMetadata) {
		groups |= GroupMetadata
	}
	return groups
}
