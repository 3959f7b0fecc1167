// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Key is the pair of keys of a project.
type Key struct{ Public, Secret string }

// Keys are those of so many projects.
func Keys(projects int) []Key {
	keys := make([]Key, projects)
	for i := range keys {
		keys[i] = Key{fmt.Sprintf("pk-lf-project-%d", i), fmt.Sprintf("sk-lf-project-%d", i)}
	}
	return keys
}

// Client speaks to the API.
type Client struct {
	URL  string
	Keys []Key

	http *http.Client
}

// NewClient makes a client for so many connections.
func NewClient(address string, projects, connections int) *Client {
	return &Client{
		URL: "http://" + address, Keys: Keys(projects),
		http: &http.Client{
			Timeout:   2 * time.Minute,
			Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxIdleConns: connections},
		},
	}
}

// Close ends connections that nobody uses.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Answer is what the server said.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

func (a Answer) err() error { return fmt.Errorf("answered %d: %.300s", a.Status, a.Body) }

func (c *Client) do(ctx context.Context, method string, project int, path string, content []byte, headers ...string) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(content))
	if err != nil {
		return Answer{}, err
	}
	request.SetBasicAuth(c.Keys[project].Public, c.Keys[project].Secret)
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] != "" {
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := c.http.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return Answer{response.StatusCode, response.Header, body}, err
}

// Send delivers a request. IsAcknowledged says what its answer means.
func (c *Client) Send(ctx context.Context, project int, body Body) (Answer, error) {
	return c.do(ctx, http.MethodPost, project, body.Path, body.Content, "Content-Type", body.ContentType, "Content-Encoding", body.ContentEncoding)
}

// IsAcknowledged tells whether the server has taken all of a request. A batch of events is answered one by one.
func (a Answer) IsAcknowledged() bool {
	if a.Status != http.StatusMultiStatus {
		return a.Status == http.StatusOK
	}
	var verdicts struct{ Errors []any }
	return json.Unmarshal(a.Body, &verdicts) == nil && len(verdicts.Errors) == 0
}

// Get reads a path with parameters given as name, value, name, value.
func (c *Client) Get(ctx context.Context, project int, path string, parameters ...string) (Answer, error) {
	values := url.Values{}
	for i := 0; i+1 < len(parameters); i += 2 {
		values.Add(parameters[i], parameters[i+1])
	}
	return c.do(ctx, http.MethodGet, project, path+"?"+values.Encode(), nil)
}
