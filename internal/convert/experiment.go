// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"github.com/weirhq/weir/internal/model"
)

// experiment sets what links the span to the run of an experiment.
func (s *span) experiment(o *model.Observation) {
	e := &o.Experiment
	e.ID = s.truthyText(keyExperimentID)
	e.Name = s.truthyText(keyExperimentName)
	e.Description = s.truthyText(keyExperimentDescription)
	e.DatasetID = s.truthyText(keyExperimentDatasetID)
	e.ItemID = s.truthyText(keyExperimentItemID)
	e.ItemRootID = s.truthyText(keyExperimentItemRootID)
	e.ItemExpectedOutput = s.text(keyExperimentItemExpectedOutput)
	if version, ok := parseDate(s.get(keyExperimentItemVersion)); ok {
		e.ItemVersion = version
	}
	e.Metadata = s.experimentMetadata(keyExperimentMetadata, familyExperimentMetadata)
	e.ItemMetadata = s.experimentMetadata(keyExperimentItemMetadata, familyItemMetadata)
}

func (s *span) truthyText(k key) string {
	if !s.truthy(k) {
		return ""
	}
	return s.text(k)
}

// experimentMetadata is written as one JSON object by some clients and as one attribute for each path by others.
func (s *span) experimentMetadata(whole key, paths family) string {
	if !s.has(whole) && !s.families[paths] {
		return ""
	}
	m := &s.metadata
	m.reset()
	m.spread(s.get(whole))
	for i := range s.all {
		if at := &s.all[i]; at.family == paths {
			m.setValue(at.rest, at.value, true)
		}
	}
	return m.flatten()
}
