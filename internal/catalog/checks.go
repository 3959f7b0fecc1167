// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of what a request may hold, in characters where nothing else is said.
const (
	maxName        = 500
	maxID          = 255
	maxDescription = 10_000
	// maxJSON is for one JSON value, in bytes.
	maxJSON = 5 << 20
)

// checkText holds a text to its length.
func checkText(field, text string, least, most int) error {
	n := utf8.RuneCountInString(text)
	switch {
	case n < least:
		return invalid(field, "Too small: expected string to have >=%d characters", least)
	case n > most:
		return invalid(field, "Too big: expected string to have <=%d characters", most)
	case !utf8.ValidString(text):
		return invalid(field, "%s is not UTF-8", field)
	}
	return nil
}

// html finds what could be a tag.
var html = regexp.MustCompile(`<[^>]*>`)

// checkName is for names that are shown to people and stand in addresses, out of which many clients take dots.
func checkName(field, name string) error {
	if err := checkText(field, name, 1, maxName); err != nil {
		return err
	}
	if html.MatchString(name) {
		return invalid(field, "Text cannot contain HTML tags")
	}
	if strings.ContainsFunc(name, unicode.IsControl) {
		return invalid(field, "Name cannot contain control characters")
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "." || segment == ".." {
			return invalid(field, "Name cannot be or contain a path of '.' or '..'")
		}
	}
	return nil
}

// checkJSON holds a JSON value to its size. Nothing at all stands for null.
func checkJSON(field string, value json.RawMessage) error {
	switch {
	case len(value) > maxJSON:
		return invalid(field, "%s has %d bytes, more than %d", field, len(value), maxJSON)
	case len(value) > 0 && !json.Valid(value):
		return invalid(field, "%s is not JSON", field)
	case !utf8.Valid(value):
		return invalid(field, "%s is not UTF-8", field)
	}
	return nil
}

// isNull tells whether a JSON value is as good as absent.
func isNull(value json.RawMessage) bool {
	text := strings.TrimSpace(string(value))
	return text == "" || text == "null"
}

// firstOf is the first value that is given.
func firstOf(values ...json.RawMessage) json.RawMessage {
	for _, value := range values {
		if !isNull(value) {
			return value
		}
	}
	return nil
}

// oneOf holds a text to a list.
func oneOf[T ~string](field string, value T, allowed ...T) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	var names []string
	for _, a := range allowed {
		names = append(names, `"`+string(a)+`"`)
	}
	return invalid(field, "Invalid option: expected one of %s", strings.Join(names, "|"))
}
