// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
)

// MaxSmallLimit is the largest page of all lists but that of observations.
const MaxSmallLimit = 100

// ScoreGroups are the groups of fields of a score that a reader wants; what it is and its value come always.
type ScoreGroups uint8

// The groups of fields of a score.
const (
	ScoreGroupDetails ScoreGroups = 1 << iota
	ScoreGroupSubject
	ScoreGroupAnnotation
)

// Has tells whether any of the groups is wanted.
func (g ScoreGroups) Has(some ScoreGroups) bool { return g&some != 0 }

var (
	scoreGroupNames = []string{"core", "details", "subject", "annotation"}
	scoreGroups     = map[string]ScoreGroups{"details": ScoreGroupDetails, "subject": ScoreGroupSubject, "annotation": ScoreGroupAnnotation}

	// The values of two parameters, as messages list them.
	scoreSources   = []model.ScoreSource{model.ScoreFromAPI, model.ScoreFromEval, model.ScoreFromAnnotation}
	scoreDataTypes = []model.ScoreDataType{
		model.ScoreNumeric, model.ScoreCategorical, model.ScoreBoolean, model.ScoreCorrection, model.ScoreText,
	}
)

// ScoresRequest is what a caller of the list of scores asked for.
type ScoresRequest struct {
	Query  Scores
	Groups ScoreGroups
}

// ParseScores reads the query of an address that lists scores of a project. A parameter that does not exist is an issue.
// Its errors are validation.Issues, with every rule that is broken, or a *validation.Refusal.
func ParseScores(project, rawQuery string) (ScoresRequest, error) {
	p := scoreParams{listParams{validation.NewParams(rawQuery)}}
	var request ScoresRequest
	for _, name := range p.ListOf("fields", scoreGroupNames...) {
		request.Groups |= scoreGroups[name]
	}
	request.Query = Scores{
		Project: project, Limit: p.Int("limit", 1, MaxSmallLimit, DefaultLimit),
		IDs: p.texts("id"), Names: p.texts("name"), Environments: p.texts("environment"),
		ConfigIDs: p.texts("configId"), QueueIDs: p.texts("queueId"), AuthorUserIDs: p.texts("authorUserId"),
		TraceIDs: p.texts("traceId"), ObservationIDs: p.texts("observationId"), SessionIDs: p.texts("sessionId"),
		ExperimentIDs: p.texts("experimentId"),
		Sources:       anyCase(p.Params, "source", scoreSources),
		DataTypes:     anyCase(p.Params, "dataType", scoreDataTypes),
		From:          p.LenientTime("fromTimestamp"), To: p.LenientTime("toTimestamp"),
	}
	q := &request.Query
	p.value(q)
	p.rules(q)
	at, cursorError := p.cursor(ListScores, project)
	p.NoOthers()
	if err := mergeErrors(p.Err(), cursorError); err != nil {
		return ScoresRequest{}, err
	}
	if at != nil {
		q.After = &ScoreKey{Timestamp: at.Time, ID: at.ID}
	}
	if err := q.Validate(); err != nil {
		return ScoresRequest{}, fmt.Errorf("a request became a query that no store can answer: %w", err)
	}
	return request, nil
}

// scoreParams reads the parameters of the list of scores.
type scoreParams struct{ listParams }

// anyCase is a list of values of which a few exist, in any letter case, each once.
func anyCase[T ~string](p *validation.Params, name string, allowed []T) []T {
	var found []T
	for _, text := range p.List(name) {
		value := T(strings.ToUpper(text))
		switch {
		case !slices.Contains(allowed, value):
			p.Add(validation.Custom("Invalid "+name+` value: "`+string(value)+`". Allowed: `+strings.Join(textsOf(allowed), ", "), name))
		case !slices.Contains(found, value):
			found = append(found, value)
		}
	}
	return found
}

// value reads the parameters about the value, which can be read only when it is known of what type it is.
func (p scoreParams) value(q *Scores) {
	values := p.texts("value")
	q.Min, q.Max = p.Number("valueMin"), p.Number("valueMax")
	var dataType model.ScoreDataType
	if len(q.DataTypes) == 1 {
		dataType = q.DataTypes[0]
	}
	if len(values) > 0 {
		p.exactValues(q, values, dataType)
	}
	if (q.Min != nil || q.Max != nil) && dataType != model.ScoreNumeric {
		p.broken("valueMin and valueMax require dataType=NUMERIC as a single value")
	}
}

func (p scoreParams) exactValues(q *Scores, values []string, dataType model.ScoreDataType) {
	switch dataType {
	case "":
		p.broken("value filter requires a single dataType from: NUMERIC, BOOLEAN, CATEGORICAL")
	case model.ScoreCategorical:
		q.Texts = values
	case model.ScoreNumeric:
		for _, value := range values {
			number, ok := validation.ParseNumber(value)
			if !ok {
				p.broken("value filter with dataType=NUMERIC requires each value to be a finite number (got \"%s\")", value)
			}
			q.Numbers = append(q.Numbers, number)
		}
	case model.ScoreBoolean:
		for _, value := range values {
			number, ok := map[string]float64{"true": 1, "false": 0}[value]
			if !ok {
				p.broken("value filter with dataType=BOOLEAN requires each value to be \"true\" or \"false\" (got \"%s\")", value)
			}
			q.Numbers = append(q.Numbers, number)
		}
	default:
		p.broken("value filter requires dataType to be NUMERIC, BOOLEAN, or CATEGORICAL (got \"%s\")", dataType)
	}
}

// rules are about parameters beside one another.
func (p scoreParams) rules(q *Scores) {
	if len(q.ObservationIDs) > 0 && len(q.TraceIDs) == 0 {
		p.broken("observationId filter requires traceId — observation IDs are scoped to a trace")
	}
	subjects := 0
	for _, ids := range [][]string{q.TraceIDs, q.SessionIDs, q.ExperimentIDs} {
		if len(ids) > 0 {
			subjects++
		}
	}
	if subjects > 1 {
		p.broken("At most one of traceId, sessionId, experimentId may be specified")
	}
	for _, name := range []string{"userId", "traceTags"} {
		if text, _ := p.Text(name); text != "" {
			p.broken("%s filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter", name)
		}
	}
}

// broken notes a rule that is about the request as a whole.
func (p scoreParams) broken(format string, args ...any) {
	p.Add(validation.Custom(fmt.Sprintf(format, args...)))
}
