// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package weirproc // import "github.com/weirhq/weir/test/internal/weirproc"

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Metric reads the sum of a metric from the collector's own telemetry; one that is not there is 0.
func (p *Process) Metric(ctx context.Context, name string) (float64, error) {
	text, err := get(ctx, "http://"+p.Metrics+"/metrics")
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for line := range strings.Lines(text) {
		if labels, ok := strings.CutPrefix(line, name); ok && (labels[0] == '{' || labels[0] == ' ') {
			var value float64
			if _, err := fmt.Sscan(labels[strings.LastIndexByte(strings.TrimSpace(labels), ' ')+1:], &value); err != nil {
				return 0, fmt.Errorf("%s: %w", line, err)
			}
			sum += value
		}
	}
	return sum, nil
}

func get(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}
