// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/weirhq/weir/internal/wire"
)

// maxMetadataValue is how many characters of a metadata value a list shows, unless the reader asks for the whole.
const maxMetadataValue = 200

var emptyObject = json.RawMessage("{}")

// cutMetadata shortens the values of a flat object whose keys are not among the expanded ones. What is no text becomes one
// when it is cut, since half a list is none.
func cutMetadata(metadata string, expanded []string) json.RawMessage {
	if metadata == "" {
		return emptyObject
	}
	if len(metadata) <= maxMetadataValue {
		return json.RawMessage(metadata)
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(metadata)))
	if _, err := decoder.Token(); err != nil {
		return json.RawMessage(metadata)
	}
	cut := []byte{'{'}
	for i := 0; decoder.More(); i++ {
		key, err := decoder.Token()
		if err != nil {
			return json.RawMessage(metadata)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return json.RawMessage(metadata)
		}
		name, _ := key.(string)
		cut = appendKey(cut, i, name)
		if slices.Contains(expanded, name) {
			cut = append(cut, value...)
		} else {
			cut = appendCut(cut, value)
		}
	}
	return append(cut, '}')
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
