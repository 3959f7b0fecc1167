// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package weirproc // import "github.com/weirhq/weir/test/internal/weirproc"

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Usage is what a process has taken of the machine, as Linux tells it.
type Usage struct {
	CPU time.Duration
	// Resident and Peak are bytes of memory, now and at the highest.
	Resident, Peak int64
	// Files are the open descriptors, connections among them.
	Files int
}

// ticksPerSecond is the unit of CPU times in /proc; it is the same on every Linux that Go runs on.
const ticksPerSecond = 100

// Usage reads /proc.
func (p *Process) Usage() (Usage, error) {
	dir := fmt.Sprintf("/proc/%d/", p.PID())
	var u Usage
	stat, err := os.ReadFile(dir + "stat")
	if err != nil {
		return u, err
	}
	// The name of the program, in parentheses, may hold spaces: fields are counted behind it.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 13 {
		return u, fmt.Errorf("%sstat has %d fields", dir, len(fields))
	}
	for _, field := range fields[11:13] { // in user mode, in the kernel
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return u, err
		}
		u.CPU += time.Duration(ticks) * time.Second / ticksPerSecond
	}
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		var kilobytes int64
		if _, err := fmt.Sscan(value, &kilobytes); err != nil {
			continue // a line of words
		}
		switch name {
		case "VmRSS":
			u.Resident = kilobytes << 10
		case "VmHWM":
			u.Peak = kilobytes << 10
		}
	}
	entries, err := os.ReadDir(dir + "fd")
	u.Files = len(entries)
	return u, err
}

// ResetPeak makes Peak count from now on.
func (p *Process) ResetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.PID()), []byte("5"), 0)
}
