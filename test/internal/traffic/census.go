// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

const (
	observationsPath = "/api/public/v2/observations"
	scoresPath       = "/api/public/v3/scores"
	metricsPath      = "/api/public/v2/metrics"
)

// The largest pages that the API gives.
const (
	observationsPage = 1000
	scoresPage       = 100
)

// Census reads everything of all projects.
func (c *Client) Census(ctx context.Context) (Census, error) {
	found := Census{map[string]int{}, map[string]int{}}
	for project := range c.Keys {
		err := c.list(ctx, project, observationsPath, observationsPage, func(row row) { found.Spans[row.TraceID+row.ID]++ })
		if err != nil {
			return found, err
		}
		if err := c.list(ctx, project, scoresPath, scoresPage, func(row row) { found.Scores[row.ID]++ }); err != nil {
			return found, err
		}
	}
	return found, nil
}

type row struct{ ID, TraceID string }

func (c *Client) list(ctx context.Context, project int, path string, limit int, each func(row)) error {
	for cursor := ""; ; {
		parameters := []string{"limit", strconv.Itoa(limit)}
		if cursor != "" {
			parameters = append(parameters, "cursor", cursor)
		}
		answer, err := c.Get(ctx, project, path, parameters...)
		if err == nil && answer.Status != http.StatusOK {
			err = answer.err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		var page struct {
			Data []row
			Meta struct{ Cursor string }
		}
		if err := json.Unmarshal(answer.Body, &page); err != nil {
			return err
		}
		for _, row := range page.Data {
			each(row)
		}
		if cursor = page.Meta.Cursor; cursor == "" {
			return nil
		}
	}
}
