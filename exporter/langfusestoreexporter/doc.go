// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:generate go tool -modfile=../../tools.mod mdatagen metadata.yaml

// Package langfusestoreexporter is the end of a pipeline: spans and scores go into the store.
package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"
