// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"net/http"

	"go.opentelemetry.io/collector/consumer/consumererror"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// outcome turns the word of a pipeline into an answer. What may work later is always 503: of the statuses that mean this,
// it is the only one that every client library acts upon.
func outcome(err error) error {
	switch {
	case err == nil:
		return nil
	case consumererror.IsPermanent(err):
		return web.BadRequest("The pipeline refused the data: " + err.Error())
	default:
		return web.NewError(http.StatusServiceUnavailable, "The pipeline cannot take the data now: "+err.Error())
	}
}
