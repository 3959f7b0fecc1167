// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"

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
	request := plogotlp.NewExportRequest()
	if encoding == protobuf {
		err = request.UnmarshalProto(body)
	} else {
		err = request.UnmarshalJSON(body)
	}
	if err != nil {
		return web.Reply{}, web.BadRequest("Failed to parse OTel Logs: " + err.Error())
	}
	ld := request.Logs()
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

type messageBody struct {
	Message string `json:"message"`
}

// metrics takes what exporters of all signals send along, and keeps none of it, as the service does.
func (*Ingest) metrics(_ context.Context, r *web.Request) (web.Reply, error) {
	if _, err := encodingOf(r); err != nil {
		return web.Reply{}, err
	}
	if _, err := r.Body(0); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(messageBody{"OK"}), nil
}
