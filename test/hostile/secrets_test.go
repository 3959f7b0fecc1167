// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/ports"
	"github.com/weirhq/weir/test/internal/upstream"
	"github.com/weirhq/weir/test/internal/weirbin"
	"github.com/weirhq/weir/test/internal/weirproc"
)

// What must not get out. Nothing else has these texts in it.
const (
	canaryPublic = "pk-lf-canary"
	canarySecret = "sk-lf-canary-5e7d0c1f9a"
	canaryPrompt = "the canary sings at midnight"
)

// secretForms are the forms in which a secret key can be seen: as it is, and in a login.
func secretForms() []string {
	forms := []string{canarySecret}
	for _, login := range []string{canaryPublic + ":" + canarySecret, canarySecret} {
		for shift := range 3 { // base64 depends on where a text begins
			encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + login))
			forms = append(forms, encoded[4:len(encoded)-4])
		}
	}
	return forms
}

// shape is a configuration with all that could tell too much: debug logs, traces of itself, profiles, pages about itself.
type shape struct {
	name, config string
	extensions   string
	hasStore     bool
}

var shapes = []shape{
	{"local, forwarding", "local.yaml", "langfuse_store, file_storage", true},
	{"sidecar", "sidecar.yaml", "file_storage, health_check", false},
	{"gateway", "gateway.yaml", "file_storage, health_check", false},
}

// Neither in logs, nor in a dump, nor in anything that the program shows of itself or writes is a secret key; and of what
// people say to a model there is nothing outside of the store, the queue and the answers.
func TestSecrets(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			for _, crash := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT} {
				shape.run(t, crash)
			}
		})
	}
}

// canary is a process with secrets.
type canary struct {
	*weirproc.Process
	t      *testing.T
	public []string // texts that anybody may see
}

func (sh shape) run(t *testing.T, crash syscall.Signal) {
	t.Helper()
	far, err := upstream.New()
	require.NoError(t, err)
	var refusing atomic.Bool
	refusing.Store(true)
	far.Behave = func(*http.Request, upstream.Content) upstream.Behaviour {
		if refusing.Load() {
			return upstream.Behaviour{Status: http.StatusUnauthorized}
		}
		return upstream.Behaviour{}
	}
	require.NoError(t, far.Listen())
	t.Cleanup(far.Close)
	free, err := ports.Free(2)
	require.NoError(t, err)
	zpages, pprof := free[0], free[1]
	dir := t.TempDir()
	set := weirproc.Settings{
		Binary: weirbin.Path(t), Config: weirproc.Shipped(weirbin.Root(t), sh.config), Args: []string{"--config=" + sh.overlay(dir, far.URL(), zpages, pprof)},
		Env: map[string]string{
			"WEIR_DATA_DIR": filepath.Join(dir, "data"), "WEIR_PUBLIC_KEY": canaryPublic, "WEIR_SECRET_KEY": canarySecret,
			"WEIR_UPSTREAM_URL": far.URL(), "LANGFUSE_PUBLIC_KEY": canaryPublic, "LANGFUSE_SECRET_KEY": canarySecret,
		},
	}
	c := &canary{t: t}
	c.inspect(set)
	c.Process, err = weirproc.Start(t.Context(), set)
	require.NoError(t, err)
	t.Cleanup(func() { c.Signal(syscall.SIGKILL) })

	c.talk(sh.hasStore)
	require.Eventually(t, func() bool { return strings.Contains(c.Printed.String(), "401") }, patience, 10*time.Millisecond, "the service refuses")
	for _, address := range []string{
		zpages + "/debug/servicez", zpages + "/debug/pipelinez", zpages + "/debug/extensionz", zpages + "/debug/featurez", zpages + "/debug/tracez",
		pprof + "/debug/pprof/", pprof + "/debug/pprof/goroutine?debug=2", pprof + "/debug/pprof/heap?debug=1", pprof + "/debug/pprof/heap",
		pprof + "/debug/pprof/allocs", pprof + "/debug/pprof/cmdline", pprof + "/debug/pprof/profile?seconds=1", pprof + "/debug/pprof/trace?seconds=0.2", c.Metrics + "/metrics",
	} {
		c.public = append(c.public, c.fetch(address))
	}
	refusing.Store(false)
	require.Eventually(t, func() bool { spans, _ := far.Count(); return spans > 0 }, patience, 10*time.Millisecond)
	c.talk(sh.hasStore)
	c.Signal(crash)
	assert.Contains(t, c.Printed.String(), "goroutine ", "it left a dump")
	c.public = append(c.public, c.Printed.String())

	for _, text := range c.public {
		c.searchText(text)
	}
	c.searchFiles(dir)
}

var (
	// introduced is where the public keys of a receiver are told: they are names, and whoever starts it needs them.
	introduced = regexp.MustCompile(`has the public keys pk-|public_key"?: "?pk-`)
	// ownTraces is where the path of a request is in the traces of the collector itself, which are off unless somebody wants them.
	ownTraces = regexp.MustCompile(`^\s*"Value": "/api/public/`)
)

// searchText looks at what anybody may see.
func (c *canary) searchText(text string) {
	c.t.Helper()
	for line := range strings.Lines(text) {
		for _, form := range secretForms() {
			assert.NotContains(c.t, line, form)
		}
		if !introduced.MatchString(line) {
			assert.NotContains(c.t, line, canaryPublic)
		}
		if !ownTraces.MatchString(line) {
			assert.NotContains(c.t, line, canaryPrompt)
		}
	}
}

// overlay turns on what shows most, and forwards where the shape does not.
func (sh shape) overlay(dir, far, zpages, pprof string) string {
	text := fmt.Sprintf(`yaml:
extensions:
  zpages: {endpoint: %q}
  pprof: {endpoint: %q}
  file_storage: {directory: %q, create_directory: true}
exporters:
  langfuse: {retry_on_failure: {initial_interval: 50ms, max_interval: 200ms}}
service:
  extensions: [%s, zpages, pprof]
  telemetry: {logs: {level: debug}, metrics: {level: detailed}, traces: {processors: [{simple: {exporter: {console: {}}}}]}}
`, zpages, pprof, filepath.Join(dir, "queue"), sh.extensions)
	if !sh.hasStore {
		return text
	}
	text = strings.Replace(text, "langfuse: {", fmt.Sprintf(
		"langfuse: {endpoint: %q, public_key: '${env:LANGFUSE_PUBLIC_KEY}', secret_key: '${env:LANGFUSE_SECRET_KEY}', verify: true, sending_queue: {storage: file_storage}, ", far), 1)
	return text + "  pipelines: {traces: {exporters: [langfuse_store, langfuse]}, logs: {exporters: [langfuse_store, langfuse]}}\n"
}

// inspect looks at what the program says about its configuration without running.
func (c *canary) inspect(set weirproc.Settings) {
	c.t.Helper()
	for _, command := range [][]string{{"validate"}, {"print-config"}, {"print-config", "--format=json"}, {"components"}} {
		args := command
		if command[0] != "components" {
			args = append(append([]string{}, command...), append([]string{"--config=" + set.Config}, set.Args...)...)
		}
		cmd := exec.CommandContext(c.t.Context(), set.Binary, args...)
		cmd.Env = os.Environ()
		for name, value := range set.Env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		out, err := cmd.CombinedOutput()
		require.NoError(c.t, err, "%s: %s", command, out)
		c.public = append(c.public, string(out))
	}
	assert.Contains(c.t, c.public[1], "[REDACTED]")
}

// talk sends what people say, in good requests and in bad ones, and asks for it.
func (c *canary) talk(hasStore bool) {
	c.t.Helper()
	span := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"chat","attributes":[
		{"key":"langfuse.observation.input","value":{"stringValue":"` + canaryPrompt + `"}},
		{"key":"langfuse.observation.metadata.note","value":{"stringValue":"` + canaryPrompt + `"}}]}]}]}]}`
	score := `{"id":"s","name":"n","value":1,"traceId":"t","comment":"` + canaryPrompt + `"}`
	asked := url.QueryEscape(`[{"type":"string","column":"input","operator":"=","value":"` + canaryPrompt + `"}]`)
	for _, secret := range []string{canarySecret, canarySecret + "-wrong"} {
		for _, r := range []struct{ method, path, body string }{
			{http.MethodPost, "/api/public/otel/v1/traces", span},
			{http.MethodPost, "/api/public/otel/v1/traces", span[:len(span)-3]}, // cut off
			{http.MethodPost, "/api/public/otel/v1/traces", canaryPrompt},
			{http.MethodPost, "/api/public/scores", score},
			{http.MethodPost, "/api/public/scores", `{"value":"` + canaryPrompt + `","dataType":"` + canaryPrompt + `"}`},
			{http.MethodPost, "/api/public/ingestion", `{"batch":[{"id":"e","type":"` + canaryPrompt + `","timestamp":"` + canaryPrompt + `","body":` + score + `}]}`},
			{http.MethodGet, "/api/public/v2/observations?fields=core,io&filter=" + asked, ""},
			{http.MethodGet, "/api/public/v2/observations?filter=" + url.QueryEscape(canaryPrompt), ""},
			{http.MethodGet, "/api/public/v2/metrics?query=" + url.QueryEscape(canaryPrompt), ""},
			{http.MethodGet, "/api/public/traces/" + url.PathEscape(canaryPrompt), ""},
			{http.MethodPost, "/api/public/v2/prompts", `{"name":"p","prompt":"` + canaryPrompt + `"}`},
			{http.MethodGet, "/api/public/" + url.PathEscape(canaryPrompt), ""},
		} {
			answer := c.send(r.method, c.API+r.path, r.body, secret)
			for _, form := range secretForms() {
				assert.NotContains(c.t, answer, form, r.path)
			}
			if hasStore && strings.Contains(r.path, "fields=core,io") && secret == canarySecret {
				assert.Contains(c.t, answer, canaryPrompt, "it is in the answer")
			}
		}
	}
	c.send(http.MethodPost, c.OTLP+"/v1/traces", span, canarySecret)
	c.send(http.MethodPost, c.OTLP+"/v1/traces", span[:len(span)-3], canarySecret)
}

func (c *canary) send(method, address, body, secret string) string {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+address, strings.NewReader(body))
	require.NoError(c.t, err)
	request.SetBasicAuth(canaryPublic, secret)
	request.Header.Set("Content-Type", "application/json")
	_, content := c.do(request)
	return string(content)
}

// fetch reads what the program shows of itself, profiles unpacked.
func (c *canary) fetch(address string) string {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, "http://"+address, http.NoBody)
	require.NoError(c.t, err)
	status, content := c.do(request)
	require.Equal(c.t, http.StatusOK, status, address)
	require.NotEmpty(c.t, content, address)
	if unzipped, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
		content, err = io.ReadAll(unzipped)
		require.NoError(c.t, err, address)
	}
	return string(content)
}

func (c *canary) do(request *http.Request) (status int, content []byte) {
	c.t.Helper()
	response, err := http.DefaultClient.Do(request)
	require.NoError(c.t, err)
	defer response.Body.Close()
	content, err = io.ReadAll(response.Body)
	require.NoError(c.t, err)
	return response.StatusCode, content
}

// searchFiles looks at everything that was written: secret keys are nowhere, and what people say is in the files of the
// store and of the queue only.
func (c *canary) searchFiles(dir string) {
	c.t.Helper()
	mayHave := []string{"weir.duckdb", "exporter_langfuse_"}
	held := 0
	require.NoError(c.t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, form := range secretForms() {
			assert.False(c.t, bytes.Contains(content, []byte(form)), "a secret key is in %s", path)
		}
		if bytes.Contains(content, []byte(canaryPrompt)) {
			held++
			assert.True(c.t, strings.HasPrefix(entry.Name(), mayHave[0]) || strings.HasPrefix(entry.Name(), mayHave[1]), "a prompt is in %s", path)
		}
		return err
	}))
	assert.NotZero(c.t, held, "where it should be, it can be found")
}
