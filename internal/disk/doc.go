// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package disk tells how much room there is for what is kept on this machine.
package disk // import "github.com/weirhq/weir/internal/disk"
