// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"
	"encoding/json"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// logs takes log records, among which GenAI evaluation events are scores.
func (i *Ingest) logs(ctx context.Context, r *web.Request) (web.Reply, error) {
	if i.Logs == nil {
		return web.Reply{}, i.noLogs()
	}
	encoding, err := encodingOf(r)
	if err != nil {
		return web.Reply{}, err
	}
	body, err := r.Body(0)
	if err != nil {
		return web.Reply{}, err
	}
	if err := guard(r, encoding, body, logsMessage); err != nil {
		return web.Reply{}, err
	}
	ld, err := decodeLogs(encoding, body)
	if err != nil {
		return web.Reply{}, err
	}
	if ld.LogRecordCount() == 0 {
		return encoding.success(), nil
	}
	stamper := i.stamperOf(r)
	for _, resource := range ld.ResourceLogs().All() {
		stamper.stamp(resource.Resource())
	}
	if err := i.consumeLogs(ctx, ld, encoding.format()); err != nil {
		return web.Reply{}, err
	}
	return encoding.success(), nil
}

func decodeLogs(encoding encoding, body []byte) (plog.Logs, error) {
	request := plogotlp.NewExportRequest()
	if encoding == protobuf {
		if request.UnmarshalProto(body) != nil {
			return plog.Logs{}, web.BadRequest("Failed to parse OTel Protobuf Logs")
		}
		return request.Logs(), nil
	}
	if !json.Valid(body) || request.UnmarshalJSON(body) != nil {
		return plog.Logs{}, web.BadRequest("Failed to parse OTel JSON Logs")
	}
	return request.Logs(), nil
}

// consumeLogs hands records to the pipeline.
func (i *Ingest) consumeLogs(ctx context.Context, ld plog.Logs, format string) error {
	records := ld.LogRecordCount()
	ctx = i.Report.StartLogsOp(ctx)
	err := i.Logs.ConsumeLogs(ctx, ld)
	i.Report.EndLogsOp(ctx, format, records, err)
	return outcome(err)
}

func (i *Ingest) noLogs() error {
	return web.NotImplemented("This server takes no scores and no log records: add `" + i.ID + "` to the receivers of a logs pipeline")
}

// metrics takes what exporters of all signals send along, and keeps none of it, as the service does.
func (*Ingest) metrics(_ context.Context, r *web.Request) (web.Reply, error) {
	if _, err := encodingOf(r); err != nil {
		return web.Reply{}, err
	}
	if err := r.Discard(); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(web.MessageBody{Message: "OK"}), nil
}
