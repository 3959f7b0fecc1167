// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing // import "github.com/weirhq/weir/internal/pricing"

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/model"
)

// Conditions are written as
//
//	model_parameters.service_tier in fast|priority and sum(usage ~ /(input|cached)/) gt 272000
//
// Any number of conditions joined by "and"; all must hold. An attribute is a top-level key of model_parameters or of
// metadata, and its value must be one of the list. The sum is over all usage keys in which the expression (Go RE2)
// finds something, compared by gt, gte, lt, lte, eq or neq; a slash in the expression is written \/. Neither keys nor
// values contain blanks. Nothing at all, or the word "default", is the tier for what no other tier takes.
const defaultConditions = "default"

// Lookup finds the value of a top-level key as text. A nil Lookup finds nothing.
type Lookup func(key string) (value string, ok bool)

// facts are what conditions are held against.
type facts struct {
	parameter, metadata Lookup
	usage               model.Usage
}

// condition is one of the conditions of a tier. String gives it back as it is written.
type condition interface {
	holds(facts) bool
	String() string
}

const (
	sourceParameters = "model_parameters"
	sourceMetadata   = "metadata"
)

// attributeCondition wants an attribute to have one of some values.
type attributeCondition struct {
	source, key string
	values      []string
}

func (c *attributeCondition) holds(f facts) bool {
	lookup := f.parameter
	if c.source == sourceMetadata {
		lookup = f.metadata
	}
	if lookup == nil {
		return false
	}
	value, ok := lookup(c.key)
	return ok && slices.Contains(c.values, value)
}

func (c *attributeCondition) String() string {
	return c.source + "." + c.key + " in " + strings.Join(c.values, "|")
}

// usageCondition compares the sum of some usage keys with a number.
type usageCondition struct {
	keys     *regexp.Regexp
	operator string
	limit    int64
}

func (c *usageCondition) holds(f facts) bool {
	var sum int64
	for _, e := range f.usage {
		if !c.keys.MatchString(e.Key) {
			continue
		}
		if e.Units > math.MaxInt64-sum {
			sum = math.MaxInt64
			break
		}
		sum += max(e.Units, 0)
	}
	return compare[c.operator](sum, c.limit)
}

func (c *usageCondition) String() string {
	return fmt.Sprintf("sum(usage ~ /%s/) %s %d", c.keys, c.operator, c.limit)
}

// UsageCondition compares the sum of the usage keys in which an expression finds something with a number.
type UsageCondition struct {
	Pattern string
	// Operator is gt, gte, lt, lte, eq or neq.
	Operator string
	Value    int64
}

// String is the condition as a definition has it.
func (c UsageCondition) String() string {
	var pattern strings.Builder
	for i := 0; i < len(c.Pattern); i++ {
		switch c.Pattern[i] {
		case '\\':
			pattern.WriteByte('\\')
			i++
			if i == len(c.Pattern) {
				continue // which no expression ends with
			}
		case '/':
			pattern.WriteByte('\\')
		}
		pattern.WriteByte(c.Pattern[i])
	}
	return fmt.Sprintf("sum(usage ~ /%s/) %s %d", pattern.String(), c.Operator, c.Value)
}

// compare has the operators by their names.
var compare = map[string]func(a, b int64) bool{
	"gt":  func(a, b int64) bool { return a > b },
	"gte": func(a, b int64) bool { return a >= b },
	"lt":  func(a, b int64) bool { return a < b },
	"lte": func(a, b int64) bool { return a <= b },
	"eq":  func(a, b int64) bool { return a == b },
	"neq": func(a, b int64) bool { return a != b },
}

// parseConditions reads conditions; none stand for the default tier.
func parseConditions(text string) ([]condition, error) {
	p := conditionParser{rest: text}
	p.skip()
	if p.rest == "" || strings.TrimRight(p.rest, blanks) == defaultConditions {
		return nil, nil
	}
	var conditions []condition
	for {
		c, err := p.condition()
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, c)
		p.skip()
		if p.rest == "" {
			return conditions, nil
		}
		if word := p.word(); word != "and" {
			return nil, fmt.Errorf("found %q where \"and\" or the end is expected", word)
		}
	}
}

const blanks = " \t"

// conditionParser takes conditions off the front of a text.
type conditionParser struct {
	rest string
}

func (p *conditionParser) skip() { p.rest = strings.TrimLeft(p.rest, blanks) }

// word takes all up to the next blank.
func (p *conditionParser) word() string {
	p.skip()
	end := strings.IndexAny(p.rest, blanks)
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

// take takes what must come next.
func (p *conditionParser) take(text string) error {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, text)
	if !ok {
		return fmt.Errorf("found %q where %q is expected", p.rest, text)
	}
	p.rest = rest
	return nil
}

func (p *conditionParser) condition() (condition, error) {
	p.skip()
	if strings.HasPrefix(p.rest, "sum(") {
		return p.usage()
	}
	return p.attribute()
}

func (p *conditionParser) attribute() (condition, error) {
	path := p.word()
	source, key, _ := strings.Cut(path, ".")
	if source != sourceParameters && source != sourceMetadata || key == "" {
		return nil, fmt.Errorf("found %q where model_parameters.<key>, metadata.<key> or sum(usage ~ /<expression>/) is expected", path)
	}
	if word := p.word(); word != "in" {
		return nil, fmt.Errorf("found %q after %s where \"in\" is expected", word, path)
	}
	values := strings.Split(p.word(), "|")
	if slices.Contains(values, "") {
		return nil, fmt.Errorf("an empty value in the list for %s; values are separated by one |", path)
	}
	return &attributeCondition{source: source, key: key, values: values}, nil
}

func (p *conditionParser) usage() (condition, error) {
	for _, text := range []string{"sum(", "usage", "~", "/"} {
		if err := p.take(text); err != nil {
			return nil, err
		}
	}
	expression, err := p.expression()
	if err != nil {
		return nil, err
	}
	keys, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	if err := p.take(")"); err != nil {
		return nil, err
	}
	operator := p.word()
	if compare[operator] == nil {
		return nil, fmt.Errorf("found %q where gt, gte, lt, lte, eq or neq is expected", operator)
	}
	number := p.word()
	limit, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("found %q where a whole number is expected", number)
	}
	return &usageCondition{keys: keys, operator: operator, limit: limit}, nil
}

// expression takes all up to the slash that ends it, and the slash.
func (p *conditionParser) expression() (string, error) {
	for i := 0; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			i++
		case '/':
			expression := p.rest[:i]
			p.rest = p.rest[i+1:]
			return expression, nil
		}
	}
	return "", errors.New("no slash at the end of the expression")
}
