// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package traffic is what applications with language models send: agents with many spans, chats that grow with every turn,
// a few very large texts, scores that come later. It keeps a ledger of what was sent and acknowledged, and holds what is
// found in the end against it.
package traffic // import "github.com/weirhq/weir/test/internal/traffic"
