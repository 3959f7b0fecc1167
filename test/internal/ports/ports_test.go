// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ports

import (
	"net"
	"net/netip"
	"os"
	"os/exec"
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

// Servers that are started one after the other do not get the same port, though none listens yet.
func TestFreeNeverTwice(t *testing.T) {
	seen := map[string]bool{}
	for range 500 {
		addresses, err := Free(1)
		require.NoError(t, err)
		require.False(t, seen[addresses[0]], addresses[0])
		seen[addresses[0]] = true
	}
}

// A process that is started meanwhile has all open files for a moment, and would keep the port from being free.
func TestFreeWhileProcessesStart(t *testing.T) {
	done := make(chan struct{})
	defer func() { <-done }()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				_ = exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$").Run()
			}
		}
	}()
	for range 500 {
		addresses, err := Free(1)
		require.NoError(t, err)
		listener, err := net.Listen("tcp", addresses[0])
		require.NoError(t, err)
		require.NoError(t, listener.Close())
	}
}
