// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

const ownModule = "github.com/weirhq/weir"

// componentKinds are the folders whose children are components.
var componentKinds = []string{"exporter", "extension", "processor", "receiver"}

// All paths below are relative to the repository and have slashes, as in an import path.

// components lists the folders of our components, such as exporter/langfuseexporter.
func components(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, kind := range componentKinds {
		sources, err := filepath.Glob(filepath.Join(weirbin.Root(t), kind, "*", "*.go"))
		require.NoError(t, err)
		for _, source := range sources {
			dirs = append(dirs, path.Join(kind, filepath.Base(filepath.Dir(source))))
		}
	}
	return slices.Compact(dirs)
}

// walkFiles lists the files with the given ending, ours only: not what tools and package managers put into the tree.
func walkFiles(t *testing.T, ending string) []string {
	t.Helper()
	root := weirbin.Root(t)
	var files []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && slices.Contains([]string{".git", ".venv", "_build", "node_modules"}, entry.Name()):
			return filepath.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, ending):
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	require.NoError(t, err)
	return files
}

// gitFiles lists the files that git tracks or would track. Without git there is no telling them from leftovers.
func gitFiles(t *testing.T) []string {
	t.Helper()
	root := weirbin.Root(t)
	cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		skipOutsideCI(t, "this test needs git and a clone: %v", err)
	}
	var files []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		// Deleted, but not yet for git; and symbolic links and submodules have no content of their own.
		info, err := os.Lstat(filepath.Join(root, name))
		if name == "" || err != nil || !info.Mode().IsRegular() {
			continue
		}
		files = append(files, name)
		// Go's test cache knows only what the test itself looked at: with its folders looked at, a new file counts.
		for dir := name; dir != "."; {
			dir = path.Dir(dir)
			_, _ = os.Stat(filepath.Join(root, dir))
		}
	}
	require.NotEmpty(t, files)
	slices.Sort(files)
	return files
}

// readFile returns the content of a file of the repository.
func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(weirbin.Root(t), name))
	require.NoError(t, err)
	return string(content)
}

// isGenerated tells a file that a tool wrote by the line Go asks such tools to write.
func isGenerated(source string) bool {
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "// Code generated ") && strings.HasSuffix(line, " DO NOT EDIT.") {
			return true
		}
		if strings.HasPrefix(line, "package ") {
			return false
		}
	}
	return false
}

// skipOutsideCI is for a tool that not every machine has but every CI machine must.
func skipOutsideCI(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// report fails the test with each problem in a line of its own.
func report(t *testing.T, problems []string) {
	t.Helper()
	for _, problem := range problems {
		t.Error(problem)
	}
}
