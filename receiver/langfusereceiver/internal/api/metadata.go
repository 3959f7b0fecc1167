// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"encoding/json"
	"strings"

	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/internal/wire"
)

// maxMetadataValue is how many characters of a metadata value a list shows, unless the reader asks for the whole.
const maxMetadataValue = 200

var emptyObject = json.RawMessage("{}")

// cutMetadata shortens the values of a flat object whose keys are not among the expanded ones. What is no text becomes one
// when it is cut, since half a list is none.
func cutMetadata(metadata string, expanded map[string]bool) json.RawMessage {
	if metadata == "" {
		return emptyObject
	}
	if len(metadata) <= maxMetadataValue {
		return json.RawMessage(metadata)
	}
	return eachValue(metadata, func(dst []byte, key string, value json.RawMessage) []byte {
		if expanded[key] {
			return append(dst, value...)
		}
		return appendCut(dst, value)
	})
}

// textMetadata makes a text of every value of a flat object, for readers who want what was sent.
func textMetadata(metadata string) json.RawMessage {
	if metadata == "" {
		return emptyObject
	}
	return eachValue(metadata, func(dst []byte, _ string, value json.RawMessage) []byte {
		if validation.TypeOf(value) == "string" {
			return append(dst, value...)
		}
		return wire.AppendString(dst, string(value))
	})
}

// eachValue writes an object anew, value by value. What is none stays as it is.
func eachValue(object string, appendValue func(dst []byte, key string, value json.RawMessage) []byte) json.RawMessage {
	keys, values, ok := membersOf(object)
	if !ok {
		return json.RawMessage(object)
	}
	written := []byte{'{'}
	for i, key := range keys {
		written = appendValue(appendKey(written, i, key), key, values[i])
	}
	return append(written, '}')
}

// membersOf are the members of an object in their order.
func membersOf(object string) (keys []string, values []json.RawMessage, ok bool) {
	decoder := json.NewDecoder(strings.NewReader(object))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return nil, nil, false
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, nil, false
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, nil, false
		}
		name, _ := key.(string)
		keys, values = append(keys, name), append(values, value)
	}
	return keys, values, true
}

func appendCut(dst []byte, value json.RawMessage) []byte {
	if len(value) <= maxMetadataValue {
		return append(dst, value...)
	}
	text := string(value)
	if content, ok := wire.Unquote(text); ok {
		text = content
	}
	count := 0
	for at := range text {
		if count == maxMetadataValue {
			return wire.AppendString(dst, text[:at])
		}
		count++
	}
	return append(dst, value...) // many bytes, but no more characters than allowed
}
