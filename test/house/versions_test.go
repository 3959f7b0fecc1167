// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/weirhq/weir/test/internal/weirbin"
)

const (
	coreModules    = "go.opentelemetry.io/collector/"
	contribModules = "github.com/open-telemetry/opentelemetry-collector-contrib/"
)

// builderConfig is what these tests read of builder-config.yaml.
type builderConfig struct {
	Dist       struct{ Module string }
	Receivers  []builderEntry
	Processors []builderEntry
	Exporters  []builderEntry
	Connectors []builderEntry
	Extensions []builderEntry
	Providers  []builderEntry
}

type builderEntry struct {
	GoMod  string `yaml:"gomod"`
	Import string
	Path   string
}

// modules maps module paths to versions, our own module left out.
type modules map[string]string

func TestBuilderVersions(t *testing.T) {
	config := readBuilderConfig(t)
	listed := config.modules()
	require.NotEmpty(t, listed)
	report(t, unequalVersions("builder-config.yaml", listed, "go.mod", readModules(t, "go.mod")))
	report(t, mixedReleases(listed, readModules(t, "go.mod"), readModules(t, "tools.mod")))
	assert.NotEqual(t, ownModule, config.Dist.Module, "dist.module must not be the repository's own module: the builder writes a go.mod with it")
}

func TestBuilderListsOurComponents(t *testing.T) {
	report(t, unlisted(readBuilderConfig(t), components(t)))
}

func TestUnequalVersions(t *testing.T) {
	listed := modules{"example.com/a": "v1.0.0", "example.com/b": "v1.0.0", "example.com/only-here": "v1.0.0"}
	used := modules{"example.com/a": "v1.0.0", "example.com/b": "v1.1.0"}
	assert.Equal(t, []string{"example.com/b is v1.0.0 in here and v1.1.0 in there"}, unequalVersions("here", listed, "there", used))
}

func TestMixedReleases(t *testing.T) {
	good := modules{
		coreModules + "a": "v0.159.0", coreModules + "b": "v0.159.0",
		coreModules + "c": "v1.65.0", coreModules + "d": "v1.65.0",
		contribModules + "a": "v0.159.1", contribModules + "b": "v0.159.1",
		"example.com/other": "v0.1.0",
	}
	assert.Empty(t, mixedReleases(good, modules{coreModules + "e": "v0.159.0"}))
	assert.Equal(t,
		[]string{
			"contrib v0 is at v0.159.1, but at v0.159.0 in " + contribModules + "c",
			"core v0 is at v0.159.0, but at v0.160.0 in " + coreModules + "new",
			"core v1 is at v1.65.0, but at v1.64.0 in " + coreModules + "old",
		},
		mixedReleases(good, modules{coreModules + "new": "v0.160.0", coreModules + "old": "v1.64.0", contribModules + "c": "v0.159.0"}))
}

func TestUnlisted(t *testing.T) {
	ours := func(folder string) builderEntry {
		return builderEntry{GoMod: ownModule + " v0.0.0", Import: ownModule + "/" + folder, Path: "."}
	}
	config := builderConfig{Exporters: []builderEntry{ours("exporter/goodexporter"), ours("exporter/goneexporter")}}
	assert.Equal(t, []string{
		"exporter/newexporter is not under exporters: in builder-config.yaml",
		"processor/goodexporter is not under processors: in builder-config.yaml",
		"builder-config.yaml lists exporter/goneexporter, which is no component folder",
	}, unlisted(config, []string{"exporter/goodexporter", "exporter/newexporter", "processor/goodexporter"}))
}

// unequalVersions compares the modules that both sides have. The builder would silently take the higher version.
func unequalVersions(oneName string, one modules, otherName string, other modules) []string {
	var problems []string
	for _, module := range slices.Sorted(maps.Keys(one)) {
		if version, ok := other[module]; ok && version != one[module] {
			problems = append(problems, fmt.Sprintf("%s is %s in %s and %s in %s", module, one[module], oneName, version, otherName))
		}
	}
	return problems
}

// mixedReleases reports modules of the collector that are not of the same release as the rest.
func mixedReleases(lists ...modules) []string {
	seen := map[string]map[string][]string{} // series -> version -> modules
	for _, list := range lists {
		for module, version := range list {
			series := releaseSeries(module, version)
			if seen[series] == nil {
				seen[series] = map[string][]string{}
			}
			seen[series][version] = append(seen[series][version], module)
		}
	}
	delete(seen, "")

	var problems []string
	for _, series := range slices.Sorted(maps.Keys(seen)) {
		byVersion := seen[series]
		versions := slices.Sorted(maps.Keys(byVersion))
		usual := slices.MaxFunc(versions, func(a, b string) int { return len(byVersion[a]) - len(byVersion[b]) })
		for _, version := range versions {
			if version != usual {
				slices.Sort(byVersion[version])
				problems = append(problems, fmt.Sprintf("%s is at %s, but at %s in %s", series, usual, version,
					strings.Join(slices.Compact(byVersion[version]), ", ")))
			}
		}
	}
	return problems
}

// releaseSeries says with which others a module is released: core has two numbers for one release, v0.x and v1.y, contrib has one.
func releaseSeries(module, version string) string {
	major, _, _ := strings.Cut(version, ".")
	switch {
	case strings.HasPrefix(module, coreModules):
		return "core " + major
	case strings.HasPrefix(module, contribModules):
		return "contrib " + major
	default:
		return ""
	}
}

// unlisted compares our component folders with our lines in builder-config.yaml, both ways.
func unlisted(config builderConfig, folders []string) []string {
	listed := map[string]bool{}
	for kind, entries := range map[string][]builderEntry{
		"exporter": config.Exporters, "extension": config.Extensions, "processor": config.Processors, "receiver": config.Receivers,
	} {
		for _, entry := range entries {
			if folder, ok := strings.CutPrefix(entry.Import, ownModule+"/"); ok && path.Dir(folder) == kind && entry.Path == "." {
				listed[folder] = true
			}
		}
	}
	var problems []string
	for _, folder := range folders {
		if !listed[folder] {
			problems = append(problems, fmt.Sprintf("%s is not under %ss: in builder-config.yaml", folder, path.Dir(folder)))
		}
		delete(listed, folder)
	}
	for _, folder := range slices.Sorted(maps.Keys(listed)) {
		problems = append(problems, fmt.Sprintf("builder-config.yaml lists %s, which is no component folder", folder))
	}
	return problems
}

func readBuilderConfig(t *testing.T) builderConfig {
	t.Helper()
	var config builderConfig
	require.NoError(t, yaml.Unmarshal([]byte(readFile(t, "builder-config.yaml")), &config))
	return config
}

func (c builderConfig) modules() modules {
	found := modules{}
	for _, entry := range slices.Concat(c.Receivers, c.Processors, c.Exporters, c.Connectors, c.Extensions, c.Providers) {
		if module, version, _ := strings.Cut(entry.GoMod, " "); module != ownModule {
			found[module] = strings.TrimSpace(version)
		}
	}
	return found
}

// readModules asks the go command what a go.mod requires.
func readModules(t *testing.T, name string) modules {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", name)
	cmd.Dir = weirbin.Root(t)
	out, err := cmd.Output()
	require.NoError(t, err)
	var mod struct {
		Require []struct{ Path, Version string }
	}
	require.NoError(t, json.Unmarshal(out, &mod))
	found := modules{}
	for _, required := range mod.Require {
		found[required.Path] = required.Version
	}
	return found
}
