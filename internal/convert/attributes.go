// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// family is a group of attributes whose names only begin alike.
type family uint8

const (
	familyNone family = iota
	familyPrompt
	familyCompletion
	familyInputMessages
	familyOutputMessages
	familyObservationMetadata
	familyTraceMetadata
	familyMetadata
	familyAIMetadata
	familyUsage
	familyTokenCount
	familyRequest
	familyInvocation
	familyTools
	familyExperimentMetadata
	familyItemMetadata
)

const aiMetadataPrefix = "ai.telemetry.metadata."

// familyPrefix tells a family by how the name begins.
type familyPrefix struct {
	prefix string
	family family
	// content says that names which begin so, with or without a dot after it, are not repeated in metadata.
	content bool
}

func familyPrefixes(names wire.Names) []familyPrefix {
	return []familyPrefix{
		{prefix: "gen_ai.usage.", family: familyUsage},
		{prefix: "gen_ai.request.", family: familyRequest},
		{prefix: "gen_ai.prompt.", family: familyPrompt, content: true},
		{prefix: "gen_ai.completion.", family: familyCompletion, content: true},
		{prefix: "llm.token_count.", family: familyTokenCount},
		{prefix: "llm.input_messages.", family: familyInputMessages, content: true},
		{prefix: "llm.output_messages.", family: familyOutputMessages, content: true},
		{prefix: "llm.invocation_parameters.", family: familyInvocation},
		{prefix: "llm.tools.", family: familyTools},
		{prefix: names.ObservationMetadataPrefix, family: familyObservationMetadata, content: true},
		{prefix: names.TraceMetadataPrefix, family: familyTraceMetadata, content: true},
		{prefix: names.Span.MetadataPrefix, family: familyMetadata},
		{prefix: aiMetadataPrefix, family: familyAIMetadata, content: true},
		{prefix: names.Experiment.Metadata + ".", family: familyExperimentMetadata},
		{prefix: names.Experiment.ItemMetadata + ".", family: familyItemMetadata},
	}
}

// classifier knows the names of attributes.
type classifier struct {
	known map[string]knownKey
	// families are the prefixes by their first byte, so that most names are compared with few of them.
	families [256][]familyPrefix
	// null stands for what is not there.
	null pcommon.Value
}

func newClassifier(names wire.Names) *classifier {
	c := &classifier{known: knownKeys(names), null: pcommon.NewValueEmpty()}
	for _, p := range familyPrefixes(names) {
		c.families[p.prefix[0]] = append(c.families[p.prefix[0]], p)
	}
	for name, k := range c.known {
		c.known[name] = c.withFamily(k, name)
	}
	return c
}

func (c *classifier) classify(name string) knownKey {
	k, known := c.known[name]
	if known || name == "" {
		return k
	}
	return c.withFamily(k, name)
}

// withFamily adds what the beginning of the name tells.
func (c *classifier) withFamily(k knownKey, name string) knownKey {
	for _, p := range c.families[name[0]] {
		if rest, ok := strings.CutPrefix(name, p.prefix); ok {
			k.family, k.rest = p.family, rest
			k.content = k.content || p.content
			break
		}
		if p.content && strings.HasPrefix(name, p.prefix[:len(p.prefix)-1]) {
			k.content = true
		}
	}
	return k
}

// attribute is one attribute of a span.
type attribute struct {
	name  string
	value pcommon.Value
	// rest is the name without the prefix of the family.
	rest   string
	family family
	// hidden says that the attribute is not repeated in metadata.
	hidden bool
}

// attributes are those of one span (or event, or resource): the known ones by slot, and all in their order, each
// name once. A name that occurs twice has its last value at its first place.
type attributes struct {
	classifier *classifier
	values     [keyCount]pcommon.Value
	present    [keyCount]bool
	filled     []key
	families   [familyItemMetadata + 1]bool
	all        []attribute
	// index has the places of the names in all, for spans with so many attributes that it pays.
	index   map[string]int
	indexed bool
}

// linearLimit is up to how many attributes a repeated name is looked for one by one.
const linearLimit = 48

func newAttributes(c *classifier) attributes {
	a := attributes{classifier: c}
	for i := range a.values {
		a.values[i] = c.null
	}
	return a
}

func (a *attributes) read(m pcommon.Map) {
	// Only a few of the many slots were filled.
	for _, k := range a.filled {
		a.values[k], a.present[k] = a.classifier.null, false
	}
	a.filled = a.filled[:0]
	a.families = [familyItemMetadata + 1]bool{}
	a.all = a.all[:0]
	a.indexed = m.Len() > linearLimit
	if a.indexed && a.index == nil {
		a.index = make(map[string]int, m.Len())
	}
	clear(a.index)
	for name, value := range m.All() {
		name = clean(name)
		k := a.classifier.classify(name)
		if k.key != keyNone {
			a.values[k.key], a.present[k.key] = value, true
			a.filled = append(a.filled, k.key)
		}
		if i := a.find(name); i >= 0 {
			a.all[i].value = value
			continue
		}
		if a.indexed {
			a.index[name] = len(a.all)
		}
		a.families[k.family] = true
		a.all = append(a.all, attribute{name: name, value: value, rest: k.rest, family: k.family, hidden: k.content})
	}
}

// find is the place of a name in all, or -1.
func (a *attributes) find(name string) int {
	if a.indexed {
		if i, ok := a.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range a.all {
		if a.all[i].name == name {
			return i
		}
	}
	return -1
}

// has tells whether the attribute is there, whatever its value.
func (a *attributes) has(k key) bool { return a.present[k] }

// get is the value of the attribute, null when it is not there.
func (a *attributes) get(k key) pcommon.Value { return a.values[k] }

// notNull tells whether the attribute is there with a value.
func (a *attributes) notNull(k key) bool { return a.values[k].Type() != pcommon.ValueTypeEmpty }

// truthy tells whether the attribute has a value that is not empty, zero or false.
func (a *attributes) truthy(k key) bool { return isTruthy(a.values[k]) }

// str is the value of a text attribute, "" for all others.
func (a *attributes) str(k key) string {
	if v := a.values[k]; v.Type() == pcommon.ValueTypeStr {
		return clean(v.Str())
	}
	return ""
}

// firstTruthy is the first of the attributes that is truthy, else null.
func (a *attributes) firstTruthy(keys ...key) pcommon.Value {
	for _, k := range keys {
		if a.truthy(k) {
			return a.values[k]
		}
	}
	return a.classifier.null
}

// firstNotNull is the first of the attributes that has a value, else null.
func (a *attributes) firstNotNull(keys ...key) pcommon.Value {
	for _, k := range keys {
		if a.notNull(k) {
			return a.values[k]
		}
	}
	return a.classifier.null
}

// hide keeps an attribute out of metadata.
func (a *attributes) hide(k key) {
	for i := range a.all {
		if a.classifier.known[a.all[i].name].key == k {
			a.all[i].hidden = true
		}
	}
}
