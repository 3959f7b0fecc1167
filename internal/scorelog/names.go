// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package scorelog // import "github.com/weirhq/weir/internal/scorelog"

// The names of the GenAI conventions for the result of an evaluation.
const (
	eventName       = "gen_ai.evaluation.result"
	attrName        = "gen_ai.evaluation.name"
	attrValue       = "gen_ai.evaluation.score.value"
	attrLabel       = "gen_ai.evaluation.score.label"
	attrExplanation = "gen_ai.evaluation.explanation"
	// attrEventName is where emitters put the name before log records had a field for it.
	attrEventName = "event.name"
)
