// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"os"
)

// fault is something that happens to a program. It has a file of its own, and does its harm in a field.
type fault struct {
	name, about string
	run         func(context.Context, *field) error
}

// faults are all that are tried, in this order.
var faults = []fault{killFault, fullDiskFault, readOnlyFault, clockFault, slowDiskFault, clickHouseFault, upstreamFault}

// try gives a fault a field of its own.
func try(ctx context.Context, f fault, o options, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "weir-chaos-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// Others than us may have to get in: the process of one fault runs as another user.
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	field, err := newField(o, dir, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, field.close()) }()
	return f.run(ctx, field)
}
