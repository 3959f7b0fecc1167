// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoctest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// exchange is a request and its answer, with bodies that are decompressed.
type exchange struct {
	request   *http.Request
	sent      []byte
	answer    *http.Response
	received  []byte
	pattern   string // empty where the path is not described
	item      *openapi3.PathItem
	values    map[string]string
	operation *openapi3.Operation // nil where the method is not described
}

func newExchange(request *http.Request, sent []byte, answer *http.Response, received []byte) (*exchange, error) {
	e := &exchange{request: request, answer: answer}
	var err error
	// A body that cannot be opened is the business of the server, unless it takes it.
	if e.sent, err = decompress(request.Header, sent); err != nil && answer.StatusCode < 300 {
		return nil, fmt.Errorf("the body of the request: %w", err)
	}
	if e.received, err = decompress(answer.Header, received); err != nil {
		return nil, fmt.Errorf("the body of the answer: %w", err)
	}
	e.pattern, e.item, e.values = findPath(request.URL)
	if e.item != nil {
		e.operation = findOperation(e.item, request.Method)
	}
	return e, nil
}

func (e *exchange) path() string {
	if e.pattern == "" {
		return e.request.URL.EscapedPath()
	}
	return e.pattern
}

// problems says everything that is not as described.
func (e *exchange) problems(ctx context.Context) []string {
	status := e.answer.StatusCode
	responses := description().Components.Responses
	switch {
	case e.request.Method == http.MethodOptions && status == http.StatusNoContent: // a question of a browser
		return nil
	case e.item == nil && status == http.StatusPermanentRedirect && strings.HasSuffix(e.request.URL.Path, "/"):
		return nil
	case e.item == nil && status == http.StatusNotFound:
		return e.answerProblems(ctx, responses["NotFound"])
	case e.item == nil:
		return []string{"the path is not described"}
	case e.operation == nil && status == http.StatusMethodNotAllowed:
		return e.answerProblems(ctx, responses["MethodNotAllowed"])
	case e.operation == nil:
		return []string{"the method is not described"}
	}
	described := e.operation.Responses.Status(status)
	if described == nil {
		return []string{"the status is not described"}
	}
	problems := e.answerProblems(ctx, described)
	if status < 300 && ctx.Value(undescribedKey{}) == nil {
		problems = append(problems, e.requestProblems(ctx)...)
	}
	return problems
}

// answerProblems holds the answer against one that is described.
func (e *exchange) answerProblems(ctx context.Context, described *openapi3.ResponseRef) []string {
	var problems []string
	options := options()
	contentType := e.answer.Header.Get("Content-Type")
	switch content := described.Value.Content; {
	case e.request.Method == http.MethodHead:
		options.ExcludeResponseBody = true
	case len(content) == 0 && len(e.received) > 0:
		problems = append(problems, "the answer has a body, which is not described")
	case len(content) == 0:
	case content.Get(contentType) == nil:
		problems = append(problems, fmt.Sprintf("the content type %q of the answer is not described", contentType))
		options.ExcludeResponseBody = true
	default:
		options.ExcludeResponseBody = !isJSON(contentType)
	}
	// The answer may be one that belongs to no operation: for the validator it is made the only one of an operation.
	operation := &openapi3.Operation{Responses: openapi3.NewResponses(openapi3.WithStatus(e.answer.StatusCode, described))}
	err := openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: e.input(ctx, operation, options),
		Status:                 e.answer.StatusCode,
		Header:                 e.answer.Header,
		Body:                   io.NopCloser(bytes.NewReader(e.received)),
		Options:                options,
	})
	return append(problems, texts("answer", err)...)
}

// requestProblems holds a request that was answered well against the description.
func (e *exchange) requestProblems(ctx context.Context) []string {
	var problems []string
	known := map[string]*openapi3.Parameter{}
	for _, parameters := range []openapi3.Parameters{e.item.Parameters, e.operation.Parameters} {
		for _, parameter := range parameters {
			if parameter.Value.In == openapi3.ParameterInQuery {
				known[parameter.Value.Name] = parameter.Value
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.request.URL.Query())) {
		if known[name] == nil {
			problems = append(problems, fmt.Sprintf("the query parameter %q is not described", name))
		}
	}
	options := options()
	contentType := e.request.Header.Get("Content-Type")
	switch body := e.operation.RequestBody; {
	case body == nil && len(e.sent) > 0:
		problems = append(problems, "the request has a body, which is not described")
	case body == nil:
	case len(e.sent) > 0 && body.Value.Content.Get(contentType) == nil:
		problems = append(problems, fmt.Sprintf("the content type %q of the request is not described", contentType))
		options.ExcludeRequestBody = true
	default:
		// Without a content type there is no body at all; an empty message of protobuf has one, but no bytes.
		options.ExcludeRequestBody = contentType != "" && !isJSON(contentType) || e.refusedInPart()
	}
	input := e.input(ctx, e.operation, options)
	// Where an empty value is allowed there is nothing to hold it against.
	query := input.Request.URL.Query()
	for name, values := range query {
		if known[name] != nil && known[name].AllowEmptyValue && slices.Equal(values, []string{""}) {
			query.Del(name)
		}
	}
	input.Request.URL.RawQuery = query.Encode()
	err := openapi3filter.ValidateRequest(ctx, input)
	return append(problems, texts("request", err)...)
}

// refusedInPart is true for a batch some of whose events were answered with an error of their own.
func (e *exchange) refusedInPart() bool {
	var answer struct{ Errors []any }
	return e.answer.StatusCode == http.StatusMultiStatus && json.Unmarshal(e.received, &answer) == nil && len(answer.Errors) > 0
}

// input is the request in the form of the validator, which gets a copy because it changes what it looks at.
func (e *exchange) input(ctx context.Context, operation *openapi3.Operation, options *openapi3filter.Options) *openapi3filter.RequestValidationInput {
	request := e.request.Clone(ctx)
	for _, values := range request.Header {
		for i, value := range values {
			values[i] = strings.TrimSpace(value) // as it is sent
		}
	}
	request.Body = io.NopCloser(bytes.NewReader(e.sent))
	request.GetBody = nil
	return &openapi3filter.RequestValidationInput{
		Request:    request,
		PathParams: e.values,
		Options:    options,
		Route: &routers.Route{
			Spec: description(), Path: e.pattern, PathItem: e.pathItem(), Method: request.Method, Operation: operation,
		},
	}
}

func (e *exchange) pathItem() *openapi3.PathItem {
	if e.item == nil {
		return &openapi3.PathItem{}
	}
	return e.item
}

func options() *openapi3filter.Options {
	o := &openapi3filter.Options{
		MultiError: true, IncludeResponseStatus: true, SkipSettingDefaults: true, AuthenticationFunc: authenticate,
	}
	o.WithCustomSchemaErrorFunc(schemaText)
	return o
}

// schemaText says where something is wrong, and what. Of several variants none of which fits it takes the one that fits
// furthest: that is the one which was meant.
func schemaText(err *openapi3.SchemaError) string {
	text := fmt.Sprintf("at /%s: %s", strings.Join(err.JSONPointer(), "/"), err.Reason)
	var variants openapi3.MultiError
	if !errors.As(err.Origin, &variants) {
		return text
	}
	best, depth := "", -1
	for _, variant := range variants {
		var inner *openapi3.SchemaError
		if errors.As(variant, &inner) && len(inner.JSONPointer()) > depth {
			best, depth = schemaText(inner), len(inner.JSONPointer())
		}
	}
	if best == "" {
		return text
	}
	return text + "; " + best
}

// authenticate tells whether a request has credentials of the form that is described; who they are of is the server's
// business.
func authenticate(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	header := input.RequestValidationInput.Request.Header.Get("Authorization")
	scheme, _, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, input.SecurityScheme.Scheme) {
		return fmt.Errorf("no credentials for %s", input.SecuritySchemeName)
	}
	return nil
}

func isJSON(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == "application/json"
}

// texts takes an error apart.
func texts(subject string, err error) []string {
	if err == nil {
		return nil
	}
	if several, ok := err.(openapi3.MultiError); ok { //nolint:errorlint // only the outermost is a list of problems
		var all []string
		for _, one := range several {
			all = append(all, texts(subject, one)...)
		}
		return all
	}
	return []string{fmt.Sprintf("the %s is not as described: %v", subject, err)}
}
