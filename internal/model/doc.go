// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package model holds the rows of the service as plain data. It uses the standard library only, so that every
// other package can speak in these terms.
package model // import "github.com/weirhq/weir/internal/model"
