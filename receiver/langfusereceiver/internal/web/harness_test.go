// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
)

// testServer answers some routes with what it was told about the request.
type testServer struct {
	*httptest.Server
	settings Settings
}

func testSettings() Settings {
	one, two := &Project{ID: "one", Name: "One"}, &Project{ID: "two", Name: "Two"}
	return Settings{
		Keys: NewKeyring([]Key{
			{Project: one, PublicKey: "pk-one", SecretKey: "sk-one", MayRead: true, MayWrite: true},
			{Project: one, PublicKey: "pk-read", SecretKey: "sk-read", MayRead: true},
			{Project: one, PublicKey: "pk-write", SecretKey: "sk-write", MayWrite: true},
			{Project: two, PublicKey: "pk-two", SecretKey: "sk:two", MayRead: true, MayWrite: true},
		}),
		Limits:   BodyLimits{Decompressed: 4 << 20, Ratio: 100, InFlight: NewBudget(16 << 20), Strangers: NewBudget(4 << 20)},
		Requests: NewBudget(8),
		Logger:   zap.NewNop(),
	}
}

func newTestServer(t *testing.T, settings Settings, routes ...Route) *testServer {
	t.Helper()
	handler, err := NewServer(settings, routes)
	require.NoError(t, err)
	s := &testServer{Server: httptest.NewServer(handler), settings: settings}
	t.Cleanup(s.Close)
	return s
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (s *testServer) do(t *testing.T, method, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, body)
	require.NoError(t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, strings.TrimSuffix(string(content), "\n")}
}

func basic(public, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(public+":"+secret))
}

// asOne is the header of the first project's keys.
var asOne = []string{"Authorization", basic("pk-one", "sk-one")}

type seen struct {
	Project string `json:"project"`
	Name    string `json:"name"`
	Body    int    `json:"body"`
}

// tell answers with what it saw of a request.
func tell(_ context.Context, r *Request) (Reply, error) {
	body, err := r.Body(0)
	if err != nil {
		return Reply{}, err
	}
	s := seen{Name: r.Segment("name"), Body: len(body)}
	if r.Caller != nil {
		s.Project = r.Project()
	}
	return JSON(s), nil
}
