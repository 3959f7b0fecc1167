// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package storeprovider is how components find the extension that owns the store, without importing it.
package storeprovider // import "github.com/weirhq/weir/internal/storeprovider"
