// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// usageShape is the usage object of an API of OpenAI. Clients hand it on as it came.
type usageShape struct {
	input, output               string
	inputDetails, outputDetails string
}

var usageShapes = [...]usageShape{
	{"prompt_tokens", "completion_tokens", "prompt_tokens_details", "completion_tokens_details"},
	{"input_tokens", "output_tokens", "input_tokens_details", "output_tokens_details"},
}

// usageOf reads the usage that a client reports: a shape that is known, or buckets of any name.
func usageOf(details wire.Node) model.Usage {
	for i := range usageShapes {
		if usage, ok := usageShapes[i].read(details); ok {
			return usage
		}
	}
	var c counts
	for i, key := range details.Keys {
		if n, ok := countOf(details.Items[i]); ok && len(c.usage) < maxUsageKeys {
			c.set(key, n)
		}
	}
	return c.usage
}

// read takes an object that has the fields of the shape and no others; one more, and nobody knows what it counts.
func (s *usageShape) read(details wire.Node) (usage model.Usage, ok bool) {
	const total = "total_tokens"
	for _, key := range details.Keys {
		switch key {
		case s.input, s.output, total, s.inputDetails, s.outputDetails:
		default:
			return nil, false
		}
	}
	var c counts
	for _, field := range [...][2]string{{s.input, usageInput}, {s.output, usageOutput}, {total, model.UsageKeyTotal}} {
		value, _ := member(details, field[0])
		n, ok := wholeOf(value)
		if !ok {
			return nil, false
		}
		c.set(field[1], n)
	}
	for _, field := range [...][2]string{{s.inputDetails, usageInput}, {s.outputDetails, usageOutput}} {
		parts, _ := member(details, field[0])
		if parts.Kind != wire.Object && parts.Kind != wire.Null {
			return nil, false
		}
		for i, name := range parts.Keys {
			if parts.Items[i].Kind == wire.Null || len(c.usage) >= maxUsageKeys {
				continue
			}
			n, ok := wholeOf(parts.Items[i])
			if !ok {
				return nil, false
			}
			bucket := field[1] + "_" + name
			c.set(bucket, n)
			c.subtract(field[1], bucket)
		}
	}
	return c.usage, true
}

// wholeOf is a whole number from zero.
func wholeOf(node wire.Node) (n int64, ok bool) {
	if node.Kind != wire.Number {
		return 0, false
	}
	n, ok = parseWhole(node.Text)
	return n, ok && n >= 0
}
