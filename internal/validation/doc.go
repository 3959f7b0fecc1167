// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package validation reads what callers of the public API send, query parameters and JSON bodies, and collects
// everything that is wrong with it, each problem with its path, in the form that clients of the service know.
package validation // import "github.com/weirhq/weir/internal/validation"
