// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package hostile

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	manyConnections = 10_000
	// spareFiles are what this process needs beside connections.
	spareFiles = 200
)

// connections is how many may be opened: what the machine allows, up to many.
func connections(t *testing.T) int {
	t.Helper()
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	if int(limit.Cur) < manyConnections+spareFiles {
		t.Logf("the machine allows %d open files", limit.Cur)
	}
	return min(manyConnections, int(limit.Cur)-spareFiles)
}

// With ten thousand connections open, idle or in the middle of a request, others are served, and memory stays within bounds.
func TestManyConnections(t *testing.T) {
	s := start(t)
	const request = "GET /api/public/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
	count := connections(t)
	open := make([]net.Conn, 0, count)
	for n := range count {
		switch n % 3 {
		case 0:
			open = append(open, s.dial("")) // says nothing
		case 1:
			open = append(open, s.dial("GET /api/public/he")) // and never ends
		default:
			conn := s.dial(request)
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			open = append(open, conn) // kept open for more
		}
	}
	usage, err := s.Usage()
	require.NoError(t, err)
	t.Logf("%d connections, %d files of the server, %d MB", len(open), usage.Files, usage.Resident>>20)
	assert.Greater(t, usage.Files, count/4, "those that wait for the next request at least; headers that do not end are cut off")
	s.isWell()
}
