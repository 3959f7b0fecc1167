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
	host    component.Host

	mu    sync.Mutex
	known bool
	bad   int // the status of the refusal; 0 while all is well
}

// note takes an answer into account; nil stands for a success.
func (s *standing) note(ctx context.Context, p *problem) {
	switch {
	case p != nil && p.misconfigured:
		s.change(ctx, p.status, p)
	case p != nil && p.verdict == later:
		// An overloaded or broken server says nothing about credentials.
	default:
		s.change(ctx, 0, nil)
	}
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
			componentstatus.ReportStatus(s.host, componentstatus.NewEvent(componentstatus.StatusOK))
		}
		return
	}
	err := fmt.Errorf("%w: %s; everything is kept and sent again until then", p, remedy(status))
	s.service.telemetry.ExporterLangfuseAuthState.Record(ctx, 0, s.service.itself())
	s.service.set.Logger.Error("The service does not take data from here.", zap.Error(err))
	componentstatus.ReportStatus(s.host, componentstatus.NewRecoverableErrorEvent(err))
}

// remedy says what to do about a status that a setting can mend.
func remedy(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "check `public_key` and `secret_key`, and that `endpoint` is the region or installation in which the project lives"
	case http.StatusForbidden:
		return "the keys are known but may not write: use a project key with write access, and check that the project is not suspended"
	default:
		return "redirects are not followed, since that would hand the credentials on: set `endpoint` to the final base address"
	}
}
