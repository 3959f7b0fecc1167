// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package apidoc has the description of the public API: for tools as an OpenAPI document, and for people as a page that is
// made from it.
package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"
