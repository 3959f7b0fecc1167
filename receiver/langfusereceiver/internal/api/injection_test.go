// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
)

// oddTexts are those that can be stored: an empty text is none.
func oddTexts() []string {
	all := slices.DeleteFunc(slices.Clone(apidoctest.OddTexts), func(text string) bool { return text == "" || !utf8.ValidString(text) })
	slices.Sort(all)
	return slices.Compact(all)
}

// injected is a project in which the n-th observation and score have the n-th odd text wherever there can be one.
func injected(t *testing.T) (*harness, []string) {
	t.Helper()
	h := start(t)
	texts := oddTexts()
	rows, scores := make([]model.Observation, 0, len(texts)), make([]model.Score, 0, len(texts))
	for n, text := range texts {
		row := observation("row-"+strconv.Itoa(n), noon.Add(time.Duration(n)*time.Second))
		row.TraceID, row.Name, row.TraceName, row.UserID, row.SessionID, row.Version, row.Release = "trace-"+strconv.Itoa(n), text, text, text, text, text, text
		row.Tags, row.Input = []string{text}, "in "+text
		row.Metadata = string(wire.AppendString([]byte(`{"k":`), text)) + "," + string(wire.AppendString(nil, "key "+text)) + `:"v"}`
		rows = append(rows, row)
		mark := score("score "+text, noon)
		mark.Name, mark.Comment, mark.SessionID, mark.TraceID = text, text, text, ""
		scores = append(scores, mark)
	}
	h.write(t, rows...)
	h.writeScores(t, scores...)
	return h, texts
}

// numbers are the rows of an answer, by the number at the end of their id.
func numbers(t *testing.T, rows []map[string]any, texts []string) (found []int) {
	t.Helper()
	for _, row := range rows {
		id := row["id"].(string)
		if text, isScore := strings.CutPrefix(id, "score "); isScore {
			found = append(found, slices.Index(texts, text))
			continue
		}
		n, err := strconv.Atoi(id[strings.LastIndexByte(id, '-')+1:])
		require.NoError(t, err)
		found = append(found, n)
	}
	slices.Sort(found)
	return found
}

// injectedEvery is how many of the texts are tried unless many requests are asked for.
const injectedEvery = 5

// A text is a text to every parameter and filter: it finds what equals it, or holds it, and nothing else.
func TestInjectionIntoReads(t *testing.T) {
	h, texts := injected(t)
	filter := func(kind, column, key, operator string, value any) string {
		condition := object{"type": kind, "column": column, "operator": operator, "value": value}
		if key != "" {
			condition["key"] = key
		}
		return asJSON(t, []any{condition})
	}
	const observations, scores, traces = "/v2/observations", "/v3/scores", "/traces"
	for n, text := range texts {
		if os.Getenv(requestsEnv) == "" && n%injectedEvery != 0 {
			continue
		}
		for _, read := range []struct {
			path       string
			parameters []string
			matches    func(stored string) bool // nil: is the same
		}{
			{observations, []string{"name", text}, nil},
			{observations, []string{"userId", text}, nil},
			{observations, []string{"version", text}, nil},
			{observations, []string{"filter", filter("string", "name", "", "=", text)}, nil},
			{observations, []string{"filter", filter("string", "sessionId", "", "=", text)}, nil},
			{observations, []string{"filter", filter("stringOptions", "userId", "", "any of", []string{text})}, nil},
			{observations, []string{"filter", filter("arrayOptions", "tags", "", "any of", []string{text})}, nil},
			{observations, []string{"filter", filter("stringObject", "metadata", "k", "=", text)}, nil},
			{observations, []string{"filter", filter("stringObject", "metadata", "key "+text, "=", "v")}, nil},
			{observations, []string{"filter", filter("string", "input", "", "=", "in "+text)}, nil},
			{observations, []string{"filter", filter("string", "name", "", "contains", text)}, func(stored string) bool { return strings.Contains(stored, text) }},
			{observations, []string{"filter", filter("string", "name", "", "starts with", text)}, func(stored string) bool { return strings.HasPrefix(stored, text) }},
			{observations, []string{"filter", filter("string", "name", "", "ends with", text)}, func(stored string) bool { return strings.HasSuffix(stored, text) }},
			{scores, []string{"id", "score " + text}, nil},
			{scores, []string{"sessionId", text}, nil},
			{traces, []string{"name", text}, nil},
			{traces, []string{"userId", text}, nil},
			{traces, []string{"tags", text}, nil},
			{traces, []string{"sessionId", text}, nil},
			{traces, []string{"release", text}, nil},
		} {
			if read.path == scores && strings.Join(strings.FieldsFunc(text, isBetweenEntries), "") != text {
				continue // there a parameter is a list, which cannot hold it
			}
			got := h.beyond().get(t, read.path, append(read.parameters, "limit", "100")...)
			if got.status == http.StatusBadRequest {
				assert.True(t, refusable(text), "%s %q: %s", read.path, read.parameters, got.body)
				continue
			}
			want := []int{n}
			if read.matches != nil {
				want = nil
				for other := range texts {
					if read.matches(texts[other]) {
						want = append(want, other)
					}
				}
			}
			found := numbers(t, got.data(t), texts)
			if len(want) > 100 {
				want, found = want[:0], found[:0] // more than a page
			}
			assert.Equal(t, want, found, "%s %q", read.path, read.parameters)
		}
	}
}

func isBetweenEntries(r rune) bool { return r == ',' || unicode.IsSpace(r) }

// refusable tells a text that a parameter may refuse.
func refusable(text string) bool {
	return strings.ContainsAny(text, ",\x00") || strings.TrimSpace(text) == "" || len(text) > 200
}

// Nothing that is sent as an id, a name or a body changes anything but what it names.
func TestInjectionIntoChanges(t *testing.T) {
	h, texts := injected(t)
	other := h.asOther()
	other.write(t, model.Observation{TraceID: "theirs", ID: "theirs", Start: noon, Name: "theirs", Type: model.TypeSpan, Environment: "default", Level: model.LevelDefault})
	count := func(h *harness) string {
		return fmt.Sprint(len(h.get(t, "/v2/observations", "limit", "1000").data(t)), " ", len(h.get(t, "/v3/scores", "limit", "100").data(t)))
	}
	mine, theirs := count(h), count(other)
	for _, text := range texts {
		segment := url.PathEscape("no " + text)
		for _, change := range []struct {
			method, path string
			body         any
		}{
			{http.MethodDelete, "/traces/" + segment, nil},
			{http.MethodDelete, "/traces", object{"traceIds": []string{"no " + text}}},
			{http.MethodDelete, "/scores/" + segment, nil},
			{http.MethodDelete, "/dataset-items/" + segment, nil},
			{http.MethodDelete, "/datasets/" + segment + "/runs/" + segment, nil},
			{http.MethodDelete, "/v2/prompts/" + segment, nil},
			{http.MethodDelete, "/models/" + segment, nil},
			{http.MethodPatch, "/score-configs/" + segment, object{"description": text}},
			{http.MethodPatch, "/media/" + segment, object{"uploadedAt": "2026-01-01T00:00:00Z", "uploadHttpStatus": 200}},
			{http.MethodDelete, "/annotation-queues/" + segment + "/items/" + segment, nil},
		} {
			got := h.beyond().send(t, change.method, change.path, change.body)
			assert.Less(t, got.status, http.StatusInternalServerError, "%s %s: %s", change.method, change.path, got.body)
		}
	}
	assert.Equal(t, mine, count(h))
	assert.Equal(t, theirs, count(other))

	// What is named so is stored so, and deleted alone.
	for n, text := range texts {
		name := fmt.Sprintf("%d%s", n, text)
		made := h.beyond().send(t, http.MethodPost, "/v2/datasets", object{"name": name, "description": text, "metadata": object{text: text}})
		if made.status == http.StatusOK {
			read := h.beyond().send(t, http.MethodGet, "/v2/datasets/"+url.PathEscape(name), nil)
			require.Equal(t, http.StatusOK, read.status, "%q: %s", name, read.body)
			assert.Equal(t, name, read.decode(t)["name"])
			assert.Equal(t, text, read.decode(t)["description"])
		} else {
			assert.Equal(t, http.StatusBadRequest, made.status, "%q: %s", name, made.body)
		}
		gone := h.beyond().send(t, http.MethodDelete, "/scores/"+url.PathEscape("score "+text), nil)
		assert.Equal(t, http.StatusAccepted, gone.status, "%q: %s", text, gone.body)
		if n%20 == 0 {
			left := h.get(t, "/v3/scores", "limit", "100").data(t)
			assert.Len(t, left, min(len(texts)-n-1, 100), "after %q", text)
		}
	}
	assert.Equal(t, theirs, count(other))
}
