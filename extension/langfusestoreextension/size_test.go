// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"0": 0, "1": 1, "536870912": 512 << 20, "12B": 12, "12 B": 12,
		"1KB": 1000, "1kb": 1000, "1K": 1000, "2MB": 2e6, "3GB": 3e9, "4TB": 4e12,
		"1KiB": 1 << 10, "512MiB": 512 << 20, "512 MiB": 512 << 20, "512mib": 512 << 20, "512Mi": 512 << 20, "2GiB": 2 << 30, "1TiB": 1 << 40,
		"1.5GiB": 3 << 29, "0.5KB": 500, "9223372036854775807": 1<<63 - 1,
	} {
		var got Size
		require.NoError(t, got.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "MiB", "-1", "1.", ".5", "1e9", "1 elephant", "1MiBs", "1  MiB", "1iB", "1 i", "9223372036854775808", "9000000TiB", "٣MiB",
	} {
		var got Size
		assert.ErrorContains(t, got.UnmarshalText([]byte(text)), `"`+text+`" is`)
	}
}

func TestSizeAsText(t *testing.T) {
	for size, want := range map[Size]string{
		0: "0", 1: "1", 1000: "1KB", 1024: "1KiB", 1025: "1025", 512 << 20: "512MiB", 3 << 29: "1536MiB", 3 << 30: "3GiB", 2 << 40: "2TiB",
		2_500_000: "2500KB", 50e9: "50GB", 1e12: "1TB", -1: "-1",
	} {
		assert.Equal(t, want, size.String())
	}
}

// A configuration that is printed and read again is the same.
func TestSizeThereAndBack(t *testing.T) {
	cfg := configWith(at("x"), func(c *Config) { c.MaxSize = 50_000_000_000 })
	printed := confmap.New()
	require.NoError(t, printed.Marshal(cfg))
	assert.Equal(t, "512MiB", printed.Get("embedded::memory_limit"))
	assert.Equal(t, "50GB", printed.Get("max_size"))
	read := createDefaultConfig()
	require.NoError(t, printed.Unmarshal(read))
	assert.Equal(t, cfg, read)
}

func FuzzSize(f *testing.F) {
	for _, text := range []string{"0", "512MiB", "1.5 GB", "9223372036854775807", "1i"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var size, again Size
		if size.UnmarshalText([]byte(text)) != nil {
			return
		}
		require.GreaterOrEqual(t, size, Size(0))
		require.NoError(t, again.UnmarshalText([]byte(size.String())))
		require.Equal(t, size, again)
	})
}
