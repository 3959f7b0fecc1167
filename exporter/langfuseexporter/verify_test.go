// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// verified starts an exporter with `verify`, and waits for the one sentence that comes of it.
func verified(t *testing.T, endpoint string) (message, failure string) {
	t.Helper()
	h := newHarness(t)
	h.traces(testConfig(endpoint, func(c *Config) { c.Verify = true }))
	require.Eventually(t, func() bool { return h.logs.Len() > 0 }, 10*time.Second, time.Millisecond)
	entry := h.logs.All()[0]
	failure, _ = entry.ContextMap()["error"].(string)
	if project, ok := entry.ContextMap()["project"]; ok {
		return fmt.Sprint(entry.Message, " ", project, " ", entry.ContextMap()["project_id"]), ""
	}
	return entry.Message, failure
}

func TestVerify(t *testing.T) {
	const could = "Could not verify the service: "
	for name, tc := range map[string]struct {
		answer  reply
		message string
		failure string
	}{
		"accepted": {reply{}, "The service accepts the keys. My Project p-1", ""},
		"wrong keys or region": {
			reply{status: 401, body: `{"message":"Invalid credentials."}`},
			"The service does not take data from here.",
			"check `public_key` and `secret_key`, and that `endpoint` is the region",
		},
		"a path too many": {
			reply{status: 404},
			could + "there is no such API at this address; `endpoint` must be the base address, and may have a path too many",
			"the service answered 404 Not Found",
		},
		"in trouble":            {reply{status: 502}, could + "it is there, but in trouble", "the service answered 502 Bad Gateway"},
		"unexpected status":     {reply{status: 418}, could + "it answered in an unexpected way; check that `endpoint` is its base address", "418"},
		"another site entirely": {reply{status: 200, body: "<html>"}, could + "it answered, but not as the service does; check that `endpoint` is its base address", ""},
		"cut":                   {reply{cut: true}, could + "the connection failed", "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, tc.answer, tc.answer) // GET is tried again by the transport after a cut
			message, failure := verified(t, service.URL)
			assert.Equal(t, tc.message, message)
			assert.Contains(t, failure, tc.failure)
			assert.Equal(t, "/api/public/projects", service.seen()[0].path)
			assert.NotEmpty(t, service.seen()[0].header.Get("Authorization"))
		})
	}
}

func TestVerifyConnections(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	secure.Config.ErrorLog = nil
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)

	message, _ := verified(t, secure.URL)
	assert.Contains(t, message, "its certificate is signed by an unknown authority; add it with `tls::ca_file`")
	message, _ = verified(t, strings.Replace(plain.URL, "http:", "https:", 1))
	assert.Contains(t, message, "the other side does not speak TLS")
	message, _ = verified(t, "http://127.0.0.1:1")
	assert.Contains(t, message, "nobody listens there; check host and port in `endpoint`")
}

func TestExplain(t *testing.T) {
	for want, err := range map[string]error{
		"the name no.such.host is not known": &net.DNSError{Name: "no.such.host", IsNotFound: true},
		"does not speak TLS":                 tls.RecordHeaderError{Msg: "x"},
		"unknown authority":                  x509.UnknownAuthorityError{},
		"certificate is for another name":    x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"},
		"check its dates":                    x509.CertificateInvalidError{},
		"nobody listens there":               syscall.ECONNREFUSED,
		"did not answer in time":             context.DeadlineExceeded,
		"the connection failed":              errors.New("anything else"),
	} {
		assert.Contains(t, explain(fmt.Errorf("wrapped: %w", err)), want)
	}
}

func TestShutdownWhileVerifying(t *testing.T) {
	service := newFakeService(t, reply{hang: true})
	h := newHarness(t)
	h.traces(testConfig(service.URL, func(c *Config) { c.Verify = true }))
	require.Eventually(t, func() bool { return len(service.seen()) == 1 }, 10*time.Second, time.Millisecond)
	// The cleanup of the harness shuts down, and would hang.
	assert.Zero(t, h.logs.Len())
}
