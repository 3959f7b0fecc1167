// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"encoding"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Size is a number of bytes, in a configuration a plain number or one with a unit: 512MiB, 1.5GB.
type Size int64

const (
	kib Size = 1 << (10 * (iota + 1))
	mib
	gib
	tib
)

var (
	_ encoding.TextUnmarshaler = (*Size)(nil)
	_ encoding.TextMarshaler   = Size(0)
)

// units are the factors by their names in lower case, without the B that may follow.
var units = map[string]Size{
	"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
	"ki": kib, "mi": mib, "gi": gib, "ti": tib,
}

var sizeText = regexp.MustCompile(`^(\d+(?:\.\d+)?) ?([KkMmGgTt]?i?)[Bb]?$`)

// UnmarshalText reads a size with or without a unit. A plain number that YAML knows as one does not come here.
func (s *Size) UnmarshalText(text []byte) error {
	parts := sizeText.FindStringSubmatch(string(text))
	if parts == nil {
		return fmt.Errorf("%q is no size: write bytes as a plain number, or a number with one of KB, MB, GB, TB, KiB, MiB, GiB, TiB", text)
	}
	unit, ok := units[strings.ToLower(parts[2])]
	if !ok { // a lone i
		return fmt.Errorf("%q is no size: the unit %q is unknown", text, parts[2])
	}
	if whole, err := strconv.ParseInt(parts[1], 10, 64); err == nil && whole <= math.MaxInt64/int64(unit) {
		*s = Size(whole) * unit
		return nil
	}
	number, err := strconv.ParseFloat(parts[1], 64)
	if bytes := math.Round(number * float64(unit)); err == nil && bytes < math.MaxInt64 {
		*s = Size(bytes)
		return nil
	}
	return fmt.Errorf("%q is larger than any disk", text)
}

// MarshalText writes the size with the unit that makes the smallest whole number of it.
func (s Size) MarshalText() ([]byte, error) {
	number, name := s, ""
	for _, unit := range []struct {
		size Size
		name string
	}{{1e3, "KB"}, {kib, "KiB"}, {1e6, "MB"}, {mib, "MiB"}, {1e9, "GB"}, {gib, "GiB"}, {1e12, "TB"}, {tib, "TiB"}} {
		if s > 0 && s%unit.size == 0 && s/unit.size < number {
			number, name = s/unit.size, unit.name
		}
	}
	return append(strconv.AppendInt(nil, int64(number), 10), name...), nil
}

// String is the size as a person writes it.
func (s Size) String() string {
	text, _ := s.MarshalText()
	return string(text)
}
