// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// docBlock is one ```yaml block of a Markdown file.
type docBlock struct {
	line       int // of the opening fence
	text       string
	noValidate bool // the author says that it is not for the collector
}

// fence is a line that opens or closes a block: indentation, the fence, and what is said about the block.
var fence = regexp.MustCompile("^([ \t]*)(`{3,}|~{3,})[ \t]*([^`]*)$")

// docBlocks finds the YAML blocks of a Markdown text. Blocks in other languages are walked over,
// so that a fence inside one of them opens nothing.
func docBlocks(markdown string) []docBlock {
	var blocks []docBlock
	var block docBlock
	var indent, opening, language string // of the block we are in; opening is empty outside
	for number, line := range strings.Split(markdown, "\n") {
		parts := fence.FindStringSubmatch(strings.TrimRight(line, " \t\r"))
		isFence := len(parts) > 0
		switch {
		case opening == "" && isFence:
			indent, opening = parts[1], parts[2]
			language, _, _ = strings.Cut(parts[3], " ")
			block = docBlock{line: number + 1, noValidate: slices.Contains(strings.Fields(parts[3]), "no-validate")}
		case opening == "":
			// prose
		case isFence && parts[3] == "" && strings.HasPrefix(parts[2], opening):
			if language == "yaml" || language == "yml" {
				blocks = append(blocks, block)
			}
			opening = ""
		default:
			block.text += strings.TrimPrefix(line, indent) + "\n"
		}
	}
	return blocks
}

func TestDocBlocks(t *testing.T) {
	const tick = "```"
	for name, tc := range map[string]struct {
		markdown string
		want     []docBlock
	}{
		"none":              {"text\n", nil},
		"one":               {"# T\n" + tick + "yaml\na: 1\nb: 2\n" + tick + "\ntext\n", []docBlock{{line: 2, text: "a: 1\nb: 2\n"}}},
		"two":               {tick + "yaml\na: 1\n" + tick + "\n" + tick + "yml\nb: 2\n" + tick, []docBlock{{line: 1, text: "a: 1\n"}, {line: 4, text: "b: 2\n"}}},
		"other language":    {tick + "json\n{}\n" + tick + "\n" + tick + "\nplain\n" + tick, nil},
		"marked":            {tick + "yaml no-validate\na: 1\n" + tick, []docBlock{{line: 1, text: "a: 1\n", noValidate: true}}},
		"other words":       {tick + "yaml title=no-validate.yaml\na: 1\n" + tick, []docBlock{{line: 1, text: "a: 1\n"}}},
		"in a list":         {"- x\n  " + tick + "yaml\n  a:\n    b: 1\n  " + tick, []docBlock{{line: 2, text: "a:\n  b: 1\n"}}},
		"tildes":            {"~~~yaml\na: 1\n~~~", []docBlock{{line: 1, text: "a: 1\n"}}},
		"inside another":    {tick + tick[:1] + "markdown\n" + tick + "yaml\na: 1\n" + tick + "\n" + tick + tick[:1], nil},
		"inline code":       {tick + "yaml" + tick + " is how it starts\n", nil},
		"not of this fence": {"~~~yaml\na: 1\n" + tick + "\n~~~", []docBlock{{line: 1, text: "a: 1\n" + tick + "\n"}}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tc.want, docBlocks(tc.markdown)) })
	}
}
