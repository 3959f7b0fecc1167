// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package e2e drives the built binary from outside, with the shipped configurations, as a user does.
package e2e // import "github.com/weirhq/weir/test/e2e"
