// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ports

import (
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A port that an outgoing connection could take is no good: the server that is to listen there would not start.
func TestFree(t *testing.T) {
	var addresses []string
	for range 1000 { // so many that two calls would meet
		more, err := Free(2)
		require.NoError(t, err)
		addresses = append(addresses, more...)
	}
	seen := map[string]bool{}
	for _, address := range addresses {
		parsed, err := netip.ParseAddrPort(address)
		require.NoError(t, err)
		assert.Less(t, int(parsed.Port()), 32768)
		assert.False(t, seen[address], address)
		seen[address] = true
		listener, err := net.Listen("tcp", address)
		require.NoError(t, err)
		require.NoError(t, listener.Close())
	}
}
