// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPageHasEveryOperation(t *testing.T) {
	text := string(Page())
	d, err := parse(source)
	require.NoError(t, err)
	count := 0
	for _, path := range d.Paths {
		for _, e := range path.Value.operations() {
			count++
			assert.Equal(t, 1, strings.Count(text, `<article id="`+e.Value.ID+`">`), "%s %s", e.Name, path.Name)
			assert.Contains(t, text, "<code>"+path.Name+"</code>")
		}
	}
	assert.Equal(t, count, strings.Count(text, "<code>curl"), "an example for each")
	for _, e := range d.Components.Schemas {
		assert.Contains(t, text, `id="schema-`+e.Name+`"`)
	}
}

func TestPageLinks(t *testing.T) {
	text := string(Page())
	ids := map[string]int{}
	for _, found := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		ids[found[1]]++
	}
	for id, times := range ids {
		assert.Equal(t, 1, times, id)
	}
	for _, found := range regexp.MustCompile(` href="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if anchor, ok := strings.CutPrefix(found[1], "#"); ok {
			assert.Equal(t, 1, ids[anchor], "nothing is at %s", found[1])
			continue
		}
		assert.Contains(t, []string{"openapi.yaml", "data:,"}, found[1])
	}
}

// A page that runs nothing and loads nothing can be shown under the strictest policy.
func TestPageIsSelfContained(t *testing.T) {
	text := string(Page())
	for _, forbidden := range []string{"<script", " style=", " onclick=", " src=", "@import", "url(", "ZgotmplZ"} {
		assert.NotContains(t, text, forbidden)
	}
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(text)
	require.Len(t, style, 2)
	sum := sha256.Sum256([]byte(style[1]))
	assert.Contains(t, PagePolicy(), "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	assert.True(t, strings.HasPrefix(PagePolicy(), "default-src 'none'; "))
}

func TestPageExamples(t *testing.T) {
	text := html.UnescapeString(string(Page()))
	for _, want := range []string{
		"curl \\\n  \"$WEIR/api/docs\"",
		"curl -u \"$PUBLIC_KEY:$SECRET_KEY\" \\\n  -G \"$WEIR/api/public/v2/observations\" \\\n  --data-urlencode 'fromStartTime=2026-08-22T00:00:00Z'",
		"curl -u \"$PUBLIC_KEY:$SECRET_KEY\" -X DELETE \\\n  \"$WEIR/api/public/scores/s-1\"",
		"\"$WEIR/api/public/datasets/capitals/runs/run%202026-08-22\"",
		"-H 'Content-Type: application/json' \\\n  -d '{\"traceIds\":[\"0af7651916cd43dd8448eb211c80319c\"]}'",
		"curl -X PUT \\\n  \"$WEIR/api/public/media/47DEQpj8HBSa-_TImW-5JC/content?project=prj-1&expires=1787393472&signature=5f2a9c\"",
		"\"resolutionGraph\": null",
	} {
		assert.Contains(t, text, want)
	}
}

func TestParagraphs(t *testing.T) {
	assert.Equal(t, []paragraph{
		{{Text: "One "}, {Text: "two", Code: true}, {Text: " "}, {Text: "three", Strong: true}, {Text: "."}},
		{{Text: "Next line."}},
	}, paragraphs("One `two`\n**three**.\n\nNext\nline.\n"))
	assert.Empty(t, paragraphs(""))
}

func TestQuote(t *testing.T) {
	assert.Equal(t, `'it'\''s'`, quote("it's"))
}

func TestParseFails(t *testing.T) {
	for _, text := range []string{"paths: [a]", "paths: {/a: 1}", "components: {schemas: {A: {additionalProperties: [1]}}}", "\t"} {
		_, err := parse([]byte(text))
		assert.ErrorContains(t, err, "the description of the API", text)
	}
}
