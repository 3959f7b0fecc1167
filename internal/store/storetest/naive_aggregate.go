// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// ratOf is any number without loss.
func ratOf(value any) *big.Rat {
	switch v := value.(type) {
	case int64:
		return new(big.Rat).SetInt64(v)
	case float64:
		return new(big.Rat).SetFloat64(v)
	case *big.Int:
		return new(big.Rat).SetInt(v)
	case json.Number:
		r, ok := new(big.Rat).SetString(v.String())
		if ok {
			return r
		}
	}
	panic(fmt.Sprintf("%T %v is no number", value, value))
}

func floatOf(value any) float64 {
	f, _ := ratOf(value).Float64()
	return f
}

// aggregate is what comes of the values of a measure; none of them is nil. Money is in units of 1e-12.
func aggregate(q *query.Metrics, aggregation query.Aggregation, measure query.Measure, values []any) any {
	switch aggregation {
	case query.AggregationCount:
		return int64(len(values))
	case query.AggregationUniq:
		different := map[string]bool{}
		for _, value := range values {
			different[fmt.Sprint(value)] = true
		}
		return int64(len(different))
	}
	if len(values) == 0 {
		if measure.IsCounted && aggregation == query.AggregationSum {
			return json.Number("0")
		}
		return nil
	}
	unit := int64(1)
	if measure.Type == query.MeasureMoney {
		unit = 1e12
	}
	inUnits := func(r *big.Rat) *big.Rat { return new(big.Rat).Quo(r, ratOf(unit)) }
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, func(a, b any) int { return ratOf(a).Cmp(ratOf(b)) })
	if fraction, ok := aggregation.Percentile(); ok {
		return percentile(sorted, fraction) / float64(unit)
	}
	sum := new(big.Rat)
	for _, value := range values {
		sum.Add(sum, ratOf(value))
	}
	switch aggregation {
	case query.AggregationSum:
		return exact(inUnits(sum), measure)
	case query.AggregationAvg:
		mean, _ := inUnits(sum.Quo(sum, ratOf(int64(len(values))))).Float64()
		return mean
	case query.AggregationMin:
		return exact(inUnits(ratOf(sorted[0])), measure)
	case query.AggregationMax:
		return exact(inUnits(ratOf(sorted[len(sorted)-1])), measure)
	case query.AggregationHistogram:
		return histogram(sorted, q.BinCount(), float64(unit))
	default:
		panic(fmt.Sprintf("no such aggregation: %q", aggregation))
	}
}

// exact is a number as the answer shows it: floats stay floats.
func exact(r *big.Rat, measure query.Measure) any {
	switch measure.Type {
	case query.MeasureFloat:
		f, _ := r.Float64()
		return f
	case query.MeasureMoney:
		units := new(big.Rat).Mul(r, ratOf(int64(1e12)))
		if units.Num().IsInt64() {
			return json.Number(model.Decimal(units.Num().Int64()).String())
		}
		return json.Number(r.FloatString(12))
	default:
		return json.Number(r.Num().String())
	}
}

// percentile lies between the two values next to a place, in proportion.
func percentile(sorted []any, fraction float64) float64 {
	place := float64(len(sorted)-1) * fraction
	low, high := floatOf(sorted[int(math.Floor(place))]), floatOf(sorted[int(math.Ceil(place))])
	return low + (high-low)*(place-math.Floor(place))
}

// histogram divides the range of the values into bins of the same width.
func histogram(sorted []any, bins int, unit float64) any {
	low, high := floatOf(sorted[0]), floatOf(sorted[len(sorted)-1])
	heights := make([]float64, bins)
	for _, value := range sorted {
		bin := 0.0
		if high > low {
			bin = min(math.Floor((floatOf(value)-low)*float64(bins)/(high-low)), float64(bins-1))
		}
		heights[int(bin)]++
	}
	width := (high - low) / float64(bins)
	var entries [][3]float64
	for i, height := range heights {
		if height > 0 {
			entries = append(entries, [3]float64{(low + float64(i)*width) / unit, (low + float64(i+1)*width) / unit, height})
		}
	}
	return entries
}
