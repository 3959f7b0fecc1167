// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"net/http"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// description is the API for programs.
func (*API) description(context.Context, *web.Request) (web.Reply, error) {
	return web.Reply{Status: http.StatusOK, Content: apidoc.Document(), ContentType: "application/yaml; charset=utf-8"}, nil
}

// reference is the API for people.
func (*API) reference(context.Context, *web.Request) (web.Reply, error) {
	return web.Reply{
		Status: http.StatusOK, Content: apidoc.Page(), ContentType: "text/html; charset=utf-8",
		Header: http.Header{"Content-Security-Policy": {apidoc.PagePolicy()}},
	}, nil
}
