// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package store is the contract between what reads and writes rows and the engines that keep them: one interface
// a resource, and the errors. Engines live in the packages below; storetest holds each of them to the contract.
package store // import "github.com/weirhq/weir/internal/store"
