// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package catalog is everything that is no signal, as the service knows it: datasets, prompts, score configs, models, media
// and what else there is beside traces and scores. It holds the rules, one file a resource, and keeps things as documents
// of a store; it knows nothing of HTTP.
//
// Texts of errors are meant for the caller of the API: see Error.
package catalog // import "github.com/weirhq/weir/internal/catalog"
