// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

// View is a set of rows of which metrics are computed.
type View string

// The views.
const (
	ViewObservations View = "observations"
	// ViewScoresNumeric has NUMERIC and BOOLEAN scores, ViewScoresBoolean only the latter.
	ViewScoresNumeric     View = "scores-numeric"
	ViewScoresBoolean     View = "scores-boolean"
	ViewScoresCategorical View = "scores-categorical"
	// ViewTraces is known to the older metrics only.
	ViewTraces View = "traces"
)

// DimensionType is what the values of a dimension are, by the name that errors use.
type DimensionType string

// The types of dimensions.
const (
	DimensionText   DimensionType = "string"
	DimensionList   DimensionType = "string[]"
	DimensionNumber DimensionType = "number"
	DimensionBool   DimensionType = "boolean"
)

// Dimension is something by which rows can be grouped.
type Dimension struct {
	Name string
	Type DimensionType
	// IsHigh says that it has about as many values as there are rows.
	IsHigh bool
	// IsExploded says that a row counts once for each entry that it has, and not at all without one.
	IsExploded bool
	// KeepsEmpty says that an empty text is shown as it is, and not as null.
	KeepsEmpty bool
}

// MeasureType is what the values of a measure are, by the name that errors use.
type MeasureType string

// The types of measures.
const (
	MeasureInteger MeasureType = "integer"
	// MeasureMoney is US dollars, exact to 1e-12.
	MeasureMoney MeasureType = "decimal"
	MeasureFloat MeasureType = "number"
	MeasureText  MeasureType = "string"
)

// Measure is something of a row that can be aggregated.
type Measure struct {
	Name string
	Type MeasureType
	// IsCounted says that every row has a number, so that the sum over no row is 0 and not null.
	IsCounted bool
	// Explodes is the dimension that comes with the measure.
	Explodes string
}

type viewDefinition struct {
	dimensions []Dimension
	measures   []Measure
	timeColumn Column
}

func dimensions(high, kept, plain []string, others ...Dimension) []Dimension {
	var all []Dimension
	for _, name := range high {
		all = append(all, Dimension{Name: name, Type: DimensionText, IsHigh: true})
	}
	for _, name := range kept {
		all = append(all, Dimension{Name: name, Type: DimensionText, KeepsEmpty: true})
	}
	for _, name := range plain {
		all = append(all, Dimension{Name: name, Type: DimensionText})
	}
	return append(all, others...)
}

func scoreDimensions(value Dimension) []Dimension {
	return dimensions(
		[]string{
			"id", "traceId", "observationId", "sessionId", "userId", "datasetRunId", "experimentName", "experimentId", "evaluatorId",
		},
		[]string{"name"},
		[]string{
			"environment", "source", "dataType", "configId", "timestampMonth", "timestampDay", "traceName", "traceRelease", "traceVersion",
			"observationName", "observationModelName", "observationPromptName",
		},
		Dimension{Name: "tags", Type: DimensionList}, Dimension{Name: "observationPromptVersion", Type: DimensionNumber}, value)
}

var (
	countMeasure = Measure{Name: "count", Type: MeasureInteger, IsCounted: true}
	valueMeasure = Measure{Name: "value", Type: MeasureFloat}

	views = map[View]viewDefinition{
		ViewObservations: {
			timeColumn: "start_time",
			dimensions: dimensions(
				[]string{
					"id", "traceId", "parentObservationId", "userId", "sessionId", "experimentName", "experimentDatasetId", "experimentId",
				},
				[]string{"type", "name", "level"},
				[]string{
					"environment", "version", "release", "traceName", "traceRelease", "traceVersion", "providedModelName", "promptName",
					"startTimeMonth",
				},
				Dimension{Name: "tags", Type: DimensionList},
				Dimension{Name: "promptVersion", Type: DimensionNumber},
				Dimension{Name: "isRootObservation", Type: DimensionBool},
				Dimension{Name: "toolNames", Type: DimensionList, IsExploded: true},
				Dimension{Name: "calledToolNames", Type: DimensionList, IsExploded: true},
				Dimension{Name: "costType", Type: DimensionText, IsExploded: true, KeepsEmpty: true},
				Dimension{Name: "usageType", Type: DimensionText, IsExploded: true, KeepsEmpty: true},
			),
			measures: []Measure{
				countMeasure,
				{Name: "traceId", Type: MeasureText},
				{Name: "uniqueUserIds", Type: MeasureText},
				{Name: "uniqueSessionIds", Type: MeasureText},
				{Name: "latency", Type: MeasureInteger},
				{Name: "streamingLatency", Type: MeasureInteger},
				{Name: "timeToFirstToken", Type: MeasureInteger},
				{Name: "inputTokens", Type: MeasureInteger, IsCounted: true},
				{Name: "outputTokens", Type: MeasureInteger, IsCounted: true},
				{Name: "totalTokens", Type: MeasureInteger, IsCounted: true},
				{Name: "tokensPerSecond", Type: MeasureFloat},
				{Name: "outputTokensPerSecond", Type: MeasureFloat},
				{Name: "inputCost", Type: MeasureMoney},
				{Name: "outputCost", Type: MeasureMoney},
				{Name: "totalCost", Type: MeasureMoney},
				{Name: "countScores", Type: MeasureInteger},
				{Name: "toolDefinitions", Type: MeasureInteger},
				{Name: "toolCalls", Type: MeasureInteger},
				{Name: "costByType", Type: MeasureMoney, Explodes: "costType"},
				{Name: "usageByType", Type: MeasureInteger, Explodes: "usageType"},
			},
		},
		ViewScoresNumeric: {
			timeColumn: ColumnTimestamp, measures: []Measure{countMeasure, valueMeasure},
			dimensions: scoreDimensions(Dimension{Name: "value", Type: DimensionNumber}),
		},
		ViewScoresBoolean: {
			timeColumn: ColumnTimestamp, measures: []Measure{countMeasure, valueMeasure},
			dimensions: scoreDimensions(Dimension{Name: "booleanValue", Type: DimensionBool}),
		},
		ViewScoresCategorical: {
			timeColumn: ColumnTimestamp, measures: []Measure{countMeasure},
			dimensions: scoreDimensions(Dimension{Name: "stringValue", Type: DimensionText, KeepsEmpty: true}),
		},
		ViewTraces: {
			timeColumn: ColumnTimestamp,
			dimensions: dimensions([]string{"id", "userId", "sessionId"}, []string{"name"},
				[]string{"environment", "release", "version", "timestampMonth"}, Dimension{Name: "tags", Type: DimensionList}),
			measures: []Measure{
				countMeasure,
				{Name: "observationsCount", Type: MeasureInteger, IsCounted: true},
				{Name: "scoresCount", Type: MeasureInteger, IsCounted: true},
				{Name: "uniqueUserIds", Type: MeasureText},
				{Name: "uniqueSessionIds", Type: MeasureText},
				{Name: "latency", Type: MeasureInteger},
				{Name: "totalTokens", Type: MeasureInteger, IsCounted: true},
				{Name: "totalCost", Type: MeasureMoney},
			},
		},
	}
)

// Dimensions are all that the view has.
func (v View) Dimensions() []Dimension { return views[v].dimensions }

// Measures are all that the view has.
func (v View) Measures() []Measure { return views[v].measures }

// TimeColumn is the name under which a filter finds the time of a row.
func (v View) TimeColumn() Column { return views[v].timeColumn }

// Dimension finds a dimension by its name.
func (v View) Dimension(name string) (Dimension, bool) {
	for _, d := range v.Dimensions() {
		if d.Name == name {
			return d, true
		}
	}
	return Dimension{}, false
}

// Measure finds a measure by its name.
func (v View) Measure(name string) (Measure, bool) {
	for _, m := range v.Measures() {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}
