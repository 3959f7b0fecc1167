// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"
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

// scores takes one score, or a list of them.
func (i *Ingest) scores(ctx context.Context, r *web.Request) (web.Reply, error) {
	if i.Logs == nil {
		return web.Reply{}, i.noLogs()
	}
	text, err := r.Body(maxScoresBody)
	if err != nil {
		return web.Reply{}, err
	}
	if validation.TypeOf(text) == "array" {
		if header(r, i.Names.Headers.SDKName) != "" {
			return i.libraryScores(ctx, r, text)
		}
		return i.allScores(ctx, r, text)
	}
	o, err := validation.ParseObject(text)
	if err != nil {
		return web.Reply{}, err
	}
	score, err := i.readScore(ctx, r.Project(), i.scoreReader(), o)
	if err != nil {
		return web.Reply{}, err
	}
	if err := i.passOn(ctx, r, []model.Score{score}); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(idBody{score.ID}), nil
}

func (i *Ingest) scoreReader() scoreReader {
	return scoreReader{
		sources: []string{string(model.ScoreFromAPI), string(model.ScoreFromAnnotation)},
		at:      time.Now(), environment: i.Names.Environment,
	}
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
