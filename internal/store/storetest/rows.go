// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
)

// Rows makes observations and scores. The same seed makes the same ones.
type Rows struct {
	*rand.Rand
	// Base is the middle of the two weeks in which observations start.
	Base time.Time
}

// NewRows begins a sequence of rows.
func NewRows(seed uint64) *Rows {
	return &Rows{Rand: rand.New(rand.NewPCG(seed, 0)), Base: time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.UTC)}
}

// words are what texts are made of: some are part of others, some differ in letter case only.
var words = strings.Fields(`the a of and to in is that for it as with on by at from answer Answer ANSWER question token tokens
	weather Berlin berlin Paris tool call result search Search document chunk score summary refund order invoice customer
	user assistant system needle Needle foobarneedle cost budget error Error timeout retry cache vector embedding schema
	Straße naïve Ünïcode 東京 Москва 42 2026 x1 e-mail needle@example.com foo_bar don't`)

var (
	models       = []string{"gpt-4o", "gpt-4o-mini", "GPT-4o", "claude-sonnet-4-5", "gemini-2.5-pro", "text-embedding-3-small", "llama3.1:8b"}
	names        = []string{"answer", "Answer", "chat gpt-4o", "retrieve", "rerank", "agent.run", "POST /v1/chat", "tool:search", "plan_100%"}
	environments = []string{"default", "production", "staging", "dev_1"}
	types        = []model.ObservationType{
		model.TypeSpan, model.TypeGeneration, model.TypeEvent, model.TypeAgent, model.TypeTool, model.TypeChain,
		model.TypeRetriever, model.TypeEvaluator, model.TypeEmbedding, model.TypeGuardrail,
	}
	levels = []model.Level{model.LevelDebug, model.LevelDefault, model.LevelWarning, model.LevelError}
	tools  = []string{"search", "Search", "get_weather", "refund-order", "sql", "café"}
	tags   = []string{"prod", "Prod", "beta", "team:ml", "a,b", "важно", `say "hi"`}
)

// pick is one of some values.
func pick[T any](r *Rows, values []T) T { return values[r.IntN(len(values))] }

// some are between none and most of some values, in their order.
func some[T any](r *Rows, values []T) []T {
	var chosen []T
	for _, value := range values {
		if r.chance(3) {
			chosen = append(chosen, value)
		}
	}
	return chosen
}

// chance is true once in n times.
func (r *Rows) chance(n int) bool { return r.IntN(n) == 0 }

// maybe is one of some texts, or none.
func (r *Rows) maybe(texts []string) string {
	if r.chance(3) {
		return ""
	}
	return pick(r, texts)
}

// TraceID and SpanID are as a tracer makes them.
func (r *Rows) TraceID() string { return fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()) }

// SpanID is the id of an observation.
func (r *Rows) SpanID() string { return fmt.Sprintf("%016x", r.Uint64()) }

// numbered is one of n texts that begin alike, so that many rows share one.
func (r *Rows) numbered(prefix string, n int) string { return fmt.Sprintf("%s%d", prefix, r.IntN(n)) }

// Text is a text of words that is about as long as asked for.
func (r *Rows) Text(size int) string {
	var text strings.Builder
	for text.Len() < size {
		if text.Len() > 0 {
			text.WriteByte(pick(r, []byte("       \n.,")))
		}
		text.WriteString(pick(r, words))
	}
	return text.String()
}

// Observation is any row: most are what an application sends, some are odd.
func (r *Rows) Observation() model.Observation {
	if r.chance(4) {
		return r.Odd()
	}
	return r.Plain(300)
}

// Observations are as many as asked for.
func (r *Rows) Observations(n int) []model.Observation {
	rows := make([]model.Observation, n)
	for i := range rows {
		rows[i] = r.Observation()
	}
	return rows
}

// Trace is a trace of n observations that share what a trace shares, each below one of those before it.
func (r *Rows) Trace(n int) []model.Observation {
	root := r.Plain(300)
	root.ParentID = ""
	rows := []model.Observation{root}
	for len(rows) < n {
		row := r.Plain(300)
		row.TraceID, row.TraceName, row.UserID, row.SessionID = root.TraceID, root.TraceName, root.UserID, root.SessionID
		row.ParentID = pick(r, rows).ID
		row.Start = root.Start.Add(time.Duration(r.IntN(5000)) * time.Millisecond)
		row.End = row.Start.Add(time.Duration(r.IntN(5000)) * time.Millisecond)
		row.CompletionStart = time.Time{}
		rows = append(rows, row)
	}
	return rows
}

// Plain is a row as an application sends it, with about as much text as asked for.
func (r *Rows) Plain(size int) model.Observation {
	start := r.Base.Add(time.Duration(r.IntN(14*24*3600)-7*24*3600) * time.Second).Add(time.Duration(r.IntN(1000)) * time.Millisecond)
	o := model.Observation{
		TraceID: r.TraceID(), ID: r.SpanID(),
		Start: start, End: start.Add(time.Duration(r.IntN(20_000)) * time.Millisecond),
		Name: pick(r, names), Type: pick(r, types), Environment: pick(r, environments), Level: pick(r, levels),
		Version: r.maybe([]string{"1.0.0", "1.0.1", "2.0.0-rc.1"}), Release: r.maybe([]string{"v1", "v2", "2026-08"}),
		TraceName: r.maybe([]string{"checkout", "support chat", "Nightly"}),
		UserID:    r.numbered("user-", 12), SessionID: r.numbered("session-", 8), Tags: some(r, tags),
		IsAppRoot: r.chance(5), Bookmarked: r.chance(5), Public: r.chance(5),
		Metadata: r.metadata(),
		Origin: model.Origin{
			Source: "otel", ServiceName: "shop", ServiceVersion: "7", ScopeName: "langfuse-sdk", ScopeVersion: "4.1.0",
			TelemetryLanguage: "python", TelemetryName: "opentelemetry", TelemetryVersion: "1.30.0",
			PublicKey: r.numbered("pk-lf-", 3), ClientName: pick(r, []string{"python", "javascript", "unknown"}), ClientVersion: r.numbered("4.", 5),
		},
	}
	if !r.chance(3) {
		o.ParentID = r.SpanID()
	}
	if o.Level == model.LevelError {
		o.StatusMessage = "TimeoutError: " + r.Text(20)
	}
	if o.Type == model.TypeGeneration || o.Type == model.TypeEmbedding {
		r.addModel(&o)
	}
	if r.chance(4) {
		r.addTools(&o)
	}
	if r.chance(4) {
		r.addExperiment(&o)
	}
	o.Input = encodeJSON([]map[string]string{{"role": "user", "content": r.Text(size / 2)}})
	o.Output = r.Text(size / 2)
	return o
}

func (r *Rows) addModel(o *model.Observation) {
	o.Model, o.ModelID = pick(r, models), r.maybe([]string{"model-1", "model-2"})
	o.ModelParameters = fmt.Sprintf(`{"temperature":0.%d,"max_tokens":%d}`, r.IntN(10), r.IntN(4096))
	input, output := int64(r.IntN(3000)), int64(r.IntN(900))
	o.ProvidedUsage = model.Usage{{Key: "input", Units: input}, {Key: "output", Units: output}}
	o.Usage = append(model.Usage{{Key: "total", Units: input + output}}, o.ProvidedUsage...)
	if r.chance(2) {
		o.Usage = append(o.Usage, model.UsageEntry{Key: "Input_cached_tokens", Units: int64(r.IntN(500))})
	}
	inputCost, outputCost := model.Decimal(2_500_000).Times(input), model.Decimal(10_000_000).Times(output)
	o.Cost = model.Costs{{Key: "input", Amount: inputCost}, {Key: "output", Amount: outputCost}, {Key: "total", Amount: inputCost.Plus(outputCost)}}
	if r.chance(3) {
		o.ProvidedCost = o.Cost[2:]
	}
	o.PricingTierID, o.PricingTierName = "tier-1", "Standard"
	if r.chance(2) {
		o.CompletionStart = o.Start.Add(time.Duration(r.IntN(900)) * time.Millisecond)
	}
	if r.chance(2) {
		o.PromptID, o.PromptName, o.PromptVersion = "prompt-id", pick(r, []string{"answer", "answer/v2"}), new(r.IntN(4))
	}
}

func (r *Rows) addTools(o *model.Observation) {
	for _, name := range some(r, tools) {
		o.ToolDefinitions = append(o.ToolDefinitions, model.NamedText{Name: name, Text: encodeJSON(map[string]string{"description": r.Text(30)})})
	}
	for range r.IntN(4) {
		name := pick(r, tools)
		o.ToolCallNames = append(o.ToolCallNames, name)
		o.ToolCalls = append(o.ToolCalls, encodeJSON(map[string]string{"id": r.SpanID(), "name": name, "arguments": "{}"}))
	}
}

func (r *Rows) addExperiment(o *model.Observation) {
	o.Experiment = model.Experiment{
		ID: r.numbered("experiment-", 3), Name: r.numbered("run ", 3), Description: "the nightly run", DatasetID: r.numbered("dataset-", 2),
		ItemID: r.numbered("item-", 20), ItemVersion: o.Start.Add(-time.Hour), ItemExpectedOutput: r.Text(20), ItemRootID: o.ID,
		Metadata: `{"prompt":"v2","temperature":0.5}`, ItemMetadata: `{"difficulty":"hard"}`,
	}
	if r.chance(2) {
		o.Experiment.ItemRootID = r.SpanID()
	}
}

// Score is a judgement. Which kind of thing it judges follows from its id, because a score keeps its subject.
func (r *Rows) Score(id string) model.Score {
	s := model.Score{
		ID: id, Name: pick(r, []string{"quality", "toxicity", "helpful"}),
		Source:  pick(r, []model.ScoreSource{model.ScoreFromAPI, model.ScoreFromAnnotation, model.ScoreFromEval}),
		Comment: r.maybe(oddTexts), ConfigID: r.maybe([]string{"config-1"}), QueueID: r.maybe([]string{"queue-1"}),
		AuthorUserID: r.maybe([]string{"ann"}), Environment: pick(r, environments),
		Metadata:  r.maybe(scoreMetadata),
		Timestamp: r.Base.Add(time.Duration(r.IntN(1e9)) * time.Millisecond),
	}
	s.DataType = pick(r, []model.ScoreDataType{
		model.ScoreNumeric, model.ScoreBoolean, model.ScoreCategorical, model.ScoreText, model.ScoreCorrection,
	})
	switch s.DataType {
	case model.ScoreNumeric:
		s.Number = pick(r, []float64{0, 1, -0.5, 1e-9, 0.1, 1e15, r.Float64()})
	case model.ScoreBoolean:
		s.Number = float64(r.IntN(2))
	default:
		s.Text = pick(r, oddTexts)
	}
	switch id[len(id)-1] % 4 {
	case 0:
		s.SessionID = r.numbered("session-", 4)
	case 1:
		s.ExperimentID = r.numbered("experiment-", 4)
	default:
		s.TraceID, s.ObservationID = r.numbered("trace-", 6), r.maybe([]string{"o-1", "o-2"})
	}
	return s
}
