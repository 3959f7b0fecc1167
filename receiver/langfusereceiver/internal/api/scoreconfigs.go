// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type scoreConfigBody struct {
	ID          string                `json:"id"`
	ProjectID   string                `json:"projectId"`
	Name        string                `json:"name"`
	DataType    model.ScoreDataType   `json:"dataType"`
	IsArchived  bool                  `json:"isArchived"`
	MinValue    *float64              `json:"minValue"`
	MaxValue    *float64              `json:"maxValue"`
	Categories  []model.ScoreCategory `json:"categories"`
	Description nullText              `json:"description"`
	CreatedAt   timestamp             `json:"createdAt"`
	UpdatedAt   timestamp             `json:"updatedAt"`
}

const (
	maxScoreConfigName = 35
	maxCategoryLabel   = 500
)

func (a *API) listScoreConfigs(ctx context.Context, r *web.Request) (web.Reply, error) {
	page, err := pageParams(r)
	if err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.ScoreConfigs(ctx, r.Project(), page)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newPage(list, page, func(config *model.ScoreConfig) scoreConfigBody { return newScoreConfig(r, config) })), nil
}

func (a *API) getScoreConfig(ctx context.Context, r *web.Request) (web.Reply, error) {
	config, err := a.Catalog.ScoreConfig(ctx, r.Project(), r.Segment("id"))
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newScoreConfig(r, &config)), nil
}

func (a *API) createScoreConfig(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	config := model.ScoreConfig{
		Name: o.RequiredText("name", 1, maxScoreConfigName),
		DataType: model.ScoreDataType(o.RequiredOneOf("dataType",
			string(model.ScoreNumeric), string(model.ScoreCategorical), string(model.ScoreBoolean), string(model.ScoreText))),
		MinValue: o.Number("minValue"), MaxValue: o.Number("maxValue"),
		Categories:  readCategories(o),
		Description: o.OptionalText("description", 0, maxText),
	}
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	if config, err = a.Catalog.CreateScoreConfig(ctx, r.Project(), config); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newScoreConfig(r, &config)), nil
}

func (a *API) updateScoreConfig(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	update := catalog.ScoreConfigUpdate{
		IsArchived: o.Bool("isArchived"),
		MinValue:   o.Number("minValue"), MaxValue: o.Number("maxValue"),
		Categories:  readCategories(o),
		Description: optionalText(o, "description"),
	}
	if name := o.OptionalText("name", 1, maxScoreConfigName); o.Has("name") {
		update.Name = &name
	}
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	config, err := a.Catalog.UpdateScoreConfig(ctx, r.Project(), r.Segment("id"), update)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newScoreConfig(r, &config)), nil
}

// readCategories is nil when there are none, and not when the list is empty.
func readCategories(o *validation.Object) []model.ScoreCategory {
	objects := o.Objects("categories")
	if objects == nil {
		return nil
	}
	categories := make([]model.ScoreCategory, len(objects))
	for i, category := range objects {
		categories[i].Label = category.RequiredText("label", 1, maxCategoryLabel)
		if !category.Required("value", "number") {
			continue
		}
		if value := category.Number("value"); value != nil {
			categories[i].Value = *value
		}
	}
	return categories
}

func newScoreConfig(r *web.Request, config *model.ScoreConfig) scoreConfigBody {
	return scoreConfigBody{
		ID: config.ID, ProjectID: r.Project(), Name: config.Name, DataType: config.DataType, IsArchived: config.IsArchived,
		MinValue: config.MinValue, MaxValue: config.MaxValue, Categories: config.Categories, Description: nullText(config.Description),
		CreatedAt: timestamp(config.CreatedAt), UpdatedAt: timestamp(config.UpdatedAt),
	}
}
