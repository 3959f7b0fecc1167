// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package ports finds addresses for servers that are started as processes of their own.
package ports // import "github.com/weirhq/weir/test/internal/ports"

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// The range lies below the ports that operating systems give to outgoing connections (from 32768 on Linux, higher elsewhere).
// A port that was asked for with ":0" comes from those, so any connection made before the server starts can take it away.
const (
	lowest  = 15000
	highest = 32000
	tries   = 100
)

// given are the ports that this process has handed out. Whoever got one may not listen there yet.
var given sync.Map

// Free returns addresses of loopback on which nobody listens, no two the same, in this call or in any other of the process.
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
	err := errors.New("all were handed out before")
	for range tries {
		var listener net.Listener
		port := lowest + rand.IntN(highest-lowest)
		if _, taken := given.LoadOrStore(port, true); taken {
			continue
		}
		if listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return listener, nil
		}
	}
	return nil, fmt.Errorf("no free port among %d: %w", tries, err)
}
