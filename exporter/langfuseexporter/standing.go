// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.uber.org/zap"
)

// standing is how we stand with the service: whether it accepts the credentials at this address. It is logged
// and reported when it changes, and not for every batch.
type standing struct {
	service *service

	mu    sync.Mutex
	hosts []component.Host // of both signals
	known bool
	bad   int // the status of the refusal; 0 while all is well
}

// note takes an answer into account; nil stands for a success.
func (s *standing) note(ctx context.Context, p *problem) {
	switch {
	case p != nil && p.misconfigured:
		s.change(ctx, p.status, p)
	case p == nil:
		s.change(ctx, 0, nil)
	default:
		// An overloaded or broken server, or another one at that address, says nothing about credentials.
	}
}

// addHost adds where the status is reported.
func (s *standing) addHost(host component.Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts = append(s.hosts, host)
}

func (s *standing) change(ctx context.Context, status int, p *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known && s.bad == status {
		return
	}
	recovered := s.bad != 0
	s.known, s.bad = true, status
	if status == 0 {
		s.service.telemetry.ExporterLangfuseAuthState.Record(ctx, 1, s.service.itself())
		if recovered {
			s.service.set.Logger.Info("The service accepts the credentials again.")
			s.report(componentstatus.NewEvent(componentstatus.StatusOK))
		}
		return
	}
	err := fmt.Errorf("%w: %s; %s", p, remedy(status), s.promise())
	s.service.telemetry.ExporterLangfuseAuthState.Record(ctx, 0, s.service.itself())
	s.service.set.Logger.Error("The service does not take data from here.", zap.Error(err))
	s.report(componentstatus.NewRecoverableErrorEvent(err))
}

func (s *standing) report(event *componentstatus.Event) {
	for _, host := range s.hosts {
		componentstatus.ReportStatus(host, event)
	}
}

// promise says what happens to the data meanwhile.
func (s *standing) promise() string {
	switch retry := s.service.cfg.RetryConfig; {
	case !retry.Enabled:
		return "until then every batch is refused, since `retry_on_failure` is off"
	case retry.MaxElapsedTime > 0:
		return fmt.Sprintf("until then each batch is kept for %s (`retry_on_failure::max_elapsed_time`)", retry.MaxElapsedTime)
	default:
		return "everything is kept and sent again until then"
	}
}

// remedy says what to do about a status that a setting can mend.
func remedy(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "check `public_key` and `secret_key`, and that `endpoint` is the region or installation in which the project lives"
	case http.StatusForbidden:
		return "the keys are known but may not write: use a project key with write access, and check that the project is not suspended"
	case http.StatusBadRequest:
		return "it does not understand requests from here: check `compression`, `encoding` and `ingestion_version`, and what proxies on the way change"
	default:
		return "redirects are not followed, since that would hand the credentials on: set `endpoint` to the final base address"
	}
}
