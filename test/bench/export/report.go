// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
)

// report prints the median of each figure and the ratio of the two contestants.
func report(results map[string][]result) {
	weir, stock := results[weirName], results[stockName]
	fmt.Printf("\n| median of %d | %s | %s | ratio |\n|---|---|---|---|\n", len(weir), weirName, stockName)
	row := func(name, format string, figure func(result) float64) {
		a, b := median(weir, figure), median(stock, figure)
		fmt.Printf("| %s | "+format+" | "+format+" | %.2f |\n", name, a, b, a/b)
	}
	row("spans per second", "%.0f", result.spansPerSecond)
	row("CPU of the collector, µs a span", "%.2f", result.cpuPerSpan)
	row("allocated, bytes a span", "%.0f", result.allocPerSpan)
	row("sent, bytes a span", "%.0f", result.wirePerSpan)
	row("highest memory, MB", "%.0f", func(r result) float64 { return r.rss / 1e6 })
}

func median(results []result, figure func(result) float64) float64 {
	values := make([]float64, len(results))
	for i, r := range results {
		values[i] = figure(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
