// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package storetest holds every engine to the contract of package store. Run goes through the contract point by point,
// RunRandom drives an engine and a naive store with the same operations and compares every answer, KillTest kills a
// process in the middle of writing, and Bench measures.
//
// Naive is the reference: it keeps rows in maps and answers a query by looking at each of them, so that it can be read
// and believed.
package storetest // import "github.com/weirhq/weir/internal/store/storetest"
