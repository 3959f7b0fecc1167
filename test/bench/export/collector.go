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
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/weirhq/weir/test/internal/ports"
)

// contestant is a configuration of the same binary.
type contestant struct {
	name   string
	config string
}

var (
	//go:embed weir.yaml
	weirConfig string
	//go:embed stock.yaml
	stockConfig string
)

const weirName, stockName = "langfuse processor + exporter", "stock otlp_http exporter"

// The one that is compared with comes last.
var contestants = []contestant{{weirName, weirConfig}, {stockName, stockConfig}}

// result is what one turn took.
type result struct {
	spans   int
	elapsed time.Duration
	cpu     time.Duration // of the collector alone
	alloc   float64       // bytes allocated while sending
	wire    float64       // bytes that reached the sink
	rss     float64       // the highest that was seen, in bytes
}

func (r result) String() string {
	return fmt.Sprintf("%8.0f spans/s  %6.2f µs CPU/span  %6.0f B allocated/span  %4.0f MB memory  %4.0f B sent/span",
		r.spansPerSecond(), r.cpuPerSpan(), r.allocPerSpan(), r.rss/1e6, r.wirePerSpan())
}

func (r result) spansPerSecond() float64 { return float64(r.spans) / r.elapsed.Seconds() }
func (r result) cpuPerSpan() float64     { return float64(r.cpu.Microseconds()) / float64(r.spans) }
func (r result) allocPerSpan() float64   { return r.alloc / float64(r.spans) }
func (r result) wirePerSpan() float64    { return r.wire / float64(r.spans) }

const (
	startTimeout = 30 * time.Second
	turnTimeout  = 5 * time.Minute
	poll         = 20 * time.Millisecond
)

// measure starts a contestant, warms it up, and takes the time until everything has left it.
func measure(ctx context.Context, binary string, c contestant, far *sink, l *load, spans int) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	addresses, err := ports.Free(2)
	if err != nil {
		return result{}, err
	}
	receiver, metrics := addresses[0], addresses[1]
	_, metricsPort, err := net.SplitHostPort(metrics)
	if err != nil {
		return result{}, err
	}
	var printed bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, "--config=yaml:"+c.config)
	cmd.Env = append(os.Environ(), "BENCH_SINK="+far.url, "BENCH_RECEIVER="+receiver, "BENCH_METRICS_PORT="+metricsPort)
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	exited := false
	defer func() {
		if !exited {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	probe := &probe{url: "http://" + metrics + "/metrics"}
	url := "http://" + receiver + "/v1/traces"
	if err := waitFor(ctx, startTimeout, func() bool { return probe.read(ctx) == nil && answers(ctx, url) }); err != nil {
		return result{}, fmt.Errorf("did not start: %w\n%s", err, printed.String())
	}

	warm, err := l.send(ctx, url, 20*spansPerBatch)
	if err == nil {
		err = waitFor(ctx, turnTimeout, func() bool { return probe.read(ctx) == nil && probe.sent >= float64(warm) })
	}
	if err != nil {
		return result{}, fmt.Errorf("%w\n%s", err, printed.String())
	}
	allocBefore, cpuBefore, wireBefore := probe.alloc, probe.cpu, far.bytes.Load()

	r := result{}
	begin := time.Now()
	if r.spans, err = l.send(ctx, url, spans); err != nil {
		return result{}, err
	}
	err = waitFor(ctx, turnTimeout, func() bool { return probe.read(ctx) == nil && probe.sent >= float64(warm+r.spans) })
	r.elapsed = time.Since(begin)
	r.alloc, r.rss = probe.alloc-allocBefore, probe.highestRSS
	r.wire = float64(far.bytes.Load() - wireBefore)
	r.cpu = time.Duration((probe.cpu - cpuBefore) * float64(time.Second))
	if err != nil {
		return result{}, err
	}
	_ = cmd.Process.Signal(os.Interrupt)
	exited = true
	return r, cmd.Wait()
}

// probe reads the collector's own metrics.
type probe struct {
	url                          string
	sent, alloc, cpu, highestRSS float64
}

func (p *probe) read(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		var value float64
		name, _, _ := strings.Cut(strings.ReplaceAll(line, "{", " "), " ")
		if _, err := fmt.Sscan(line[strings.LastIndexByte(strings.TrimSpace(line), ' ')+1:], &value); err != nil {
			continue
		}
		switch name {
		case "otelcol_exporter_sent_spans":
			p.sent = value
		case "otelcol_process_runtime_total_alloc_bytes":
			p.alloc = value
		case "otelcol_process_cpu_seconds":
			p.cpu = value
		case "otelcol_process_memory_rss":
			p.highestRSS = max(p.highestRSS, value)
		}
	}
	return nil
}

// answers tells whether somebody listens; the metrics are there before the receiver is.
func answers(ctx context.Context, url string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil
}

func waitFor(ctx context.Context, limit time.Duration, condition func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for !condition() {
		select {
		case <-ctx.Done():
			return errors.New("waited in vain")
		case <-ticker.C:
		}
	}
	return nil
}
