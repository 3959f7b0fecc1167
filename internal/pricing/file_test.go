// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

// defaultTable is the table of what is built in.
func defaultTable(t testing.TB) *Table {
	t.Helper()
	table, err := Default()
	require.NoError(t, err)
	return table
}

func TestFile(t *testing.T) {
	definitions, err := parseFile(pricesFile)
	require.NoError(t, err)
	models, err := build(definitions, builtIn)
	require.NoError(t, err, "every name, expression, tokenizer, tier and price is sound, and none is there twice")

	assert.Len(t, models, 167)
	tiers, ids := 0, make(map[string]string)
	for i, m := range models {
		assert.Empty(t, ids[m.ID()], "%s has the id of another", m.Name())
		ids[m.ID()] = m.Name()
		tokenizer := m.TokenizerName()
		assert.Contains(t, []string{"", "openai", "claude"}, tokenizer, m.Name())
		assert.Equal(t, tokenizer == "openai", m.encoding != nil, "%s can be counted", m.Name())
		assert.True(t, strings.HasPrefix(m.match.String(), "(?i)^"), "%s matches from the start", m.Name())

		// In the file, tiers stand in the order in which they are asked, the default one first.
		priority := -1
		for j, tier := range definitions[i].Tiers {
			tiers++
			assert.Equal(t, j == 0, tier.Conditions == defaultConditions, "%s, %s", m.Name(), tier.Name)
			assert.Greater(t, tier.Priority, priority, "%s, %s", m.Name(), tier.Name)
			priority = tier.Priority
		}
		for _, tier := range m.special {
			assert.Empty(t, ids[tier.ID()], "%s, %s has the id of another", m.Name(), tier.Name())
			ids[tier.ID()] = tier.Name()
		}
	}
	assert.Equal(t, 251, tiers)
}

func TestFileErrors(t *testing.T) {
	const model = "m\tx\t-\tStandard\t0\tdefault\tinput=1\n"
	for text, want := range map[string]string{
		"# c\nm\tx\t-\n": "line 2: it has 3 columns, not 7",
		"\n":             "line 1: it has 1 columns, not 7",
		"m\tx\t-\tStandard\tzero\tdefault\tinput=1\n":     `line 1: "zero" is no priority`,
		"m\tx\t-\tStandard\t0\tdefault\tinput\n":          `line 1: "input" is no price of usage keys`,
		"m\tx\t-\tStandard\t0\tdefault\t\n":               `line 1: "" is no price of usage keys`,
		"m\tx\t-\tStandard\t0\tdefault\ta=1  b=2\n":       `line 1: "" is no price of usage keys`,
		"m\tx\t-\tStandard\t0\tdefault\ta,b=1 b=2\n":      `line 1: usage key "b" has two prices`,
		"m\tx\t\tStandard\t0\tdefault\ta=1\n":             "line 1: no tokenizer; write - where there is none",
		"m\t\t-\tStandard\t0\tdefault\ta=1\n":             `line 1: model "m" has no expression`,
		"\t\t\tFlex\t0\tdefault\ta=1\n":                   `line 1: tier "Flex" belongs to no model`,
		model + "\ty\t\tFlex\t1\tmetadata.a in b\ta=1\n":  `line 2: tier "Flex" has an expression or a tokenizer, but no model`,
		model + "\t\t-\tFlex\t1\tmetadata.a in b\ta=1":    `line 2: tier "Flex" has an expression or a tokenizer, but no model`,
		model + "\t\t\tFlex\t1\tmetadata.a in b\ta=1\t\n": "line 2: it has 8 columns, not 7",
	} {
		_, err := parseFile(text)
		assert.EqualError(t, err, want, text)
	}
}

// pricesOf is prices as text, for a comparison that shows what differs.
func pricesOf(prices model.Costs) map[string]string {
	texts := make(map[string]string)
	for _, p := range prices {
		texts[p.Key] = p.Amount.String()
	}
	return texts
}

// The facts are not in the tree; where they are at hand, ours must say the same.
func TestFileAgainstTheFacts(t *testing.T) {
	vectors := os.Getenv("WEIR_VECTORS")
	if vectors == "" {
		t.Skip("WEIR_VECTORS is unset: it is the folder beside which data/model-prices.tsv is")
	}
	file, err := os.ReadFile(filepath.Join(vectors, "..", "data", "model-prices.tsv"))
	require.NoError(t, err)

	type line struct {
		model, match, tokenizer, tier, priority, conditions string

		prices map[string]string
	}
	var want, got []line
	for text := range strings.SplitSeq(strings.TrimSpace(string(file)), "\n") {
		if strings.HasPrefix(text, "#") {
			continue
		}
		fields := strings.Split(text, "\t")
		require.Len(t, fields, 7)
		var prices model.Costs
		for pair := range strings.FieldsSeq(fields[6]) {
			key, price, _ := strings.Cut(pair, "=")
			amount, err := model.ParseDecimal(price)
			require.NoError(t, err)
			prices = append(prices, model.CostEntry{Key: key, Amount: amount})
		}
		want = append(want, line{fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], pricesOf(prices)})
	}
	for _, m := range defaultTable(t).models {
		for _, tier := range slices.Concat([]*Tier{m.rest}, m.special) {
			l := line{m.Name(), m.match.String(), m.TokenizerName(), tier.Name(), strconv.Itoa(tier.priority), conditionText(tier.conditions), pricesOf(tier.prices)}
			if l.tokenizer == "" {
				l.tokenizer = noTokenizer
			}
			if l.conditions == "" {
				l.conditions = defaultConditions
			}
			got = append(got, l)
		}
	}
	assert.Equal(t, want, got)
}
