// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// environment is where the span was made. The first place that names one decides, even if the name is not valid.
func (s *span) environment() string {
	names := &s.converter.settings.Names
	for _, k := range [...]key{keyEnvironment, keyDeploymentEnvironmentName, keyDeploymentEnvironment} {
		for _, a := range [...]*attributes{&s.attributes, &s.resource.attributes} {
			if a.truthy(k) {
				return normalizeEnvironment(a.get(k), names)
			}
		}
	}
	if s.isFailedJudge() {
		return normalizeEnvironment(pcommon.NewValueStr(names.Span.JudgeEnvironment), names)
	}
	return model.DefaultEnvironment
}

// isFailedJudge knows a failed request of the service's own evaluator that OpenRouter reports. It carries its
// environment only inside the request that it repeats.
func (s *span) isFailedJudge() bool {
	const openRouter = "openrouter"
	if s.resource.str(keyServiceName) != openRouter || s.str(keyOpenRouterSource) != openRouter {
		return false
	}
	answer, ok := decodeObject(s.str(keyGenAICompletion))
	if !ok {
		return false
	}
	completion, _ := member(answer, "completion")
	request, _ := member(answer, "rawRequest")
	trace, _ := member(request, "trace")
	return completion.Kind == wire.Null && memberText(trace, "environment") == s.converter.settings.Names.Span.JudgeEnvironment
}

// normalizeEnvironment gives the name in its one spelling.
func normalizeEnvironment(v pcommon.Value, names *wire.Names) string {
	if v.Type() == pcommon.ValueTypeStr {
		if name := names.Environment(v.Str()); name != "" {
			return name
		}
	}
	return model.DefaultEnvironment
}
