// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"net"
	"net/http"
	"sync/atomic"
)

// sink is a service that throws away what it gets: what is measured is the way there.
type sink struct {
	url    string
	server *http.Server
	bytes  atomic.Int64 // of all bodies, as they came over the wire
}

func startSink() (*sink, error) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	s := &sink{url: "http://" + listener.Addr().String()}
	s.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		s.bytes.Add(n)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	})}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *sink) close() { _ = s.server.Close() }
