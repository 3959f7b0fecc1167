// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// MergeScore is a stored score after a later one with the same id: what the later one gives wins, what it does not give
// stays. Timestamp, trace and environment keep their first value.
func MergeScore(first, later model.Score) model.Score {
	merged := later
	keep := func(target *string, old string) {
		if *target == "" {
			*target = old
		}
	}
	keep(&merged.ObservationID, first.ObservationID)
	keep(&merged.SessionID, first.SessionID)
	keep(&merged.ExperimentID, first.ExperimentID)
	keep(&merged.Comment, first.Comment)
	keep(&merged.ConfigID, first.ConfigID)
	keep(&merged.QueueID, first.QueueID)
	keep(&merged.AuthorUserID, first.AuthorUserID)
	if first.TraceID != "" {
		merged.TraceID = first.TraceID
	}
	if first.Environment != "" {
		merged.Environment = first.Environment
	}
	if !first.Timestamp.IsZero() {
		merged.Timestamp = first.Timestamp
	}
	merged.Metadata = mergeMetadata(first.Metadata, later.Metadata)
	return merged
}

// mergeMetadata merges two JSON texts deeply where both are objects; else the later wins.
func mergeMetadata(first, later string) string {
	if first == "" || later == "" {
		return later + first
	}
	limits := wire.Limits{Bytes: max(len(first), len(later)), Values: max(len(first), len(later))}
	a, errA := wire.Decode(first, limits)
	b, errB := wire.Decode(later, limits)
	if errA != nil || errB != nil {
		return later
	}
	return string(appendNode(nil, mergeNodes(a, b)))
}

func mergeNodes(first, later wire.Node) wire.Node {
	if first.Kind != wire.Object || later.Kind != wire.Object {
		return later
	}
	merged := wire.Node{Kind: wire.Object, Keys: slices.Clone(first.Keys), Items: slices.Clone(first.Items)}
	for i, key := range later.Keys {
		if at := slices.Index(merged.Keys, key); at >= 0 {
			merged.Items[at] = mergeNodes(merged.Items[at], later.Items[i])
			continue
		}
		merged.Keys = append(merged.Keys, key)
		merged.Items = append(merged.Items, later.Items[i])
	}
	return merged
}

// appendNode writes a tree as compact JSON.
func appendNode(dst []byte, n wire.Node) []byte {
	switch n.Kind {
	case wire.Null:
		return append(dst, "null"...)
	case wire.Bool:
		if n.Bool {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case wire.Number:
		return append(dst, n.Text...)
	case wire.String:
		return wire.AppendString(dst, n.Text)
	}
	opening, closing := byte('['), byte(']')
	if n.Kind == wire.Object {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	for i, item := range n.Items {
		if i > 0 {
			dst = append(dst, ',')
		}
		if n.Kind == wire.Object {
			dst = append(wire.AppendString(dst, n.Keys[i]), ':')
		}
		dst = appendNode(dst, item)
	}
	return append(dst, closing)
}
