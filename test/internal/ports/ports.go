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
	"syscall"
)

// The range lies below the ports that operating systems give to outgoing connections (from 32768 on Linux, higher elsewhere).
// A port that was asked for with ":0" comes from those, so any connection made before the server starts can take it away.
const (
	lowest  = 15000
	highest = 32000
	tries   = 100
)

// given has every address that was returned: whoever got it may not listen there yet.
var given sync.Map

// Free returns addresses of loopback on which nobody listens, none of them twice in the life of a process.
func Free(count int) ([]string, error) {
	addresses := make([]string, count)
	for i := range addresses {
		address, err := find()
		if err != nil {
			return nil, err
		}
		addresses[i] = address
	}
	return addresses, nil
}

func find() (string, error) {
	err := errors.New("all were given away before")
	for range tries {
		address := fmt.Sprintf("127.0.0.1:%d", lowest+rand.IntN(highest-lowest))
		if _, before := given.LoadOrStore(address, true); before {
			continue
		}
		if err = probe(address); err == nil {
			return address, nil
		}
	}
	return "", fmt.Errorf("no free port among %d: %w", tries, err)
}

// probe listens at an address for a moment. A process that is started in that moment would have the listener too, until it
// runs its own program, and the address would be in use for longer than we know.
func probe(address string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return listener.Close()
}
