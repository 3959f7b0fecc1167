// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"

import "strings"

// The texts of the description use a little of Markdown: paragraphs, `code` and **strong**.
type (
	paragraph []span
	span      struct {
		Text   string
		Code   bool
		Strong bool
	}
)

func paragraphs(text string) []paragraph {
	var all []paragraph
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			all = append(all, spans(part))
		}
	}
	return all
}

// spans takes a paragraph apart. Every second part between back-ticks is code, and every second between double asterisks
// outside of code is strong.
func spans(text string) paragraph {
	var all paragraph
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			all = append(all, span{Text: part, Code: true})
			continue
		}
		for j, piece := range strings.Split(part, "**") {
			if piece != "" {
				all = append(all, span{Text: piece, Strong: j%2 == 1})
			}
		}
	}
	return all
}

// slug makes an anchor out of a name.
func slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }
