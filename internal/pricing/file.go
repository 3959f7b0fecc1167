// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing // import "github.com/weirhq/weir/internal/pricing"

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed prices.tsv
var pricesFile string

// The columns of prices.tsv.
const (
	columnModel = iota
	columnMatch
	columnTokenizer
	columnTier
	columnPriority
	columnConditions
	columnPrices
	columns
)

// noTokenizer stands in the column of a model without a tokenizer.
const noTokenizer = "-"

// parseFile reads prices.tsv; the comment at its top describes it. What the definitions hold is checked by build.
func parseFile(text string) ([]Definition, error) {
	var definitions []Definition
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if err := parseLine(&definitions, strings.Split(line, "\t")); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return definitions, nil
}

func parseLine(definitions *[]Definition, fields []string) error {
	if len(fields) != columns {
		return fmt.Errorf("it has %d columns, not %d", len(fields), columns)
	}
	priority, err := strconv.Atoi(fields[columnPriority])
	if err != nil {
		return fmt.Errorf("%q is no priority", fields[columnPriority])
	}
	prices, err := parsePrices(fields[columnPrices])
	if err != nil {
		return err
	}
	tier := TierDefinition{Name: fields[columnTier], Priority: priority, Conditions: fields[columnConditions], Prices: prices}

	if fields[columnModel] == "" {
		switch {
		case len(*definitions) == 0:
			return fmt.Errorf("tier %q belongs to no model", tier.Name)
		case fields[columnMatch] != "" || fields[columnTokenizer] != "":
			return fmt.Errorf("tier %q has an expression or a tokenizer, but no model", tier.Name)
		}
		last := &(*definitions)[len(*definitions)-1]
		last.Tiers = append(last.Tiers, tier)
		return nil
	}
	tokenizer := fields[columnTokenizer]
	switch tokenizer {
	case "":
		return fmt.Errorf("no tokenizer; write %s where there is none", noTokenizer)
	case noTokenizer:
		tokenizer = ""
	}
	if fields[columnMatch] == "" {
		return fmt.Errorf("model %q has no expression", fields[columnModel])
	}
	*definitions = append(*definitions, Definition{
		Name: fields[columnModel], Match: fields[columnMatch], Tokenizer: tokenizer, Tiers: []TierDefinition{tier},
	})
	return nil
}

// parsePrices reads groups such as input=2.5e-6 input_cache_read,input_cached_tokens=1.25e-6.
func parsePrices(text string) (map[string]string, error) {
	prices := make(map[string]string)
	for group := range strings.SplitSeq(text, " ") {
		keys, price, ok := strings.Cut(group, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no price of usage keys", group)
		}
		for key := range strings.SplitSeq(keys, ",") {
			if _, taken := prices[key]; taken {
				return nil, fmt.Errorf("usage key %q has two prices", key)
			}
			prices[key] = price
		}
	}
	return prices, nil
}
