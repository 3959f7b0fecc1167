// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// MergeScores is a stored score after later ones with the same id: what a later one gives wins, what it does not give
// stays. Timestamp and environment keep their first value, and so does the subject: a score does not move.
func MergeScores(first model.Score, later ...model.Score) model.Score {
	merged := first
	metadata := []string{first.Metadata}
	for i := range later {
		merged = mergeFields(merged, later[i])
		metadata = append(metadata, later[i].Metadata)
	}
	merged.Metadata = mergeMetadata(metadata)
	return merged
}

func mergeFields(first, later model.Score) model.Score {
	merged := later
	keep := func(target *string, old string) {
		if *target == "" {
			*target = old
		}
	}
	keep(&merged.ObservationID, first.ObservationID)
	keep(&merged.Comment, first.Comment)
	keep(&merged.ConfigID, first.ConfigID)
	keep(&merged.QueueID, first.QueueID)
	keep(&merged.AuthorUserID, first.AuthorUserID)
	merged.TraceID, merged.SessionID, merged.ExperimentID = first.TraceID, first.SessionID, first.ExperimentID
	if first.TraceID == "" {
		merged.ObservationID = ""
	}
	if first.Environment != "" {
		merged.Environment = first.Environment
	}
	if !first.Timestamp.IsZero() {
		merged.Timestamp = first.Timestamp
	}
	return merged
}

// mergeMetadata merges JSON texts deeply where they are objects; else the later wins. Each is read once, and nothing is
// written but the result: somebody may send one score many times in one batch.
func mergeMetadata(texts []string) string {
	merged := ""
	var tree *mergedObject
	for _, text := range texts {
		if text == "" || text == merged && (tree == nil || !tree.changed) {
			continue
		}
		node, err := wire.Decode(text, wire.Limits{Bytes: len(text), Values: len(text)})
		if merged == "" || tree == nil || err != nil || node.Kind != wire.Object {
			tree = nil
			if err == nil && node.Kind == wire.Object {
				tree = newMergedObject(node)
			}
			merged = text
			continue
		}
		tree.merge(node)
		tree.changed = true
	}
	if tree == nil || !tree.changed {
		return merged
	}
	return string(wire.AppendNode(nil, tree.node()))
}

// mergedObject is an object that others are merged into.
type mergedObject struct {
	at      map[string]int
	keys    []string
	values  []mergedValue
	changed bool
}

// mergedValue is a node, or the object that was made of it when another was merged into it.
type mergedValue struct {
	plain  wire.Node
	object *mergedObject
}

func newMergedObject(n wire.Node) *mergedObject {
	o := &mergedObject{at: make(map[string]int, len(n.Keys))}
	o.merge(n)
	return o
}

func (o *mergedObject) merge(later wire.Node) {
	for i, key := range later.Keys {
		item := later.Items[i]
		at, known := o.at[key]
		if !known {
			o.at[key] = len(o.keys)
			o.keys = append(o.keys, key)
			o.values = append(o.values, mergedValue{plain: item})
			continue
		}
		value := &o.values[at]
		switch {
		case item.Kind != wire.Object:
			*value = mergedValue{plain: item}
		case value.object != nil:
			value.object.merge(item)
		case value.plain.Kind == wire.Object:
			value.object = newMergedObject(value.plain)
			value.object.merge(item)
		default:
			*value = mergedValue{plain: item}
		}
	}
}

func (o *mergedObject) node() wire.Node {
	n := wire.Node{Kind: wire.Object, Keys: o.keys, Items: make([]wire.Node, len(o.values))}
	for i, value := range o.values {
		if n.Items[i] = value.plain; value.object != nil {
			n.Items[i] = value.object.node()
		}
	}
	return n
}
