// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/weirhq/weir/test/internal/ports"
	"github.com/weirhq/weir/test/internal/times"
)

//go:embed api.yaml
var apiConfig string

const (
	startTimeout = 60 * time.Second
	// spansPerSecond is the traffic beside which reads are measured too.
	spansPerSecond = 5_000
)

// api starts the binary on a store that is filled, and prints how many newest pages a second it gives to one reader and to
// many, alone and beside traffic.
func api(ctx context.Context, engine engine, binary string, requests *requests, duration time.Duration) error {
	server, err := startServer(ctx, engine, binary)
	if err != nil {
		return err
	}
	defer server.stop()
	fmt.Printf("The newest page of 50 over HTTP, %s each\n\n| readers | beside | pages/s | p50 | p99 | spans/s that came in |\n|---|---|---|---|---|---|\n", duration)
	for _, traffic := range []bool{false, true} {
		for _, readers := range []int{1, 16} {
			line, err := server.measure(ctx, requests, readers, traffic, duration)
			if err != nil {
				server.stop()
				return fmt.Errorf("%w\n%s", err, server.printed.String())
			}
			fmt.Println(line)
		}
	}
	fmt.Println()
	return nil
}

// apiServer is a running binary.
type apiServer struct {
	printed bytes.Buffer // complete when it has ended
	cmd     *exec.Cmd
	url     string
	client  *http.Client
}

func startServer(ctx context.Context, engine engine, binary string) (*apiServer, error) {
	addresses, err := ports.Free(1)
	if err != nil {
		return nil, err
	}
	address := addresses[0]
	s := &apiServer{url: "http://" + address, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}
	s.cmd = exec.CommandContext(ctx, binary, "--config=yaml:"+apiConfig)
	s.cmd.Env = append(os.Environ(), "BENCH_STORE="+engine.config(readStore), "BENCH_ADDRESS="+address)
	s.cmd.Stdout, s.cmd.Stderr = &s.printed, &s.printed
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for begin := time.Now(); ; {
		if err = s.do(ctx, http.MethodGet, "/api/public/ready", nil); err == nil {
			return s, nil
		}
		if time.Since(begin) > startTimeout {
			s.stop()
			return nil, fmt.Errorf("the binary did not start: %w\n%s", err, s.printed.String())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *apiServer) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	_ = s.cmd.Wait()
}

func (s *apiServer) do(ctx context.Context, method, path string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.SetBasicAuth("pk-bench", "sk-bench")
	request.Header.Set("Content-Type", "application/x-protobuf")
	response, err := s.client.Do(request)
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

// measure reads for a while.
func (s *apiServer) measure(ctx context.Context, requests *requests, readers int, traffic bool, duration time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		took times.Times
		errs []error
		sent int
	)
	begin := time.Now()
	for range readers {
		wg.Go(func() {
			var mine times.Times
			var err error
			for ctx.Err() == nil && err == nil {
				start := time.Now()
				if err = s.do(ctx, http.MethodGet, "/api/public/v2/observations", nil); err == nil {
					mine = append(mine, time.Since(start))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, mine...)
			errs = append(errs, err)
		})
	}
	beside := "nothing"
	if traffic {
		beside = fmt.Sprintf("%d spans/s", spansPerSecond)
		wg.Go(func() {
			var err error
			sent, err = s.traffic(ctx, requests)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
	}
	wg.Wait()
	elapsed := time.Since(begin)
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return "", err
		}
	}
	return fmt.Sprintf("| %d | %s | %.0f | %s | %s | %.0f |", readers, beside, float64(len(took))/elapsed.Seconds(),
		took.At(0.5), took.At(0.99), float64(sent)/elapsed.Seconds()), nil
}

// traffic sends batches at an even pace and tells how many spans were acknowledged.
func (s *apiServer) traffic(ctx context.Context, requests *requests) (sent int, err error) {
	ticker := time.NewTicker(time.Second * spansPerBatch / spansPerSecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return sent, nil
		case <-ticker.C:
		}
		n := requests.next()
		request, err := requests.decode(n, requests.body(n))
		if err != nil {
			return sent, err
		}
		body, err := request.MarshalProto()
		if err != nil {
			return sent, err
		}
		if err := s.do(ctx, http.MethodPost, "/v1/traces", body); err != nil {
			return sent, err
		}
		sent += spansPerBatch
	}
}
