// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
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

// scoresBody tells how many scores of a list were taken, and what is wrong with the others.
type scoresBody struct {
	Accepted int           `json:"accepted"`
	Rejected int           `json:"rejected"`
	Errors   []messageBody `json:"errors"`
}

// scores takes one score, or a list of them, of which those that are right are taken.
func (i *Ingest) scores(ctx context.Context, r *web.Request) (web.Reply, error) {
	if i.Logs == nil {
		return web.Reply{}, i.noLogs()
	}
	text, err := r.Body(maxScoresBody)
	if err != nil {
		return web.Reply{}, err
	}
	if validation.TypeOf(text) == "array" {
		return i.manyScores(ctx, r, text)
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

// manyScores takes a list as client libraries of the newest generation send it. They do not send it again when a part of it
// is refused.
func (i *Ingest) manyScores(ctx context.Context, r *web.Request, text []byte) (web.Reply, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return web.Reply{}, validation.Refuse("Invalid JSON")
	}
	scores := make([]model.Score, 0, len(list))
	body := scoresBody{Errors: []messageBody{}}
	for n, raw := range list {
		score, err := i.readListed(ctx, r.Project(), raw)
		switch {
		case err != nil && web.AsError(err).Status >= http.StatusInternalServerError:
			return web.Reply{}, err
		case err != nil:
			body.Errors = append(body.Errors, messageBody{fmt.Sprintf("score %d of the list: %v", n, err)})
		default:
			scores = append(scores, score)
		}
	}
	if err := i.passOn(ctx, r, scores); err != nil {
		return web.Reply{}, err
	}
	if len(body.Errors) == 0 {
		return web.Reply{Status: http.StatusAccepted, Value: messageBody{"Accepted"}}, nil
	}
	body.Accepted, body.Rejected = len(scores), len(body.Errors)
	return web.Reply{Status: http.StatusMultiStatus, Value: body}, nil
}

// readListed reads a score of a list, which may say when it was given.
func (i *Ingest) readListed(ctx context.Context, project string, raw json.RawMessage) (model.Score, error) {
	o, err := validation.ParseObject(raw)
	if err != nil {
		return model.Score{}, err
	}
	reader := i.scoreReader()
	if at := o.Time("timestamp"); !at.IsZero() {
		reader.at = at
	}
	return i.readScore(ctx, project, reader, o)
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
