// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nobody is let in by anything but a pair of keys, or by a public key where that is enough.
func FuzzAuthorization(f *testing.F) {
	for _, header := range []string{
		basic("pk-one", "sk-one"), basic("pk-two", "sk:two"), basic("pk-one", "sk-two"), basic("", ""), "Bearer pk-one", "Bearer sk-one", "Basic ", "Basic %%%", "basic x", "",
		strings.Replace(basic("pk-one", "sk-one"), "ZQ==", "ZX==", 1), // the last bits, which carry nothing, are not zero
	} {
		f.Add(header)
	}
	keys := testSettings().Keys
	pairs := map[string]string{basic("pk-one", "sk-one"): "one", basic("pk-read", "sk-read"): "one", basic("pk-two", "sk:two"): "two"}
	f.Fuzz(func(t *testing.T, header string) {
		caller, err := keys.admit(header, Read)
		if err == nil {
			require.Equal(t, pairs[canonical(header)], caller.Project.ID, "%q", header)
			assert.False(t, caller.ScoresOnly)
		}
		caller, err = keys.admit(header, WriteScores)
		if err == nil && caller.ScoresOnly {
			assert.Equal(t, "Bearer "+caller.PublicKey, header)
		}
	})
}

// canonical leaves out what decoders of base64 pass over.
func canonical(header string) string { return strings.NewReplacer("\r", "", "\n", "").Replace(header) }

// Every path that a request can have is answered.
func FuzzPath(f *testing.F) {
	for _, path := range []string{"/", "//x/a", "/x/a%2fb", "/x/%ff", "/x/..", "/x/", "/x/a/", "/%", "*", "/x/%00", "/x/a?b=%zz", "http://y/x/a", "/x/" + strings.Repeat("a/", 100)} {
		f.Add(path)
	}
	handler, err := NewServer(testSettings(), []Route{{Method: http.MethodGet, Path: "/x/{name}", Handle: tell}, {Method: http.MethodGet, Path: "/x", Handle: tell}})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, path string) {
		request, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
		if err != nil {
			return // the server of the standard library says no
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		assert.Less(t, answer.Code, http.StatusInternalServerError)
		assert.NotContains(t, answer.Header().Get("Location"), "//", "a path that begins so is another host")
	})
}
