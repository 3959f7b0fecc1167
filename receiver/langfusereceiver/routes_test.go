// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
)

// Every route is described, and what is described is a route. A path is the same whatever its variable parts are called.
func TestRoutesAreDescribed(t *testing.T) {
	variable := regexp.MustCompile(`\{[^}]*\}`)
	nameless := func(method, path string) string { return method + " " + variable.ReplaceAllString(path, "{}") }
	var described []string
	for _, route := range apidoctest.Routes() {
		described = append(described, nameless(route.Method, route.Path))
	}
	for _, legacyReads := range []bool{true, false} {
		settings := oneProject(nil)
		settings["legacy_reads"] = legacyReads
		r := newReceiver(t, settings)
		routes, err := r.routes(nopHost(), nil)
		require.NoError(t, err)
		var served []string
		for _, route := range routes {
			served = append(served, nameless(route.Method, route.Path))
		}
		assert.ElementsMatch(t, described, served)
	}
}
