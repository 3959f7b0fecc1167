// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

// from makes a Lookup of a map.
func from(values map[string]string) Lookup {
	return func(key string) (string, bool) {
		value, ok := values[key]
		return value, ok
	}
}

func TestConditions(t *testing.T) {
	for _, tc := range []struct {
		conditions          string
		parameter, metadata map[string]string
		usage               model.Usage
		want                bool
	}{
		{"model_parameters.service_tier in fast|priority", map[string]string{"service_tier": "fast"}, nil, nil, true},
		{"model_parameters.service_tier in fast|priority", map[string]string{"service_tier": "priority"}, nil, nil, true},
		{"model_parameters.service_tier in fast|priority", map[string]string{"service_tier": "Fast"}, nil, nil, false},
		{"model_parameters.service_tier in fast|priority", map[string]string{"service_tier": "fast|priority"}, nil, nil, false},
		{"model_parameters.service_tier in fast|priority", map[string]string{"tier": "fast"}, nil, nil, false},
		{"model_parameters.service_tier in fast|priority", nil, map[string]string{"service_tier": "fast"}, nil, false},
		{"model_parameters.speed in fast", map[string]string{"speed": "fast"}, nil, nil, true},
		{"model_parameters.speed in fast", map[string]string{"speed": ""}, nil, nil, false},
		{"metadata.a.b in 1", nil, map[string]string{"a.b": "1"}, nil, true},
		{"metadata.a.b in 1", map[string]string{"a.b": "1"}, nil, nil, false},

		{"sum(usage ~ /input/) gt 10", nil, nil, model.Usage{{Key: "input", Units: 10}}, false},
		{"sum(usage ~ /input/) gt 10", nil, nil, model.Usage{{Key: "input", Units: 11}}, true},
		{"sum(usage ~ /input/) gt 10", nil, nil, model.Usage{{Key: "input", Units: 5}, {Key: "input_cached", Units: 6}}, true},
		{"sum(usage ~ /input/) gt 10", nil, nil, model.Usage{{Key: "output", Units: 50}, {Key: "total", Units: 60}}, false},
		{"sum(usage ~ /input/) gt 10", nil, nil, model.Usage{{Key: "Input", Units: 50}}, false},
		{"sum(usage ~ /^input$/) gt 10", nil, nil, model.Usage{{Key: "input_cached", Units: 50}}, false},
		{"sum(usage ~ /input/) gte 10", nil, nil, model.Usage{{Key: "input", Units: 10}}, true},
		{"sum(usage ~ /input/) gte 10", nil, nil, model.Usage{{Key: "input", Units: 9}}, false},
		{"sum(usage ~ /input/) lt 10", nil, nil, model.Usage{{Key: "input", Units: 9}}, true},
		{"sum(usage ~ /input/) lt 10", nil, nil, model.Usage{{Key: "input", Units: 10}}, false},
		{"sum(usage ~ /input/) lt 10", nil, nil, nil, true},
		{"sum(usage ~ /input/) lte 10", nil, nil, model.Usage{{Key: "input", Units: 10}}, true},
		{"sum(usage ~ /input/) lte 10", nil, nil, model.Usage{{Key: "input", Units: 11}}, false},
		{"sum(usage ~ /input/) eq 10", nil, nil, model.Usage{{Key: "input", Units: 10}}, true},
		{"sum(usage ~ /input/) eq 10", nil, nil, model.Usage{{Key: "input", Units: 11}}, false},
		{"sum(usage ~ /input/) neq 10", nil, nil, model.Usage{{Key: "input", Units: 11}}, true},
		{"sum(usage ~ /input/) neq 10", nil, nil, model.Usage{{Key: "input", Units: 10}}, false},
		{`sum(usage ~ /a\/b/) gt 0`, nil, nil, model.Usage{{Key: "a/b", Units: 1}}, true},
		{"sum(usage ~ /in/) gt 0", nil, nil, model.Usage{{Key: "in1", Units: math.MaxInt64}, {Key: "in2", Units: math.MaxInt64}}, true},

		{"model_parameters.a in 1 and metadata.b in 2", map[string]string{"a": "1"}, map[string]string{"b": "2"}, nil, true},
		{"model_parameters.a in 1 and metadata.b in 2", map[string]string{"a": "1"}, nil, nil, false},
		{"model_parameters.a in 1 and metadata.b in 2", nil, map[string]string{"b": "2"}, nil, false},
		{
			"\tmodel_parameters.a  in 1 and sum( usage ~ /x y/ )  gt  3 ",
			map[string]string{"a": "1"},
			nil,
			model.Usage{{Key: "x y", Units: 4}},
			true,
		},
	} {
		conditions, err := parseConditions(tc.conditions)
		require.NoError(t, err, tc.conditions)
		require.NotEmpty(t, conditions, tc.conditions)
		tier := Tier{conditions: conditions}
		f := facts{parameter: from(tc.parameter), metadata: from(tc.metadata), usage: tc.usage}
		assert.Equal(t, tc.want, tier.applies(f), "%s with %v, %v, %v", tc.conditions, tc.parameter, tc.metadata, tc.usage)
	}
}

func TestConditionsWithoutLookups(t *testing.T) {
	conditions, err := parseConditions("model_parameters.a in b")
	require.NoError(t, err)
	assert.False(t, conditions[0].holds(facts{}))
}

func TestConditionsOfTheDefaultTier(t *testing.T) {
	for _, text := range []string{"", " ", "default", "\tdefault "} {
		conditions, err := parseConditions(text)
		require.NoError(t, err, text)
		assert.Empty(t, conditions, text)
	}
}

func TestConditionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"Default":                           `found "Default" where model_parameters.<key>, metadata.<key> or sum(usage ~ /<expression>/) is expected`,
		"parameters.a in b":                 `found "parameters.a" where model_parameters.<key>`,
		"model_parameters. in b":            `found "model_parameters." where`,
		"model_parameters in b":             `found "model_parameters" where`,
		"metadata.a is b":                   `found "is" after metadata.a where "in" is expected`,
		"metadata.a":                        `found "" after metadata.a where "in" is expected`,
		"metadata.a in":                     "an empty value in the list for metadata.a",
		"metadata.a in b||c":                "an empty value in the list for metadata.a",
		"metadata.a in b or metadata.c in":  `found "or" where "and" or the end is expected`,
		"metadata.a in b and":               `found "" where model_parameters.<key>`,
		"metadata.a in b metadata.c in d":   `found "metadata.c" where "and" or the end is expected`,
		"metadata.a in b and default":       `found "default" where`,
		"sum(usage ~ /(/) gt 1":             "missing closing )",
		"sum(usage ~ /a) gt 1":              "no slash at the end of the expression",
		`sum(usage ~ /a\`:                   "no slash at the end of the expression",
		"sum(cost ~ /a/) gt 1":              `found "cost ~ /a/) gt 1" where "usage" is expected`,
		"sum(usage = /a/) gt 1":             `where "~" is expected`,
		"sum(usage ~ a) gt 1":               `where "/" is expected`,
		"sum(usage ~ /a/ gt 1":              `found "gt 1" where ")" is expected`,
		"sum(usage ~ /a/) > 1":              `found ">" where gt, gte, lt, lte, eq or neq is expected`,
		"sum(usage ~ /a/)":                  `found "" where gt`,
		"sum(usage ~ /a/) gt":               `found "" where a whole number is expected`,
		"sum(usage ~ /a/) gt 1.5":           `found "1.5" where a whole number is expected`,
		"sum(usage ~ /a/) gt 1e99999999999": "where a whole number is expected",
	} {
		_, err := parseConditions(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func conditionText(conditions []condition) string {
	texts := make([]string, 0, len(conditions))
	for _, c := range conditions {
		texts = append(texts, c.String())
	}
	return strings.Join(texts, " and ")
}

func FuzzConditions(f *testing.F) {
	for _, text := range []string{
		"default", "model_parameters.service_tier in fast|priority and sum(usage ~ /(input|cache_write)/) gt 272000",
		"metadata.a.b in 1", `sum( usage ~ /a\/b/ ) neq -5`, "sum(usage ~ //) lt 0", "and and and",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		conditions, err := parseConditions(text)
		if err != nil {
			return
		}
		written := conditionText(conditions)
		again, err := parseConditions(written)
		require.NoError(t, err, "%q from %q", written, text)
		assert.Equal(t, written, conditionText(again))
		for _, c := range conditions {
			c.holds(facts{parameter: from(nil), usage: model.Usage{{Key: text, Units: math.MaxInt64}, {Key: "input", Units: 1}}})
		}
	})
}

func TestUsageConditionIsReadBack(t *testing.T) {
	for _, pattern := range []string{"input", "a/b", `a\/b`, `\\`, `(?i)^in\d+`, "[/]"} {
		want := UsageCondition{Pattern: pattern, Operator: "gte", Value: 200_000}
		conditions, err := parseConditions(want.String())
		require.NoError(t, err, pattern)
		tier := &Tier{conditions: conditions}
		got, isAll := tier.UsageConditions()
		require.True(t, isAll)
		require.Len(t, got, 1)
		assert.Equal(t, "gte", got[0].Operator)
		assert.Equal(t, int64(200_000), got[0].Value)
		assert.Equal(t, want.String(), got[0].String(), "%s: slashes may be escaped", pattern)
	}
	conditions, err := parseConditions("model_parameters.service_tier in flex and " + UsageCondition{Pattern: "a", Operator: "gt"}.String())
	require.NoError(t, err)
	_, isAll := (&Tier{conditions: conditions}).UsageConditions()
	assert.False(t, isAll)
	for _, pattern := range []string{`\`, "("} {
		_, err := parseConditions(UsageCondition{Pattern: pattern, Operator: "gt"}.String())
		assert.Error(t, err, pattern)
	}
}
