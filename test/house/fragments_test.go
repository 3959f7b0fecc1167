// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// fragment is a configuration that may lack its service section: section -> component id -> settings.
type fragment map[string]map[string]any

// abilities says what each component type of the binary works on: section -> type -> traces, metrics, logs,
// or traces-to-metrics and the like for a connector.
type abilities map[string]map[string][]string

var (
	sections = []string{"receivers", "processors", "exporters", "connectors", "extensions"}
	signals  = []string{"traces", "metrics", "logs"}
)

const (
	fillReceiver = "otlp/house"
	fillExporter = "debug/house"
)

// parseFragment reads a block of documentation. whole tells whether it has a service section and so stands alone.
func parseFragment(text string) (parsed fragment, whole bool, err error) {
	var keys map[string]yaml.Node
	if err := yaml.Unmarshal([]byte(text), &keys); err != nil {
		return nil, false, err
	}
	if len(keys) == 0 {
		return nil, false, errors.New("the block is empty")
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if key != "service" && !slices.Contains(sections, key) {
			return nil, false, fmt.Errorf("`%s:` is not of a collector configuration; if the block is for another program, open it with ```yaml no-validate", key)
		}
	}
	if _, whole := keys["service"]; whole {
		return nil, true, nil
	}
	err = yaml.Unmarshal([]byte(text), &parsed)
	return parsed, false, err
}

// complete returns a second configuration that, merged with the fragment, puts each of its components to work.
// A signal that none of them knows gets no pipeline; where a pipeline lacks an end, a plain otlp receiver or debug exporter takes it.
func complete(part fragment, can abilities) (string, error) {
	pipelines := map[string]any{}
	add := func(name string, receivers, processors, exporters []string) {
		if len(receivers) == 0 {
			receivers = []string{fillReceiver}
		}
		if len(exporters) == 0 {
			exporters = []string{fillExporter}
		}
		pipelines[name] = map[string]any{"receivers": receivers, "processors": processors, "exporters": exporters}
	}

	for _, signal := range signals {
		ids := func(section string) []string { return part.idsFor(section, signal, can) }
		if receivers, processors, exporters := ids("receivers"), ids("processors"), ids("exporters"); len(receivers)+len(processors)+len(exporters) > 0 {
			add(signal, receivers, processors, exporters)
		}
	}
	for i, id := range slices.Sorted(maps.Keys(part["connectors"])) {
		if pairs := can["connectors"][componentType(id)]; len(pairs) > 0 {
			from, to, _ := strings.Cut(pairs[0], "-to-")
			add(fmt.Sprintf("%s/into%d", from, i), nil, nil, []string{id})
			add(fmt.Sprintf("%s/outof%d", to, i), []string{id}, nil, nil)
		}
	}
	if len(pipelines) == 0 { // nothing but extensions: the collector wants one pipeline
		add("traces", nil, nil, nil)
	}

	out, err := yaml.Marshal(map[string]any{
		"receivers": map[string]any{fillReceiver: map[string]any{"protocols": map[string]any{"grpc": nil}}},
		"exporters": map[string]any{fillExporter: nil},
		"service":   map[string]any{"extensions": slices.Sorted(maps.Keys(part["extensions"])), "pipelines": pipelines},
	})
	return string(out), err
}

// idsFor lists the components of a section that can work on the signal.
func (f fragment) idsFor(section, signal string, can abilities) []string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(f[section])) {
		if slices.Contains(can[section][componentType(id)], signal) {
			ids = append(ids, id)
		}
	}
	return ids
}

// componentType returns the type of a component id such as langfuse/eu.
func componentType(id string) string {
	name, _, _ := strings.Cut(id, "/")
	return name
}

// readAbilities asks the binary.
func readAbilities(t *testing.T, binary string) abilities {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), binary, "components").Output()
	require.NoError(t, err)
	can, err := parseAbilities(out)
	require.NoError(t, err)
	require.Contains(t, can["receivers"]["otlp"], "traces", "the output of `components` changed: %s", out)
	return can
}

func parseAbilities(components []byte) (abilities, error) {
	var listed map[string]yaml.Node
	if err := yaml.Unmarshal(components, &listed); err != nil {
		return nil, err
	}
	can := abilities{}
	for _, section := range sections {
		var entries []struct {
			Name      string
			Stability map[string]string
		}
		node := listed[section]
		if err := node.Decode(&entries); err != nil {
			return nil, err
		}
		can[section] = map[string][]string{}
		for _, entry := range entries {
			maps.DeleteFunc(entry.Stability, func(_, level string) bool { return level == "Undefined" })
			can[section][entry.Name] = slices.Sorted(maps.Keys(entry.Stability))
		}
	}
	return can, nil
}

func TestParseFragment(t *testing.T) {
	_, whole, err := parseFragment("exporters:\n  debug:\nservice:\n  pipelines:\n")
	require.NoError(t, err)
	assert.True(t, whole)

	part, whole, err := parseFragment("exporters:\n  debug:\n  langfuse/eu:\n    endpoint: x\n")
	require.NoError(t, err)
	assert.False(t, whole)
	assert.Equal(t, fragment{"exporters": {"debug": nil, "langfuse/eu": map[string]any{"endpoint": "x"}}}, part)

	for text, want := range map[string]string{
		"":                                  "empty",
		"# only a comment":                  "empty",
		"- a\n- b":                          "cannot unmarshal",
		"a: b: c":                           "mapping values are not allowed",
		"apiVersion: v1\nkind: Pod":         "`apiVersion:` is not of a collector configuration",
		"services: {}\nexporters: {}":       "yaml no-validate",
		"exporters: [debug]":                "cannot unmarshal",
		"exporters: {debug: }\nendpoint: x": "`endpoint:`",
	} {
		_, _, err := parseFragment(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestComplete(t *testing.T) {
	can := abilities{
		"receivers":  {"otlp": {"logs", "metrics", "traces"}},
		"processors": {"sampler": {"traces"}},
		"exporters":  {"debug": {"logs", "metrics", "traces"}, "langfuse": {"logs", "traces"}},
		"connectors": {"spanmetrics": {"traces-to-metrics"}, "forward": {"logs-to-logs", "traces-to-traces"}},
		"extensions": {"store": nil},
	}
	for name, tc := range map[string]struct {
		part fragment
		want string
	}{
		"exporter of two signals": {
			fragment{"exporters": {"langfuse": nil, "langfuse/eu": nil}},
			"{traces: {receivers: [otlp/house], processors: [], exporters: [langfuse, langfuse/eu]}, logs: {receivers: [otlp/house], processors: [], exporters: [langfuse, langfuse/eu]}}",
		},
		"processor of one": {
			fragment{"processors": {"sampler": nil}},
			"{traces: {receivers: [otlp/house], processors: [sampler], exporters: [debug/house]}}",
		},
		"connector into another signal": {
			fragment{"connectors": {"spanmetrics": nil}},
			"{traces/into0: {receivers: [otlp/house], processors: [], exporters: [spanmetrics]}, metrics/outof0: {receivers: [spanmetrics], processors: [], exporters: [debug/house]}}",
		},
		"connector within a signal": {
			fragment{"connectors": {"forward/a": nil}},
			"{logs/into0: {receivers: [otlp/house], processors: [], exporters: [forward/a]}, logs/outof0: {receivers: [forward/a], processors: [], exporters: [debug/house]}}",
		},
		"extension alone": {
			fragment{"extensions": {"store": nil}},
			"{traces: {receivers: [otlp/house], processors: [], exporters: [debug/house]}}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := complete(tc.part, can)
			require.NoError(t, err)
			var got struct {
				Service struct {
					Extensions []string
					Pipelines  map[string]any
				}
			}
			require.NoError(t, yaml.Unmarshal([]byte(text), &got))
			var want map[string]any
			require.NoError(t, yaml.Unmarshal([]byte(tc.want), &want))
			assert.Equal(t, want, got.Service.Pipelines)
			assert.ElementsMatch(t, slices.Collect(maps.Keys(tc.part["extensions"])), got.Service.Extensions)
		})
	}
}

func TestParseAbilities(t *testing.T) {
	can, err := parseAbilities([]byte("exporters:\n  - name: langfuse\n    module: m\n    stability: {logs: Alpha, metrics: Undefined, traces: Alpha}\n"))
	require.NoError(t, err)
	assert.Equal(t, []string{"logs", "traces"}, can["exporters"]["langfuse"])
}
