// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"net/http"

	"github.com/weirhq/weir/internal/validation"
)

// Style is how the errors of a route look. Client libraries of the service know each route's own.
type Style int

const (
	// StyleStandard is {"message", "error"}, where error is a class or a list of issues. Who is not let in gets the
	// message alone.
	StyleStandard Style = iota
	// StyleNamed is the same, but also who is not let in gets the class.
	StyleNamed
	// StyleMessage is the message alone.
	StyleMessage
	// StyleOTLP is {"error": message}; who is not let in gets {"message"}.
	StyleOTLP
	// StyleEnvelope is StyleNamed, but issues are {"message", "errors"}, where errors are their texts.
	StyleEnvelope
)

// MessageBody is an answer, or an error, that is one sentence.
type MessageBody struct {
	Message string `json:"message"`
}

type (
	classBody struct {
		Message string `json:"message"`
		Error   string `json:"error"`
	}
	issuesBody struct {
		Message string            `json:"message"`
		Error   validation.Issues `json:"error"`
	}
	errorsBody struct {
		Message string   `json:"message"`
		Errors  []string `json:"errors"`
	}
	otlpBody struct {
		Error string `json:"error"`
	}
)

// body is what an error looks like on a route of this style.
func (s Style) body(e *Error) any {
	notLetIn := e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
	switch {
	case s == StyleMessage,
		notLetIn && (s == StyleStandard || s == StyleOTLP):
		return MessageBody{e.Message}
	case s == StyleOTLP && e.Issues != nil:
		return otlpBody{e.Message + ": " + e.Issues.Error()}
	case s == StyleOTLP:
		return otlpBody{e.Message}
	case s == StyleEnvelope && e.Issues != nil:
		texts := make([]string, len(e.Issues))
		for i, issue := range e.Issues {
			texts[i] = issue.Message
		}
		return errorsBody{e.Message, texts}
	case e.Issues != nil:
		return issuesBody{e.Message, e.Issues}
	default:
		return classBody{e.Message, e.Class}
	}
}
