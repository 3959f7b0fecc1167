// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"context"
	"fmt"
	"math"
	"strings"

	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/wire"
)

const (
	reasonInvalidID      = "invalid_id"
	reasonPartialSuccess = "partial_success"
)

// spanExporter delivers spans.
type spanExporter struct {
	service *service
	courier *courier
}

func newSpanExporter(s *service) *spanExporter {
	_, maxBytes := takeOverMaxSize(s.cfg.QueueConfig)
	contentType := contentProto
	if s.cfg.Encoding == EncodingJSON {
		contentType = contentJSON
	}
	return &spanExporter{service: s, courier: &courier{
		service: s, path: wire.PathTraces, contentType: contentType, maxBytes: maxBytes, maxItems: math.MaxInt32,
	}}
}

func (e *spanExporter) push(ctx context.Context, td ptrace.Traces) error {
	valid, invalid := withValidIDs(withoutStamps(td))
	if invalid > 0 {
		e.service.telemetry.ExporterLangfuseDroppedSpans.Add(ctx, int64(invalid), e.service.because(reasonInvalidID))
		e.service.set.Logger.Warn("Dropped spans without a trace or span id; the service would refuse the whole batch for them.",
			zap.Int("spans", invalid))
		if valid.SpanCount() == 0 {
			return consumererror.NewPermanent(fmt.Errorf("none of %d spans has a trace id and a span id", invalid))
		}
	}
	left, err := e.courier.deliver(ctx, &spanBatch{e, valid})
	if err == nil || consumererror.IsPermanent(err) {
		return err
	}
	return throttled(consumererror.NewTraces(err, joined(left)))
}

// withoutStamps takes off what a receiver of ours wrote for a store of ours: it is no business of the service.
func withoutStamps(td ptrace.Traces) ptrace.Traces {
	for i, rs := range td.ResourceSpans().All() {
		if !hasStamp(rs.Resource().Attributes()) {
			continue
		}
		if td.IsReadOnly() {
			own := ptrace.NewTraces()
			td.CopyTo(own)
			td = own
		}
		for ; i < td.ResourceSpans().Len(); i++ {
			td.ResourceSpans().At(i).Resource().Attributes().RemoveIf(func(key string, _ pcommon.Value) bool { return isStamp(key) })
		}
		break
	}
	return td
}

func hasStamp(attributes pcommon.Map) bool {
	for key := range attributes.All() {
		if isStamp(key) {
			return true
		}
	}
	return false
}

func isStamp(key string) bool { return strings.HasPrefix(key, wire.StampPrefix) }

// joined puts the parts that are left into one batch again. A batch that was never cut is not touched, since
// others may share it; parts are our own copies.
func joined(left []shipment) ptrace.Traces {
	all := left[len(left)-1].(*spanBatch).td
	for _, part := range left[:len(left)-1] {
		part.(*spanBatch).td.ResourceSpans().MoveAndAppendTo(all.ResourceSpans())
	}
	return all
}

// spanBatch is spans on their way.
type spanBatch struct {
	exporter *spanExporter
	td       ptrace.Traces
}

func (b *spanBatch) items() int { return b.td.SpanCount() }

func (b *spanBatch) encode() ([]byte, error) {
	request := ptraceotlp.NewExportRequestFromTraces(b.td)
	if b.exporter.courier.contentType == contentJSON {
		return request.MarshalJSON()
	}
	return request.MarshalProto()
}

func (b *spanBatch) cut(n int) []shipment {
	pieces := make([]shipment, n)
	for i, td := range cut(b.td, n) {
		pieces[i] = &spanBatch{b.exporter, td}
	}
	return pieces
}

// settle looks for a partial success. The service does not send one, but a proxy or another implementation may;
// by the rules of OTLP what was rejected must not be sent again.
func (b *spanBatch) settle(ctx context.Context, a answer) settlement {
	response := ptraceotlp.NewExportResponse()
	var err error
	if strings.Contains(a.header.Get("Content-Type"), contentProto) {
		err = response.UnmarshalProto(a.body)
	} else {
		err = response.UnmarshalJSON(a.body)
	}
	if err != nil {
		return settlement{} // the service answers with what it likes; the status is what counts
	}
	partial := response.PartialSuccess()
	message := oneLine(partial.ErrorMessage())
	rejected := min(max(partial.RejectedSpans(), 0), int64(b.items()))
	if rejected == 0 {
		if message != "" {
			b.exporter.service.set.Logger.Warn("The service took the spans, with a warning.", zap.String("warning", message))
		}
		return settlement{}
	}
	b.exporter.service.telemetry.ExporterLangfuseDroppedSpans.Add(ctx, rejected, b.exporter.service.because(reasonPartialSuccess))
	cause := fmt.Errorf("the service rejected %d of %d spans: %s", rejected, b.items(), message)
	b.exporter.service.set.Logger.Warn("The service took only a part of the spans.", zap.Error(cause))
	return settlement{dropped: int(rejected), cause: cause}
}

func (b *spanBatch) drop(ctx context.Context, reason string, bytes int, why error) {
	b.exporter.service.telemetry.ExporterLangfuseDroppedSpans.Add(ctx, int64(b.items()), b.exporter.service.because(reason))
	fields := []zap.Field{zap.String("reason", reason), zap.Int("spans", b.items()), zap.Error(why)}
	if bytes > 0 {
		fields = append(fields, zap.Int("bytes", bytes))
	}
	if b.items() == 1 {
		span := b.td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
		fields = append(fields, zap.String("trace_id", span.TraceID().String()), zap.String("span_id", span.SpanID().String()))
	}
	b.exporter.service.set.Logger.Warn("Dropped spans that the service does not take.", fields...)
}
