// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package apidoctest holds what a server answers against the description of the API. It is for tests only: the validator
// that it uses has no place in the program.
package apidoctest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
