// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:generate go tool -modfile=../../tools.mod mdatagen metadata.yaml

// Package langfuseprocessor rewrites span metadata into, or back from, the JSON wire encoding of the service.
package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"
