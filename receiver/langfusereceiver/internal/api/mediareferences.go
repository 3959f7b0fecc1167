// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type mediaReferenceBody struct {
	Field           string `json:"field"`
	ReferenceString string `json:"referenceString"`
	JSONPath        string `json:"jsonPath"`
}

// mediaReferences are the media that each of the items refers to.
func (*API) mediaReferences(_ context.Context, _ *web.Request, items []model.DatasetItem) ([][]mediaReferenceBody, error) {
	bodies := make([][]mediaReferenceBody, len(items))
	for i := range bodies {
		bodies[i] = []mediaReferenceBody{}
	}
	return bodies, nil
}
