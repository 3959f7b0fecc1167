// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package clickhouseserver starts real ClickHouse servers for tests.
package clickhouseserver // import "github.com/weirhq/weir/test/internal/clickhouseserver"

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/weirhq/weir/test/internal/ports"
)

// Server is a ClickHouse that listens on loopback. It keeps its data when it is stopped and started again.
type Server struct {
	// Address is where it speaks the native protocol.
	Address string

	program, library string
	http             string
	dir              string
	config           string

	running sync.Mutex
	cmd     *exec.Cmd
	ended   chan struct{}
	output  *bytes.Buffer
}

// listening is what a command line must do to become a server.
const listening = "SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP; " +
	"SELECT sleepEachRow(3) FROM system.numbers SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0 FORMAT Null"

// startTime is how long a server may take to listen.
const startTime = 30 * time.Second

// Start starts a server, which is killed at the end of the test. Without the library the test is skipped, or fails where
// it is required.
func Start(tb testing.TB) *Server {
	tb.Helper()
	return start(tb, 1, "")[0]
}

// StartCluster starts so many servers, each of which is a shard of the cluster ClusterName.
func StartCluster(tb testing.TB, shards int) []*Server {
	tb.Helper()
	return start(tb, shards, "")
}

// StartConfigured does the same with more elements in the configuration of each server; {dir} in them is a folder of its own.
func StartConfigured(tb testing.TB, shards int, elements string) []*Server {
	tb.Helper()
	return start(tb, shards, elements)
}

const (
	// ClusterName is what the servers call the cluster of which each is a shard.
	ClusterName = "weir_cluster"
	// ReplicasName is what they call the one of which each is a replica of the only shard.
	ReplicasName = "weir_replicas"
)

func start(tb testing.TB, count int, elements string) []*Server {
	tb.Helper()
	program, library := locate(tb)
	addresses, err := ports.Free(2 * count)
	if err != nil {
		tb.Fatal(err)
	}
	servers := make([]*Server, count)
	for i := range servers {
		dir := tb.TempDir()
		config := filepath.Join(dir, "config.xml")
		text := clusterConfig(addresses[:count], strings.ReplaceAll(elements, "{dir}", dir))
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
		s := &Server{Address: addresses[i], http: addresses[count+i], dir: dataDir(tb), config: config, program: program, library: library}
		servers[i] = s
		tb.Cleanup(func() {
			if s.endedByItself() {
				tb.Errorf("the server ended by itself: %s", s.output)
			}
			s.Kill()
		})
		if err := s.Start(); err != nil {
			tb.Fatal(err)
		}
	}
	return servers
}

// dataDir is a folder in memory that goes away with the test.
func dataDir(tb testing.TB) string {
	tb.Helper()
	dir, err := MemoryDir()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// MemoryDir makes a folder that is in memory where there is such a place: tests end processes and not the machine, and a disk that
// is asked to keep every insert is what takes longest.
func MemoryDir() (string, error) {
	const pattern = "weir-clickhouse-"
	if dir, err := os.MkdirTemp("/dev/shm", pattern); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", pattern)
}

func clusterConfig(addresses []string, elements string) string {
	var shards, replicas strings.Builder
	for _, address := range addresses {
		host, port, _ := net.SplitHostPort(address)
		replica := fmt.Sprintf("<replica><host>%s</host><port>%s</port></replica>", host, port)
		shards.WriteString("<shard>" + replica + "</shard>")
		replicas.WriteString(replica)
	}
	return fmt.Sprintf("<clickhouse><remote_servers><%[1]s>%[2]s</%[1]s><%[3]s><shard>%[4]s</shard></%[3]s></remote_servers>%[5]s</clickhouse>\n",
		ClusterName, shards.String(), ReplicasName, replicas.String(), elements)
}

// Start starts a server that was stopped, on the same address with the same data.
func (s *Server) Start() error {
	s.running.Lock()
	defer s.running.Unlock()
	_, port, _ := net.SplitHostPort(s.Address)
	_, httpPort, _ := net.SplitHostPort(s.http)
	s.cmd = exec.Command(s.program, s.library, "--config-file="+s.config, "--path="+s.dir, "--listen_host=127.0.0.1",
		"--tcp_port="+port, "--http_port="+httpPort, "--query="+listening)
	s.output, s.ended = &bytes.Buffer{}, make(chan struct{})
	s.cmd.Stdout, s.cmd.Stderr = s.output, s.output
	// It must not outlive a test that is killed, and must not be signalled with it.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		_ = cmd.Wait()
		close(ended)
	}(s.cmd, s.ended)
	return s.waitUntilItAnswers()
}

func (s *Server) waitUntilItAnswers() error {
	timeout := time.NewTimer(startTime)
	defer timeout.Stop()
	for {
		if response, err := http.Get("http://" + s.http + "/ping"); err == nil {
			body, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if string(body) == "Ok.\n" {
				return nil
			}
		}
		select {
		case <-s.ended:
			return fmt.Errorf("the server ended by itself: %s", s.output)
		case <-timeout.C:
			return fmt.Errorf("the server does not answer after %s: %s", startTime, s.output)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// KeepRunning starts the server anew, until the end of the test, whenever it ends by itself. The library does that when a client
// goes away in the middle of an insert, other than a ClickHouse that was built as a server.
func (s *Server) KeepRunning(tb testing.TB) {
	tb.Helper()
	over := make(chan struct{})
	var keeper sync.WaitGroup
	keeper.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-s.ended:
				if err := s.Start(); err != nil {
					tb.Error(err)
					return
				}
			}
		}
	})
	tb.Cleanup(func() {
		close(over)
		keeper.Wait()
	})
}

func (s *Server) endedByItself() bool {
	s.running.Lock()
	defer s.running.Unlock()
	if s.cmd == nil {
		return false
	}
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// Kill ends the server without a warning, as kill -9 does. One that does not run is left alone.
func (s *Server) Kill() { s.signal(syscall.SIGKILL) }

// Pause and Resume let the server hang and go on.
func (s *Server) Pause() { _ = s.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume lets a server go on that was paused.
func (s *Server) Resume() { _ = s.cmd.Process.Signal(syscall.SIGCONT) }

func (s *Server) signal(signal os.Signal) {
	s.running.Lock()
	defer s.running.Unlock()
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(signal)
	<-s.ended
	s.cmd = nil
}
