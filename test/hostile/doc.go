// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package hostile sends to the built binary what nobody with good intentions sends, and looks for secrets where they must
// not be.
package hostile // import "github.com/weirhq/weir/test/hostile"
