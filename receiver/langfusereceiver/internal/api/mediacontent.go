// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// The parameters of a signed address.
const (
	paramProject   = "project"
	paramExpires   = "expires"
	paramSignature = "signature"
)

// uploadAddress and downloadAddress are where a content is put and read, without a key, and until when.
func (a *API) uploadAddress(r *web.Request, id string) (string, time.Time) {
	return a.address(r, http.MethodPut, id)
}

func (a *API) downloadAddress(r *web.Request, id string) (string, time.Time) {
	return a.address(r, http.MethodGet, id)
}

func (a *API) address(r *web.Request, method, id string) (_ string, expires time.Time) {
	expires, signature := a.Media.Sign(blobs.Grant{Method: method, Project: r.Project(), ID: id})
	parameters := url.Values{
		paramProject: {r.Project()}, paramExpires: {strconv.FormatInt(expires.Unix(), 10)}, paramSignature: {signature},
	}
	return a.base(r) + public + "/media/" + url.PathEscape(id) + "/content?" + parameters.Encode(), expires
}

// base is the address by which the caller knows this server.
func (a *API) base(r *web.Request) string {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if a.TrustForwarded {
		if proto := firstOf(r.Header.Get("X-Forwarded-Proto")); proto == "http" || proto == "https" {
			scheme = proto
		}
		if forwarded := firstOf(r.Header.Get("X-Forwarded-Host")); forwarded != "" {
			host = forwarded
		}
	}
	return scheme + "://" + host
}

// firstOf is the first of values between commas: that of the proxy that the caller spoke to.
func firstOf(list string) string {
	first, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(first)
}

// granted is the project for which the address is good.
func (a *API) granted(r *web.Request) (project string, _ error) {
	p := validation.NewParams(r.URL.RawQuery)
	seconds, err := strconv.ParseInt(textParam(p, paramExpires), 10, 64)
	if err != nil {
		return "", web.NewError(http.StatusForbidden, "The address of the media is not valid")
	}
	grant := blobs.Grant{Method: r.Method, Project: textParam(p, paramProject), ID: r.Segment("id"), Expires: time.Unix(seconds, 0)}
	switch err := a.Media.Verify(grant, textParam(p, paramSignature)); {
	case errors.Is(err, blobs.ErrExpired):
		return "", web.NewError(http.StatusForbidden, "The address of the media has expired: ask for a new one")
	case err != nil:
		return "", web.NewError(http.StatusForbidden, "The address of the media is not valid")
	}
	return grant.Project, nil
}

// putContent takes the content of a media that was announced.
func (a *API) putContent(ctx context.Context, r *web.Request) (web.Reply, error) {
	project, err := a.granted(r)
	if err != nil {
		return web.Reply{}, err
	}
	media, err := a.Catalog.Media(ctx, project, r.Segment("id"))
	if err != nil {
		return web.Reply{}, err
	}
	hash, err := base64.StdEncoding.DecodeString(media.SHA256)
	if err != nil {
		return web.Reply{}, err
	}
	if r.ContentLength >= 0 && r.ContentLength != media.ContentLength { // no need to read it
		return web.Reply{}, web.BadRequest("The content has not the announced contentLength")
	}
	switch err := a.Media.Put(project, media.ID, media.ContentLength, hash, r.Stream()); {
	case errors.Is(err, blobs.ErrMismatch):
		return web.Reply{}, web.BadRequest("The content has not the announced contentLength and sha256Hash")
	case errors.Is(err, blobs.ErrBroken):
		return web.Reply{}, web.BadRequest("The content broke off")
	case errors.Is(err, blobs.ErrFull):
		return web.Reply{}, web.NewError(http.StatusServiceUnavailable, "There is no room for media now; try again later").Because(err)
	case err != nil:
		return web.Reply{}, err
	}
	// Its sender tells how it went too, but may not get to it.
	err = a.Media.MarkUploaded(ctx, a.Catalog, project, media.ID, catalog.MediaUpload{UploadedAt: a.Now(), HTTPStatus: http.StatusOK})
	return web.Reply{Status: http.StatusOK}, err
}

// getContent sends the content of a media.
func (a *API) getContent(ctx context.Context, r *web.Request) (web.Reply, error) {
	project, err := a.granted(r)
	if err != nil {
		return web.Reply{}, err
	}
	media, err := a.Catalog.Media(ctx, project, r.Segment("id"))
	if err != nil {
		return web.Reply{}, err
	}
	content, err := a.Media.Open(project, media.ID)
	if errors.Is(err, store.ErrNotFound) {
		return web.Reply{}, web.NotFound("Media not yet uploaded")
	}
	if err != nil {
		return web.Reply{}, err
	}
	return web.Reply{Status: http.StatusOK, Stream: &web.Stream{
		Content: content, ContentType: media.ContentType, Name: media.ID, Modified: media.UploadedAt, Fresh: time.Hour,
	}}, nil
}
