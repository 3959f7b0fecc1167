// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation // import "github.com/weirhq/weir/internal/validation"

import (
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Params reads the query parameters of a request. Every method notes what is wrong and goes on, so that Err tells all of
// it at once.
type Params struct {
	values url.Values
	known  []string
	Issues Issues
}

// NewParams reads the query of an address. What cannot be unescaped is an issue like any other. A semicolon is a
// character like any other, and what is no UTF-8 becomes the character that stands for that: no engine takes it.
func NewParams(rawQuery string) *Params {
	p := &Params{values: url.Values{}}
	for pair := range strings.SplitSeq(rawQuery, "&") {
		if pair == "" {
			continue
		}
		escapedName, escapedValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(escapedName)
		if err != nil {
			p.Add(Custom("The query of the address cannot be read: " + err.Error()))
			continue
		}
		value, err := url.QueryUnescape(escapedValue)
		if err != nil {
			p.Add(Custom("The value cannot be read: "+err.Error(), name))
			continue
		}
		name = strings.ToValidUTF8(name, "\uFFFD")
		p.values[name] = append(p.values[name], strings.ToValidUTF8(value, "\uFFFD"))
	}
	return p
}

// Add notes an issue.
func (p *Params) Add(issue Issue) { p.Issues.add(issue) }

// Err is everything that was wrong so far; nil for nothing.
func (p *Params) Err() error { return p.Issues.Err() }

// Text is the value of a parameter and whether it was sent; sent twice, it is an issue.
func (p *Params) Text(name string) (_ string, ok bool) {
	p.known = append(p.known, name)
	values := p.values[name]
	switch {
	case len(values) == 0:
		return "", false
	case len(values) > 1:
		p.Add(WrongType("string", "array", name))
		return "", false
	default:
		return values[0], true
	}
}

// IsEmpty tells whether a parameter was sent once, without a value. For most that is as good as not sent.
func (p *Params) IsEmpty(name string) bool {
	values := p.values[name]
	return len(values) == 1 && values[0] == ""
}

// Texts are all values of a parameter that may be repeated.
func (p *Params) Texts(name string) []string {
	p.known = append(p.known, name)
	return p.values[name]
}

// List is a parameter with values between commas: trimmed, empty ones left out.
func (p *Params) List(name string) []string {
	text, ok := p.Text(name)
	if !ok {
		return nil
	}
	var list []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}

// ListOf is a list of which a few values are allowed; all others are issues.
func (p *Params) ListOf(name string, allowed ...string) []string {
	var list []string
	for i, item := range p.List(name) {
		if !slices.Contains(allowed, item) {
			p.Add(NotOneOf(allowed, name, i))
			continue
		}
		list = append(list, item)
	}
	return list
}

// OneOf is a parameter with a few allowed values; "" when it was not sent or is wrong.
func (p *Params) OneOf(name string, allowed ...string) string {
	text, ok := p.Text(name)
	if !ok {
		return ""
	}
	if !slices.Contains(allowed, text) {
		p.Add(NotOneOf(allowed, name))
		return ""
	}
	return text
}

// Bool is a parameter that is `true` or `false`, and whether it was sent.
func (p *Params) Bool(name string) (value, ok bool) {
	text := p.OneOf(name, "true", "false")
	return text == "true", text != ""
}

// Time is a parameter with a time in the strict form; zero when it was not sent or is wrong.
func (p *Params) Time(name string) time.Time {
	text, ok := p.Text(name)
	if !ok {
		return time.Time{}
	}
	t, ok := ParseTime(text)
	if !ok {
		p.Add(notATime(name))
	}
	return t
}

// LenientTime is a parameter with a time in any form that JavaScript reads; an empty one was not sent.
func (p *Params) LenientTime(name string) time.Time {
	text, ok := p.Text(name)
	if !ok || text == "" {
		return time.Time{}
	}
	t, ok := ParseLenientTime(text)
	if !ok {
		p.Add(notADate(name))
	}
	return t
}

// RequiredTime is a time in the strict form without which there is no answer.
func (p *Params) RequiredTime(name string) time.Time {
	if !p.values.Has(name) {
		p.known = append(p.known, name)
		p.Add(Missing("string", name))
		return time.Time{}
	}
	return p.Time(name)
}

// decimal is what counts as a number in a parameter. Go reads more, such as 0x1p4.
var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// Number is a parameter with a finite number, nil when it was not sent, is empty or wrong.
func (p *Params) Number(name string) *float64 {
	text, ok := p.Text(name)
	if !ok || text == "" {
		return nil
	}
	number, ok := ParseNumber(text)
	if !ok {
		p.Add(notANumber(name))
		return nil
	}
	return &number
}

// ParseNumber reads a finite decimal number, with or without an exponent.
func ParseNumber(text string) (_ float64, ok bool) {
	text = strings.TrimSpace(text)
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil && decimal.MatchString(text)
}

// Int is a parameter with a whole number between two bounds; an empty one was not sent.
func (p *Params) Int(name string, least, most, otherwise int) int {
	number := p.Number(name)
	if number == nil {
		return otherwise
	}
	switch {
	case *number != math.Trunc(*number):
		p.Add(notAnInteger(name))
	case *number < float64(least):
		p.Add(TooSmall(OfNumber, float64(least), name))
	case *number > float64(most):
		p.Add(TooBig(OfNumber, float64(most), name))
	default:
		return int(*number)
	}
	return otherwise
}

// Page is the position in a list with pages.
type Page struct {
	Number, Limit int
}

// Offset is how many rows come before the page.
func (p Page) Offset() int { return (p.Number - 1) * p.Limit }

// maxPage keeps the offset of a page within a number.
const maxPage = 1_000_000_000

// Page reads the parameters `page` and `limit`.
func (p *Params) Page(defaultLimit int) Page {
	return Page{Number: p.Int("page", 1, maxPage, 1), Limit: p.Int("limit", 1, 100, defaultLimit)}
}

// NoOthers notes every parameter that nobody has asked for.
func (p *Params) NoOthers() {
	var unknown []string
	for name := range p.values {
		if !slices.Contains(p.known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		p.Add(UnknownKeys(unknown))
	}
}
