// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command weir-copy copies an embedded store into the ClickHouse of a configuration: all observations, scores, documents with
// their older versions, and contents of media, of all projects. It adds what is not there, so it may be interrupted and run again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "weir-copy:", err)
		os.Exit(1) //nolint:gocritic // there is nothing left to stop
	}
}

// options are what the command line says.
type options struct {
	config       string
	store        string
	from         string
	withoutMedia bool
}

func parse(args []string, out io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("weir-copy", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&o.config, "config", "", "the configuration of the collector that uses ClickHouse, such as configs/cluster.yaml")
	flags.StringVar(&o.store, "store", "langfuse_store", "the extension in it that names the ClickHouse")
	flags.StringVar(&o.from, "from", "./data", "the `folder` of the embedded store, `embedded::path`; no collector may have it open")
	flags.BoolVar(&o.withoutMedia, "without-media", false, "leave the contents of media behind")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.config == "" || flags.NArg() > 0 {
		return o, errors.New("it is called as: weir-copy --config=cluster.yaml --from=./data")
	}
	return o, nil
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	o, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	cfg, err := readConfig(ctx, o.config, o.store)
	if err != nil {
		return err
	}
	m := media{from: filepath.Join(o.from, "media"), to: cfg.Media.Path}
	if err := m.check(o.withoutMedia); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(o.from, "weir.duckdb")); err != nil {
		return fmt.Errorf("there is no embedded store in %s: set `--from` to its folder: %w", o.from, err)
	}
	settings, err := cfg.ClickHouseSettings(ctx, zap.NewNop())
	if err != nil {
		return err
	}
	retention := settings.Retention
	settings.Retention = 0 // to delete what is too old is for the collectors
	from, err := duckdb.Open(ctx, duckdb.Settings{Dir: o.from})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close(context.WithoutCancel(ctx))) }()
	to, err := clickhouse.Open(ctx, settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close(context.WithoutCancel(ctx))) }()
	stats, err := from.Stats(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "From %s into the database %s at %v: %d observations, %d scores.\n", o.from, settings.Database, settings.Endpoints, stats.Observations, stats.Scores)
	c := &copier{from: from.(sqlstore.Exporter), to: to.(sqlstore.Importer), out: out, retention: retention}
	tables, err := c.copyAll(ctx, stats)
	if err != nil {
		return fmt.Errorf("it broke off, and may be run again: %w", err)
	}
	if !o.withoutMedia {
		table, err := m.copyAll(ctx)
		if err != nil {
			return fmt.Errorf("it broke off, and may be run again: %w", err)
		}
		tables = append(tables, table)
	}
	return report(out, tables, stats)
}
