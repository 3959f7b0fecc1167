// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
)

// The lengths of ids in bytes.
const traceIDSize, spanIDSize = 16, 8

// ofExport looks at an export as it was sent, and rewrites ids into the one form that the decoder takes.
func (f *faults) ofExport(export map[string]any) {
	for _, resource := range f.list(export, "resourceSpans", "resource_spans") {
		if holder, ok := resource["resource"].(map[string]any); ok {
			f.field(holder, "resource.attributes", "attributes")
		}
		for _, scope := range f.list(resource, "scopeSpans", "scope_spans") {
			name := ""
			if holder, ok := scope["scope"].(map[string]any); ok {
				f.field(holder, "scope.attributes", "attributes")
				name, _ = holder["name"].(string)
			}
			before := f.badSpans + f.badFields
			for _, span := range f.list(scope, "spans", "spans") {
				f.ofSpanObject(span)
			}
			if f.badSpans+f.badFields > before {
				f.inScope(name)
			}
		}
	}
}

func (f *faults) ofSpanObject(span map[string]any) {
	f.spans++
	bad := false
	note := func(field, reason string) {
		bad = true
		f.because(field, reason)
	}
	if reason := mendID(span, traceIDSize, true, "traceId", "trace_id"); reason != "" {
		note("traceId", reason)
	}
	if reason := mendID(span, spanIDSize, true, "spanId", "span_id"); reason != "" {
		note("spanId", reason)
	}
	if reason := mendID(span, spanIDSize, false, "parentSpanId", "parent_span_id"); reason != "" {
		note("parentSpanId", reason)
	}
	if !isListOrAbsent(span["attributes"]) {
		note("attributes", notAnArray)
	}
	events, ok := span["events"].([]any)
	if !ok && span["events"] != nil {
		note("events", notAnArray)
	}
	for _, event := range events {
		if holder, ok := event.(map[string]any); ok && !isListOrAbsent(holder["attributes"]) {
			note("event.attributes", notAnArray)
		}
	}
	if bad {
		f.badSpans++
	}
}

// list gives the objects in a list under one of two names; something else under the name is a fault.
func (f *faults) list(holder map[string]any, name, other string) []map[string]any {
	value, there := holder[name]
	if !there {
		value = holder[other]
	}
	items, ok := value.([]any)
	if !ok && value != nil {
		f.badFields++
		f.because(name, notAnArray)
	}
	objects := make([]map[string]any, 0, len(items))
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

func (f *faults) field(holder map[string]any, label, name string) {
	if !isListOrAbsent(holder[name]) {
		f.badFields++
		f.because(label, notAnArray)
	}
}

func isListOrAbsent(value any) bool {
	_, ok := value.([]any)
	return ok || value == nil
}

// mendID rewrites an id into hexadecimal digits, or tells what is wrong with it.
func mendID(span map[string]any, size int, required bool, name, other string) (reason string) {
	if _, there := span[name]; !there {
		name = other
	}
	value := span[name]
	if value == nil || value == "" {
		if required {
			return absent
		}
		return ""
	}
	id, ok := idText(value)
	if decoded, err := hex.DecodeString(id); !ok || err != nil || len(decoded) != size {
		return notAnID
	}
	span[name] = id
	return ""
}

// idText reads an id that is a text, a list of bytes, or a Node buffer written as JSON.
func idText(value any) (_ string, ok bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case map[string]any:
		if value["type"] == "Buffer" {
			return idText(value["data"])
		}
	case []any:
		id := make([]byte, len(value))
		for i, item := range value {
			number, ok := item.(json.Number)
			if !ok {
				return "", false
			}
			octet, err := strconv.ParseUint(number.String(), 10, 8)
			if err != nil {
				return "", false
			}
			id[i] = byte(octet)
		}
		return hex.EncodeToString(id), true
	}
	return "", false
}
