// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/weirhq/weir/internal/validation"
)

// List is a list that is read page by page with a cursor.
type List string

// The lists with cursors.
const (
	ListObservations    List = "observations"
	ListScores          List = "scores"
	ListExperiments     List = "experiments"
	ListExperimentItems List = "experiment-items"
)

// Position is where a page of a list ended. Which of its fields count depends on the list.
type Position struct {
	Time                      time.Time
	TraceID, ID, ExperimentID string
}

// The members of a cursor. The first ones say what it is a cursor of.
const (
	cursorVersion = "v"
	cursorList    = "list"
	cursorProject = "project"

	lastTraceID      = "lastTraceId"
	lastID           = "lastId"
	lastExperimentID = "lastExperimentId"
)

// positions is what the cursors of each list have: the name of the time, and texts.
var positions = map[List]struct {
	time  string
	texts []string
}{
	ListObservations:    {"lastStartTimeTo", []string{lastTraceID, lastID}},
	ListScores:          {"lastTimestamp", []string{lastID}},
	ListExperiments:     {"lastTime", []string{lastTraceID, lastID, lastExperimentID}},
	ListExperimentItems: {"lastTime", []string{lastTraceID, lastID, lastExperimentID}},
}

func (p *Position) text(name string) *string {
	switch name {
	case lastTraceID:
		return &p.TraceID
	case lastExperimentID:
		return &p.ExperimentID
	default:
		return &p.ID
	}
}

const (
	// currentCursor is the version that is written and read. Cursors live for minutes, so an older one is refused.
	currentCursor = 1
	// maxCursorLength is far beyond what three ids need.
	maxCursorLength = 16 << 10
	// cursorTime has the precision at which times are stored.
	cursorTime = "2006-01-02T15:04:05.000Z"
)

// EncodeCursor is a text that means nothing to a caller and can stand in an address as it is. It says for which project
// and list it is good, so that a mix-up is noticed and does not just give strange pages.
func EncodeCursor(list List, project string, at Position) string {
	shape := positions[list]
	members := map[string]any{
		cursorVersion: currentCursor, cursorList: list, cursorProject: project,
		shape.time: at.Time.UTC().Format(cursorTime),
	}
	for _, name := range shape.texts {
		members[name] = *at.text(name)
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(fmt.Sprintf("a cursor of texts and numbers is no JSON: %v", err))
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// DecodeCursor reads what EncodeCursor wrote for the same list and project. A text that is no cursor at all, and a
// cursor of another list or project, give a *validation.Refusal; one that lacks something gives validation.Issues.
func DecodeCursor(list List, project, cursor string) (Position, error) {
	var at Position
	if len(cursor) > maxCursorLength {
		return at, errCursorFormat()
	}
	// Both alphabets, with padding or without: some clients write what they got in another way.
	cursor = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(cursor, "="))
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || !json.Valid(text) || !utf8.Valid(text) {
		return at, errCursorFormat()
	}
	o, err := validation.ParseObject(text, "cursor")
	if err != nil {
		return at, err
	}
	shape := positions[list]
	if o.Required(cursorVersion, "number") {
		if version := o.Number(cursorVersion); version != nil && *version != currentCursor {
			o.Add(validation.Custom(fmt.Sprintf("Invalid input: expected version %d of a cursor", currentCursor), o.At(cursorVersion)...))
		}
	}
	ofList, ofProject := o.RequiredText(cursorList, 1, maxCursorLength), o.RequiredText(cursorProject, 1, maxCursorLength)
	if o.Err() == nil {
		// The rest of another list's cursor has another shape; to complain about that would lead astray.
		switch {
		case List(ofList) != list:
			return at, validation.Refuse("Invalid cursor: it belongs to another list")
		case ofProject != project:
			return at, validation.Refuse("Invalid cursor: it belongs to another project")
		}
	}
	if o.Required(shape.time, "string") {
		at.Time = o.Time(shape.time)
	}
	for _, name := range shape.texts {
		*at.text(name) = o.RequiredText(name, 0, maxCursorLength)
	}
	if err := o.Err(); err != nil {
		return Position{}, err
	}
	return at, nil
}

func errCursorFormat() error { return validation.Refuse("Invalid cursor format") }

// Cursor continues the list of the project's observations behind the key.
func (k *ObservationKey) Cursor(project string) string {
	return EncodeCursor(ListObservations, project, Position{Time: k.Start, TraceID: k.TraceID, ID: k.ID})
}
