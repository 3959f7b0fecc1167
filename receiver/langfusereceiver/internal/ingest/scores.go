// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/scorelog"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// maxScoresBody is the largest body of the route.
const maxScoresBody = 1 << 20

// ScoreConfigs are the configs that scores may name.
type ScoreConfigs interface {
	// ApplyScoreConfig holds a score to the config that it names, and takes its name over. A data type that was inferred
	// from the value gives way to that of the config.
	ApplyScoreConfig(ctx context.Context, project string, score *model.Score, inferred bool) error
}

type idBody struct {
	ID string `json:"id"`
}

// scores takes one score or a list of them: all of it, or nothing.
func (i *Ingest) scores(ctx context.Context, r *web.Request) (web.Reply, error) {
	if i.Logs == nil {
		return web.Reply{}, i.noLogs()
	}
	text, err := r.Body(maxScoresBody)
	if err != nil {
		return web.Reply{}, err
	}
	objects, isList, err := scoreObjects(text)
	if err != nil {
		return web.Reply{}, err
	}
	reader := scoreReader{
		sources: []string{string(model.ScoreFromAPI), string(model.ScoreFromAnnotation)},
		at:      time.Now(), environment: i.Names.Environment,
	}
	scores := make([]model.Score, len(objects))
	var issues validation.Issues
	for n, o := range objects {
		scores[n], err = i.readScore(ctx, r.Project(), reader, o)
		// The objects of a list share their issues: the last of them has them all.
		if err != nil && !errors.As(err, &issues) {
			return web.Reply{}, err
		}
	}
	if err := issues.Err(); err != nil {
		return web.Reply{}, err
	}
	if err := i.passOn(ctx, r, scores); err != nil {
		return web.Reply{}, err
	}
	ids := make([]idBody, len(scores))
	for n := range scores {
		ids[n].ID = scores[n].ID
	}
	if isList {
		return web.JSON(ids), nil
	}
	return web.JSON(ids[0]), nil
}

// scoreObjects are the objects of a body that is one or a list.
func scoreObjects(text []byte) (_ []*validation.Object, isList bool, _ error) {
	if validation.TypeOf(text) == "array" {
		objects, err := validation.ParseList(text)
		return objects, true, err
	}
	object, err := validation.ParseObject(text)
	return []*validation.Object{object}, false, err
}

// readScore makes a score of an object, or tells everything that is wrong with it.
func (i *Ingest) readScore(ctx context.Context, project string, reader scoreReader, o *validation.Object) (model.Score, error) {
	body := reader.read(o)
	inferred := body.DataType == ""
	body.readValue()
	if err := o.Err(); err != nil || i.Configs == nil {
		return body.Score, err
	}
	return body.Score, i.Configs.ApplyScoreConfig(ctx, project, &body.Score, inferred)
}

// passOn sends scores through the logs pipeline, as the events that they are.
func (i *Ingest) passOn(ctx context.Context, r *web.Request, scores []model.Score) error {
	if len(scores) == 0 {
		return nil
	}
	ld := plog.NewLogs()
	resource := ld.ResourceLogs().AppendEmpty()
	i.stamperOf(r).stamp(resource.Resource())
	records := resource.ScopeLogs().AppendEmpty().LogRecords()
	records.EnsureCapacity(len(scores))
	for n := range scores {
		scorelog.Write(&scores[n], i.Names, records.AppendEmpty())
	}
	return i.consumeLogs(ctx, ld, "json")
}
