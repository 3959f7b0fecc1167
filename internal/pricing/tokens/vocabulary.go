// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package tokens // import "github.com/weirhq/weir/internal/pricing/tokens"

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// vocabulary has the rank of every token: of two pairs that could be merged, the one of lower rank is.
type vocabulary map[string]uint32

// longestToken is longer than any token of any vocabulary: o200k_base has one of 128 bytes.
const longestToken = 256

// readVocabulary reads a file of the module: a line a token, its bytes in base64 and its rank.
func readVocabulary(name string) (vocabulary, error) {
	file, err := assets.Assets.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseVocabulary(name, string(file))
}

func parseVocabulary(name, file string) (vocabulary, error) {
	// One block for the bytes of all tokens, which are shorter than their base64: hundreds of thousands of small
	// strings would cost more than they hold.
	var (
		block  strings.Builder
		tokens = make(vocabulary, strings.Count(file, "\n")+1)
		buffer [longestToken]byte
		number int
	)
	block.Grow(len(file))
	for line := range strings.Lines(file) {
		number++
		text, digits, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if base64.StdEncoding.DecodedLen(len(text)) > len(buffer) {
			return nil, fmt.Errorf("%s: the token in line %d is too long", name, number)
		}
		n, err := base64.StdEncoding.Decode(buffer[:], []byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s: the token in line %d: %w", name, number, err)
		}
		rank, err := strconv.ParseUint(digits, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("%s: the rank in line %d: %w", name, number, err)
		}
		start := block.Len()
		block.Write(buffer[:n])
		tokens[block.String()[start:]] = uint32(rank)
	}
	return tokens, nil
}
