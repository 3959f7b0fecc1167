// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stage is what these tests read of one stage of a Dockerfile.
type stage struct {
	name    string
	base    string // an image, or another stage
	env     []string
	user    string
	volume  string
	command []string // after the entry point
	runs    []string
	copies  []copyStep
}

// copyStep copies from the folder that is sent to the engine, or from another stage.
type copyStep struct {
	from    string
	sources []string
}

// stages reads our Dockerfile, which hadolint has found to be one.
func stages(t *testing.T) map[string]stage {
	t.Helper()
	found, err := parseStages(read(t, "Dockerfile"))
	require.NoError(t, err)
	byName := map[string]stage{}
	for _, s := range found {
		byName[s.name] = s
	}
	return byName
}

func parseStages(dockerfile string) ([]stage, error) {
	var found []stage
	for _, line := range instructions(dockerfile) {
		name, rest, _ := strings.Cut(line, " ")
		words := strings.Fields(rest)
		if name == "FROM" {
			found = append(found, stage{base: words[0], name: words[len(words)-1]})
			continue
		}
		s := &found[len(found)-1]
		switch name {
		case "ENV":
			s.env = append(s.env, words...)
		case "USER":
			s.user = rest
		case "VOLUME":
			s.volume = rest
		case "RUN":
			s.runs = append(s.runs, rest)
		case "COPY":
			s.copies = append(s.copies, parseCopy(words))
		case "CMD":
			if err := json.Unmarshal([]byte(rest), &s.command); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

func parseCopy(words []string) copyStep {
	var c copyStep
	for strings.HasPrefix(words[0], "--") {
		if from, ok := strings.CutPrefix(words[0], "--from="); ok {
			c.from = from
		}
		words = words[1:]
	}
	c.sources = words[:len(words)-1]
	return c
}

// instructions are the lines of a Dockerfile, put together where a backslash says so, without comments.
func instructions(dockerfile string) []string {
	var found []string
	unfinished := ""
	for line := range strings.Lines(dockerfile) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if before, more := strings.CutSuffix(line, `\`); more {
			unfinished += before
			continue
		}
		found = append(found, unfinished+line)
		unfinished = ""
	}
	return found
}

// isIgnored tells whether a .dockerignore keeps a file from the engine; the last pattern that matches decides.
func isIgnored(dockerignore, file string) bool {
	ignored := false
	for _, pattern := range instructions(dockerignore) {
		pattern, back := strings.CutPrefix(pattern, "!")
		if matches(pattern, file) {
			ignored = !back
		}
	}
	return ignored
}

// matches knows two kinds of patterns: for a name at the top with all below it, and with **/ for a name anywhere.
func matches(pattern, file string) bool {
	names := strings.Split(file, "/")
	anywhere, deep := strings.CutPrefix(pattern, "**/")
	if !deep {
		names = names[:1]
	}
	for _, name := range names {
		if ok, err := path.Match(anywhere, name); ok && err == nil {
			return true
		}
	}
	return false
}

func TestParseStages(t *testing.T) {
	found, err := parseStages("# x\nFROM a:1 AS one\nRUN b \\\n # why\n  c\nCOPY . .\n\nFROM d AS two\nCOPY --from=one --chown=1:1 /x /y /z/\nENV A=1 \\\n    B=2\nUSER 1:1\nVOLUME /v\nCMD [\"--e\"]\n")
	require.NoError(t, err)
	assert.Equal(t, []stage{
		{name: "one", base: "a:1", runs: []string{"b c"}, copies: []copyStep{{sources: []string{"."}}}},
		{
			name: "two", base: "d", env: []string{"A=1", "B=2"}, user: "1:1", volume: "/v", command: []string{"--e"},
			copies: []copyStep{{from: "one", sources: []string{"/x", "/y"}}},
		},
	}, found)
	_, err = parseStages("FROM a AS b\nCMD weir\n")
	require.Error(t, err, "a command for a shell that is not there")
}

func TestIsIgnored(t *testing.T) {
	const patterns = "# x\n*\n!go.mod\n!internal\n**/*_test.go\n**/testdata\n"
	for file, want := range map[string]bool{
		"README.md": true, "test/x.go": true, "go.mod": false, "internal/a/b.go": false,
		"internal/a/b_test.go": true, "internal/a/testdata/x": true, "docs/internal/x": true,
	} {
		assert.Equal(t, want, isIgnored(patterns, file), file)
	}
}
