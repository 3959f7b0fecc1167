// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhoIsLetIn(t *testing.T) {
	s := newTestServer(t, testSettings(),
		Route{Method: http.MethodGet, Path: "/read", Access: Read, Handle: tell},
		Route{Method: http.MethodPost, Path: "/write", Access: Write, Handle: tell},
		Route{Method: http.MethodPost, Path: "/score", Access: WriteScores, Handle: tell},
		Route{Method: http.MethodGet, Path: "/projects", Access: Read, Style: StyleMessage, Denied: "Denied here", Handle: tell},
		Route{Method: http.MethodGet, Path: "/open", Handle: tell},
	)
	in := func(project string) string { return fmt.Sprintf(`{"project":%q,"name":"","body":0}`, project) }
	said := func(message string) string { return fmt.Sprintf(`{"message":%q}`, message) }
	for name, tc := range map[string]struct {
		method, path, header string
		status               int
		body                 string
	}{
		"nobody on an open route":   {"GET", "/open", "", 200, in("")},
		"no header":                 {"GET", "/read", "", 401, said("No authorization header")},
		"another scheme":            {"GET", "/read", "Digest x", 401, said("Invalid authorization header")},
		"scheme in lower case":      {"GET", "/read", "basic cGs6c2s=", 401, said("Invalid authorization header")},
		"no base64":                 {"GET", "/read", "Basic %%%", 401, said(malformed)},
		"no colon":                  {"GET", "/read", "Basic cGs=", 401, said(malformed)},
		"no public key":             {"GET", "/read", basic("", "sk-one"), 401, said(malformed)},
		"no secret key":             {"GET", "/read", basic("pk-one", ""), 401, said(malformed)},
		"unknown public key":        {"GET", "/read", basic("pk-nobody", "sk-one"), 401, said(wrongKeys)},
		"unknown key, empty digest": {"GET", "/read", basic("pk-nobody", "x"), 401, said(wrongKeys)},
		"wrong secret key":          {"GET", "/read", basic("pk-one", "sk-two"), 401, said(wrongKeys)},
		"secret of another key":     {"GET", "/read", basic("pk-read", "sk-one"), 401, said(wrongKeys)},
		"both keys":                 {"GET", "/read", basic("pk-one", "sk-one"), 200, in("one")},
		"colon in the secret":       {"GET", "/read", basic("pk-two", "sk:two"), 200, in("two")},
		"read with a write key":     {"GET", "/read", basic("pk-write", "sk-write"), 403, said("Access denied - the key pk-write may not read: add `read` to its `access`")},
		"write with a read key":     {"POST", "/write", basic("pk-read", "sk-read"), 403, said("Access denied - the key pk-read may not write: add `write` to its `access`")},
		"write with a write key":    {"POST", "/write", basic("pk-write", "sk-write"), 200, in("one")},
		"unknown bearer":            {"POST", "/score", "Bearer pk-nobody", 401, said(wrongPublicKey)},
		"bearer on a read":          {"GET", "/read", "Bearer pk-one", 403, said(publicKeyDenied)},
		"bearer on another write":   {"POST", "/write", "Bearer pk-one", 403, said(publicKeyDenied)},
		"bearer on a score":         {"POST", "/score", "Bearer pk-two", 200, in("two")},
		"bearer that may not write": {"POST", "/score", "Bearer pk-read", 403, said("Access denied - the key pk-read may not write: add `write` to its `access`")},
		"secret key as bearer":      {"POST", "/score", "Bearer sk-one", 401, said(wrongPublicKey)},
		"a text of its own":         {"GET", "/projects", "Bearer pk-one", 403, said("Denied here")},
	} {
		t.Run(name, func(t *testing.T) {
			var headers []string
			if tc.header != "" {
				headers = []string{"Authorization", tc.header}
			}
			got := s.do(t, tc.method, tc.path, nil, headers...)
			assert.Equal(t, tc.status, got.status)
			assert.JSONEq(t, tc.body, got.body)
			assert.Empty(t, got.header.Get("WWW-Authenticate"), "browsers must not ask for a password")
		})
	}
}

func TestKeyringKeepsNoSecret(t *testing.T) {
	ring := NewKeyring([]Key{{Project: &Project{}, PublicKey: "pk", SecretKey: "sk-canary"}})
	assert.NotContains(t, fmt.Sprintf("%+v", ring), "canary")
}

func BenchmarkAdmit(b *testing.B) {
	ring := testSettings().Keys
	header := basic("pk-one", "sk-one")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ring.admit(header, Read); err != nil {
			b.Fatal(err)
		}
	}
}
