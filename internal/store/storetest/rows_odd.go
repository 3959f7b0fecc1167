// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// oddTexts are texts that a careless engine takes for something else. None has a zero byte, and all are UTF-8.
var oddTexts = []string{
	"", " ", "  two  ", "0", "123", "-1.5e3", "1e999", "NaN", "null", "NULL", "true", "\\N",
	"it's", `say "hi"`, `back\slash`, `C:\new\table\x00`, "line\nbreak\r\nand\ttab", "100%", "under_score", "%_%", "*?[a-z]", "(?i).*",
	"'; DROP TABLE observations; --", "${env:HOME} $1 ? :x @p {0} %s", `{"a":1}`, `[1,2]`, `{"unclosed":`, "a,b;c|d", "/a/b~1",
	"ünïcödé", "Straße", "ΣΊΣΥΦΟΣ σίσυφος", "İstanbul", "日本語のテキスト", "👩‍👩‍👧‍👦🚀", "e\u0301 combined", "\u202eright to left", "\ufeffbyte order mark",
	"\u00a0no-break\u00a0", "\u2028line separator", "\x01\x1f\x7f control", "\U0010fffd\uffff",
	strings.Repeat("long ", 1000),
}

// metadataKeys are keys that a careless engine takes for a path, a pattern or a number.
var metadataKeys = []string{
	"plain", "Plain", "user.tier", "user", "a.b.c", "$", "$.plain", "/plain", "plain/x", "~", "~0", "#", "#-1", "*", "**", "[0]", "0", "-1", "%", "_",
	"it's", `q"uote`, `back\slash`, "new\nline", " spaced ", "ключ", "😀", "resourceAttributes.service.name", "scope.name", "nothing here",
	query.ColumnEvaluatorID.MetadataKey(), query.ColumnRuleID.MetadataKey(),
}

// metadataValues are JSON texts of values: every type, and for each the texts that are close to another type.
var metadataValues = []string{
	`""`, `" "`, `"gold"`, `"Gold"`, `"golden needle"`, `"the Needle, found"`, `"123"`, `"123.0"`, `"true"`, `"null"`, `"[1,2]"`, `"it's 100% \\ \"q\" ünï 😀"`,
	`"line\nbreak"`, `"340282366920938463463374607431768211455"`,
	`0`, `1`, `-1`, `123`, `0.5`, `-0.25`, `1.5`, `9007199254740993`, `9223372036854775807`, `-9223372036854775808`, `18446744073709551615`,
	`true`, `false`, `null`, `[]`, `[1,2]`, `["gold",null,{"deep":[true]}]`,
}

// exactNumbers are JSON numbers that no float and no integer of 64 bits holds, or that have more than one way of
// being written. They must come back as they are.
var exactNumbers = []string{
	`340282366920938463463374607431768211455`, `-170141183460469231731687303715884105728`, `1.50`, `1e5`, `1E-7`, `0.1000000000000000055511151231257827`, `-0`,
}

// scoreMetadata are JSON texts that have much in common, so that merging them does something at every depth.
var scoreMetadata = []string{
	`{"a":1}`, `{"a":{"b":1,"c":[1,2]}}`, `{"a":{"b":{"d":"x"}}}`, `{"a":{"c":[3]},"n":9007199254740993}`, `{"a":null}`, `{"a":{"b":null}}`,
	`{"s":"123","n":123}`, `{}`, `{"it's":"\"q\"","ü":"😀"}`,
}

// metadata is the JSON text of a flat object.
func (r *Rows) metadata() string {
	if r.chance(6) {
		return ""
	}
	var members []string
	for _, key := range metadataKeys {
		if r.chance(4) && key != "nothing here" {
			members = append(members, encodeJSON(key)+":"+pick(r, metadataValues))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// Odd is a row in which every field is something unlikely, as far as it may be.
func (r *Rows) Odd() model.Observation {
	var o model.Observation
	r.fillTexts(reflect.ValueOf(&o).Elem())
	o.TraceID, o.ID = r.oddID(), r.oddID()
	o.Type, o.Level = pick(r, types), pick(r, levels)
	o.IsAppRoot, o.Bookmarked, o.Public = r.chance(2), r.chance(2), r.chance(2)

	o.Start = pick(r, []time.Time{r.Base, r.Base.Add(-time.Millisecond), time.Unix(0, 0).UTC(), time.Date(2254, 1, 1, 0, 0, 0, 999e6, time.UTC)})
	o.End, o.CompletionStart, o.Experiment.ItemVersion = r.oddTime(o.Start), r.oddTime(o.Start), r.oddTime(o.Start)

	o.Tags, o.ToolCallNames = r.oddList(), r.oddList()
	for _, name := range o.ToolCallNames {
		o.ToolCalls = append(o.ToolCalls, encodeJSON(name))
	}
	for i, name := range r.oddList() {
		o.ToolDefinitions = append(o.ToolDefinitions, model.NamedText{Name: fmt.Sprintf("%s %d", name, i), Text: pick(r, oddTexts)})
	}
	o.Metadata, o.Experiment.Metadata, o.Experiment.ItemMetadata = r.metadata(), r.metadata(), r.metadata()
	if r.chance(2) {
		o.PromptVersion = new(pick(r, []int{0, 1, 65535, math.MaxInt32}))
	}
	if r.chance(3) {
		o.Experiment.ItemRootID = o.ID
	}
	o.ProvidedUsage, o.Usage = r.oddUsage(), r.oddUsage()
	o.ProvidedCost, o.Cost = r.oddCosts(), r.oddCosts()
	return o
}

// fillTexts gives every text in a struct an odd value.
func (r *Rows) fillTexts(v reflect.Value) {
	for _, field := range v.Fields() {
		switch field.Kind() {
		case reflect.String:
			field.SetString(pick(r, oddTexts))
		case reflect.Struct:
			if field.Type() != reflect.TypeFor[time.Time]() {
				r.fillTexts(field)
			}
		}
	}
}

// oddID is an id that no tracer would make. The prefix makes it differ from others, for the most part.
func (r *Rows) oddID() string { return r.numbered("id-", 1000) + pick(r, oddTexts[:len(oddTexts)-1]) }

// oddTime is none, before the start, at it, or a little or much later; 1970 is a time like any other.
func (r *Rows) oddTime(start time.Time) time.Time {
	return pick(r, []time.Time{
		{}, start, start.Add(-1500 * time.Millisecond), start.Add(time.Millisecond), start.Add(40 * 24 * time.Hour), time.Unix(0, 0).UTC(),
	})
}

func (r *Rows) oddList() []string {
	if r.chance(3) {
		return nil
	}
	list := make([]string, 1+r.IntN(3))
	for i := range list {
		list[i] = pick(r, oddTexts)
	}
	return list
}

// oddKeys are usage keys: the total may be there or not, and "input" stands at any place, in any letter case.
var oddKeys = []string{"total", "input", "OUTPUT", "prompt_Input_tokens", "reasoning-output", "", "it's", `"`, "ключ", "Total"}

func (r *Rows) oddUsage() model.Usage {
	var usage model.Usage
	for _, key := range some(r, oddKeys) {
		usage = append(usage, model.UsageEntry{Key: key, Units: pick(r, []int64{0, 1, 123, 1 << 53, 1<<60 + 1})})
	}
	return usage
}

func (r *Rows) oddCosts() model.Costs {
	var costs model.Costs
	for _, key := range some(r, oddKeys) {
		costs = append(costs, model.CostEntry{Key: key, Amount: pick(r, []model.Decimal{0, 1, 123, 1_000_000_000_000, 123_456_789_012_345_678})})
	}
	return costs
}
