// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:generate go tool -modfile=../../tools.mod mdatagen metadata.yaml

// Package langfusestoreextension owns the store: it is opened before every pipeline and closed after the last one.
package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"
