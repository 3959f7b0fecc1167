// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:generate go tool -modfile=../../tools.mod mdatagen metadata.yaml

// Package langfuseexporter delivers spans and scores to a Langfuse-compatible service.
//
// The stock OTLP/HTTP exporter can be pointed at the service too, but it loses data there: one bad span sinks
// the batch it is in, a wrong key drops everything, and the reasons that the service gives are not read.
package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"
