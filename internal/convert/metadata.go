// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// The parts of metadata that are there for every span; a client's own key of the same name takes their place.
const (
	metadataAttributes = "attributes"
	metadataResource   = "resourceAttributes"
	metadataScope      = "scope"
)

// metadata collects the metadata of a span: top-level keys in their order, each once. It is used for one span after
// the other.
type metadata struct {
	keys    []string
	values  []wire.Node
	index   map[string]int
	indexed bool
	// reserved says that a key is one of the parts above, or a path into one.
	reserved bool

	decoder decoder
	writer  flatWriter
}

func (m *metadata) reset() {
	clear(m.index)
	m.keys, m.values = m.keys[:0], m.values[:0]
	m.indexed, m.reserved = false, false
	m.decoder.Reset()
}

// collect gathers what the client sent: about the observation first, then about the trace, which wins.
func (m *metadata) collect(s *span) {
	m.reset()
	m.collectPart(s, keyObservationMetadata, familyObservationMetadata)
	m.collectPart(s, keyTraceMetadata, familyTraceMetadata)
}

// collectPart gathers one of the two parts: the object in a single attribute, then the attributes of single keys.
// Those of older clients and of the AI SDK do not tell which part they are for, so they are in both.
func (m *metadata) collectPart(s *span, whole key, single family) {
	if s.truthy(whole) {
		m.spread(s.get(whole))
	} else {
		m.spread(s.get(keyMetadata))
	}
	if !s.families[single] && !s.families[familyMetadata] && !s.families[familyAIMetadata] {
		return
	}
	for i := range s.all {
		switch at := &s.all[i]; {
		case at.family == single:
			m.setValue(at.rest, at.value, true)
		case at.family == familyMetadata:
			m.setValue(at.rest, at.value, false)
		case at.family == familyAIMetadata && !s.isAIField(at.rest):
			m.setValue(at.rest, at.value, false)
		}
	}
}

// isAIField is true for metadata of the AI SDK that is read as a field of the trace.
func (s *span) isAIField(name string) bool {
	switch name {
	case "userId", "sessionId", "tags", s.converter.settings.Names.Span.MetadataPrompt:
		return true
	default:
		return false
	}
}

// spread takes the members of an object, or the elements of a list, as top-level keys. Anything else has no keys and
// is left out.
func (m *metadata) spread(v pcommon.Value) {
	var whole wire.Node
	switch v.Type() {
	case pcommon.ValueTypeStr:
		whole, _ = m.decoder.container(v.Str())
	case pcommon.ValueTypeMap, pcommon.ValueTypeSlice:
		whole = nodeOf(v)
	default:
		return
	}
	for i, item := range whole.Items {
		if whole.Kind == wire.Object {
			m.set(whole.Keys[i], item)
		} else {
			m.set(strconv.Itoa(i), item)
		}
	}
}

// setValue sets a key to the value of an attribute. Clients write values as JSON text, older ones write bare text:
// with decoded, text that is JSON is taken for what it says.
func (m *metadata) setValue(key string, v pcommon.Value, decoded bool) {
	if decoded && v.Type() == pcommon.ValueTypeStr {
		if node, ok := m.decoder.value(v.Str()); ok {
			m.set(key, node)
			return
		}
	}
	m.set(key, nodeOf(v))
}

func (m *metadata) set(key string, value wire.Node) {
	if place, found := m.find(key); found {
		m.values[place] = value
		return
	}
	m.keys = append(m.keys, key)
	m.values = append(m.values, value)
	m.reserved = m.reserved || isReserved(key)
	if m.indexed {
		m.index[key] = len(m.keys) - 1
	}
}

func (m *metadata) find(key string) (place int, found bool) {
	if !m.indexed && len(m.keys) > linearLimit {
		m.indexed = true
		if m.index == nil {
			m.index = make(map[string]int, 2*len(m.keys))
		}
		for i, k := range m.keys {
			m.index[k] = i
		}
	}
	if m.indexed {
		place, found = m.index[key]
		return place, found
	}
	for i := range m.keys {
		if m.keys[i] == key {
			return i, true
		}
	}
	return 0, false
}

func (m *metadata) remove(key string) {
	if place, found := m.find(key); found {
		m.keys = append(m.keys[:place], m.keys[place+1:]...)
		m.values = append(m.values[:place], m.values[place+1:]...)
		clear(m.index)
		m.indexed = false
	}
}

func isReserved(key string) bool {
	for _, part := range [...]string{metadataAttributes, metadataResource, metadataScope} {
		if rest, ok := strings.CutPrefix(key, part); ok && (rest == "" || rest[0] == '.') {
			return true
		}
	}
	return false
}

// json is the metadata of the span as it is stored.
func (m *metadata) json(s *span) string {
	if m.reserved {
		return m.merged(s)
	}
	w := &m.writer
	w.begin()
	if !s.scope.isSDK {
		s.writeAttributes(w)
	}
	w.fragment(s.resource.metadata)
	w.fragment(s.scope.metadata)
	w.members(m.keys, m.values)
	return w.end()
}

// flatten is the collected metadata alone.
func (m *metadata) flatten() string {
	m.writer.begin()
	m.writer.members(m.keys, m.values)
	return m.writer.end()
}

// merged is the metadata of a span in which the client's keys meet the parts that are always there.
func (m *metadata) merged(s *span) string {
	var all metadata
	if !s.scope.isSDK {
		all.set(metadataAttributes, s.attributeNode())
	}
	all.set(metadataResource, s.resource.metadata.tree)
	all.set(metadataScope, s.scope.metadata.tree)
	for i, key := range m.keys {
		all.set(key, m.values[i])
	}
	return all.flatten()
}

// attributeNode is the attributes of the span that no rule has taken as content, as an object.
func (a *attributes) attributeNode() wire.Node {
	node := objectNode()
	for i := range a.all {
		if at := &a.all[i]; !at.hidden {
			node.Keys = append(node.Keys, at.name)
			node.Items = append(node.Items, nodeOf(at.value))
		}
	}
	return node
}

// writeAttributes writes what attributeNode gives, without making it where every value is a leaf.
func (a *attributes) writeAttributes(w *flatWriter) {
	for i := range a.all {
		if at := &a.all[i]; !at.hidden && at.value.Type() == pcommon.ValueTypeMap {
			w.members([]string{metadataAttributes}, []wire.Node{a.attributeNode()})
			return
		}
	}
	for i := range a.all {
		if at := &a.all[i]; !at.hidden {
			w.value(metadataAttributes, at.name, at.value)
		}
	}
}

// text is the text under a top-level key.
func (m *metadata) text(key string) (text string, found bool) {
	place, found := m.find(key)
	if !found {
		return "", false
	}
	return nodeText(m.values[place]), true
}
