// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"context"
	"debug/elf"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/ports"
	"github.com/weirhq/weir/test/internal/weirbin"
)

// patience is how long a start may take on a slow machine.
const patience = 60 * time.Second

func TestDockerfile(t *testing.T) {
	found, err := lint(t, "hadolint", filepath.Join(weirbin.Root(t), "Dockerfile"))
	require.NoError(t, err, found)
	found, err = lint(t, "hadolint", write(t, "Dockerfile", strings.Replace(read(t, "Dockerfile"), "COPY . .", "COPIED . .", 1)))
	require.Error(t, err)
	assert.Contains(t, found, "unexpected 'C'")
}

// The images run as nobody in particular, with their data in one place, and all that is copied is there.
func TestStages(t *testing.T) {
	all := stages(t)
	for _, name := range []string{"static", "full"} {
		s := all[name]
		assert.Equal(t, "65532:65532", s.user, name)
		assert.Equal(t, "/data", s.volume, name)
		assert.Contains(t, s.env, "WEIR_DATA_DIR=/data/weir", name)
		require.Len(t, s.command, 1, name)
		validate(t, map[string]string{"static": weirbin.Static(t), "full": weirbin.Path(t)}[name], s.command, append(s.env, keys...))
	}
	ignore := read(t, ".dockerignore")
	for _, s := range all {
		for _, c := range s.copies {
			if c.from != "" {
				assert.Contains(t, all, c.from, "%s copies from a stage", s.name)
				continue
			}
			for _, source := range c.sources {
				assert.FileExists(t, filepath.Join(weirbin.Root(t), source, map[string]string{".": "go.mod"}[source]))
				assert.False(t, source != "." && isIgnored(ignore, source), "%s is in .dockerignore", source)
			}
		}
	}
	for _, config := range shapes {
		assert.Contains(t, read(t, "Dockerfile"), "configs/"+config)
	}
	for image := range images(t) {
		assert.Contains(t, read(t, "Dockerfile"), "--tag="+image+" ")
	}
}

// What reaches the engine is enough to build from: here with the commands of the Dockerfile, in a folder with nothing else.
func TestContextBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary once more")
	}
	weirbin.Path(t)
	root, folder, ignore := weirbin.Root(t), t.TempDir(), read(t, ".dockerignore")
	files, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("this test needs git and a clone: %v", err)
	}
	for name := range strings.FieldsSeq(string(files)) {
		if isIgnored(ignore, name) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, but not yet for git
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(folder, path.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), content, 0o600))
	}
	all := stages(t)
	for stage, binary := range map[string]string{"build": "_build/weir", "build-static": "_build/static/weir"} {
		for _, command := range all[stage].runs {
			cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
			cmd.Dir = folder
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s: %s", command, out)
		}
		assert.FileExists(t, filepath.Join(folder, binary))
	}
}

// The image of the second target has nothing in it that a dynamic binary could be linked with.
func TestStaticIsStatic(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("for Linux only")
	}
	for binary, dynamic := range map[string]bool{weirbin.Static(t): false, weirbin.Path(t): true} {
		file, err := elf.Open(binary)
		require.NoError(t, err)
		defer file.Close()
		assert.Equal(t, dynamic, slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }), binary)
	}
}

// A container with the image as it is says what it lacks; with keys of one's own it serves.
func TestContainerStarts(t *testing.T) {
	full := stages(t)["full"]
	address, data := freePort(t), t.TempDir()
	env := []string{"WEIR_GRPC_ENDPOINT=127.0.0.1:0", "WEIR_HTTP_ENDPOINT=127.0.0.1:0", "WEIR_METRICS_PORT=0"}
	for _, variable := range full.env {
		variable = strings.Replace(variable, "=/data/", "="+data+"/", 1)
		env = append(env, strings.Replace(variable, ":3000", address, 1))
	}
	require.Contains(t, env, "WEIR_ENDPOINT=0.0.0.0"+address)

	cmd := exec.CommandContext(t.Context(), weirbin.Path(t), here(t, full.command)...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "`projects` has the keys for development, which everybody knows, and `endpoint` 0.0.0.0"+address+
		" can be reached from other machines: set keys of your own")

	ctx, stop := context.WithCancel(t.Context())
	cmd = exec.CommandContext(ctx, weirbin.Path(t), here(t, full.command)...)
	cmd.Env = slices.Concat(env, keys)
	require.NoError(t, cmd.Start())
	defer func() {
		stop()
		_ = cmd.Wait()
	}()
	require.Eventually(t, func() bool { return status(ctx, "http://127.0.0.1"+address+"/api/public/ready") == http.StatusOK },
		patience, 10*time.Millisecond)
}

// freePort is ":" and a port on which nobody listens now.
func freePort(t *testing.T) string {
	t.Helper()
	addresses, err := ports.Free(1)
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(addresses[0])
	require.NoError(t, err)
	return ":" + port
}

// status is that of an answer, or 0 without one.
func status(ctx context.Context, url string) int {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}
