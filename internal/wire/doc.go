// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package wire knows how things are written on the wire of the service: the names, all built from the name
// of the service, and the JSON text that carries metadata values. It does no I/O and imports nothing of ours,
// so that processor, exporter, receiver and store agree by using the same few functions.
package wire // import "github.com/weirhq/weir/internal/wire"
