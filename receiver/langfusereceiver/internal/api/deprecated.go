// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

// sunset is when the service stops to answer what is deprecated.
const sunset = "2026-11-16"

// deprecation goes with the answers of routes that the service is about to give up. Client libraries show it.
type deprecation struct {
	Message     string `json:"message"`
	Replacement string `json:"replacement"`
	SunsetAt    string `json:"sunsetAt"`
}

// deprecatedFor says what to call instead, as method and path.
func deprecatedFor(replacement string) deprecation {
	return deprecation{Message: "This endpoint is deprecated. Use " + replacement + " instead.", Replacement: replacement, SunsetAt: sunset}
}

// noticed is a body that can tell that it comes from an older route.
type noticed struct {
	Deprecation *deprecation `json:"_deprecation,omitempty"`
}

func (n *noticed) notice(d *deprecation) { n.Deprecation = d }
