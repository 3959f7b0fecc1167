// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation // import "github.com/weirhq/weir/internal/validation"

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Object reads the members of a JSON object. Every method notes what is wrong and goes on, so that Err tells all of it at
// once. A member that is null counts as absent, because one of the client libraries writes nulls for what it does not set.
type Object struct {
	members map[string]json.RawMessage
	path    []any
	known   []string
	// issues is shared with the objects inside.
	issues *Issues
}

// ParseObject reads a body that must be an object, or a text with one that stands at a path. Text that is no JSON is
// refused as a whole.
func ParseObject(body []byte, path ...any) (*Object, error) {
	if !json.Valid(body) {
		return nil, Refuse("Invalid JSON")
	}
	o := newObject(body, &Issues{}, Path(path...))
	err := o.Err()
	return o, err
}

func newObject(raw json.RawMessage, issues *Issues, path []any) *Object {
	o := &Object{path: path, issues: issues}
	if received := TypeOf(raw); received != "object" {
		issues.add(WrongType("object", received, path...))
	} else if err := json.Unmarshal(raw, &o.members); err != nil {
		issues.add(Custom(err.Error(), path...))
	}
	return o
}

// Add notes an issue with a member.
func (o *Object) Add(issue Issue) { o.issues.add(issue) }

// Err is everything that was wrong so far; nil for nothing.
func (o *Object) Err() error { return o.issues.Err() }

// At is the path of a member.
func (o *Object) At(name string) []any { return slices.Concat(o.path, []any{name}) }

// Has tells whether a member is there and not null.
func (o *Object) Has(name string) bool {
	raw := o.get(name)
	return raw != nil && TypeOf(raw) != "null"
}

// IsNull tells whether a member is there and null.
func (o *Object) IsNull(name string) bool {
	raw := o.get(name)
	return raw != nil && TypeOf(raw) == "null"
}

// Required tells whether a member is there; when it is not, that is an issue with the type that it should have.
func (o *Object) Required(name, expected string) bool {
	if !o.Has(name) {
		o.Add(WrongType(expected, o.Type(name), o.At(name)...))
		return false
	}
	return true
}

// Names are the names of all members, in order.
func (o *Object) Names() []string { return slices.Sorted(maps.Keys(o.members)) }

// Raw is the compact JSON text of a member; nil when it is absent.
func (o *Object) Raw(name string) json.RawMessage {
	if !o.Has(name) {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, o.get(name)); err != nil {
		o.Add(Custom(err.Error(), o.At(name)...))
		return nil
	}
	return compact.Bytes()
}

// Type is the type of a member: object, array, string, number, boolean, null, or undefined when it is absent.
func (o *Object) Type(name string) string { return TypeOf(o.get(name)) }

// Text is a text, "" when it is absent.
func (o *Object) Text(name string) string {
	if !o.is(name, "string") {
		return ""
	}
	var text string
	if err := json.Unmarshal(o.get(name), &text); err != nil {
		o.Add(Custom(err.Error(), o.At(name)...))
	}
	return text
}

// RequiredText is a text of a length between two bounds.
func (o *Object) RequiredText(name string, least, most int) string {
	if !o.Required(name, "string") {
		return ""
	}
	return o.boundedText(name, least, most)
}

// OptionalText is a text of a length between two bounds, "" when it is absent.
func (o *Object) OptionalText(name string, least, most int) string {
	if !o.Has(name) {
		return ""
	}
	return o.boundedText(name, least, most)
}

func (o *Object) boundedText(name string, least, most int) string {
	if o.Type(name) != "string" {
		return o.Text(name)
	}
	text := o.Text(name)
	switch length := utf8.RuneCountInString(text); {
	case length < least:
		o.Add(TooSmall(OfString, float64(least), o.At(name)...))
	case length > most:
		o.Add(TooBig(OfString, float64(most), o.At(name)...))
	}
	return text
}

// OneOf is a text of which a few are allowed, "" when it is absent or wrong.
func (o *Object) OneOf(name string, allowed ...string) string {
	text := o.Text(name)
	if o.Type(name) == "string" && !slices.Contains(allowed, text) {
		o.Add(NotOneOf(allowed, o.At(name)...))
		return ""
	}
	return text
}

// RequiredOneOf is a text of which a few are allowed; anything else is an issue that names them.
func (o *Object) RequiredOneOf(name string, allowed ...string) string {
	if o.Type(name) != "string" {
		o.Add(NotOneOf(allowed, o.At(name)...))
		return ""
	}
	return o.OneOf(name, allowed...)
}

// Number is a finite number, nil when it is absent or wrong.
func (o *Object) Number(name string) *float64 {
	if !o.is(name, "number") {
		return nil
	}
	number, err := strconv.ParseFloat(string(o.get(name)), 64)
	if err != nil || math.IsInf(number, 0) {
		o.Add(notANumber(o.At(name)...))
		return nil
	}
	return &number
}

// Int is a whole number between two bounds, nil when it is absent or wrong.
func (o *Object) Int(name string, least, most int) *int {
	number := o.Number(name)
	if number == nil {
		return nil
	}
	switch {
	case *number != math.Trunc(*number):
		o.Add(notAnInteger(o.At(name)...))
	case *number < float64(least):
		o.Add(TooSmall(OfNumber, float64(least), o.At(name)...))
	case *number > float64(most):
		o.Add(TooBig(OfNumber, float64(most), o.At(name)...))
	default:
		return new(int(*number))
	}
	return nil
}

// Bool is a boolean, nil when it is absent or wrong.
func (o *Object) Bool(name string) *bool {
	if !o.is(name, "boolean") {
		return nil
	}
	return new(string(o.get(name)) == "true")
}

// Time is a time in the strict form, zero when it is absent or wrong.
func (o *Object) Time(name string) time.Time {
	text := o.Text(name)
	if o.Type(name) != "string" {
		return time.Time{}
	}
	t, ok := ParseTime(text)
	if !ok {
		o.Add(notATime(o.At(name)...))
	}
	return t
}

// LenientTime is a time in any form that JavaScript reads, a number of milliseconds included; zero when it is absent or
// wrong.
func (o *Object) LenientTime(name string) time.Time {
	if !o.Has(name) {
		return time.Time{}
	}
	var t time.Time
	ok := false
	switch o.Type(name) {
	case "string":
		t, ok = ParseLenientTime(o.Text(name))
	case "number":
		t, ok = parseEpoch(string(o.get(name)))
	}
	if !ok {
		o.Add(notADate(o.At(name)...))
	}
	return t
}

// RequiredTime is a time in the strict form that must be there.
func (o *Object) RequiredTime(name string) time.Time {
	if !o.Has(name) {
		o.Add(WrongType("string", o.Type(name), o.At(name)...))
		return time.Time{}
	}
	return o.Time(name)
}

// Texts is a list of texts, nil when it is absent, empty but not nil when it is empty.
func (o *Object) Texts(name string) []string {
	items := o.Items(name)
	if items == nil {
		return nil
	}
	texts := make([]string, 0, len(items))
	for i, raw := range items {
		if received := TypeOf(raw); received != "string" {
			o.Add(WrongType("string", received, append(o.At(name), i)...))
			continue
		}
		var text string
		if err := json.Unmarshal(raw, &text); err == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

// Object is an object inside, nil when it is absent.
func (o *Object) Object(name string) *Object {
	if !o.Has(name) {
		return nil
	}
	return newObject(o.get(name), o.issues, o.At(name))
}

// Objects is a list of objects, nil when it is absent.
func (o *Object) Objects(name string) []*Object {
	items := o.Items(name)
	if items == nil {
		return nil
	}
	objects := make([]*Object, len(items))
	for i, raw := range items {
		objects[i] = newObject(raw, o.issues, append(o.At(name), i))
	}
	return objects
}

// NoOthers notes every member that nobody has asked for.
func (o *Object) NoOthers() {
	var unknown []string
	for name := range o.members {
		if !slices.Contains(o.known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		o.Add(UnknownKeys(unknown, o.path...))
	}
}

// Items are the texts of a list, nil when it is absent.
func (o *Object) Items(name string) []json.RawMessage {
	if !o.is(name, "array") {
		return nil
	}
	items := []json.RawMessage{}
	if err := json.Unmarshal(o.get(name), &items); err != nil {
		o.Add(Custom(err.Error(), o.At(name)...))
	}
	return items
}

// is tells whether a member is of a type; of another one, it is an issue.
func (o *Object) is(name, expected string) bool {
	switch received := TypeOf(o.get(name)); received {
	case expected:
		return true
	case "undefined", "null":
		return false
	default:
		o.Add(WrongType(expected, received, o.At(name)...))
		return false
	}
}

func (o *Object) get(name string) json.RawMessage {
	if !slices.Contains(o.known, name) {
		o.known = append(o.known, name)
	}
	return o.members[name]
}

// TypeOf is the type of a valid JSON text as JavaScript names it.
func TypeOf(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "undefined"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	default:
		return "number"
	}
}
