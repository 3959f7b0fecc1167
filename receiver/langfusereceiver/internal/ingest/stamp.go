// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// stamper writes onto resources who sent what is below them.
type stamper struct {
	project, publicKey, clientName, clientVersion string
}

// maxClientText bounds what a caller can have stored with each of its rows through a header.
const maxClientText = 100

func (i *Ingest) stamperOf(r *web.Request) stamper {
	return stamper{
		project:       r.Caller.Project.ID,
		publicKey:     r.Caller.PublicKey,
		clientName:    clipped(header(r, i.Names.Headers.SDKName)),
		clientVersion: clipped(header(r, i.Names.Headers.SDKVersion)),
	}
}

func clipped(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxClientText)], "")
}

// stamp takes off what a sender wrote under our names, and writes what is so.
func (s stamper) stamp(resource pcommon.Resource) {
	attributes := resource.Attributes()
	attributes.RemoveIf(func(key string, _ pcommon.Value) bool { return strings.HasPrefix(key, wire.StampPrefix) })
	attributes.PutStr(wire.StampProject, s.project)
	attributes.PutStr(wire.StampPublicKey, s.publicKey)
	if s.clientName != "" {
		attributes.PutStr(wire.StampClientName, s.clientName)
	}
	if s.clientVersion != "" {
		attributes.PutStr(wire.StampClientVersion, s.clientVersion)
	}
}
