// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/wire"
)

// vectorExceptions are the differences that are meant, by vector and column, with the reason. There are none: no vector
// meets one of the faults that doc.go lists, so each of those has a test of its own.
var vectorExceptions = map[string]map[string]string{}

// vector is a request with the rows that the reference made of it.
type vector struct {
	ID                 string
	Request            json.RawMessage
	Rows               []vectorRow
	Tokenised          bool
	VolatileTimestamps bool
}

type vectorRow map[string]json.RawMessage

// TestVectors holds the conversion against rows that the reference stored. They are not part of the project.
func TestVectors(t *testing.T) {
	folder := os.Getenv("WEIR_VECTORS")
	if folder == "" {
		t.Skip("WEIR_VECTORS is not set: it names the folder with otlp-json-vectors.jsonl")
	}
	file, err := os.Open(filepath.Join(folder, "otlp-json-vectors.jsonl"))
	require.NoError(t, err)
	defer file.Close()

	prices, err := pricing.Default()
	require.NoError(t, err)
	converter := New(Settings{Names: wire.NewNames(wire.DefaultService), Prices: prices, Tokenize: true})

	used := make(map[string]map[string]bool)
	count := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v vector
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		count++
		t.Run(v.ID, func(t *testing.T) {
			td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(withBinaryIDs(t, v.Request))
			require.NoError(t, err)
			rows := converter.Traces(td, RequestOrigin{})
			require.Len(t, rows, len(v.Rows))
			for i := range rows {
				for column, difference := range v.differences(v.Rows[i], &rows[i]) {
					if reason := vectorExceptions[v.ID][column]; reason != "" {
						if used[v.ID] == nil {
							used[v.ID] = make(map[string]bool)
						}
						used[v.ID][column] = true
						continue
					}
					t.Errorf("row %d, %s: %s", i, column, difference)
				}
			}
		})
	}
	require.NoError(t, lines.Err())
	require.Equal(t, 305, count)
	for id, columns := range vectorExceptions {
		for column := range columns {
			if !used[id][column] {
				t.Errorf("exception %s %s is not needed", id, column)
			}
		}
	}
}

// withBinaryIDs replaces ids that OTLP cannot carry in binary form: the reference stores any text. The same text
// always becomes the same id, so that only its spelling is left unchecked.
func withBinaryIDs(t *testing.T, request []byte) []byte {
	var tree any
	decoder := json.NewDecoder(strings.NewReader(string(request)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&tree))
	var walk func(any)
	walk = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, element := range node {
				walk(element)
			}
		case map[string]any:
			for key, value := range node {
				switch key {
				case "traceId":
					node[key] = binaryID(value, 16)
				case "spanId", "parentSpanId":
					node[key] = binaryID(value, 8)
				default:
					walk(value)
				}
			}
		}
	}
	walk(tree)
	out, err := json.Marshal(tree)
	require.NoError(t, err)
	return out
}

func binaryID(value any, size int) any {
	text, ok := value.(string)
	if !ok || text == "" {
		return value
	}
	if raw, err := hex.DecodeString(text); err == nil && len(raw) == size {
		return value
	}
	hash := fnv.New128a()
	hash.Write([]byte(text))
	return hex.EncodeToString(hash.Sum(nil)[:size])
}

// differences compares a row with what was expected, by the rules of the vectors.
func (v *vector) differences(want vectorRow, o *model.Observation) map[string]string {
	got := map[string]any{
		"trace_id": o.TraceID, "span_id": o.ID, "parent_span_id": o.ParentID,
		"name": o.Name, "type": string(o.Type), "environment": o.Environment, "version": o.Version,
		"release": o.Release, "tags": o.Tags, "public": o.Public, "is_app_root": o.IsAppRoot,
		"trace_name": o.TraceName, "user_id": o.UserID, "session_id": o.SessionID, "level": string(o.Level),
		"status_message": o.StatusMessage, "start_time": micros(o.Start), "end_time": micros(o.End),
		"completion_start_time": micros(o.CompletionStart), "prompt_id": o.PromptID, "prompt_name": o.PromptName,
		"prompt_version": o.PromptVersion, "provided_model_name": o.Model,
		"model_parameters":       json.RawMessage(orObject(o.ModelParameters)),
		"provided_usage_details": usageMap(o.ProvidedUsage), "usage_details": usageMap(o.Usage),
		"provided_cost_details": costMap(o.ProvidedCost), "cost_details": costMap(o.Cost),
		"usage_pricing_tier_name": o.PricingTierName, "tool_definitions": namedMap(o.ToolDefinitions),
		"tool_calls": o.ToolCalls, "tool_call_names": o.ToolCallNames, "input": o.Input, "output": o.Output,
		"source": o.Origin.Source, "service_name": o.Origin.ServiceName, "service_version": o.Origin.ServiceVersion,
		"scope_name": o.Origin.ScopeName, "scope_version": o.Origin.ScopeVersion,
		"telemetry_sdk_language": o.Origin.TelemetryLanguage, "telemetry_sdk_name": o.Origin.TelemetryName,
		"telemetry_sdk_version": o.Origin.TelemetryVersion, "experiment_id": o.Experiment.ID,
		"experiment_name": o.Experiment.Name, "experiment_description": o.Experiment.Description,
		"experiment_dataset_id": o.Experiment.DatasetID, "experiment_item_id": o.Experiment.ItemID,
		"experiment_item_version":         dateText(o.Experiment.ItemVersion),
		"experiment_item_expected_output": o.Experiment.ItemExpectedOutput,
		"experiment_item_root_span_id":    o.Experiment.ItemRootID,
		// Ids of models and tiers are ours: the table of prices has none.
		"model_id": o.ModelID != "", "usage_pricing_tier_id": o.PricingTierID != "",
	}
	differences := make(map[string]string)
	compare := func(column string, want, got any) {
		if !same(want, got) {
			differences[column] = fmt.Sprintf("want %v, got %v", want, got)
		}
	}
	for column, raw := range want {
		var value any
		_ = json.Unmarshal(raw, &value)
		switch column {
		case "start_time", "end_time":
			if v.VolatileTimestamps {
				continue
			}
		case "trace_id":
			value = binaryID(value, 16)
		case "span_id", "parent_span_id":
			value = binaryID(value, 8)
		case "model_id", "usage_pricing_tier_id":
			value = value != nil && value != ""
		case "usage_details", "cost_details":
			if v.Tokenised && len(o.Usage) == 0 {
				continue
			}
		case "metadata_names", "experiment_metadata_names", "experiment_item_metadata_names":
			continue
		case "metadata_values":
			compare("metadata", want.metadata("metadata", true), flatMap(o.Metadata))
			continue
		case "experiment_metadata_values":
			compare("experiment_metadata", want.metadata("experiment_metadata", false), flatMap(o.Experiment.Metadata))
			continue
		case "experiment_item_metadata_values":
			compare("experiment_item_metadata", want.metadata("experiment_item_metadata", false), flatMap(o.Experiment.ItemMetadata))
			continue
		}
		if _, ok := got[column]; !ok {
			differences[column] = "is not compared"
			continue
		}
		compare(column, value, got[column])
		delete(got, column)
	}
	for column, value := range got {
		if _, ok := want[column]; !ok {
			compare(column, nil, value)
		}
	}
	return differences
}

// metadata is the expected metadata as a map of texts. The reference does not decode; what it stored under a key of
// the client's own is decoded and flattened here, as the specification asks.
func (r vectorRow) metadata(prefix string, decoded bool) map[string]string {
	var names []string
	var values []*string
	_ = json.Unmarshal(r[prefix+"_names"], &names)
	_ = json.Unmarshal(r[prefix+"_values"], &values)
	flat := make(map[string]string)
	put := func(name, value string) {
		if _, found := flat[name]; !found {
			flat[name] = value
		}
	}
	for i, name := range names {
		text := ""
		if values[i] != nil {
			text = *values[i]
		}
		if !decoded || isReserved(name) {
			put(name, text)
			continue
		}
		var value any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if json.Valid([]byte(text)) && decoder.Decode(&value) == nil {
			flattenAny(name, value, put)
		} else {
			put(name, text)
		}
	}
	return flat
}

func flattenAny(path string, value any, put func(name, value string)) {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			flattenAny(path+"."+key, member, put)
		}
	case string:
		put(path, value)
	case nil:
		put(path, "")
	default:
		text, _ := json.Marshal(value)
		put(path, string(text))
	}
}

// flatMap reads metadata of ours as a map of texts.
func flatMap(text string) map[string]string {
	flat := make(map[string]string)
	var object map[string]json.RawMessage
	if text == "" || json.Unmarshal([]byte(text), &object) != nil {
		return flat
	}
	for key, raw := range object {
		var value string
		switch {
		case string(raw) == "null":
			flat[key] = ""
		case json.Unmarshal(raw, &value) == nil:
			flat[key] = value
		default:
			flat[key] = string(raw)
		}
	}
	return flat
}

// same compares two values as JSON. Null, nothing and the empty text are the same; numbers count by their values.
func same(want, got any) bool {
	return sameValue(normal(want), normal(got))
}

func sameValue(want, got any) bool {
	switch want := want.(type) {
	case float64:
		got, ok := got.(float64)
		return ok && want-got < 1e-12 && got-want < 1e-12
	case []any:
		got, ok := got.([]any)
		return ok && slices.EqualFunc(want, got, sameValue)
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || len(want) != len(got) {
			return false
		}
		for key := range want {
			if _, ok := got[key]; !ok || !sameValue(want[key], got[key]) {
				return false
			}
		}
		return true
	default:
		return want == got
	}
}

func normal(value any) any {
	text, _ := json.Marshal(value)
	var tree any
	_ = json.Unmarshal(text, &tree)
	switch value := tree.(type) {
	case string:
		if value == "" {
			return nil
		}
	case bool:
		if !value {
			return nil
		}
	case []any:
		if len(value) == 0 {
			return nil
		}
	case map[string]any:
		if len(value) == 0 {
			return nil
		}
	}
	return tree
}

func micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04:05.000")
}

func orObject(text string) string {
	if text == "" {
		return "{}"
	}
	return text
}

func usageMap(usage model.Usage) map[string]int64 {
	m := make(map[string]int64)
	for _, entry := range usage {
		m[entry.Key] = entry.Units
	}
	return m
}

func costMap(costs model.Costs) map[string]float64 {
	m := make(map[string]float64)
	for _, entry := range costs {
		m[entry.Key], _ = strconv.ParseFloat(entry.Amount.String(), 64)
	}
	return m
}

func namedMap(texts []model.NamedText) map[string]string {
	m := make(map[string]string)
	for _, entry := range texts {
		m[entry.Name] = entry.Text
	}
	return m
}
