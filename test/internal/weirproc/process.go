// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package weirproc starts the built binary as a process of its own, and watches it from outside.
package weirproc // import "github.com/weirhq/weir/test/internal/weirproc"

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/weirhq/weir/test/internal/ports"
)

const (
	// ready is the line by which a collector says that it takes data.
	ready = "Everything is ready."
	// startTimeout is how long a start may take on a slow machine.
	startTimeout = 60 * time.Second
	poll         = 5 * time.Millisecond
)

// Output is what a process printed, readable while it runs.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Settings say what to start.
type Settings struct {
	// Binary is the collector.
	Binary string
	// Config is a file; what Args add wins over it.
	Config string
	Args   []string
	// Env has more variables, which win over those of this process and over the addresses.
	Env map[string]string
	// Addresses are where it listens; new ones when empty. A process that takes the place of another one has the same.
	Addresses Addresses
	// User is the id of the user to run as, where that is not the own; only root can.
	User uint32
}

// Addresses are where a process with one of the shipped configurations listens.
type Addresses struct {
	API, OTLP, GRPC, Health, Metrics string
}

// NewAddresses finds addresses that are free now.
func NewAddresses() (Addresses, error) {
	free, err := ports.Free(5)
	if err != nil {
		return Addresses{}, err
	}
	return Addresses{API: free[0], OTLP: free[1], GRPC: free[2], Health: free[3], Metrics: free[4]}, nil
}

// env are the variables by which the shipped configurations take addresses.
func (a Addresses) env() ([]string, error) {
	_, metricsPort, err := net.SplitHostPort(a.Metrics)
	return []string{
		"WEIR_ENDPOINT=" + a.API, "WEIR_HTTP_ENDPOINT=" + a.OTLP, "WEIR_GRPC_ENDPOINT=" + a.GRPC, "WEIR_HEALTH_ENDPOINT=" + a.Health,
		"WEIR_METRICS_HOST=localhost", "WEIR_METRICS_PORT=" + metricsPort,
	}, err
}

// Process is a running collector.
type Process struct {
	Addresses
	Printed *Output

	cmd    *exec.Cmd
	exited chan struct{}
}

// Start runs a collector and waits until it takes data.
func Start(ctx context.Context, set Settings) (*Process, error) {
	p, err := Launch(ctx, set)
	if err != nil {
		return nil, err
	}
	if err := p.WaitReady(ctx); err != nil {
		p.Signal(syscall.SIGKILL)
		return nil, err
	}
	return p, nil
}

// Launch runs a collector and does not wait.
func Launch(ctx context.Context, set Settings) (*Process, error) {
	if set.Addresses == (Addresses{}) {
		var err error
		if set.Addresses, err = NewAddresses(); err != nil {
			return nil, err
		}
	}
	env, err := set.Addresses.env()
	if err != nil {
		return nil, err
	}
	p := &Process{Addresses: set.Addresses, Printed: &Output{}, exited: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, set.Binary, append([]string{"--config=" + set.Config}, set.Args...)...)
	p.cmd.Env = append(os.Environ(), env...)
	for key, value := range set.Env {
		p.cmd.Env = append(p.cmd.Env, key+"="+value)
	}
	p.cmd.Stdout, p.cmd.Stderr = p.Printed, p.Printed
	if set.User != 0 {
		if p.cmd.SysProcAttr, err = asUser(set.User); err != nil {
			return nil, err
		}
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// ErrEnded says that the process ended by itself.
var ErrEnded = errors.New("the process ended by itself")

// WaitReady waits until the process takes data.
func (p *Process) WaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for !strings.Contains(p.Printed.String(), ready) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the process did not start: %w\n%s", ctx.Err(), p.Printed)
		case <-p.exited:
			return fmt.Errorf("%w\n%s", ErrEnded, p.Printed)
		case <-ticker.C:
		}
	}
	return nil
}

// Signal sends a signal that ends the process, and waits for its end.
func (p *Process) Signal(s syscall.Signal) {
	if !p.Exited() {
		_ = p.cmd.Process.Signal(s)
	}
	<-p.exited
}

// Notify sends a signal that does not end it.
func (p *Process) Notify(s syscall.Signal) error { return p.cmd.Process.Signal(s) }

// Exited tells whether the process has ended.
func (p *Process) Exited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// ExitCode is what it ended with; -1 before that and after a signal.
func (p *Process) ExitCode() int { return p.cmd.ProcessState.ExitCode() }

// PID is the id of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Shipped is the path of a configuration in configs/.
func Shipped(root, name string) string { return filepath.Join(root, "configs", name) }
