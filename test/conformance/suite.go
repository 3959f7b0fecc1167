// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// suite is the tests of one client at one version.
type suite struct {
	name string
	// folder is where the tests are.
	folder string
	// program must be there, of one of the versions that the arguments in check accept.
	program string
	check   []string
	wanted  string
	// installed is the folder that steps fill, from locks. What is there already, of the same locks, is used again.
	installed string
	locks     []string
	steps     [][]string
	command   []string
}

func suitesOf(root string) []suite {
	python, js := filepath.Join(root, "test", "python"), filepath.Join(root, "test", "js")
	return []suite{
		pythonSuite(python, "4"),
		pythonSuite(python, "5"),
		{
			name: "JS", folder: js, program: "node", wanted: "Node 20.6 or later",
			check:     []string{"-e", "const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > 20 || (a === 20 && b >= 6) ? 0 : 1)"},
			installed: filepath.Join(js, "node_modules"),
			locks:     []string{filepath.Join(js, "package-lock.json")},
			steps:     [][]string{{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}},
			command:   []string{"npm", "test", "--silent"},
		},
	}
}

// withWords are the suites whose names have one of some words.
func withWords(suites []suite, words string) []suite {
	return slices.DeleteFunc(suites, func(s suite) bool {
		return !slices.ContainsFunc(strings.Split(words, ","), func(word string) bool { return strings.Contains(s.name, word) })
	})
}

// pythonSuite has an environment of its own for each generation of the client.
func pythonSuite(folder, generation string) suite {
	environment := filepath.Join(folder, ".venv", generation)
	requirements := filepath.Join(folder, "requirements-"+generation+".txt")
	python := filepath.Join(environment, "bin", "python")
	return suite{
		name: "Python, generation " + generation, folder: folder, program: "python3", wanted: "Python 3.11 or later with venv",
		check:     []string{"-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"},
		installed: environment,
		locks:     []string{requirements, filepath.Join(folder, "requirements.txt")},
		steps: [][]string{
			{"python3", "-m", "venv", "--clear", environment},
			{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements},
		},
		command: []string{python, "-m", "pytest"},
	}
}

// missing says what the machine has not, or nothing.
func (s suite) missing(ctx context.Context) string {
	if _, err := exec.LookPath(s.program); err != nil {
		return "there is no " + s.program + " on this machine; needed is " + s.wanted
	}
	if err := exec.CommandContext(ctx, s.program, s.check...).Run(); err != nil {
		return "the " + s.program + " of this machine will not do; needed is " + s.wanted
	}
	return ""
}

// install does the steps, unless they were done with the same locks before.
func (s suite) install(ctx context.Context, printed io.Writer) error {
	stamp := filepath.Join(s.installed, ".installed")
	want, err := s.fingerprint(ctx)
	if err != nil {
		return err
	}
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		return nil
	}
	for _, step := range s.steps {
		if err := s.run(ctx, step, nil, printed); err != nil {
			return fmt.Errorf("installing: %s: %w", strings.Join(step, " "), err)
		}
	}
	return os.WriteFile(stamp, []byte(want), 0o644)
}

// fingerprint changes with the locks and with the program that installs.
func (s suite) fingerprint(ctx context.Context) (string, error) {
	version, err := exec.CommandContext(ctx, s.program, "--version").Output()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write(version)
	for _, lock := range s.locks {
		content, err := os.ReadFile(lock)
		if err != nil {
			return "", err
		}
		sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// test runs the tests, which leave what became of each in a file.
func (s suite) test(ctx context.Context, resultsFile string, printed io.Writer) error {
	return s.run(ctx, s.command, []string{"CONFORMANCE_RESULTS=" + resultsFile, "PYTHONDONTWRITEBYTECODE=1"}, printed)
}

func (s suite) run(ctx context.Context, command, more []string, printed io.Writer) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = s.folder
	cmd.Env = append(withoutSettings(os.Environ()), more...)
	cmd.Stdout, cmd.Stderr = printed, printed
	return cmd.Run()
}

// withoutSettings leaves out what would change the clients under test.
func withoutSettings(environment []string) []string {
	return slices.DeleteFunc(environment, func(entry string) bool {
		return strings.HasPrefix(entry, "LANGFUSE_") || strings.HasPrefix(entry, "OTEL_")
	})
}
