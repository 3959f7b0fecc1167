// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"math"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// prompt links a generation to the prompt that it used; clients propagate the link to spans of all types. Whether
// there is such a prompt is for the store to say.
func (s *span) prompt(o *model.Observation) {
	if o.Type != model.TypeGeneration {
		return
	}
	link := s.aiPrompt()
	if v := s.firstNotNull(keyObservationPromptName, keyPromptName); !isNull(v) {
		o.PromptName = textOf(v)
	} else if name, ok := member(link, "name"); ok {
		o.PromptName = nodeText(name)
	}
	if v := s.firstNotNull(keyObservationPromptVersion, keyPromptVersion); !isNull(v) {
		o.PromptVersion = promptVersion(intOf(v))
	} else if version, ok := member(link, "version"); ok {
		o.PromptVersion = promptVersion(parseWhole(version.Text))
	}
}

// aiPrompt is the prompt as one hands it to the AI SDK: whole, as JSON.
func (s *span) aiPrompt() wire.Node {
	if !s.has(keyAIMetadataPrompt) {
		return wire.Node{}
	}
	v := s.get(keyAIMetadataPrompt)
	if v.Type() != pcommon.ValueTypeStr {
		return nodeOf(v)
	}
	link, _ := decodeObject(v.Str())
	return link
}

func promptVersion(n int64, ok bool) *int {
	if !ok || n < 0 || n > math.MaxUint16 {
		return nil
	}
	version := int(n)
	return &version
}
