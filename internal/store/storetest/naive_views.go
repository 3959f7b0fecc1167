// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// viewRows are all rows of a view, those that a join of the query leaves out excepted.
func (p *naiveProject) viewRows(q *query.Metrics) []metricInput {
	var rows []metricInput
	if q.View == query.ViewObservations {
		needsScores := slices.ContainsFunc(q.Metrics, func(m query.Metric) bool { return m.Measure == "countScores" })
		for _, row := range p.observations {
			input := p.observationInput(&row.Observation)
			if !needsScores || input.measures["countScores"] != nil {
				rows = append(rows, input)
			}
		}
		return rows
	}
	if q.View == query.ViewTraces {
		for _, t := range p.traces() {
			rows = append(rows, p.traceInput(&t))
		}
		return rows
	}
	used := slices.Clone(q.Dimensions)
	for i := range q.Filters {
		if d, ok := q.FilterDimension(q.Filters[i].Column); ok {
			used = append(used, d.Name)
		}
	}
	for _, score := range p.scores {
		isOfView := map[query.View]bool{
			query.ViewScoresNumeric:     score.DataType.IsNumber(),
			query.ViewScoresBoolean:     score.DataType == model.ScoreBoolean,
			query.ViewScoresCategorical: score.DataType == model.ScoreCategorical,
		}[q.View]
		input := p.scoreInput(&score.Score)
		isComplete := !slices.ContainsFunc(used, func(name string) bool { _, ok := input.dimensions[name]; return !ok })
		if isOfView && isComplete {
			rows = append(rows, input)
		}
	}
	return rows
}

// milliseconds are nil where a time is missing.
func milliseconds(from, to time.Time) any {
	if from.IsZero() || to.IsZero() {
		return nil
	}
	return big.NewInt(to.Sub(from).Milliseconds())
}

// perSecond is a number for each whole second, nil where there is none.
func perSecond(number int64, from, to time.Time) any {
	if from.IsZero() || to.IsZero() {
		return nil
	}
	whole := math.Floor(float64(to.Sub(from).Milliseconds()) / 1000)
	if whole == 0 {
		return nil
	}
	return float64(number)/whole + 0 // which makes 0 of -0
}

func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func countOrNil(n int) any {
	if n == 0 {
		return nil
	}
	return big.NewInt(int64(n))
}

func versionOrNil(version *int) any {
	if version == nil {
		return nil
	}
	return float64(*version)
}

func (p *naiveProject) observationInput(o *model.Observation) metricInput {
	total, _ := o.Usage.Get(model.UsageKeyTotal)
	cost, _ := o.Cost.Get(model.UsageKeyTotal)
	inputCost, _ := costOf(query.ColumnInputCost, o)
	outputCost, _ := costOf(query.ColumnOutputCost, o)
	scores := 0
	for _, score := range p.scores {
		if score.ObservationID == o.ID && score.TraceID == o.TraceID {
			scores++
		}
	}
	var tools, calls, costs, usage []metricEntry
	for _, tool := range o.ToolDefinitions {
		tools = append(tools, metricEntry{name: tool.Name})
	}
	for _, name := range o.ToolCallNames {
		calls = append(calls, metricEntry{name: name})
	}
	for _, e := range o.Cost {
		costs = append(costs, metricEntry{e.Key, "costByType", big.NewInt(int64(e.Amount))})
	}
	for _, e := range o.Usage {
		usage = append(usage, metricEntry{e.Key, "usageByType", big.NewInt(e.Units)})
	}
	return metricInput{
		at: o.Start, metadata: o.Metadata,
		dimensions: map[string]any{
			"id": o.ID, "traceId": o.TraceID, "parentObservationId": o.ParentID, "userId": o.UserID, "sessionId": o.SessionID,
			"experimentName": o.Experiment.Name, "experimentDatasetId": o.Experiment.DatasetID, "experimentId": o.Experiment.ID,
			"environment": o.Environment, "type": string(o.Type), "name": o.Name, "level": string(o.Level), "version": o.Version,
			"tags": append([]string{}, o.Tags...), "release": o.Release, "traceName": textOf(query.ColumnTraceName, o),
			"traceRelease": o.Release, "traceVersion": o.Version, "providedModelName": o.Model, "promptName": o.PromptName,
			"promptVersion": versionOrNil(o.PromptVersion), "isRootObservation": o.IsRoot(), "startTimeMonth": o.Start.UTC().Format("2006-01"),
			"entries of toolNames": tools, "entries of calledToolNames": calls, "entries of costType": costs, "entries of usageType": usage,
		},
		measures: map[string]any{
			"count": big.NewInt(1), "traceId": o.TraceID, "uniqueUserIds": textOrNil(o.UserID), "uniqueSessionIds": textOrNil(o.SessionID),
			"latency": milliseconds(o.Start, o.End), "streamingLatency": milliseconds(o.CompletionStart, o.End),
			"timeToFirstToken": milliseconds(o.Start, o.CompletionStart),
			"inputTokens":      big.NewInt(tokens(o, true)), "outputTokens": big.NewInt(tokens(o, false)), "totalTokens": big.NewInt(total),
			"tokensPerSecond":       perSecond(total, o.Start, o.End),
			"outputTokensPerSecond": perSecond(tokens(o, false), o.CompletionStart, o.End),
			"inputCost":             big.NewInt(int64(inputCost)), "outputCost": big.NewInt(int64(outputCost)), "totalCost": big.NewInt(int64(cost)),
			"countScores": countOrNil(scores), "toolDefinitions": countOrNil(len(o.ToolDefinitions)), "toolCalls": countOrNil(len(o.ToolCalls)),
		},
	}
}

// scoreInput lacks the dimensions for which there is no observation.
func (p *naiveProject) scoreInput(s *model.Score) metricInput {
	evaluator, _ := metadataValue(s.Metadata, "evaluatorId")
	input := metricInput{
		at: s.Timestamp, metadata: s.Metadata,
		dimensions: map[string]any{
			"id": s.ID, "traceId": s.TraceID, "observationId": s.ObservationID, "sessionId": s.SessionID, "datasetRunId": s.ExperimentID,
			"evaluatorId": evaluator.text, "environment": s.Environment, "name": s.Name, "source": string(s.Source), "dataType": string(s.DataType),
			"configId": s.ConfigID, "timestampMonth": s.Timestamp.UTC().Format("2006-01"), "timestampDay": s.Timestamp.UTC().Format(time.DateOnly),
			"value": s.Number, "booleanValue": s.Number == 1, "stringValue": s.Text,
		},
		measures: map[string]any{"count": big.NewInt(1), "value": s.Number},
	}
	if o, ok := p.observations[rowID{s.TraceID, s.ObservationID}]; ok {
		input.dimensions["observationName"], input.dimensions["observationModelName"] = o.Name, o.Model
		input.dimensions["observationPromptName"], input.dimensions["observationPromptVersion"] = o.PromptName, versionOrNil(o.PromptVersion)
	}
	if root := p.physicalRoot(s.TraceID); root != nil {
		d := input.dimensions
		d["userId"], d["traceName"], d["tags"] = root.UserID, cmp.Or(root.TraceName, root.Name), append([]string{}, root.Tags...)
		d["traceRelease"], d["traceVersion"] = root.Release, root.Version
		d["experimentName"], d["experimentId"] = root.Experiment.Name, root.Experiment.ID
	}
	return input
}

// physicalRoot is the first observation of a trace that has no parent.
func (p *naiveProject) physicalRoot(traceID string) *model.Observation {
	var first *model.Observation
	for key, row := range p.observations {
		o := &row.Observation
		if key.traceID != traceID || o.ParentID != "" {
			continue
		}
		if first == nil || cmp.Or(o.Start.Compare(first.Start), strings.Compare(o.ID, first.ID)) < 0 {
			first = o
		}
	}
	return first
}

func (p *naiveProject) traceInput(t *naiveTrace) metricInput {
	scores := 0
	for _, score := range p.scores {
		if score.TraceID == t.ID {
			scores++
		}
	}
	cost, units := new(big.Int), new(big.Int)
	for _, o := range t.rows {
		amount, _ := o.Cost.Get(model.UsageKeyTotal)
		total, _ := o.Usage.Get(model.UsageKeyTotal)
		cost.Add(cost, big.NewInt(int64(amount)))
		units.Add(units, big.NewInt(total))
	}
	return metricInput{
		at: t.Timestamp, metadata: t.Metadata,
		dimensions: map[string]any{
			"id": t.ID, "name": t.Name, "userId": t.UserID, "sessionId": t.SessionID, "release": t.Release, "version": t.Version,
			"environment": t.Environment, "tags": append([]string{}, t.Tags...), "timestampMonth": t.Timestamp.UTC().Format("2006-01"),
		},
		measures: map[string]any{
			"count": big.NewInt(1), "observationsCount": big.NewInt(int64(len(t.rows))), "scoresCount": big.NewInt(int64(scores)),
			"uniqueUserIds": textOrNil(t.UserID), "uniqueSessionIds": textOrNil(t.SessionID),
			"latency": big.NewInt(t.Latency.Milliseconds()), "totalTokens": units, "totalCost": cost,
		},
	}
}
