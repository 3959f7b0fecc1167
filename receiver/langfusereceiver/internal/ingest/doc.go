// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package ingest takes OTLP over HTTP in and hands it to the pipelines, stamped with the project of the caller. An answer
// is given when the pipeline has taken the data.
package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"
