// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation // import "github.com/weirhq/weir/internal/validation"

import (
	"fmt"
	"strconv"
	"strings"
)

// Issue is one thing that is wrong with a request. Its fields and texts are those of the validator behind the original
// service, because people search the web for them.
type Issue struct {
	Expected      string   `json:"expected,omitempty"`
	Origin        string   `json:"origin,omitempty"`
	Code          string   `json:"code"`
	Format        string   `json:"format,omitempty"`
	Received      string   `json:"received,omitempty"`
	Minimum       *float64 `json:"minimum,omitempty"`
	Maximum       *float64 `json:"maximum,omitempty"`
	Inclusive     bool     `json:"inclusive,omitempty"`
	Values        []string `json:"values,omitempty"`
	Keys          []string `json:"keys,omitempty"`
	Note          string   `json:"note,omitempty"`
	Discriminator string   `json:"discriminator,omitempty"`
	// Errors are what is wrong with each variant of a union; an empty list is shown, none is not.
	Errors []Issue `json:"errors,omitzero"`
	// Path leads to the value: names of members and positions in lists.
	Path    []any  `json:"path"`
	Message string `json:"message"`
}

// Issues is the error of a request with everything that is wrong with it.
type Issues []Issue //nolint:errname // the answer calls them so

// maxIssues keeps an answer small whose request is wrong in thousands of places.
const maxIssues = 100

// add notes an issue; beyond the first hundred they are all alike.
func (i *Issues) add(issue Issue) {
	if len(*i) < maxIssues {
		*i = append(*i, issue)
	}
}

// Error names every issue with its path.
func (i Issues) Error() string {
	var text strings.Builder
	for n, issue := range i {
		if n > 0 {
			text.WriteString("; ")
		}
		for at, step := range issue.Path {
			if at > 0 {
				text.WriteByte('.')
			}
			fmt.Fprint(&text, step)
		}
		if len(issue.Path) > 0 {
			text.WriteString(": ")
		}
		text.WriteString(issue.Message)
	}
	return text.String()
}

// Err is nil where there are none.
func (i Issues) Err() error {
	if len(i) == 0 {
		return nil
	}
	return i
}

// Refusal is the error of a request that is wrong as a whole, in one sentence.
type Refusal struct{ Message string } //nolint:errname // the counterpart of Issues

func (r *Refusal) Error() string { return r.Message }

// Refuse makes a refusal.
func Refuse(format string, args ...any) error { return &Refusal{Message: fmt.Sprintf(format, args...)} }

// Path builds the path of a value.
func Path(steps ...any) []any {
	if steps == nil {
		return []any{} // shown as an empty list, not as null
	}
	return steps
}

// Custom is an issue with a text of its own.
func Custom(message string, path ...any) Issue {
	return Issue{Code: "custom", Path: Path(path...), Message: message}
}

// WrongType says that a value is of another type than the expected one.
func WrongType(expected, received string, path ...any) Issue {
	return Issue{
		Code: "invalid_type", Expected: expected, Path: Path(path...),
		Message: "Invalid input: expected " + expected + ", received " + received,
	}
}

// Missing says that a required value is not there.
func Missing(expected string, path ...any) Issue { return WrongType(expected, "undefined", path...) }

// notANumber is what a text that reads as no number becomes.
func notANumber(path ...any) Issue {
	issue := WrongType("number", "NaN", path...)
	issue.Received = "NaN"
	return issue
}

func notAnInteger(path ...any) Issue {
	issue := WrongType("int", "number", path...)
	issue.Format = "safeint"
	return issue
}

// NotOneOf says that a value is none of those that are allowed.
func NotOneOf(allowed []string, path ...any) Issue {
	quoted := make([]string, len(allowed))
	for i, value := range allowed {
		quoted[i] = strconv.Quote(value)
	}
	text := "Invalid option: expected one of " + strings.Join(quoted, "|")
	if len(allowed) == 1 {
		text = "Invalid input: expected " + quoted[0]
	}
	return Issue{Code: "invalid_value", Values: allowed, Path: Path(path...), Message: text}
}

// NoSuchVariant says that the member by which variants are told apart names none of them.
func NoSuchVariant(discriminator string, path ...any) Issue {
	return Issue{
		Code: "invalid_union", Note: "No matching discriminator", Discriminator: discriminator,
		Errors: []Issue{}, Path: Path(path...), Message: "Invalid input",
	}
}

// UnknownKeys says that there are members or parameters that do not exist.
func UnknownKeys(keys []string, path ...any) Issue {
	quoted := make([]string, len(keys))
	for i, key := range keys {
		quoted[i] = strconv.Quote(key)
	}
	text := "Unrecognized key: "
	if len(keys) > 1 {
		text = "Unrecognized keys: "
	}
	return Issue{Code: "unrecognized_keys", Keys: keys, Path: Path(path...), Message: text + strings.Join(quoted, ", ")}
}

// What a size is of, for TooSmall and TooBig.
const (
	OfNumber = "number"
	OfString = "string"
	OfArray  = "array"
)

// TooSmall says that a number, or the length of a text or list, is below its minimum.
func TooSmall(origin string, minimum float64, path ...any) Issue {
	return Issue{
		Code: "too_small", Origin: origin, Minimum: &minimum, Inclusive: true, Path: Path(path...),
		Message: "Too small: expected " + sizeText(origin, ">=", minimum),
	}
}

// TooBig says that a number, or the length of a text or list, is above its maximum.
func TooBig(origin string, maximum float64, path ...any) Issue {
	return Issue{
		Code: "too_big", Origin: origin, Maximum: &maximum, Inclusive: true, Path: Path(path...),
		Message: "Too big: expected " + sizeText(origin, "<=", maximum),
	}
}

func sizeText(origin, comparison string, bound float64) string {
	limit := comparison + strconv.FormatFloat(bound, 'f', -1, 64)
	switch origin {
	case OfString:
		return "string to have " + limit + " characters"
	case OfArray:
		return "array to have " + limit + " items"
	default:
		return origin + " to be " + limit
	}
}
