// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type (
	projectsBody struct {
		Data []projectBody `json:"data"`
	}
	projectBody struct {
		ID           string           `json:"id"`
		Name         string           `json:"name"`
		Organization organizationBody `json:"organization"`
		// Metadata is always there: a client library refuses the answer without it.
		Metadata json.RawMessage `json:"metadata"`
	}
	organizationBody struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
)

// projects is the project of the caller's keys.
func (*API) projects(_ context.Context, r *web.Request) (web.Reply, error) {
	p := r.Caller.Project
	return web.JSON(projectsBody{Data: []projectBody{{
		ID: p.ID, Name: p.Name,
		Organization: organizationBody{ID: p.OrganizationID, Name: p.OrganizationName},
		Metadata:     p.Metadata,
	}}}), nil
}
