// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// header reads a header of the service. Proxies and older clients write underscores for hyphens.
func header(r *web.Request, name string) string {
	if value := r.Header.Get(name); value != "" {
		return value
	}
	return r.Header.Get(strings.ReplaceAll(name, "-", "_"))
}

// checkIngestionVersion refuses data for a server of a later kind. Without the header everything is taken: most clients
// never send it.
func (i *Ingest) checkIngestionVersion(r *web.Request) error {
	text := header(r, i.Names.Headers.IngestionVersion)
	if text == "" {
		return nil
	}
	if version, err := strconv.Atoi(strings.TrimSpace(text)); err != nil || version > wire.MaxIngestionVersion {
		return web.BadRequest(fmt.Sprintf("Unsupported %s: %q. Maximum supported: \"%d\".", i.Names.Headers.IngestionVersion, text, wire.MaxIngestionVersion))
	}
	return nil
}
