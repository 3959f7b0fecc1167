// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
	"go.uber.org/zap"
)

// numberHeader tells the receiver which request it is. A client would send other ids; here the receiver makes them, so that
// sending costs next to nothing and what is measured is receiving.
const numberHeader = "Bench-Number"

// loopback is a receiver of OTLP requests over HTTP in this process, of the parts that the receivers of the collector are
// made of, and a client that sends to it.
type loopback struct {
	requests *requests
	take     take
	server   *http.Server
	client   *http.Client
	url      string
}

func newLoopback(ctx context.Context, requests *requests, take take) (*loopback, error) {
	l := &loopback{requests: requests, take: take, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: requests.writers}}}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l.url = "http://" + listener.Addr().String() + "/v1/traces"
	config := confighttp.NewDefaultServerConfig()
	l.server, err = config.ToServer(ctx, nil, component.TelemetrySettings{
		Logger: zap.NewNop(), TracerProvider: tracenoop.NewTracerProvider(), MeterProvider: metricnoop.NewMeterProvider(), Resource: pcommon.NewResource(),
	}, http.HandlerFunc(l.receive))
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	go func() { _ = l.server.Serve(listener) }()
	return l, nil
}

func (l *loopback) close() error { return l.server.Close() }

func (l *loopback) receive(w http.ResponseWriter, r *http.Request) {
	if err := l.accept(r); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}

func (l *loopback) accept(r *http.Request) error {
	n, err := strconv.Atoi(r.Header.Get(numberHeader))
	if err != nil {
		return err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	request, err := l.requests.decode(n, body)
	if err != nil {
		return err
	}
	return l.take(r.Context(), request)
}

// send delivers the n-th request and waits for the answer.
func (l *loopback) send(ctx context.Context, n int) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(l.requests.zipped[n%len(l.requests.zipped)]))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	request.Header.Set("Content-Encoding", "gzip")
	request.Header.Set(numberHeader, strconv.Itoa(n))
	response, err := l.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return err
}
