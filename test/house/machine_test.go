// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The forbidden words are put together from pieces, so that this file does not contain them itself.

// machinePath finds the absolute path of somebody's own folder. A path of the same name further down in a tree or in an
// address is none: the slash must not follow a letter, a digit, a dot or a brace.
var machinePath = regexp.MustCompile(`(?:^|[^\w.})\]*~-])/(?:` + strings.Join([]string{"work", "root", "Users", "home" + `/\w+`}, "|") + `)/`)

// registryHosts are the places that package managers download from. Which one is used is a setting of the machine.
var registryHosts = []string{
	"proxy." + "golang.org", "sum." + "golang.org", "gopro" + "xy.io", "gopro" + "xy.cn",
	"registry." + "npmjs.org", "registry." + "yarnpkg.com", "registry." + "npmmirror.com",
	"py" + "pi.org", "files." + "pythonhosted.org",
	"index." + "crates.io", "repo.maven." + "apache.org",
}

func TestNoTraceOfAMachine(t *testing.T) {
	for _, name := range gitFiles(t) {
		for _, problem := range machineTraces(readFile(t, name)) {
			t.Errorf("%s:%s", name, problem)
		}
	}
}

func TestMachineTraces(t *testing.T) {
	for _, bad := range []string{
		"/wo" + "rk/main/x", "cd /ro" + "ot/go", "path: \"/wo" + "rk/shared\"", "see (/Us" + "ers/ann/x)", "HOME=/ho" + "me/ann/x", "file:///ro" + "ot/x",
		"https://registry." + "npmjs.org/x/-/x.tgz", "GOPROXY=PROXY." + "golang.org", "index-url = https://py" + "pi.org/simple",
	} {
		assert.Len(t, machineTraces("first\n"+bad+"\n"), 1, bad)
	}
	for _, good := range []string{
		"../wo" + "rk/x", "https://example.com/wo" + "rk/x", "github.com/ro" + "ot/x", "/wo" + "rks/x", ".github/wo" + "rkflows/ci.yml", "${HOME}/wo" + "rk/",
		"/ho" + "me/", "pkg.go.dev/x", "golang.org/x/mod", "npmjs.com",
	} {
		assert.Empty(t, machineTraces(good), good)
	}
	assert.Contains(t, machineTraces("one\ntwo /wo" + "rk/x\n")[0], "2: names a path")
}

// machineTraces reports, with line numbers, what only holds on one machine.
func machineTraces(content string) []string {
	var problems []string
	number := 0
	for line := range strings.Lines(content) {
		number++
		if found := machinePath.FindString(line); found != "" {
			problems = append(problems, fmt.Sprintf("%d: names a path of one machine: %s", number, strings.TrimSpace(found)))
		}
		for _, host := range registryHosts {
			if strings.Contains(strings.ToLower(line), host) {
				problems = append(problems, fmt.Sprintf("%d: names a package registry: %s", number, host))
			}
		}
	}
	return problems
}
