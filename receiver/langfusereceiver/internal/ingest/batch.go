// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

const (
	// maxBatchBody is the largest body of the route, 4.5 MB, and maxEvents the most events in one.
	maxBatchBody = 9 << 19
	maxEvents    = 10_000

	eventScore   = "score-create"
	eventLog     = "sdk-log"
	eventRunItem = "dataset-run-item-create"
)

// eventTypes are all that there ever were. Spans now come as OTLP.
var eventTypes = []string{
	"trace-create", eventScore, "event-create", "span-create", "span-update", "generation-create", "generation-update",
	"agent-create", "tool-create", "chain-create", "retriever-create", "evaluator-create", "embedding-create", "guardrail-create",
	eventLog, eventRunItem, "observation-create", "observation-update",
}

type (
	batchBody struct {
		Successes []eventSuccess `json:"successes"`
		Errors    []eventError   `json:"errors"`
	}
	eventSuccess struct {
		ID     string `json:"id"`
		Status int    `json:"status"`
	}
	eventError struct {
		ID      string `json:"id"`
		Status  int    `json:"status"`
		Message string `json:"message,omitempty"`
		Error   string `json:"error,omitempty"`
	}
)

// batch takes the scores among a list of events. Client libraries send the whole list again when one event failed: scores
// that were taken the first time stay as they are.
func (i *Ingest) batch(ctx context.Context, r *web.Request) (web.Reply, error) {
	if i.Logs == nil {
		return web.Reply{}, i.noLogs()
	}
	text, err := r.Body(maxBatchBody)
	if err != nil {
		return web.Reply{}, err
	}
	envelope, err := validation.ParseObject(text)
	if err != nil {
		return web.Reply{}, err
	}
	if !envelope.Has("batch") {
		return web.Reply{}, validation.Issues{validation.WrongType("array", envelope.Type("batch"), "batch")}
	}
	raw := envelope.Items("batch")
	if len(raw) > maxEvents {
		envelope.Add(validation.TooBig(validation.OfArray, maxEvents, "batch"))
	}
	if err := envelope.Err(); err != nil {
		return web.Reply{}, err
	}
	events := batchReader{ingest: i, request: r, body: batchBody{Successes: []eventSuccess{}, Errors: []eventError{}}}
	for _, event := range raw {
		if err := events.read(ctx, event); err != nil {
			return web.Reply{}, err
		}
	}
	if err := i.passOn(ctx, r, events.scores); err != nil {
		return web.Reply{}, err
	}
	return web.Reply{Status: http.StatusMultiStatus, Value: events.body}, nil
}

// batchReader collects the scores of a batch, and what became of each event.
type batchReader struct {
	ingest  *Ingest
	request *web.Request
	scores  []model.Score
	body    batchBody
}

// read gives an error when the whole batch must come again.
func (b *batchReader) read(ctx context.Context, raw json.RawMessage) error {
	event, err := validation.ParseObject(raw)
	if err != nil {
		b.refuse("unknown", err)
		return nil
	}
	id := event.RequiredText("id", 1, maxScoreID)
	kind := event.RequiredText("type", 1, maxScoreID)
	switch at := event.RequiredTime("timestamp"); {
	case kind != "" && !slices.Contains(eventTypes, kind):
		event.Add(validation.NoSuchVariant("type", "type"))
		b.refuse(id, event.Err())
	case kind == eventLog && event.Err() == nil:
		// What a library has to say about itself is of no use here.
	case kind != eventScore && event.Err() == nil:
		b.refuseType(id, kind)
	case event.Err() != nil:
		b.refuse(id, event.Err())
	case !event.Has("body"):
		b.refuse(id, validation.Issues{validation.WrongType("object", event.Type("body"), "body")})
	default:
		score, err := b.ingest.readScore(ctx, b.request.Project(), scoreReader{
			sources:         []string{string(model.ScoreFromAPI), string(model.ScoreFromAnnotation), string(model.ScoreFromEval)},
			nullEnvironment: true, at: at, environment: b.ingest.Names.Environment,
		}, event.Object("body"))
		switch {
		case err != nil && web.AsError(err).Status >= http.StatusUnprocessableEntity:
			return errNoConfig.Because(err)
		case err != nil:
			b.refuse(id, err)
			return nil
		}
		b.scores = append(b.scores, score)
		b.body.Successes = append(b.body.Successes, eventSuccess{ID: id, Status: http.StatusCreated})
	}
	return nil
}

// refuse notes an event that is not as it should be.
func (b *batchReader) refuse(id string, err error) {
	if id == "" {
		id = "unknown"
	}
	refused := eventError{ID: id, Status: http.StatusBadRequest, Message: "Invalid request data"}
	if issues, ok := errors.AsType[validation.Issues](err); ok {
		listed, _ := json.MarshalIndent(issues, "", "  ")
		refused.Error = string(listed)
	} else {
		answer := web.AsError(err)
		refused.Status, refused.Error = answer.Status, answer.Message
		if answer.Status == http.StatusNotFound {
			refused.Message = "Resource not found"
		}
	}
	b.body.Errors = append(b.body.Errors, refused)
}

// refuseType notes an event of a kind that comes another way now.
func (b *batchReader) refuseType(id, kind string) {
	instead := "Send spans as OTLP to /api/public/otel/v1/traces: upgrade the client library (Python 3 or later, JS/TS 4 or later), or use an OpenTelemetry exporter."
	if kind == eventRunItem {
		instead = "Use POST /api/public/dataset-run-items."
	}
	refused := eventError{
		ID: id, Status: http.StatusBadRequest, Message: "Event type not accepted",
		Error: fmt.Sprintf("Event type %q is not accepted by /api/public/ingestion, which takes score and log events only. %s", kind, instead),
	}
	if b.request.Caller.ScoresOnly {
		refused.Status, refused.Message, refused.Error = http.StatusUnauthorized, "Authentication error", "Access Scope Denied"
	}
	b.body.Errors = append(b.body.Errors, refused)
}
