// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoctest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Generator makes requests out of the description: some keep to it, others break it in one place or many. The same seed
// makes the same requests.
type Generator struct {
	random *rand.Rand
	// known are values that mean something to the server, such as ids of rows that are there, by the name of a parameter.
	known map[string]string
}

// NewGenerator makes a generator.
func NewGenerator(seed uint64, known map[string]string) *Generator {
	return &Generator{random: rand.New(rand.NewPCG(seed, seed)), known: known}
}

// Generated is a request.
type Generated struct {
	Method string
	// Path has its query with it.
	Path string
	// Body is nil where there is none.
	Body []byte
	// Wild says that the request does not keep to the description.
	Wild bool
}

// Request makes a request for a route.
func (g *Generator) Request(route Route, wild bool) Generated {
	item := description().Paths.Value(route.Path)
	method := route.Method
	if method == AnyMethod {
		method = http.MethodGet
	}
	operation := findOperation(item, method)
	made := Generated{Method: method, Path: route.Path, Wild: wild}
	query := url.Values{}
	for _, parameters := range []openapi3.Parameters{item.Parameters, operation.Parameters} {
		for _, reference := range parameters {
			g.parameter(&made, query, reference.Value)
		}
	}
	if wild && g.chance(8) {
		query.Add(g.text(), g.text()) // a name that nobody knows
	}
	if len(query) > 0 {
		made.Path += "?" + query.Encode()
	}
	if operation.RequestBody != nil {
		made.Body = g.body(operation.RequestBody.Value, wild)
	}
	return made
}

// chance is true once in so many times.
func (g *Generator) chance(times int) bool { return g.random.IntN(times) == 0 }

func (g *Generator) parameter(made *Generated, query url.Values, parameter *openapi3.Parameter) {
	switch parameter.In {
	case openapi3.ParameterInPath:
		made.Path = strings.ReplaceAll(made.Path, "{"+parameter.Name+"}", url.PathEscape(g.segment(parameter, made.Wild)))
	case openapi3.ParameterInQuery:
		if !parameter.Required && g.chance(2) || made.Wild && g.chance(6) {
			return
		}
		for _, value := range g.queryValues(parameter, made.Wild) {
			if value != "" || made.Wild || parameter.AllowEmptyValue {
				query.Add(parameter.Name, value)
			}
		}
	}
}

// segment is the value of a variable part of a path, which is never empty.
func (g *Generator) segment(parameter *openapi3.Parameter, wild bool) string {
	if known := g.known[parameter.Name]; known != "" && g.chance(2) {
		return known
	}
	for {
		value := fmt.Sprint(g.value(parameter.Schema.Value, 0, wild))
		// A dot alone is taken out of a path on its way.
		if value != "" && value != "." && value != ".." {
			return value
		}
	}
}

func (g *Generator) queryValues(parameter *openapi3.Parameter, wild bool) []string {
	if parameter.Content != nil || parameter.Schema == nil {
		text, _ := json.Marshal(g.value(anyContent(parameter.Content), 0, wild)) // of plain values
		return []string{string(text)}
	}
	if known := g.known[parameter.Name]; known != "" && g.chance(3) {
		return []string{known}
	}
	value := g.value(parameter.Schema.Value, 0, wild)
	list, isList := value.([]any)
	if !isList {
		return []string{asText(value)}
	}
	texts := make([]string, 0, len(list))
	for _, entry := range list {
		texts = append(texts, asText(entry))
	}
	if parameter.Explode == nil || *parameter.Explode {
		return texts
	}
	return []string{strings.Join(texts, ",")}
}

func asText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.RawMessage:
		return string(value)
	default:
		text, _ := json.Marshal(value) // of plain values
		return string(text)
	}
}

func anyContent(content openapi3.Content) *openapi3.Schema {
	for _, media := range content {
		return media.Schema.Value
	}
	return &openapi3.Schema{}
}

// body is JSON, or what looks like it.
func (g *Generator) body(body *openapi3.RequestBody, wild bool) []byte {
	media := body.Content.Get("application/json")
	if media == nil || media.Schema == nil {
		return []byte(g.text())
	}
	text, err := json.Marshal(g.value(media.Schema.Value, 0, wild))
	if err != nil {
		panic(err) // of plain values
	}
	if wild && g.chance(20) {
		text = text[:g.random.IntN(len(text)+1)] // cut off
	}
	return text
}
