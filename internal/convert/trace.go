// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// name is the name of the observation: what a library says is better than what it called its span.
func (s *span) name() string {
	switch {
	case s.truthy(keyGenAIToolName):
		return s.text(keyGenAIToolName)
	case s.has(keyGenkitName):
		return s.text(keyGenkitName)
	case s.truthy(keyLogfireMessage):
		return s.text(keyLogfireMessage)
	case s.has(keyAIToolCallName):
		return s.text(keyAIToolCallName)
	case s.has(keyAIOperationID):
		operation := s.text(keyAIOperationID)
		if s.truthy(keyAIFunctionID) {
			return s.text(keyAIFunctionID) + ":" + operation
		}
		return operation
	default:
		return clean(s.otlp.Name())
	}
}

// traceFields sets what a span says about its trace. Only the span itself counts: clients copy these attributes to
// every span of a trace.
func (s *span) traceFields(o *model.Observation) {
	o.Version = s.text(keyVersion)
	if !s.notNull(keyVersion) {
		o.Version = s.resource.text(keyServiceVersion)
	}
	o.Release = s.text(keyRelease)
	if !s.notNull(keyRelease) {
		o.Release = s.resource.text(keyRelease)
	}
	o.TraceName = s.text(keyTraceName)
	o.UserID = s.identity(
		[]key{keyUserID, keyPlainUserID},
		[]key{keyObservationMetadataUserID, keyTraceMetadataUserID},
		keyAIMetadataUserID,
	)
	o.SessionID = s.identity(
		[]key{keySessionID, keyPlainSessionID, keyGenAIConversationID},
		[]key{keyObservationMetadataSessionID, keyTraceMetadataSessionID},
		keyAIMetadataSessionID,
	)
	o.Tags = s.tags()
	o.Public = isTrue(s.firstNotNull(keyTracePublic, keyPublic))
	o.IsAppRoot = isTrue(s.get(keyIsAppRoot))
}

// identity is the first id that is set. Those that stand in metadata may be encoded as metadata is.
func (s *span) identity(direct, fromMetadata []key, last key) string {
	if v := s.firstTruthy(direct...); !isNull(v) {
		return textOf(v)
	}
	for _, k := range fromMetadata {
		if text := plainText(s.get(k)); text != "" {
			return text
		}
	}
	return textOf(s.firstTruthy(last))
}

// plainText is the text of a metadata value, without the quotes of a JSON string.
func plainText(v pcommon.Value) string {
	text := textOf(v)
	if content, ok := wire.Unquote(text); ok && v.Type() == pcommon.ValueTypeStr {
		return content
	}
	return text
}

func (s *span) tags() []string {
	if v := s.firstTruthy(keyTraceTags, keyTags); !isNull(v) {
		return parseTags(v)
	}
	for _, k := range [...]key{keyObservationMetadataTags, keyTraceMetadataTags} {
		v := s.get(k)
		if !isTruthy(v) {
			continue
		}
		if v.Type() == pcommon.ValueTypeStr {
			return splitTags(plainText(v))
		}
		return parseTags(v)
	}
	return parseTags(s.firstTruthy(keyAIMetadataTags, keyLlamaIndexTags))
}

// parseTags reads a list of tags: a list, the JSON text of one, or texts with commas between them.
func parseTags(v pcommon.Value) []string {
	switch v.Type() {
	case pcommon.ValueTypeEmpty:
		return nil
	case pcommon.ValueTypeStr:
		return splitTags(clean(v.Str()))
	case pcommon.ValueTypeSlice:
		tags := make([]string, 0, v.Slice().Len())
		for _, tag := range v.Slice().All() {
			tags = append(tags, textOf(tag))
		}
		return tags
	default:
		return []string{textOf(v)}
	}
}

func splitTags(text string) []string {
	if strings.HasPrefix(text, "[") {
		if list, ok := decodeContainer(text); ok {
			tags := make([]string, 0, len(list.Items))
			for _, tag := range list.Items {
				tags = append(tags, nodeText(tag))
			}
			return tags
		}
	}
	var tags []string
	for tag := range strings.SplitSeq(text, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}
