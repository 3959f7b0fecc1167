// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/weirhq/weir/internal/model"
)

// mergeScores is what becomes of a score when one with the same id follows it: what the later one gives wins.
func mergeScores(first, later model.Score) model.Score {
	merged := model.Score{
		ID: first.ID,

		Name:          cmp.Or(later.Name, first.Name),
		ObservationID: cmp.Or(later.ObservationID, first.ObservationID),
		Source:        cmp.Or(later.Source, first.Source),
		Comment:       cmp.Or(later.Comment, first.Comment),
		ConfigID:      cmp.Or(later.ConfigID, first.ConfigID),
		QueueID:       cmp.Or(later.QueueID, first.QueueID),
		AuthorUserID:  cmp.Or(later.AuthorUserID, first.AuthorUserID),

		TraceID: first.TraceID, SessionID: first.SessionID, ExperimentID: first.ExperimentID,
		Environment: cmp.Or(first.Environment, later.Environment),
		Timestamp:   first.Timestamp,

		Metadata: mergeMetadata(first.Metadata, later.Metadata),
	}
	if first.Timestamp.IsZero() {
		merged.Timestamp = later.Timestamp
	}
	if first.TraceID == "" {
		merged.ObservationID = "" // that is one of a trace
	}
	// The data type says which of number and text is the value, so the three go together.
	value := first
	if later.DataType != "" {
		value = later
	}
	merged.DataType, merged.Number, merged.Text = value.DataType, value.Number, value.Text
	return merged
}

// mergeMetadata merges JSON texts: objects key by key at every depth, of anything else the later one counts.
func mergeMetadata(first, later string) string {
	if first == "" || later == "" {
		return cmp.Or(later, first)
	}
	return encodeJSON(mergeValues(decodeJSON(first), decodeJSON(later)))
}

func mergeValues(first, later any) any {
	firstObject, ok1 := first.(map[string]any)
	laterObject, ok2 := later.(map[string]any)
	if !ok1 || !ok2 {
		return later
	}
	merged := maps.Clone(firstObject)
	for key, value := range laterObject {
		if old, ok := merged[key]; ok {
			value = mergeValues(old, value)
		}
		merged[key] = value
	}
	return merged
}

// decodeJSON keeps numbers as their text. The texts come from the tests, so a fault in one is a fault of theirs.
func decodeJSON(text string) (value any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		panic(fmt.Sprintf("%q is no JSON: %v", text, err))
	}
	return value
}

func encodeJSON(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
