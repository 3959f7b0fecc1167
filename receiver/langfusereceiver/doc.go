// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:generate go tool -modfile=../../tools.mod mdatagen metadata.yaml

// Package langfusereceiver is the public API of the service on one port: OTLP and scores come in and go through the
// pipelines, and what the store holds is read back.
package langfusereceiver // import "github.com/weirhq/weir/receiver/langfusereceiver"
