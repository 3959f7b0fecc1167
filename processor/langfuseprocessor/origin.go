// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// The first major versions of the service's libraries that JSON-encode every metadata value.
const (
	firstEncodingPython     = 5
	firstEncodingJavaScript = 6
)

// unknownEncoding says that the values must tell for themselves.
const unknownEncoding Encoding = ""

// encodingOf tells in which encoding the metadata below a scope is known to stand: from the mark of an earlier
// pass, or because a library wrote it that always encodes.
func (r *pass) encodingOf(resource pcommon.Resource, scope pcommon.InstrumentationScope) Encoding {
	if mark, ok := scope.Attributes().Get(wire.MarkEncoding); ok {
		return Encoding(mark.Str())
	}
	if scope.Name() != r.names.SDKScope {
		return unknownEncoding
	}
	first := firstEncodingJavaScript
	if isPython(resource, scope) {
		first = firstEncodingPython
	}
	if majorVersion(scope.Version()) >= first {
		return EncodingJSON
	}
	return unknownEncoding
}

// isSettled tells whether the metadata below a scope already stands in the wanted encoding. Where the values tell for
// themselves they are looked at again even behind a mark: something may have been added since.
func (r *pass) isSettled(resource pcommon.Resource, scope pcommon.InstrumentationScope) bool {
	if r.encodingOf(resource, scope) != r.cfg.Metadata.Encoding {
		return false
	}
	_, marked := scope.Attributes().Get(wire.MarkEncoding)
	tellThemselves := r.cfg.Metadata.Encoding == EncodingJSON && r.cfg.Metadata.Strings == StringsAuto
	return !marked || !tellThemselves
}

// isPython tells the Python library, which puts the public key on its scope, from the JavaScript one.
func isPython(resource pcommon.Resource, scope pcommon.InstrumentationScope) bool {
	if language, ok := resource.Attributes().Get("telemetry.sdk.language"); ok {
		return language.Str() == "python"
	}
	_, ok := scope.Attributes().Get("public_key")
	return ok
}

// majorVersion is the leading number of a version, 0 when there is none.
func majorVersion(version string) int {
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return n
}

// mark writes down on a scope what its metadata now stands in. A later pass could not always see it: a text without
// quotes may be a string that lost them, and one that looks like a number may be encoded already.
func (r *pass) mark(scope pcommon.InstrumentationScope) {
	encoding := string(r.cfg.Metadata.Encoding)
	if old, ok := scope.Attributes().Get(wire.MarkEncoding); !ok || old.Str() != encoding {
		scope.Attributes().PutStr(wire.MarkEncoding, encoding)
	}
}
