// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoctest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"
)

// AnyMethod is the method of a route that takes all of them.
const AnyMethod = "*"

// Route is one method of one path of the description. Variable parts of the path are in braces.
type Route struct {
	Method string
	Path   string
}

// Routes lists everything that is described, by path and method.
func Routes() []Route {
	var all []Route
	for path, item := range description().Paths.Map() {
		for method, operation := range item.Operations() {
			if takesAnyMethod(operation) {
				method = AnyMethod
			}
			all = append(all, Route{Method: method, Path: path})
		}
	}
	slices.SortFunc(all, func(a, b Route) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method)) })
	return all
}

// description is the document, read once. The tests of apidoc say more about one that cannot be read.
var description = sync.OnceValue(func() *openapi3.T {
	document, err := openapi3.NewLoader().LoadFromData(apidoc.Document())
	if err != nil {
		panic(err)
	}
	return document
})

// takesAnyMethod is said by an extension, because OpenAPI has no word for it.
func takesAnyMethod(operation *openapi3.Operation) bool {
	return operation.Extensions["x-any-method"] == true
}

// findPath returns the path of the description that an address is of, and the values of its variable parts. It goes by the
// escaped form, in which a slash within a name is none.
func findPath(address *url.URL) (path string, item *openapi3.PathItem, values map[string]string) {
	parts := strings.Split(strings.TrimLeft(address.EscapedPath(), "/"), "/")
	for candidate, candidateItem := range description().Paths.Map() {
		found, ok := matchPath(strings.Split(candidate[1:], "/"), parts)
		// A fixed part goes before a variable one.
		if ok && (item == nil || len(found) < len(values)) {
			path, item, values = candidate, candidateItem, found
		}
	}
	return path, item, values
}

func matchPath(pattern, parts []string) (map[string]string, bool) {
	if len(pattern) != len(parts) {
		return nil, false
	}
	values := map[string]string{}
	for i, name := range pattern {
		variable := strings.HasPrefix(name, "{")
		value, err := url.PathUnescape(parts[i])
		if err != nil || !variable && name != parts[i] || variable && value == "" {
			return nil, false
		}
		if variable {
			values[strings.Trim(name, "{}")] = value
		}
	}
	return values, true
}

// findOperation returns the operation that a method means, or nil.
func findOperation(item *openapi3.PathItem, method string) *openapi3.Operation {
	if operation := item.GetOperation(method); operation != nil {
		return operation
	}
	if get := item.GetOperation(http.MethodGet); get != nil && takesAnyMethod(get) {
		return get
	}
	return nil
}
