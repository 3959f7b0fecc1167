// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package tokens counts the tokens of a text as OpenAI's encodings make them, offline.
//
// The vocabularies come with a module, the two algorithms are ours: text is cut into pieces, and the bytes of a piece are
// merged. The libraries for Go were tried and not taken: tiktoken-go/tokenizer (0.8 to 0.10) counts blank lines with
// indentation wrong and needs 10 s for 100 kB of them; its older versions and pkoukk/tiktoken-go merge in quadratic time,
// 1 s for a word of 30 kB. Texts here come from outside, so the time must grow with their length and no faster.
package tokens // import "github.com/weirhq/weir/internal/pricing/tokens"
