// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var shownTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`)

// like compares an answer with JSON in which <time> stands for any time as the API writes it, <id> for any text that is not
// empty and <project> for the project.
func (h *harness) like(t testing.TB, status int, want string, got answer) {
	t.Helper()
	require.Equal(t, status, got.status, got.body)
	var expected, found any
	require.NoError(t, json.Unmarshal([]byte(want), &expected), want)
	require.NoError(t, json.Unmarshal([]byte(got.body), &found), got.body)
	assert.Equal(t, expected, h.masked(expected, found), got.body)
}

// masked is what was found, with the placeholders of what is expected where they fit.
func (h *harness) masked(expected, found any) any {
	switch expected := expected.(type) {
	case map[string]any:
		object, ok := found.(map[string]any)
		if !ok {
			return found
		}
		for key, value := range object {
			object[key] = h.masked(expected[key], value)
		}
	case []any:
		list, ok := found.([]any)
		if !ok || len(list) != len(expected) {
			return found
		}
		for i := range list {
			list[i] = h.masked(expected[i], list[i])
		}
	case string:
		text, isText := found.(string)
		switch {
		case !isText:
		case expected == "<time>" && shownTime.MatchString(text),
			expected == "<id>" && text != "",
			expected == "<project>" && text == h.project:
			return expected
		}
	}
	return found
}

func toJSON(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

// send calls a path below the API.
func (h *harness) send(t testing.TB, method, path string, body any) answer {
	t.Helper()
	return h.call(t, method, "/api/public"+path, body)
}

// made sends a body that must be taken, and gives the answer.
func (h *harness) made(t testing.TB, path string, body any) map[string]any {
	t.Helper()
	got := h.send(t, http.MethodPost, path, body)
	require.Contains(t, []int{http.StatusOK, http.StatusCreated}, got.status, got.body)
	return got.decode(t)
}

// refusal is a request that is refused. Message is that of the issue with the path at, or of the whole where that is nil.
type refusal struct {
	method, path string
	body         any
	status       int
	message      string
	at           []any
}

func (h *harness) refuses(t *testing.T, refusals ...refusal) {
	t.Helper()
	for i, r := range refusals {
		t.Run(strconv.Itoa(i)+" "+r.message, func(t *testing.T) {
			got := h.send(t, r.method, r.path, r.body)
			require.Equal(t, r.status, got.status, got.body)
			body := got.decode(t)
			if r.at == nil {
				assert.Equal(t, r.message, body["message"])
				assert.IsType(t, "", body["error"], "the class of the error")
				return
			}
			assert.Equal(t, "Invalid request data", body["message"])
			var found []string
			for _, issue := range body["error"].([]any) {
				issue := issue.(map[string]any)
				found = append(found, fmt.Sprint(issue["path"], issue["message"]))
			}
			if want := fmt.Sprint(r.at, r.message); !slices.Contains(found, want) {
				t.Errorf("%q is not among the issues %q", want, found)
			}
		})
	}
}
