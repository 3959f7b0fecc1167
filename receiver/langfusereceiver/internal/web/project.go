// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import "encoding/json"

// Project is a tenant: what one of its keys writes, no key of another project reads.
type Project struct {
	ID               string
	Name             string
	OrganizationID   string
	OrganizationName string
	// Metadata is the JSON text of an object.
	Metadata json.RawMessage
}

// Caller is who sent a request.
type Caller struct {
	Project   *Project
	PublicKey string
	// ScoresOnly says that the caller showed the public key alone, as browsers do.
	ScoresOnly bool
}
