// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package house holds the tests that keep the repository itself in order: versions that must agree, configurations that
// must load, names and imports that must stay where the design puts them, files that must be there and current.
//
// A file is a subject. In each, small functions take text or names and return what is wrong with them; one test gives them
// the repository, and another gives them bad input, since a check that cannot fail checks nothing.
package house // import "github.com/weirhq/weir/test/house"
