// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package blobs keeps the contents of media in files: named by what they hold, complete or not there at all. It also signs
// the addresses by which those get at a content who have no key.
package blobs // import "github.com/weirhq/weir/internal/blobs"
