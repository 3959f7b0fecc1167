// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"fmt"
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
)

// DefaultLimit is how many rows a page of observations has when nothing is said.
const DefaultLimit = 50

// ObservationsRequest is what a caller of the list of observations asked for.
type ObservationsRequest struct {
	// Query is the question to the store. Its groups are those that were asked for.
	Query Observations
	// ExpandMetadata are the keys of the metadata whose values are wanted at full length.
	ExpandMetadata map[string]bool
}

// ParseObservations reads the query of an address that lists observations of a project. Its errors are
// validation.Issues, with all that is wrong, or a *validation.Refusal, with what is wrong in one sentence.
func ParseObservations(project, rawQuery string) (ObservationsRequest, error) {
	p := observationParams{listParams{validation.NewParams(rawQuery)}}
	request := ObservationsRequest{
		Query:          Observations{Project: project, Groups: p.groups(), Limit: p.limit()},
		ExpandMetadata: p.expandMetadata(),
	}
	q := &request.Query
	p.rejectParsedIO()
	q.From, q.To = p.Time("fromStartTime"), p.Time("toStartTime")
	fixed := p.fixed()

	filter, filterError := p.filter(ObservationFilter)
	at, cursorError := p.cursor(ListObservations, project)
	if err := mergeErrors(p.Err(), filterError, cursorError); err != nil {
		return ObservationsRequest{}, err
	}
	if at != nil {
		q.After = &ObservationKey{Start: at.Time, TraceID: at.TraceID, ID: at.ID}
	}
	q.combine(fixed, filter)
	if err := q.Validate(); err != nil {
		return ObservationsRequest{}, fmt.Errorf("a request became a query that no store can answer: %w", err)
	}
	return request, nil
}

// combine puts both kinds of conditions together; those of the filter replace the bounds of time too.
func (q *Observations) combine(fixed, filter []Condition) {
	q.Where = combine(fixed, filter)
	if hasColumn(filter, ColumnStartTime) {
		q.From, q.To = boundsOf(filter)
	}
}

// ParseLegacyObservations reads the query of an address that lists observations of a project by the number of the page.
// Its errors are validation.Issues or a *validation.Refusal.
func ParseLegacyObservations(project, rawQuery string) (Observations, validation.Page, error) {
	p := observationParams{listParams{validation.NewParams(rawQuery)}}
	page := p.Page(DefaultLimit)
	q := Observations{Project: project, Groups: GroupAll, Limit: page.Limit, Offset: page.Offset(), WithTotal: true}
	q.From, q.To = p.Time("fromStartTime"), p.Time("toStartTime")
	fixed := p.equal(ColumnName, ColumnUserID, ColumnTraceID, ColumnParentObservationID, ColumnVersion)
	if text := p.optionalOneOf(string(ColumnType), observationTypes); text != "" {
		fixed = append(fixed, Condition{Column: ColumnType, Operator: OpEqual, Text: text})
	}
	if text := p.optionalOneOf(string(ColumnLevel), observationLevels); text != "" {
		fixed = append(fixed, Condition{Column: ColumnLevel, Operator: OpEqual, Text: text})
	}
	if environments := p.repeated("environment"); len(environments) > 0 {
		fixed = append(fixed, Condition{Column: ColumnEnvironment, Operator: OpAnyOf, Texts: environments})
	}
	filter, filterError := p.filter(ObservationFilter)
	if err := mergeErrors(p.Err(), filterError); err != nil {
		return Observations{}, page, err
	}
	q.combine(fixed, filter)
	if err := q.Validate(); err != nil {
		return Observations{}, page, fmt.Errorf("a request became a query that no store can answer: %w", err)
	}
	return q, page, nil
}

// observationParams reads the parameters of the list of observations.
type observationParams struct{ listParams }

// groupNames are the groups as callers name them, in the order in which messages list them.
var groupNames = []struct {
	name  string
	group Groups
}{
	{"core", 0},
	{"basic", GroupBasic},
	{"time", GroupTime},
	{"io", GroupIO},
	{"metadata", GroupMetadata},
	{"model", GroupModel},
	{"usage", GroupUsage},
	{"prompt", GroupPrompt},
	{"metrics", GroupMetrics},
	{"trace_context", GroupTraceContext},
}

// groups are the groups that the parameter `fields` asks for. Unknown names are left out, for callers that know more
// groups than we do; only when the parameter is repeated they are an issue.
func (p observationParams) groups() Groups {
	const byDefault = GroupBasic
	values := p.Texts("fields")
	if len(values) == 0 || p.IsEmpty("fields") {
		return byDefault
	}
	var groups Groups
	for i, value := range values {
		for name := range strings.SplitSeq(value, ",") {
			group, known := groupOf(strings.TrimSpace(name))
			groups |= group
			if !known && len(values) > 1 {
				p.Add(validation.NotOneOf(allGroupNames(), "fields", i))
			}
		}
	}
	return groups
}

func groupOf(name string) (_ Groups, known bool) {
	for _, candidate := range groupNames {
		if candidate.name == name {
			return candidate.group, true
		}
	}
	return 0, false
}

func allGroupNames() []string {
	var names []string
	for _, candidate := range groupNames {
		names = append(names, candidate.name)
	}
	return names
}

// limit is the size of the page. An empty one is none, as JavaScript has it.
func (p observationParams) limit() int {
	limit := p.Int("limit", 0, MaxLimit, DefaultLimit)
	if p.IsEmpty("limit") {
		return 0
	}
	return limit
}

// maxExpanded is how many keys of the metadata can be asked for at full length.
const maxExpanded = 1000

func (p observationParams) expandMetadata() map[string]bool {
	keys := p.List("expandMetadata")
	if len(keys) > maxExpanded {
		p.Add(validation.TooBig(validation.OfArray, maxExpanded, "expandMetadata"))
	}
	if len(keys) == 0 || len(keys) > maxExpanded {
		return nil
	}
	expanded := make(map[string]bool, len(keys))
	for _, key := range keys {
		expanded[key] = true
	}
	return expanded
}

func (p observationParams) rejectParsedIO() {
	if parse, _ := p.Bool("parseIoAsJson"); parse {
		p.Add(validation.Custom("parseIoAsJson=true is no longer supported on the v2 observations endpoint. "+
			"Input/output fields are always returned as raw strings. Remove the parseIoAsJson parameter or set it to false.", "parseIoAsJson"))
	}
}

// fixed are the conditions of the parameters that stand for one column each. An empty text asks for rows without one.
func (p observationParams) fixed() []Condition {
	var where []Condition
	for _, column := range []Column{
		ColumnName, ColumnUserID, ColumnSessionID, ColumnTraceID, ColumnVersion, ColumnParentObservationID,
	} {
		if text, ok := p.Text(string(column)); ok {
			p.checkLength(text, string(column))
			where = append(where, Condition{Column: column, Operator: OpEqual, Text: text})
		}
	}
	if text := p.OneOf(string(ColumnType), observationTypes...); text != "" {
		where = append(where, Condition{Column: ColumnType, Operator: OpEqual, Text: text})
	}
	if text := p.OneOf(string(ColumnLevel), observationLevels...); text != "" {
		where = append(where, Condition{Column: ColumnLevel, Operator: OpEqual, Text: text})
	}
	if isRoot, ok := p.Bool(string(ColumnIsRootObservation)); ok {
		where = append(where, Condition{Column: ColumnIsRootObservation, Operator: OpEqual, Bool: isRoot})
	}
	if environments := p.environments(); len(environments) > 0 {
		where = append(where, Condition{Column: ColumnEnvironment, Operator: OpAnyOf, Texts: environments})
	}
	return where
}

// environments are any of which a row may be. A single value may have several, between commas.
func (p observationParams) environments() []string {
	const name = string(ColumnEnvironment)
	values := p.Texts(name)
	if len(values) == 1 {
		values = strings.Split(values[0], ",")
	}
	if len(values) > MaxConditionTexts {
		p.Add(validation.TooBig(validation.OfArray, MaxConditionTexts, name))
		return nil
	}
	for _, value := range values {
		p.checkLength(value, name)
	}
	return values
}

// The values of two parameters with a few, as messages list them.
var (
	observationTypes = []string{
		string(model.TypeGeneration), string(model.TypeSpan), string(model.TypeEvent), string(model.TypeAgent), string(model.TypeTool),
		string(model.TypeChain), string(model.TypeRetriever), string(model.TypeEvaluator), string(model.TypeEmbedding), string(model.TypeGuardrail),
	}
	observationLevels = []string{string(model.LevelDebug), string(model.LevelDefault), string(model.LevelWarning), string(model.LevelError)}
)
