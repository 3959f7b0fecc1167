// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// nullText is a text that is null when it is empty.
type nullText string

// MarshalJSON writes the text or null.
func (t nullText) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return wire.AppendString(nil, string(t)), nil
}

// timestamp is a time as JavaScript writes it: UTC, always three digits after the point. Zero is null.
type timestamp time.Time

const timestampLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the time or null.
func (t timestamp) MarshalJSON() ([]byte, error) {
	if time.Time(t).IsZero() {
		return []byte("null"), nil
	}
	text := make([]byte, 0, len(timestampLayout)+2)
	text = append(text, '"')
	text = time.Time(t).UTC().AppendFormat(text, timestampLayout)
	return append(text, '"'), nil
}

// amount is an amount of US dollars, written with all its digits.
type amount model.Decimal

// MarshalJSON writes the number.
func (a amount) MarshalJSON() ([]byte, error) { return model.Decimal(a).Append(nil), nil }

// usageObject is usage by key.
type usageObject model.Usage

// MarshalJSON writes an object of whole numbers.
func (u usageObject) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, entry := range u {
		text = appendKey(text, i, entry.Key)
		text = strconv.AppendInt(text, entry.Units, 10)
	}
	return append(text, '}'), nil
}

// costObject is cost by key.
type costObject model.Costs

// MarshalJSON writes an object of numbers.
func (c costObject) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, entry := range c {
		text = appendKey(text, i, entry.Key)
		text = entry.Amount.Append(text)
	}
	return append(text, '}'), nil
}

func appendKey(text []byte, index int, key string) []byte {
	if index > 0 {
		text = append(text, ',')
	}
	return append(wire.AppendString(text, key), ':')
}

// sumOfUsage is the sum of the keys that have a word in them; input counts cached input too.
func sumOfUsage(usage model.Usage, word string) int64 {
	var sum int64
	for _, entry := range usage {
		if hasWord(entry.Key, word) {
			if sum += entry.Units; sum < 0 && entry.Units > 0 {
				return math.MaxInt64
			}
		}
	}
	return sum
}

// sumOfCosts is the same for costs; nil where no key has the word.
func sumOfCosts(costs model.Costs, word string) *amount {
	var sum *amount
	for _, entry := range costs {
		if hasWord(entry.Key, word) {
			if sum == nil {
				sum = new(amount)
			}
			*sum = amount(model.Decimal(*sum).Plus(entry.Amount))
		}
	}
	return sum
}

func hasWord(key, word string) bool { return strings.Contains(strings.ToLower(key), word) }

// secondsBetween is a duration in seconds at the precision of a millisecond; nil when an end is missing.
func secondsBetween(start, end time.Time) *float64 {
	if start.IsZero() || end.IsZero() {
		return nil
	}
	return new(float64(end.UnixMilli()-start.UnixMilli()) / 1000) // a Duration ends after 292 years
}
