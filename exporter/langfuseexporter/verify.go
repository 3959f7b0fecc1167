// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/wire"
)

// verify asks the service once whose keys these are, and logs the answer as a sentence that a person can act on.
func (s *service) verify(ctx context.Context) {
	a, err := s.client.get(ctx, wire.PathProjects)
	if ctx.Err() != nil {
		return
	}
	logger := s.set.Logger.With(zap.String("endpoint", s.cfg.ClientConfig.Endpoint))
	if err != nil {
		logger.Warn("Could not verify the service: "+explain(err), zap.Error(err))
		return
	}
	if p := judge(a, time.Now()); p != nil {
		s.standing.note(ctx, p)
		if !p.misconfigured { // of that, standing has told
			logger.Warn("Could not verify the service: "+explainStatus(p.status), zap.Error(p))
		}
		return
	}
	var projects struct {
		Data []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"data"`
	}
	if err := json.Unmarshal(a.body, &projects); err != nil || len(projects.Data) == 0 {
		logger.Warn("Could not verify the service: it answered, but not as the service does; check that `endpoint` is its base address")
		return
	}
	s.standing.note(ctx, nil)
	logger.Info("The service accepts the keys.",
		zap.String("project", projects.Data[0].Name), zap.String("project_id", projects.Data[0].ID))
}

func explainStatus(status int) string {
	switch {
	case status == http.StatusNotFound:
		return "there is no such API at this address; `endpoint` must be the base address, and may have a path too many"
	case status >= http.StatusInternalServerError:
		return "it is there, but in trouble"
	default:
		return "it answered in an unexpected way; check that `endpoint` is its base address"
	}
}

// explain says what a failed connection most likely means.
func explain(err error) string {
	var (
		dns      *net.DNSError
		timeout  net.Error
		record   tls.RecordHeaderError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &dns):
		return "the name " + dns.Name + " is not known; check the host in `endpoint` and the DNS of this machine"
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the other side does not speak TLS; use http:// in `endpoint`, or the port that has TLS"
	case errors.As(err, &unknown):
		return "its certificate is signed by an unknown authority; add it with `tls::ca_file`"
	case errors.As(err, &hostname):
		return "its certificate is for another name; use that name in `endpoint`, or set `tls::server_name_override`"
	case errors.As(err, &invalid):
		return "its certificate is not valid; check its dates and the clock of this machine"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nobody listens there; check host and port in `endpoint`, and that the service runs"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "it did not answer in time; check the network, a proxy (`proxy_url`) and `timeout`"
	default:
		return "the connection failed"
	}
}
