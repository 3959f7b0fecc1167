// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// clean replaces bytes that are not UTF-8, which the binary form of OTLP lets through and no store takes.
func clean(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}

func isNull(v pcommon.Value) bool { return v.Type() == pcommon.ValueTypeEmpty }

// isTruthy is what the service's rules mean by "set": not null, "", zero or false. Containers are always set.
func isTruthy(v pcommon.Value) bool {
	switch v.Type() {
	case pcommon.ValueTypeEmpty:
		return false
	case pcommon.ValueTypeStr:
		return v.Str() != ""
	case pcommon.ValueTypeInt:
		return v.Int() != 0
	case pcommon.ValueTypeDouble:
		return v.Double() != 0 && !math.IsNaN(v.Double())
	case pcommon.ValueTypeBool:
		return v.Bool()
	default:
		return true
	}
}

// isEmpty is what the rules of types mean by empty: null, "", and containers without content.
func isEmpty(v pcommon.Value) bool {
	switch v.Type() {
	case pcommon.ValueTypeEmpty:
		return true
	case pcommon.ValueTypeStr:
		return v.Str() == ""
	case pcommon.ValueTypeSlice:
		return v.Slice().Len() == 0
	case pcommon.ValueTypeMap:
		return v.Map().Len() == 0
	default:
		return false
	}
}

// isTrue is true for the boolean and for the word.
func isTrue(v pcommon.Value) bool {
	switch v.Type() {
	case pcommon.ValueTypeBool:
		return v.Bool()
	case pcommon.ValueTypeStr:
		return v.Str() == "true"
	default:
		return false
	}
}

// textOf is the value as text: strings as they are, everything else as JSON, null as nothing.
func textOf(v pcommon.Value) string {
	switch v.Type() {
	case pcommon.ValueTypeEmpty:
		return ""
	case pcommon.ValueTypeStr:
		return clean(v.Str())
	default:
		return nodeText(nodeOf(v))
	}
}

// nodeOf is the value as a JSON tree. Bytes become base64 and numbers that JSON lacks become their names.
func nodeOf(v pcommon.Value) wire.Node { return nodeAt(v, 0) }

func nodeAt(v pcommon.Value, depth int) wire.Node {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return textNode(clean(v.Str()))
	case pcommon.ValueTypeInt:
		return wire.Node{Kind: wire.Number, Text: strconv.FormatInt(v.Int(), 10)}
	case pcommon.ValueTypeDouble:
		return doubleNode(v.Double())
	case pcommon.ValueTypeBool:
		return wire.Node{Kind: wire.Bool, Bool: v.Bool()}
	case pcommon.ValueTypeBytes:
		return textNode(base64.StdEncoding.EncodeToString(v.Bytes().AsRaw()))
	case pcommon.ValueTypeMap:
		return mapNode(v.Map(), depth)
	case pcommon.ValueTypeSlice:
		node := wire.Node{Kind: wire.Array}
		if depth == wire.MaxDepth {
			return wire.Node{}
		}
		for _, element := range v.Slice().All() {
			node.Items = append(node.Items, nodeAt(element, depth+1))
		}
		return node
	default:
		return wire.Node{}
	}
}

func mapNode(m pcommon.Map, depth int) wire.Node {
	if depth == wire.MaxDepth {
		return wire.Node{}
	}
	node := wire.Node{Kind: wire.Object}
	for key, member := range m.All() {
		node.Keys = append(node.Keys, clean(key))
		node.Items = append(node.Items, nodeAt(member, depth+1))
	}
	return node
}

func textNode(text string) wire.Node { return wire.Node{Kind: wire.String, Text: text} }

func doubleNode(f float64) wire.Node {
	switch {
	case math.IsNaN(f):
		return textNode("NaN")
	case math.IsInf(f, 1):
		return textNode("Infinity")
	case math.IsInf(f, -1):
		return textNode("-Infinity")
	default:
		var digits [32]byte
		return wire.Node{Kind: wire.Number, Text: string(wire.AppendDouble(digits[:0], f))}
	}
}

// intOf reads a count: a whole number, or text of one.
func intOf(v pcommon.Value) (n int64, ok bool) {
	switch v.Type() {
	case pcommon.ValueTypeInt:
		return v.Int(), true
	case pcommon.ValueTypeDouble:
		return wholeNumber(v.Double())
	case pcommon.ValueTypeStr:
		return parseWhole(strings.TrimSpace(v.Str()))
	default:
		return 0, false
	}
}

// floatOf reads a number, or text of one.
func floatOf(v pcommon.Value) (f float64, ok bool) {
	switch v.Type() {
	case pcommon.ValueTypeInt:
		return float64(v.Int()), true
	case pcommon.ValueTypeDouble:
		return v.Double(), !math.IsNaN(v.Double()) && !math.IsInf(v.Double(), 0)
	case pcommon.ValueTypeStr:
		f, err := strconv.ParseFloat(strings.TrimSpace(v.Str()), 64)
		return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
	default:
		return 0, false
	}
}

// parseWhole reads the text of a whole number, in any notation of JSON.
func parseWhole(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	return wholeNumber(f)
}

func wholeNumber(f float64) (n int64, ok bool) {
	if f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
		return 0, false // also for NaN, which differs from itself
	}
	return int64(f), true
}
