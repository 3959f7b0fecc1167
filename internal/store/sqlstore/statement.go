// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import "strings"

// Statement is SQL under construction, with its arguments.
type Statement struct {
	text strings.Builder
	Args []any
}

// Write appends text of our own making.
func (s *Statement) Write(parts ...string) *Statement {
	for _, part := range parts {
		s.text.WriteString(part)
	}
	return s
}

// Arg appends a placeholder for a value.
func (s *Statement) Arg(value any) *Statement {
	s.text.WriteByte('?')
	s.Args = append(s.Args, value)
	return s
}

// List appends placeholders in brackets; an empty list matches nothing.
func (s *Statement) List(values []string) *Statement {
	if len(values) == 0 {
		return s.Write("(NULL)")
	}
	s.Write("(")
	for i, value := range values {
		if i > 0 {
			s.Write(", ")
		}
		s.Arg(value)
	}
	return s.Write(")")
}

// String is the text of the statement.
func (s *Statement) String() string { return s.text.String() }
