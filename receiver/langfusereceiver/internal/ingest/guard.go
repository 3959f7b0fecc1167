// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

const (
	// maxValueDepth is how deep a value may be nested. The decoder goes down one call for each level, and a stack that
	// overflows ends the process.
	maxValueDepth = 100
	// maxJSONDepth is the same in brackets: a level of a value is three of them, and some are around the value.
	maxJSONDepth = 3*maxValueDepth + 20
	// itemSize is about what the decoded form of a message or object takes at least, however short it is on the wire.
	itemSize = 256
)

var (
	errTooDeep  = web.BadRequest("A value in the export is nested deeper than 100 levels")
	errProtobuf = errors.New("no protobuf")
)

// guard looks over a body before it is decoded: how deep it goes, and how much memory it will take. A body of some kilobytes
// may stand for millions of empty spans.
func guard(r *web.Request, encoding encoding, body []byte, root *message) error {
	var items int
	var err error
	if encoding == jsonText {
		items, err = countJSON(body)
	} else {
		items, err = root.count(body, 0)
	}
	switch {
	case errors.Is(err, errProtobuf):
		return nil // the decoder has the words for it
	case err != nil:
		return err
	}
	return r.Reserve(int64(items) * itemSize)
}

// countJSON counts objects and lists. Whether it is JSON is for the decoder to say.
func countJSON(text []byte) (items int, _ error) {
	depth, inText := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			items++
			depth++
			if depth > maxJSONDepth {
				return items, errTooDeep
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return items, nil
}

// message is a kind of protobuf message: its fields that are messages, by number.
type message struct {
	fields map[protowire.Number]*message
	// isValue says that it adds to the depth of a value.
	isValue bool
}

// The parts of OTLP that hold messages.
var (
	anyValue = &message{isValue: true}
	keyValue = &message{fields: map[protowire.Number]*message{2: anyValue}}
	holder   = func(number protowire.Number) *message {
		return &message{fields: map[protowire.Number]*message{number: keyValue}}
	}
	resource = holder(1)
	scope    = holder(3)

	span = &message{fields: map[protowire.Number]*message{
		9:  keyValue,
		11: holder(3), // events
		13: holder(4), // links
		15: {},        // status
	}}
	logRecord = &message{fields: map[protowire.Number]*message{5: anyValue, 6: keyValue}}

	tracesMessage = export(span)
	logsMessage   = export(logRecord)
)

func init() { // a value holds values
	anyValue.fields = map[protowire.Number]*message{
		5: {fields: map[protowire.Number]*message{1: anyValue}},
		6: {fields: map[protowire.Number]*message{1: keyValue}},
	}
}

// export is resources with scopes with something.
func export(something *message) *message {
	inScope := &message{fields: map[protowire.Number]*message{1: scope, 2: something}}
	inResource := &message{fields: map[protowire.Number]*message{1: resource, 2: inScope}}
	return &message{fields: map[protowire.Number]*message{1: inResource}}
}

// count counts the messages in a message, itself included.
func (m *message) count(body []byte, depth int) (items int, _ error) {
	if m.isValue {
		depth++
	}
	if depth > maxValueDepth {
		return 0, errTooDeep
	}
	items = 1
	for len(body) > 0 {
		number, kind, n := protowire.ConsumeTag(body)
		if n < 0 {
			return 0, errProtobuf
		}
		body = body[n:]
		if n = protowire.ConsumeFieldValue(number, kind, body); n < 0 {
			return 0, errProtobuf
		}
		if inner := m.fields[number]; inner != nil && kind == protowire.BytesType {
			content, _ := protowire.ConsumeBytes(body)
			found, err := inner.count(content, depth)
			if err != nil {
				return 0, err
			}
			items += found
		}
		body = body[n:]
	}
	return items, nil
}
