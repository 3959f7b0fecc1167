// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// promptBody is a version of a prompt as it is stored.
type promptBody struct {
	ID            string           `json:"id"`
	CreatedAt     timestamp        `json:"createdAt"`
	UpdatedAt     timestamp        `json:"updatedAt"`
	ProjectID     string           `json:"projectId"`
	CreatedBy     string           `json:"createdBy"`
	Prompt        json.RawMessage  `json:"prompt"`
	Name          string           `json:"name"`
	Version       int              `json:"version"`
	Type          model.PromptType `json:"type"`
	Config        json.RawMessage  `json:"config"`
	Tags          []string         `json:"tags"`
	Labels        []string         `json:"labels"`
	CommitMessage nullText         `json:"commitMessage"`
}

// resolvedPromptBody is a version as it is used.
type resolvedPromptBody struct {
	promptBody
	IsActive        bool               `json:"isActive"`
	ResolutionGraph *model.PromptGraph `json:"resolutionGraph"`
}

type promptMetaBody struct {
	Name          string           `json:"name"`
	Type          model.PromptType `json:"type"`
	Versions      []int            `json:"versions"`
	Labels        []string         `json:"labels"`
	Tags          []string         `json:"tags"`
	LastUpdatedAt timestamp        `json:"lastUpdatedAt"`
	LastConfig    json.RawMessage  `json:"lastConfig"`
}

// promptsBody says where in the list it is twice: older client libraries look at pagination.
type promptsBody struct {
	pageBody[promptMetaBody]
	Pagination pageMeta `json:"pagination"`
}

const (
	defaultPromptLimit = 10
	maxCommitMessage   = 500
)

func (a *API) listPrompts(ctx context.Context, r *web.Request) (web.Reply, error) {
	p := validation.NewParams(r.URL.RawQuery)
	asked := catalog.PromptsQuery{
		Name: textParam(p, "name"), Label: textParam(p, "label"), Tag: textParam(p, "tag"), Version: versionParam(p),
		FromUpdatedAt: p.Time("fromUpdatedAt"), ToUpdatedAt: p.Time("toUpdatedAt"),
	}
	page := catalog.Page(p.Page(defaultPromptLimit))
	if err := p.Err(); err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.Prompts(ctx, r.Project(), asked, page)
	if err != nil {
		return web.Reply{}, err
	}
	body := promptsBody{pageBody: *newPage(list, page, newPromptMeta)}
	body.Pagination = body.Meta
	return web.JSON(body), nil
}

func newPromptMeta(meta *model.PromptMeta) promptMetaBody {
	return promptMetaBody{
		Name: meta.Name, Type: meta.Type, Versions: meta.Versions, Labels: listOf(meta.Labels), Tags: listOf(meta.Tags),
		LastUpdatedAt: timestamp(meta.LastUpdatedAt), LastConfig: meta.LastConfig,
	}
}

// versionParam is the number of a version, nil when none was sent.
func versionParam(p *validation.Params) *int {
	if version := p.Int("version", 1, math.MaxInt32, 0); version > 0 {
		return &version
	}
	return nil
}

func (a *API) getPrompt(ctx context.Context, r *web.Request) (web.Reply, error) {
	p := validation.NewParams(r.URL.RawQuery)
	asked := catalog.PromptQuery{Name: r.Segment("name"), Version: versionParam(p), Label: textParam(p, "label")}
	if resolve, ok := p.Bool("resolve"); ok {
		asked.Raw = !resolve
	}
	if err := p.Err(); err != nil {
		return web.Reply{}, err
	}
	prompt, err := a.Catalog.Prompt(ctx, r.Project(), asked)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(resolvedPromptBody{
		promptBody: newPrompt(r, &prompt), IsActive: slices.Contains(prompt.Labels, model.LabelProduction), ResolutionGraph: prompt.Resolution,
	}), nil
}

func (a *API) createPrompt(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	create := catalog.PromptCreate{
		Name: o.RequiredText("name", 1, maxText), Type: model.PromptType(o.OneOf("type", string(model.PromptText), string(model.PromptChat))),
		Config: o.Raw("config"), Labels: o.Texts("labels"), Tags: o.Texts("tags"),
		CommitMessage: o.OptionalText("commitMessage", 0, maxCommitMessage),
	}
	expected := "string"
	if create.Type == model.PromptChat {
		expected = "array"
	}
	if o.Required("prompt", expected) {
		if received := o.Type("prompt"); received != expected {
			o.Add(validation.WrongType(expected, received, "prompt"))
		}
	}
	create.Prompt = o.Raw("prompt")
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	prompt, err := a.Catalog.CreatePrompt(ctx, r.Project(), create)
	if err != nil {
		return web.Reply{}, err
	}
	return created(newPrompt(r, &prompt)), nil
}

func (a *API) labelPrompt(ctx context.Context, r *web.Request) (web.Reply, error) {
	version, err := strconv.ParseInt(r.Segment("version"), 10, 32)
	if err != nil {
		return web.Reply{}, validation.Issues{validation.WrongType("number", "NaN", "promptVersion")}
	}
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	o.Required("newLabels", "array")
	labels := o.Texts("newLabels")
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	prompt, err := a.Catalog.SetPromptLabels(ctx, r.Project(), r.Segment("name"), int(version), labels)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newPrompt(r, &prompt)), nil
}

func (a *API) deletePrompt(ctx context.Context, r *web.Request) (web.Reply, error) {
	p := validation.NewParams(r.URL.RawQuery)
	version, label := versionParam(p), textParam(p, "label")
	if err := p.Err(); err != nil {
		return web.Reply{}, err
	}
	if err := a.Catalog.DeletePrompt(ctx, r.Project(), r.Segment("name"), version, label); err != nil {
		return web.Reply{}, err
	}
	return web.Reply{Status: http.StatusNoContent}, nil
}

func newPrompt(r *web.Request, prompt *model.Prompt) promptBody {
	return promptBody{
		ID: prompt.ID, CreatedAt: timestamp(prompt.CreatedAt), UpdatedAt: timestamp(prompt.UpdatedAt), ProjectID: r.Project(),
		CreatedBy: prompt.CreatedBy, Prompt: prompt.Prompt, Name: prompt.Name, Version: prompt.Version, Type: prompt.Type,
		Config: prompt.Config, Tags: listOf(prompt.Tags), Labels: listOf(prompt.Labels), CommitMessage: nullText(prompt.CommitMessage),
	}
}
