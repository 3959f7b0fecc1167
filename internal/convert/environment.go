// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// maxEnvironment is how long the name of an environment may be.
const maxEnvironment = 40

// environment is where the span was made. The first place that names one decides, even if the name is not valid.
func (s *span) environment() string {
	for _, k := range [...]key{keyEnvironment, keyDeploymentEnvironmentName, keyDeploymentEnvironment} {
		for _, v := range [...]pcommon.Value{s.get(k), s.resource.get(k)} {
			if isTruthy(v) {
				return normalizeEnvironment(v, s.converter.settings.Names.Service)
			}
		}
	}
	if s.isFailedJudge() {
		return normalizeEnvironment(pcommon.NewValueStr(s.converter.settings.Names.Span.JudgeEnvironment), s.converter.settings.Names.Service)
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

// normalizeEnvironment gives the name in its one spelling. The service keeps names that begin with its own for itself.
func normalizeEnvironment(v pcommon.Value, service string) string {
	if v.Type() != pcommon.ValueTypeStr {
		return model.DefaultEnvironment
	}
	name := strings.ToLower(v.Str())
	for strings.HasPrefix(name, service) {
		name = strings.TrimPrefix(name, service)
		if name != "" && (name[0] == '-' || name[0] == '_') {
			name = name[1:]
		}
	}
	if name == "" {
		return model.DefaultEnvironment
	}
	// All characters of a valid name are of one byte, so it does not matter where a longer one is cut.
	name = name[:min(len(name), maxEnvironment)]
	for i := range len(name) {
		switch b := name[i]; {
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '-', b == '_':
		default:
			return model.DefaultEnvironment
		}
	}
	return name
}
