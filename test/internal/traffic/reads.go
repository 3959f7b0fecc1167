// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// ReadNames are the reads that people wait for, in the order in which a reader does them.
var ReadNames = []string{"newest page", "one trace", "filter", "metrics"}

// filter asks for model calls of one customer.
const filter = `[{"type":"string","column":"name","operator":"=","value":"chat"},` +
	`{"type":"stringObject","column":"metadata","key":"tenant","operator":"=","value":"tenant-7"}]`

// Reader looks at one thing after another, as people do.
type Reader struct {
	client  *Client
	project int
	turn    int
	trace   string // from the newest page
}

// NewReader makes a reader of a project.
func NewReader(client *Client, project int) *Reader { return &Reader{client: client, project: project} }

// Next does the next read.
func (r *Reader) Next(ctx context.Context) Result {
	name := ReadNames[r.turn%len(ReadNames)]
	r.turn++
	path, parameters := observationsPath, []string{}
	switch name {
	case "one trace":
		parameters = []string{"traceId", r.trace, "fields", "core,basic,io,metadata,model,usage"}
	case "filter":
		parameters = []string{"filter", filter}
	case "metrics":
		path, parameters = metricsPath, []string{"query", metricsQuery(time.Now().UTC())}
	}
	began := time.Now()
	answer, err := r.client.Get(ctx, r.project, path, parameters...)
	took := time.Since(began)
	if name == "newest page" && err == nil && answer.Status == http.StatusOK {
		var page struct{ Data []row }
		if err = json.Unmarshal(answer.Body, &page); err == nil && len(page.Data) > 0 {
			r.trace = page.Data[0].TraceID
		}
	}
	return Result{Name: name, Answer: answer, Err: err, Took: took, Size: len(answer.Body)}
}

// metricsQuery asks for number, cost and latency by model in the last hour.
func metricsQuery(now time.Time) string {
	metric := func(measure, aggregation string) map[string]string {
		return map[string]string{"measure": measure, "aggregation": aggregation}
	}
	query, _ := json.Marshal(map[string]any{ // texts only
		"view": "observations", "dimensions": []any{map[string]string{"field": "providedModelName"}},
		"metrics":       []any{metric("count", "count"), metric("totalCost", "sum"), metric("latency", "p95")},
		"fromTimestamp": now.Add(-time.Hour).Format(time.RFC3339), "toTimestamp": now.Add(time.Hour).Format(time.RFC3339),
	})
	return string(query)
}
