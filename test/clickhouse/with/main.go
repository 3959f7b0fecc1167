// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Command with starts a ClickHouse server for tests and runs a command, which finds the address of the server in
// WEIR_TEST_CLICKHOUSE, and a configuration of Weir that uses the server in WEIR_CONFIG.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

func main() {
	root := flag.String("root", ".", "the top folder of the repository")
	dir := flag.String("dir", "", "a folder for the data; by default one in memory that goes away")
	flag.Parse()
	err := run(*root, *dir, flag.Args())
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode()) // the command has said why
	case err != nil:
		fmt.Fprintln(os.Stderr, "with:", err)
		os.Exit(1)
	}
}

func run(root, dir string, command []string) error {
	if len(command) == 0 {
		return errors.New("which command shall run?")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if dir == "" {
		if dir, err = clickhouseserver.MemoryDir(); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	server, err := clickhouseserver.Launch(root, dir)
	if err != nil {
		return err
	}
	defer server.Kill()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(),
		"WEIR_TEST_CLICKHOUSE="+server.Address,
		"WEIR_CONFIG="+filepath.Join(root, "configs", "cluster.yaml"),
		"WEIR_CLICKHOUSE_ENDPOINTS="+server.Address,
	)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
