// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package web is what every route of the receiver has in common: who may call it, how a body is read, what bounds a
// request, and how answers and errors look.
package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
