// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"bytes"
	"encoding/json"

	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

var errTracesJSON = web.BadRequest("Failed to parse OTel JSON Trace")

// decodeTracesJSON reads an export in JSON. Almost all are as the standard has them. What is left gets a closer look: ids
// may be lists of bytes, as some Node programs write them, and what is wrong must be told with its reasons.
func decodeTracesJSON(body []byte) (ptraceotlp.ExportRequest, error) {
	request := ptraceotlp.NewExportRequest()
	var found faults
	if err := request.UnmarshalJSON(body); err == nil {
		found.ofTraces(request.Traces())
		if found.badSpans == 0 && json.Valid(body) {
			return request, nil
		}
	}

	var document any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // times in nanoseconds do not fit a float
	if err := decoder.Decode(&document); err != nil || decoder.More() {
		return request, errTracesJSON
	}
	export, ok := document.(map[string]any)
	if !ok {
		return request, errTracesJSON
	}
	found = faults{}
	found.ofExport(export)
	if err := found.err(); err != nil {
		return request, err
	}
	mended, err := json.Marshal(export)
	if err != nil {
		return request, errTracesJSON
	}
	request = ptraceotlp.NewExportRequest()
	if err := request.UnmarshalJSON(mended); err != nil {
		return request, errTracesJSON
	}
	found = faults{}
	found.ofTraces(request.Traces())
	return request, found.err()
}
