// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"net/http"

	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// maxDeletedTraces is how many traces one request may delete.
const maxDeletedTraces = 1000

// deleteTraces deletes traces with all that belongs to them. Who asks for a trace that is not there gets what they want.
func (a *API) deleteTraces(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	traceIDs := tracesToDelete(o)
	o.NoOthers()
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	if err := a.Store.DeleteTraces(ctx, r.Project(), traceIDs); err != nil {
		return web.Reply{}, err
	}
	return done("Traces deleted successfully"), nil
}

func tracesToDelete(o *validation.Object) []string {
	const name = "traceIds"
	if !o.Required(name, "array") {
		return nil
	}
	var issue validation.Issue
	switch count := len(o.Items(name)); {
	case o.Type(name) != "array":
		return nil
	case count == 0:
		issue = validation.TooSmall(validation.OfArray, 1, o.At(name)...)
		issue.Message = "At least 1 traceId is required."
	case count > maxDeletedTraces:
		issue = validation.TooBig(validation.OfArray, maxDeletedTraces, o.At(name)...)
		issue.Message = "Cannot specify more than 1000 traces in a single request."
	default:
		return o.Texts(name)
	}
	o.Add(issue)
	return nil
}

// deleteTrace deletes one trace with all that belongs to it.
func (a *API) deleteTrace(ctx context.Context, r *web.Request) (web.Reply, error) {
	if err := a.Store.DeleteTraces(ctx, r.Project(), []string{r.Segment("traceId")}); err != nil {
		return web.Reply{}, err
	}
	return done("Trace deleted successfully"), nil
}

// deleteScore deletes a score of any kind. The status and the text are those of a service that does it later; here it
// is done by now.
func (a *API) deleteScore(ctx context.Context, r *web.Request) (web.Reply, error) {
	if err := a.Store.DeleteScores(ctx, r.Project(), []string{r.Segment("scoreId")}); err != nil {
		return web.Reply{}, err
	}
	return web.Reply{Status: http.StatusAccepted, Value: web.MessageBody{Message: "Score deletion queued successfully"}}, nil
}
