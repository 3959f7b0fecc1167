// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// killsEnv is how many rounds KillTest goes.
	killsEnv     = "WEIR_STORE_KILLS"
	defaultKills = 5

	// killDirEnv and killProjectEnv make a test process a child of KillTest, which writes until it is killed.
	killDirEnv     = "WEIR_STORE_KILL_DIR"
	killProjectEnv = "WEIR_STORE_KILL_PROJECT"

	// longestLife is how long a child may live after its first write.
	longestLife = 600 * time.Millisecond
)

// KillTest kills a process in the middle of writing, opens its store and looks whether everything that was acknowledged is
// there once, and nothing by halves. The child is this test program, told by the environment to run only the test that
// called KillTest; so nothing may come before KillTest in that test.
func KillTest(t *testing.T, engine Engine) {
	if dir := os.Getenv(killDirEnv); dir != "" {
		writeUntilKilled(t, engine, dir, os.Getenv(killProjectEnv))
		return
	}
	if engine.Volatile {
		t.Skip("forgets everything by design")
	}
	dir := t.TempDir()
	acknowledged := map[string]acks{}
	for round := range envInt(t, killsEnv, defaultKills) {
		var projects []string
		// Now and then a store is opened, and its process killed, before the last one's remains were put in order.
		for life := range 1 + rand.IntN(2) {
			project := fmt.Sprintf("round %d life %d", round, life)
			projects = append(projects, project)
			acknowledged[project] = runAndKill(t, dir, project)
		}
		s := engine.Open(t, dir)
		for _, project := range projects {
			checkKilled(t, s, project, acknowledged[project])
		}
		require.NoError(t, s.Close(t.Context()))
	}
	s := engine.open(t, dir)
	for project, acks := range acknowledged {
		checkKilled(t, s, project, acks)
	}
}

// runAndKill lets a child write for a random time and returns what it acknowledged.
func runAndKill(t *testing.T, dir, project string) acks {
	t.Helper()
	pattern := "^" + strings.Join(strings.Split(t.Name(), "/"), "$/^") + "$"
	//nolint:gosec // it is this very program
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+pattern, "-test.count=1", "-test.timeout=2m")
	cmd.Env = append(os.Environ(), killDirEnv+"="+dir, killProjectEnv+"="+project)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())

	found := acks{}
	var said []string
	var killer *time.Timer
	var killed atomic.Bool
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if !found.add(lines.Text()) {
			said = append(said, lines.Text())
			continue
		}
		if killer == nil {
			killer = time.AfterFunc(rand.N(longestLife), func() {
				killed.Store(true)
				_ = cmd.Process.Kill()
			})
		}
	}
	err = cmd.Wait()
	if !killed.Load() {
		t.Fatalf("the child ended by itself: %v\n%s\n%s", err, strings.Join(said, "\n"), &stderr)
	}
	t.Logf("%s: %d traces, scores and documents acknowledged", project, len(found))
	return found
}
