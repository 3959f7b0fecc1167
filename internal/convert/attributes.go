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
	knownKey
	name  string
	value pcommon.Value
	// hidden says that the attribute is not repeated in metadata.
	hidden bool
}

// attributes are those of one span (or event, or resource): all in their order, each name once, and the known ones by
// slot. A name that occurs twice has its last value at its first place.
type attributes struct {
	classifier *classifier
	all        []attribute
	// places are where in all the known ones are, counted from one; zero is for those that are not there.
	places   [keyCount]int32
	families [familyItemMetadata + 1]bool
	// index has the places of the names in all, for spans with so many attributes that it pays.
	index   map[string]int
	indexed bool
}

// linearLimit is up to how many attributes a repeated name is looked for one by one.
const linearLimit = 48

func newAttributes(c *classifier) attributes { return attributes{classifier: c} }

// read takes the attributes of the next span. Most spans have the names of the one before, in the same order: for these
// all is known already.
func (a *attributes) read(m pcommon.Map) {
	before, asBefore := a.all, true
	a.all = a.all[:0]
	a.places = [keyCount]int32{}
	a.families = [familyItemMetadata + 1]bool{}
	if a.indexed {
		clear(a.index)
		a.indexed = false
	}
	for name, value := range m.All() {
		place := len(a.all)
		if asBefore = asBefore && place < len(before) && before[place].name == name; asBefore {
			a.all = before[:place+1]
			a.all[place].value = value
		} else {
			name = clean(name)
			if i, found := a.find(name); found {
				a.all[i].value = value
				continue
			}
			a.all = append(a.all, attribute{name: name, value: value, knownKey: a.classifier.classify(name)})
			if a.indexed {
				a.index[name] = place
			}
		}
		at := &a.all[place]
		at.hidden = at.content
		a.families[at.family] = true
		if at.key != keyNone {
			a.places[at.key] = int32(place) + 1
		}
	}
}

// find is the place of a name in all.
func (a *attributes) find(name string) (place int, found bool) {
	if !a.indexed && len(a.all) > linearLimit {
		a.indexed = true
		if a.index == nil {
			a.index = make(map[string]int, 2*len(a.all))
		}
		for i := range a.all {
			a.index[a.all[i].name] = i
		}
	}
	if a.indexed {
		place, found = a.index[name]
		return place, found
	}
	for i := range a.all {
		if a.all[i].name == name {
			return i, true
		}
	}
	return 0, false
}

// at is the attribute, nil when it is not there.
func (a *attributes) at(k key) *attribute {
	if place := a.places[k]; place > 0 {
		return &a.all[place-1]
	}
	return nil
}

// has tells whether the attribute is there, whatever its value.
func (a *attributes) has(k key) bool { return a.places[k] > 0 }

// get is the value of the attribute, null when it is not there.
func (a *attributes) get(k key) pcommon.Value {
	if at := a.at(k); at != nil {
		return at.value
	}
	return a.classifier.null
}

// notNull tells whether the attribute is there with a value.
func (a *attributes) notNull(k key) bool { return a.has(k) && !isNull(a.get(k)) }

// truthy tells whether the attribute has a value that is not empty, zero or false.
func (a *attributes) truthy(k key) bool { return a.has(k) && isTruthy(a.get(k)) }

// str is the value of a text attribute, "" for all others.
func (a *attributes) str(k key) string {
	if at := a.at(k); at != nil && at.value.Type() == pcommon.ValueTypeStr {
		return clean(at.value.Str())
	}
	return ""
}

// text is the value of the attribute as text, "" when it is not there.
func (a *attributes) text(k key) string {
	if at := a.at(k); at != nil {
		return textOf(at.value)
	}
	return ""
}

// firstTruthy is the first of the attributes that is truthy, else null.
func (a *attributes) firstTruthy(keys ...key) pcommon.Value {
	for _, k := range keys {
		if a.truthy(k) {
			return a.get(k)
		}
	}
	return a.classifier.null
}

// firstNotNull is the first of the attributes that has a value, else null.
func (a *attributes) firstNotNull(keys ...key) pcommon.Value {
	for _, k := range keys {
		if a.notNull(k) {
			return a.get(k)
		}
	}
	return a.classifier.null
}

// hide keeps an attribute out of metadata.
func (a *attributes) hide(k key) {
	if at := a.at(k); at != nil {
		at.hidden = true
	}
}
