// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

// Stamps are resource attributes by which a receiver that knows its callers tells the store exporter about them. They are
// never stored. The receiver takes off what came in under these names before it writes its own.
const (
	// StampPrefix is what all of them begin with, those of other versions included.
	StampPrefix = "weir."
	// StampProject is the project in which everything below the resource belongs.
	StampProject = "weir.project.id"
	// StampPublicKey, StampClientName and StampClientVersion tell who sent it.
	StampPublicKey     = "weir.public_key"
	StampClientName    = "weir.client.name"
	StampClientVersion = "weir.client.version"
)
