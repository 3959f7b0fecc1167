// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"context"

	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// traces takes a batch of spans: all of it, or nothing.
func (i *Ingest) traces(ctx context.Context, r *web.Request) (web.Reply, error) {
	if i.Traces == nil {
		return web.Reply{}, web.NotImplemented("This server takes no spans: add `" + i.ID + "` to the receivers of a traces pipeline")
	}
	encoding, err := encodingOf(r)
	if err != nil {
		return web.Reply{}, err
	}
	if err := i.checkIngestionVersion(r); err != nil {
		return web.Reply{}, err
	}
	body, err := r.Body(0)
	if err != nil {
		return web.Reply{}, err
	}
	if err := guard(r, encoding, body, tracesMessage); err != nil {
		return web.Reply{}, err
	}
	request, err := decodeTraces(encoding, body)
	if err != nil {
		return web.Reply{}, err
	}
	td := request.Traces()
	spans := td.SpanCount()
	if spans == 0 {
		return encoding.success(), nil
	}
	stamper := i.stamperOf(r)
	for _, resource := range td.ResourceSpans().All() {
		stamper.stamp(resource.Resource())
	}
	ctx = i.Report.StartTracesOp(ctx)
	err = i.Traces.ConsumeTraces(ctx, td)
	i.Report.EndTracesOp(ctx, encoding.format(), spans, err)
	if err != nil {
		return web.Reply{}, outcome(err)
	}
	return encoding.success(), nil
}

func decodeTraces(encoding encoding, body []byte) (ptraceotlp.ExportRequest, error) {
	if encoding == jsonText {
		return decodeTracesJSON(body)
	}
	request := ptraceotlp.NewExportRequest()
	if err := request.UnmarshalProto(body); err != nil {
		return request, web.BadRequest("Failed to parse OTel Protobuf Trace")
	}
	var found faults
	found.ofTraces(request.Traces())
	return request, found.err()
}
