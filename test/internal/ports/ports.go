// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package ports finds addresses for servers that are started as processes of their own.
package ports // import "github.com/weirhq/weir/test/internal/ports"

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// The range lies below the ports that operating systems give to outgoing connections (from 32768 on Linux, higher elsewhere).
// A port that was asked for with ":0" comes from those, so any connection made before the server starts can take it away.
const (
	lowest  = 15000
	highest = 32000
	tries   = 100
)

// Free returns addresses of loopback on which nobody listens, no two the same.
func Free(count int) ([]string, error) {
	addresses := make([]string, count)
	for i := range addresses {
		// Held until the last is found, so that none comes twice.
		listener, err := listen()
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		addresses[i] = listener.Addr().String()
	}
	return addresses, nil
}

func listen() (net.Listener, error) {
	var err error
	for range tries {
		var listener net.Listener
		port := lowest + rand.IntN(highest-lowest)
		if listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return listener, nil
		}
	}
	return nil, fmt.Errorf("no free port among %d: %w", tries, err)
}
