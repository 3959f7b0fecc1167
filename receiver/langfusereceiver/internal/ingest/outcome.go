// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"go.opentelemetry.io/collector/consumer/consumererror"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// outcome turns the word of a pipeline into an answer. What may work later is always 503: of the statuses that mean this,
// it is the only one that every client library acts upon. Why is for the log: it may name files and machines.
func outcome(err error) error {
	switch {
	case err == nil:
		return nil
	case consumererror.IsPermanent(err):
		return web.BadRequest("The pipeline refused the data for good").Because(err)
	default:
		return web.Unavailable("The pipeline cannot take the data now; send it again later").Because(err)
	}
}
