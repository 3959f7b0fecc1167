// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package api answers the public read API and everything else that is no signal: one file a resource.
package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"
