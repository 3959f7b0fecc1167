// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"net/http"

	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// maxBody is the largest body of most routes.
const maxBody = 1 << 20

// maxText bounds texts whose length is somebody else's business; the size of a body bounds them too.
const maxText = 1 << 20

// readObject reads a body that must be an object.
func readObject(r *web.Request, limit int64) (*validation.Object, error) {
	text, err := r.Body(limit)
	if err != nil {
		return nil, err
	}
	return validation.ParseObject(text)
}

// optionalText is a text of any length, nil when it is absent.
func optionalText(o *validation.Object, name string) *string {
	text := o.OptionalText(name, 0, maxText)
	if !o.Has(name) {
		return nil
	}
	return &text
}

type idBody struct {
	ID string `json:"id"`
}

// done says that something was done of which there is nothing to show.
func done(message string) web.Reply { return web.JSON(web.MessageBody{Message: message}) }

// created is the answer to who made something, where clients expect that status.
func created(value any) web.Reply { return web.Reply{Status: http.StatusCreated, Value: value} }
