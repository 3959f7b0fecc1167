// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// errNoConfig says that nothing is wrong with a score, as far as can be told now.
var errNoConfig = web.Unavailable("The config of a score could not be looked up; send it again")

// allScores takes all scores of a list or none, and answers with their ids.
func (i *Ingest) allScores(ctx context.Context, r *web.Request, text []byte) (web.Reply, error) {
	objects, err := validation.ParseList(text)
	if err != nil {
		return web.Reply{}, err
	}
	if len(objects) > maxEvents {
		return web.Reply{}, validation.Issues{validation.TooBig(validation.OfArray, maxEvents)}
	}
	scores := make([]model.Score, len(objects))
	ids := make([]idBody, len(objects))
	var issues validation.Issues
	for n, o := range objects {
		scores[n], err = i.readScore(ctx, r.Project(), i.scoreReader(), o)
		// The objects of a list share their issues: the last of them has them all.
		if err != nil && !errors.As(err, &issues) {
			return web.Reply{}, err
		}
		ids[n].ID = scores[n].ID
	}
	if err := issues.Err(); err != nil {
		return web.Reply{}, err
	}
	if err := i.passOn(ctx, r, scores); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(ids), nil
}

// scoresBody tells how many scores of a list were taken, and what is wrong with the others.
type scoresBody struct {
	Accepted int               `json:"accepted"`
	Rejected int               `json:"rejected"`
	Errors   []web.MessageBody `json:"errors"`
}

// libraryScores takes a list as client libraries of the newest generation send it, and answers as they expect it. They do not
// send it again when a part of it is refused, so the other parts are taken.
func (i *Ingest) libraryScores(ctx context.Context, r *web.Request, text []byte) (web.Reply, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return web.Reply{}, validation.Refuse("Invalid JSON")
	}
	if len(list) > maxEvents {
		return web.Reply{}, validation.Issues{validation.TooBig(validation.OfArray, maxEvents)}
	}
	scores := make([]model.Score, 0, len(list))
	body := scoresBody{Errors: []web.MessageBody{}}
	for n, raw := range list {
		score, err := i.readListed(ctx, r.Project(), raw)
		switch {
		case err != nil && web.AsError(err).Status >= http.StatusUnprocessableEntity:
			return web.Reply{}, errNoConfig.Because(err)
		case err != nil:
			body.Errors = append(body.Errors, web.MessageBody{Message: fmt.Sprintf("score %d of the list: %v", n, err)})
		default:
			scores = append(scores, score)
		}
	}
	if err := i.passOn(ctx, r, scores); err != nil {
		return web.Reply{}, err
	}
	if len(body.Errors) == 0 {
		return web.Reply{Status: http.StatusAccepted, Value: web.MessageBody{Message: "Accepted"}}, nil
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
