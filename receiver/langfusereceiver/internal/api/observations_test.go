// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	spanID  = "b7ad6b7169203331"
)

// text and number are attributes of a span in OTLP/JSON.
func text(key, value string) string {
	quoted, _ := json.Marshal(value)
	return fmt.Sprintf(`{"key":%q,"value":{"stringValue":%s}}`, key, quoted)
}

func number(key string, value int) string {
	return fmt.Sprintf(`{"key":%q,"value":{"intValue":"%d"}}`, key, value)
}

// postSpan sends one span of OTLP/JSON: members of the span's object, then attributes.
func (h *harness) postSpan(t testing.TB, members string, attributes ...string) {
	t.Helper()
	body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"langfuse-sdk"},"spans":[{%s,"attributes":[%s]}]}]}]}`, members, strings.Join(attributes, ","))
	got := h.call(t, http.MethodPost, "/api/public/otel/v1/traces", body)
	require.Equal(t, http.StatusOK, got.status, got.body)
}

// generation is a span of 1.5 seconds at a fixed time with about everything that a span can say.
func (h *harness) postGeneration(t testing.TB) {
	t.Helper()
	h.postSpan(t,
		`"traceId":"`+traceID+`","spanId":"`+spanID+`","name":"answer","startTimeUnixNano":"1787393472123456789","endTimeUnixNano":"1787393473623999999"`,
		text("langfuse.observation.type", "generation"), text("langfuse.observation.level", "WARNING"), text("langfuse.observation.status_message", "careful"),
		text("langfuse.version", "v1"), text("langfuse.release", "r9"), text("langfuse.environment", "staging"),
		text("user.id", "u-1"), text("session.id", "s-1"), text("langfuse.trace.name", "checkout"),
		`{"key":"langfuse.trace.tags","value":{"arrayValue":{"values":[{"stringValue":"a"},{"stringValue":"日本"}]}}}`,
		`{"key":"langfuse.trace.public","value":{"boolValue":true}}`,
		text("langfuse.observation.input", `{"q": 1}`), text("langfuse.observation.output", "four"),
		text("langfuse.observation.metadata.str", `"plain"`), text("langfuse.observation.metadata.nested", `{"b":{"c":true}}`), number("langfuse.observation.metadata.big", 9007199254740993),
		text("langfuse.observation.model.name", "gpt-4o"), text("langfuse.observation.model.parameters", `{"temperature":0.5}`),
		text("langfuse.observation.usage_details", `{"input":10,"output":20}`),
		text("langfuse.observation.completion_start_time", `"2026-08-22T10:11:12.623Z"`),
		text("langfuse.observation.prompt.name", "greeting"), number("langfuse.observation.prompt.version", 3),
	)
}

// row reads the one row of the project with the groups of fields.
func (h *harness) row(t testing.TB, parameters ...string) map[string]any {
	t.Helper()
	rows := h.get(t, "/v2/observations", parameters...).data(t)
	require.Len(t, rows, 1)
	return rows[0]
}

var (
	coreFields = map[string]any{
		"id": spanID, "traceId": traceID, "startTime": "2026-08-22T10:11:12.123Z", "endTime": "2026-08-22T10:11:13.623Z",
		"parentObservationId": nil, "type": "GENERATION",
		"latency": 1.5, "timeToFirstToken": nil, "modelId": nil, "inputPrice": nil, "outputPrice": nil, "totalPrice": nil,
	}
	// groupFields are the fields of each group, as the specification lists them, with the values of the generation.
	groupFields = map[string]map[string]any{
		"core": {},
		"basic": {
			"name": "answer", "level": "WARNING", "statusMessage": "careful", "version": "v1", "environment": "staging",
			"bookmarked": false, "public": true, "userId": "u-1", "sessionId": "s-1", "isRootObservation": true,
		},
		"io": {"input": `{"q": 1}`, "output": "four"},
		"model": {
			"model": "gpt-4o", "providedModelName": "gpt-4o", "modelParameters": map[string]any{"temperature": 0.5},
			"inputPrice": "0.0000025", "outputPrice": "0.00001",
		},
		"usage": {
			"usageDetails": map[string]any{"input": 10.0, "output": 20.0, "total": 30.0}, "inputUsage": 10.0, "outputUsage": 20.0, "totalUsage": 30.0,
			"costDetails": map[string]any{"input": 0.000025, "output": 0.0002, "total": 0.000225}, "inputCost": 0.000025, "outputCost": 0.0002, "totalCost": 0.000225,
			"usagePricingTierName": "Standard",
		},
		"prompt":        {"promptId": "", "promptName": "greeting", "promptVersion": 3.0},
		"metrics":       {"timeToFirstToken": 0.5},
		"trace_context": {"tags": []any{"a", "日本"}, "release": "r9", "traceName": "checkout"},
	}
)

func TestObservationGroups(t *testing.T) {
	h := start(t)
	h.postGeneration(t)
	for group, fields := range groupFields {
		t.Run(group, func(t *testing.T) {
			want := maps.Clone(coreFields)
			maps.Copy(want, fields)
			want["projectId"] = h.project
			got := h.row(t, "fields", group)
			switch group { // ids of models and tiers are ours to choose
			case "model":
				assert.NotEmpty(t, got["modelId"])
				assert.Equal(t, got["modelId"], got["internalModelId"])
				want["modelId"], want["internalModelId"] = got["modelId"], got["modelId"]
			case "usage":
				assert.NotEmpty(t, got["usagePricingTierId"])
				want["usagePricingTierId"] = got["usagePricingTierId"]
			}
			assert.Equal(t, want, got)
		})
	}
	t.Run("time", func(t *testing.T) {
		got := h.row(t, "fields", "time")
		assert.Equal(t, "2026-08-22T10:11:12.623Z", got["completionStartTime"])
		for _, name := range []string{"createdAt", "updatedAt"} {
			at, err := time.Parse("2006-01-02T15:04:05.000Z", got[name].(string))
			require.NoError(t, err)
			assert.WithinDuration(t, time.Now(), at, time.Minute)
		}
	})
	t.Run("metadata", func(t *testing.T) {
		got := h.get(t, "/v2/observations", "fields", "metadata")
		assert.Contains(t, got.body, `"str":"plain"`)
		assert.Contains(t, got.body, `"nested.b.c":true`)
		assert.Contains(t, got.body, `"big":9007199254740993`)
		assert.Contains(t, got.body, `"scope.name":"langfuse-sdk"`)
	})
	t.Run("by default", func(t *testing.T) {
		assert.Equal(t, h.row(t, "fields", "core,basic"), h.row(t))
		assert.Equal(t, h.row(t), h.row(t, "fields", ""))
		assert.Equal(t, h.row(t, "fields", "core"), h.beyond().row(t, "fields", "nothing,of,this"))
		assert.Equal(t, h.row(t, "fields", "io"), h.beyond().row(t, "fields", " io , unknown"))
	})
}

func TestObservationWithNothing(t *testing.T) {
	h := start(t)
	h.postSpan(t, `"traceId":"`+traceID+`","spanId":"`+spanID+`","parentSpanId":"00f067aa0ba902b7","startTimeUnixNano":"1787393472123456789","endTimeUnixNano":"1787393472123456789"`)
	got := h.row(t, "fields", "basic,io,model,usage,prompt,trace_context,metrics")
	assert.Equal(t, map[string]any{
		"id": spanID, "traceId": traceID, "projectId": h.project, "startTime": "2026-08-22T10:11:12.123Z", "endTime": "2026-08-22T10:11:12.123Z",
		"parentObservationId": "00f067aa0ba902b7", "type": "SPAN", "latency": 0.0, "timeToFirstToken": nil,
		"modelId": nil, "inputPrice": nil, "outputPrice": nil, "totalPrice": nil,
		"name": "", "level": "DEFAULT", "statusMessage": "", "version": "", "environment": "default",
		"bookmarked": false, "public": false, "userId": "", "sessionId": "", "isRootObservation": false,
		"input": nil, "output": nil,
		"model": "", "providedModelName": "", "internalModelId": "", "modelParameters": map[string]any{},
		"usageDetails": map[string]any{}, "inputUsage": 0.0, "outputUsage": 0.0, "totalUsage": 0.0,
		"costDetails": map[string]any{}, "inputCost": nil, "outputCost": nil, "totalCost": 0.0, "usagePricingTierId": nil, "usagePricingTierName": nil,
		"promptId": "", "promptName": "", "promptVersion": nil,
		"tags": []any{}, "release": "", "traceName": nil,
	}, got)
}

func TestMetadataIsCut(t *testing.T) {
	h := start(t)
	long, exact := strings.Repeat("日", 201), strings.Repeat("x", 200)
	list := `[` + strings.Repeat(`"item",`, 40) + `1]`
	metadata, err := json.Marshal(map[string]any{"long": long, "exact": exact, "list": json.RawMessage(list), "n": json.RawMessage("1.50"), "q": `"` + exact})
	require.NoError(t, err)
	row := observation("o", noon)
	row.Metadata = string(metadata)
	h.write(t, row)
	read := func(parameters ...string) map[string]any {
		return h.row(t, append([]string{"fields", "metadata"}, parameters...)...)["metadata"].(map[string]any)
	}
	assert.Equal(t, map[string]any{"long": long[:600], "exact": exact, "list": list[:200], "n": 1.5, "q": `"` + exact[:199]}, read())
	expanded := read("expandMetadata", "long, list")
	assert.Equal(t, long, expanded["long"])
	assert.IsType(t, []any{}, expanded["list"])
	assert.Equal(t, `"`+exact[:199], expanded["q"], "only the listed keys")
	assert.Equal(t, read(), read("expandMetadata", ""), "nothing listed")
	assert.Equal(t, read(), read("expandMetadata", "absent"))
	assert.NotContains(t, h.row(t, "expandMetadata", "long"), "metadata", "without its group there is none")
}

func observation(id string, at time.Time) model.Observation {
	return model.Observation{
		TraceID: "trace", ID: id, Start: at, End: at.Add(time.Second), Name: "n-" + id,
		Type: model.TypeSpan, Environment: model.DefaultEnvironment, Level: model.LevelDefault,
	}
}

// ids are the ids of the rows in their order.
func ids(rows []map[string]any) []string {
	list := []string{}
	for _, row := range rows {
		list = append(list, row["id"].(string))
	}
	return list
}

func TestObservationParameters(t *testing.T) {
	h := start(t)
	first, second, third := observation("a", noon), observation("b", noon.Add(time.Minute)), observation("c", noon.Add(2*time.Minute))
	first.TraceID, first.UserID, first.SessionID, first.Version, first.Environment = "other", "ada", "s1", "v1", "prod"
	second.ParentID, second.Type, second.Level, second.Environment = "a", model.TypeGeneration, model.LevelError, "dev"
	third.ParentID, third.IsAppRoot, third.Environment = "gone", true, "a,b"
	h.write(t, first, second, third)
	for _, tc := range []struct {
		parameters []string
		want       string
	}{
		{nil, "c b a"},
		{[]string{"fromStartTime", "2026-11-15T12:01:00Z"}, "c b"},
		{[]string{"toStartTime", "2026-11-15T12:01:00Z"}, "a"},
		{[]string{"fromStartTime", "2026-11-15T13:01:00.000+01:00", "toStartTime", "2026-11-15T12:02Z"}, "b"},
		{[]string{"traceId", "other"}, "a"},
		{[]string{"name", "n-b"}, "b"},
		{[]string{"name", "N-B"}, ""},
		{[]string{"type", "GENERATION"}, "b"},
		{[]string{"level", "ERROR"}, "b"},
		{[]string{"userId", "ada"}, "a"},
		{[]string{"userId", ""}, "c b"},
		{[]string{"sessionId", "s1"}, "a"},
		{[]string{"version", "v1"}, "a"},
		{[]string{"parentObservationId", "a"}, "b"},
		{[]string{"parentObservationId", ""}, "a"},
		{[]string{"isRootObservation", "true"}, "c a"},
		{[]string{"isRootObservation", "false"}, "b"},
		{[]string{"environment", "prod"}, "a"},
		{[]string{"environment", "prod,dev"}, "b a"},
		{[]string{"environment", "prod", "environment", "dev"}, "b a"},
		{[]string{"environment", "a,b", "environment", "dev"}, "c b"},
		{[]string{"limit", "2"}, "c b"},
		{[]string{"limit", "0"}, ""},
		{[]string{"limit", ""}, ""},
		{[]string{"limit", "1000"}, "c b a"},
		{[]string{"parseIoAsJson", "false"}, "c b a"},
		{[]string{"unknown", "parameter"}, "c b a"},
		{[]string{"filter", ""}, "c b a"},
		{[]string{"filter", "[]"}, "c b a"},
		{[]string{"filter", `[{"type":"string","column":"id","operator":"=","value":"b"}]`}, "b"},
		{[]string{"name", "n-a", "filter", `[{"type":"string","column":"name","operator":"=","value":"n-b"}]`}, "b"},
		{[]string{"traceId", "trace", "filter", `[{"type":"string","column":"name","operator":"contains","value":"n-"}]`}, "c b"},
		{[]string{"toStartTime", "2026-11-15T12:01:00Z", "filter", `[{"type":"datetime","column":"startTime","operator":">=","value":"2026-11-15T12:01:00Z"}]`}, "c b"},
	} {
		t.Run(strings.Join(tc.parameters, "="), func(t *testing.T) {
			assert.Equal(t, strings.Fields(tc.want), ids(h.beyond().get(t, "/v2/observations", tc.parameters...).data(t)))
		})
	}
	assert.Equal(t, `{"data":[],"meta":{}}`, h.get(t, "/v2/observations", "limit", "0").body)
}

func TestObservationErrors(t *testing.T) {
	h := start(t)
	issue := func(text string) string { return `{"message":"Invalid request data","error":[` + text + `]}` }
	refusal := func(text string) string {
		quoted, _ := json.Marshal(text)
		return `{"message":` + string(quoted) + `,"error":"InvalidRequestError"}`
	}
	condition := func(kind, column, operator, value string) string {
		return fmt.Sprintf(`[{"type":%q,"column":%q,"operator":%q,"value":%s}]`, kind, column, operator, value)
	}
	const notIO = "Input/output filters require at least one `matches` or `=` operator."
	for name, tc := range map[string]struct {
		parameters []string
		want       string
	}{
		"limit too big":   {[]string{"limit", "1001"}, issue(`{"origin":"number","code":"too_big","maximum":1000,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=1000"}`)},
		"limit negative":  {[]string{"limit", "-1"}, issue(`{"origin":"number","code":"too_small","minimum":0,"inclusive":true,"path":["limit"],"message":"Too small: expected number to be >=0"}`)},
		"limit no number": {[]string{"limit", "x"}, issue(`{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"}`)},
		"all at once": {[]string{"limit", "x", "isRootObservation", "yes"}, issue(`{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"},` +
			`{"code":"invalid_value","values":["true","false"],"path":["isRootObservation"],"message":"Invalid option: expected one of \"true\"|\"false\""}`)},
		"a name twice":   {[]string{"name", "a", "name", "b"}, issue(`{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received array"}`)},
		"date only":      {[]string{"fromStartTime", "2026-11-15"}, issue(`{"origin":"string","code":"invalid_format","format":"datetime","path":["fromStartTime"],"message":"Invalid ISO datetime"}`)},
		"parsed IO":      {[]string{"parseIoAsJson", "true"}, issue(`{"code":"custom","path":["parseIoAsJson"],"message":"parseIoAsJson=true is no longer supported on the v2 observations endpoint. Input/output fields are always returned as raw strings. Remove the parseIoAsJson parameter or set it to false."}`)},
		"cursor":         {[]string{"cursor", "???"}, refusal("Invalid cursor format")},
		"filter no JSON": {[]string{"filter", "{"}, refusal("Invalid JSON in filter parameter")},
		"column":         {[]string{"filter", condition("string", "foo", "=", `"x"`)}, refusal("Column foo does not match a UI / CH table mapping.")},
		"wrong type":     {[]string{"filter", condition("string", "startTime", "=", `"x"`)}, refusal("Invalid filter type 'string' for column 'startTime'. Expected filter type 'datetime'.")},
		"unknown type":   {[]string{"filter", condition("text", "name", "=", `"x"`)}, issue(`{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"type","path":["filter",0,"type"],"message":"Invalid input"}`)},
		"IO substring":   {[]string{"filter", condition("string", "input", "contains", `"x"`)}, refusal(notIO)},
		"no token":       {[]string{"filter", condition("string", "input", "matches", `"?!"`)}, refusal("`matches` requires at least one search token.")},
		"matches":        {[]string{"filter", condition("string", "name", "matches", `"x"`)}, refusal("`matches` is only supported for input, output, and metadata filters.")},
		"IO type":        {[]string{"filter", condition("stringOptions", "input", "any of", `["x"]`)}, refusal("Input/output filters only support filter type `string`.")},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.get(t, "/v2/observations", tc.parameters...)
			assert.Equal(t, http.StatusBadRequest, got.status)
			assert.JSONEq(t, tc.want, got.body)
		})
	}
}

func TestAnswerThatIsTooLarge(t *testing.T) {
	h := start(t, map[string]any{"limits": map[string]any{"max_response_size": 10_000}})
	for i := range 3 {
		row := observation(strconv.Itoa(i), noon.Add(time.Duration(i)*time.Second))
		row.Input = strings.Repeat("x", 4000)
		h.write(t, row)
	}
	got := h.get(t, "/v2/observations", "fields", "io")
	assert.Equal(t, http.StatusUnprocessableEntity, got.status)
	assert.JSONEq(t, `{"message":"Response payload is too large. Ask for fewer rows or fewer groups of fields.","error":"PayloadTooLargeError"}`, got.body)
	assert.Len(t, h.get(t, "/v2/observations", "fields", "io", "limit", "1").data(t), 1)
	assert.Len(t, h.get(t, "/v2/observations").data(t), 3)
}

func TestPages(t *testing.T) {
	h := start(t)
	var want []string
	for i := range 25 {
		row := observation(fmt.Sprintf("o%02d", i), noon.Add(time.Duration(i/5)*time.Second)) // five of each time
		row.TraceID = fmt.Sprintf("t%d", i%3)
		h.write(t, row)
		want = append(want, row.ID)
	}
	all := ids(h.get(t, "/v2/observations").data(t))
	assert.ElementsMatch(t, want, all)
	for _, limit := range []int{1, 2, 7, 24, 25, 26} {
		var walked []string
		cursor, pages := "", 0
		for {
			parameters := []string{"limit", strconv.Itoa(limit)}
			if cursor != "" {
				parameters = append(parameters, "cursor", cursor)
			}
			page := h.get(t, "/v2/observations", parameters...)
			walked = append(walked, ids(page.data(t))...)
			pages++
			if cursor = page.cursor(t); cursor == "" {
				assert.Contains(t, page.body, `"meta":{}`)
				break
			}
			assert.Regexp(t, "^[A-Za-z0-9_-]+$", cursor, "fit for an address as it is")
		}
		assert.Equal(t, all, walked)
		assert.Equal(t, (len(all)+limit-1)/limit, pages)
	}
}

func TestProjectsDoNotSeeEachOther(t *testing.T) {
	h := start(t)
	other := h.asOther()
	mine, theirs := observation("same", noon), observation("same", noon)
	mine.Input, theirs.Input = "mine", "theirs"
	h.write(t, mine, observation("older", noon.Add(-time.Hour)))
	other.write(t, theirs)

	assert.Equal(t, []string{"same", "older"}, ids(h.get(t, "/v2/observations").data(t)))
	read := other.get(t, "/v2/observations", "fields", "io", "filter", `[{"type":"stringOptions","column":"id","operator":"any of","value":["same","older"]}]`).data(t)
	require.Len(t, read, 1)
	assert.Equal(t, "theirs", read[0]["input"])
	assert.Equal(t, other.project, read[0]["projectId"])

	cursor := h.get(t, "/v2/observations", "limit", "1").cursor(t)
	require.NotEmpty(t, cursor)
	foreign := other.get(t, "/v2/observations", "limit", "1", "cursor", cursor)
	assert.Equal(t, http.StatusBadRequest, foreign.status, foreign.body)
}

func TestNextReadSeesTheSpan(t *testing.T) {
	h := start(t)
	// Every request has a connection of its own.
	h.transport.DisableKeepAlives = true
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	for i := range rounds {
		id := fmt.Sprintf("%016x", i+1)
		h.postSpan(t, fmt.Sprintf(`"traceId":%q,"spanId":%q,"startTimeUnixNano":"1787393472123456789"`, traceID, id))
		rows := h.get(t, "/v2/observations", "filter", `[{"type":"string","column":"id","operator":"=","value":"`+id+`"}]`).data(t)
		require.Len(t, rows, 1, "round %d", i)
	}
	assert.Len(t, slices.Collect(maps.Keys(index(h.get(t, "/v2/observations", "limit", "1000").data(t)))), rounds)
}

func index(rows []map[string]any) map[string]bool {
	found := map[string]bool{}
	for _, row := range rows {
		found[row["id"].(string)] = true
	}
	return found
}
