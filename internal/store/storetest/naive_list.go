// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// asksFor tells whether the row is one of those that the query wants, on this page or a later one.
func asksFor(q *query.Observations, o *model.Observation) bool {
	if !q.From.IsZero() && o.Start.Before(q.From) {
		return false
	}
	if !q.To.IsZero() && !o.Start.Before(q.To) {
		return false
	}
	for i := range q.Where {
		if !holds(&q.Where[i], o) {
			return false
		}
	}
	return true
}

func keyOf(o *model.Observation) query.ObservationKey {
	return query.ObservationKey{Start: o.Start, TraceID: o.TraceID, ID: o.ID}
}

func compareKeys(a, b query.ObservationKey) int {
	return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.TraceID, b.TraceID), cmp.Compare(a.ID, b.ID))
}

// newestFirst is the order of lists.
func newestFirst(a, b store.StoredObservation) int {
	return compareKeys(keyOf(&b.Observation), keyOf(&a.Observation))
}

func sortNewestFirst(rows []store.StoredObservation) { slices.SortFunc(rows, newestFirst) }

// selectGroups keeps the fields of some groups, and those that come always. The division is that of the public API.
// Its isRootObservation is IsAppRoot here, and its traceName falls back on the name of a root: so these two fields
// belong to two groups.
func selectGroups(row *store.StoredObservation, groups query.Groups) store.StoredObservation {
	o := &row.Observation
	kept := store.StoredObservation{Observation: model.Observation{
		TraceID: o.TraceID, ID: o.ID, ParentID: o.ParentID, Start: o.Start, End: o.End, Type: o.Type,
	}}
	if groups.Has(query.GroupBasic) {
		kept.Level, kept.StatusMessage = o.Level, o.StatusMessage
		kept.Version, kept.Environment = o.Version, o.Environment
		kept.UserID, kept.SessionID = o.UserID, o.SessionID
		kept.Bookmarked, kept.Public = o.Bookmarked, o.Public
	}
	if groups.Has(query.GroupBasic | query.GroupTraceContext) {
		kept.Name, kept.IsAppRoot = o.Name, o.IsAppRoot
	}
	if groups.Has(query.GroupTime) {
		kept.CreatedAt, kept.UpdatedAt = row.CreatedAt, row.UpdatedAt
	}
	if groups.Has(query.GroupTime | query.GroupMetrics) {
		kept.CompletionStart = o.CompletionStart
	}
	if groups.Has(query.GroupIO) {
		kept.Input, kept.Output = o.Input, o.Output
	}
	if groups.Has(query.GroupMetadata) {
		kept.Metadata = o.Metadata
	}
	if groups.Has(query.GroupModel) {
		kept.ModelID, kept.Model, kept.ModelParameters = o.ModelID, o.Model, o.ModelParameters
	}
	if groups.Has(query.GroupUsage) {
		kept.ProvidedUsage, kept.Usage, kept.ProvidedCost, kept.Cost = o.ProvidedUsage, o.Usage, o.ProvidedCost, o.Cost
		kept.PricingTierID, kept.PricingTierName = o.PricingTierID, o.PricingTierName
	}
	if groups.Has(query.GroupPrompt) {
		kept.PromptID, kept.PromptName, kept.PromptVersion = o.PromptID, o.PromptName, o.PromptVersion
	}
	if groups.Has(query.GroupTraceContext) {
		kept.Tags, kept.Release, kept.TraceName = o.Tags, o.Release, o.TraceName
	}
	if groups.Has(query.GroupTools) {
		kept.ToolDefinitions, kept.ToolCalls, kept.ToolCallNames = o.ToolDefinitions, o.ToolCalls, o.ToolCallNames
	}
	if groups.Has(query.GroupExperiment) {
		kept.Experiment = o.Experiment
	}
	if groups.Has(query.GroupOrigin) {
		kept.Origin = o.Origin
	}
	return kept
}

// clone shares no memory with o, so that nobody changes a stored row from outside.
func clone(o model.Observation) model.Observation {
	o.Tags = slices.Clone(o.Tags)
	o.ProvidedUsage, o.Usage = slices.Clone(o.ProvidedUsage), slices.Clone(o.Usage)
	o.ProvidedCost, o.Cost = slices.Clone(o.ProvidedCost), slices.Clone(o.Cost)
	o.ToolDefinitions = slices.Clone(o.ToolDefinitions)
	o.ToolCalls, o.ToolCallNames = slices.Clone(o.ToolCalls), slices.Clone(o.ToolCallNames)
	if o.PromptVersion != nil {
		o.PromptVersion = new(*o.PromptVersion)
	}
	return o
}
