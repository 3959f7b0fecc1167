// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// The outcomes of a test, as the suites write them.
const (
	passed  = "passed"
	failed  = "failed"
	skipped = "skipped"
)

// result is what became of one test.
type result struct {
	Client  string `json:"client"`
	Feature string `json:"feature"`
	Test    string `json:"test"`
	Outcome string `json:"outcome"`
}

// readResults reads one JSON object a line. A suite that did not come to its tests has written none.
func readResults(file string) ([]result, error) {
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var results []result
	for line := range bytes.Lines(content) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if r.Feature == "" {
			r.Feature = "(no feature)"
		}
		results = append(results, r)
	}
	return results, nil
}

// table has a row for each feature and a column for each client, in the order in which they come.
func table(results []result) string {
	var features, clients []string
	counts := map[[2]string]map[string]int{}
	for _, r := range results {
		if !slices.Contains(features, r.Feature) {
			features = append(features, r.Feature)
		}
		if !slices.Contains(clients, r.Client) {
			clients = append(clients, r.Client)
		}
		cell := [2]string{r.Feature, r.Client}
		if counts[cell] == nil {
			counts[cell] = map[string]int{}
		}
		counts[cell][r.Outcome]++
	}
	rows := [][]string{append([]string{"feature"}, clients...)}
	for _, feature := range features {
		row := []string{feature}
		for _, client := range clients {
			row = append(row, verdict(counts[[2]string{feature, client}]))
		}
		rows = append(rows, row)
	}
	return render(rows)
}

// verdict is short: what failed is above the table.
func verdict(count map[string]int) string {
	total := count[passed] + count[failed]
	switch {
	case count[failed] > 0:
		return fmt.Sprintf("FAILED %d of %d", count[failed], total)
	case total > 0:
		return fmt.Sprintf("works (%d)", total)
	default:
		return "-"
	}
}

// render writes the rows as a Markdown table, the first of them as its head.
func render(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var out strings.Builder
	line := func(fill string, cells []string) {
		for i, cell := range cells {
			out.WriteString("|" + fill + cell + strings.Repeat(fill, widths[i]-utf8.RuneCountInString(cell)) + fill)
		}
		out.WriteString("|\n")
	}
	line(" ", rows[0])
	line("-", make([]string, len(widths)))
	for _, row := range rows[1:] {
		line(" ", row)
	}
	return out.String()
}

// summary is a line that CI systems can read.
func summary(results []result) string {
	count := map[string]int{}
	for _, r := range results {
		count[r.Outcome]++
	}
	return fmt.Sprintf("%d passed, %d failed, %d skipped", count[passed], count[failed], count[skipped])
}
