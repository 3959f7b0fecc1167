// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/receiver/receivertest"

	"github.com/weirhq/weir/exporter/langfusestoreexporter"
	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/storeprovider"
	"github.com/weirhq/weir/receiver/langfusereceiver"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// provider is the extension that owns the store.
type provider struct {
	component.StartFunc
	component.ShutdownFunc
	store   store.Store
	catalog *catalog.Catalog
	media   *blobs.Store
}

var _ storeprovider.Provider = (*provider)(nil)

func (p *provider) Store() store.Store        { return p.store }
func (p *provider) Media() *blobs.Store       { return p.media }
func (p *provider) Catalog() *catalog.Catalog { return p.catalog }
func (*provider) Tokenize() bool              { return false }

type host map[component.ID]component.Component

func (h host) GetExtensions() map[component.ID]component.Component { return h }

// harness is a receiver before a store, as in the configuration for local use, with two projects.
type harness struct {
	url   string
	store store.Store
	// project and other are two tenants; keys are those of the first.
	project, other  string
	keys, otherKeys [2]string
	transport       *http.Transport
	client          *http.Client
	undescribed     bool
	// mediaDir is where contents of media are; clock is the one by which their addresses expire.
	mediaDir   string
	isDiskFull *atomic.Bool
	clock      *clock
	receiver   component.Component
}

// withoutMedia is a store that has no folder for the contents of media.
type withoutMedia struct{ store.Store }

// maxMedia is the largest content in tests.
const maxMedia = 64 << 20

// clock is that of the machine, and can be set forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

var projects struct {
	sync.Mutex
	count int
}

// start runs a receiver with the settings of a configuration on top of two projects.
func start(t *testing.T, settings ...map[string]any) *harness {
	t.Helper()
	s, err := engine()
	require.NoError(t, err)
	return startWith(t, s, settings...)
}

// startWith runs a receiver before a store; nil is none.
func startWith(t *testing.T, s store.Store, settings ...map[string]any) *harness {
	t.Helper()
	projects.Lock()
	projects.count++
	h := &harness{
		store:   s,
		project: fmt.Sprintf("project-%d-a", projects.count), other: fmt.Sprintf("project-%d-b", projects.count),
		clock: &clock{},
		keys:  [2]string{"pk-a", "sk-a"}, otherKeys: [2]string{"pk-b", "sk-b"},
	}
	socket := filepath.Join(t.TempDir(), "api.sock")
	h.transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	// Whatever a test asks, and is answered, is held against the description of the API.
	h.client = &http.Client{Transport: apidoctest.Transport(t, h.transport)}
	projects.Unlock()
	key := func(pair [2]string) []any {
		return []any{map[string]any{"public_key": pair[0], "secret_key": pair[1]}}
	}
	raw := map[string]any{
		"endpoint": socket, "transport": "unix",
		"projects": []any{
			map[string]any{"id": h.project, "name": "First", "organization": map[string]any{"id": "org", "name": "Org"}, "keys": key(h.keys)},
			map[string]any{"id": h.other, "keys": key(h.otherKeys)},
		},
	}
	conf := confmap.NewFromStringMap(raw)
	for _, more := range settings {
		require.NoError(t, conf.Merge(confmap.NewFromStringMap(more)))
	}
	factory := langfusereceiver.NewFactory()
	cfg := factory.CreateDefaultConfig()
	require.NoError(t, conf.Unmarshal(cfg))
	require.NoError(t, confmap.Validate(cfg))

	extensions := host{}
	set := receivertest.NewNopSettings(factory.Type())
	set.ID = component.NewID(factory.Type())
	if s == nil {
		r, err := factory.CreateTraces(t.Context(), set, cfg, consumertest.NewNop())
		require.NoError(t, err)
		h.receiver = r
	} else {
		prices, err := pricing.Default()
		require.NoError(t, err)
		var media *blobs.Store
		entries := catalog.New(s, catalog.Options{Prices: prices, MaxMediaBytes: maxMedia})
		if _, without := s.(withoutMedia); !without {
			h.mediaDir, h.isDiskFull = t.TempDir(), &atomic.Bool{}
			media, err = blobs.Open(blobs.Settings{Dir: h.mediaDir, MaxSize: maxMedia, Now: h.clock.now, FreeSpace: h.freeSpace})
			require.NoError(t, err)
			h.store = blobs.Sweeping(s, entries, media)
		}
		extensions[component.MustNewID("langfuse_store")] = &provider{store: h.store, catalog: entries, media: media}
		exporters := langfusestoreexporter.NewFactory()
		exporterSet := exportertest.NewNopSettings(exporters.Type())
		spans, err := exporters.CreateTraces(t.Context(), exporterSet, exporters.CreateDefaultConfig())
		require.NoError(t, err)
		scores, err := exporters.CreateLogs(t.Context(), exporterSet, exporters.CreateDefaultConfig())
		require.NoError(t, err)
		for _, c := range []component.Component{spans, scores} {
			require.NoError(t, c.Start(t.Context(), extensions))
			t.Cleanup(func() { require.NoError(t, c.Shutdown(context.WithoutCancel(t.Context()))) })
		}
		_, err = factory.CreateTraces(t.Context(), set, cfg, spans)
		require.NoError(t, err)
		r, err := factory.CreateLogs(t.Context(), set, cfg, scores)
		require.NoError(t, err)
		h.receiver = r
	}
	require.NoError(t, h.receiver.Start(t.Context(), extensions))
	t.Cleanup(func() {
		h.transport.CloseIdleConnections()
		require.NoError(t, h.receiver.Shutdown(context.WithoutCancel(t.Context())))
	})
	h.url = "http://weir"
	return h
}

// asOther is the same server seen with the keys of the other project.
func (h *harness) asOther() *harness {
	other := *h
	other.project, other.other = h.other, h.project
	other.keys, other.otherKeys = h.otherKeys, h.keys
	return &other
}

// beyond is the same for requests that the description does not know, but the server answers.
func (h *harness) beyond() *harness {
	beyond := *h
	beyond.undescribed = true
	return &beyond
}

type answer struct {
	status int
	header http.Header
	body   string
}

// decode reads the answer into a value of any shape.
func (a answer) decode(t testing.TB) map[string]any {
	t.Helper()
	var body map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.body), &body), a.body)
	return body
}

// data are the rows of a list.
func (a answer) data(t testing.TB) []map[string]any {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	var body struct{ Data []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(a.body), &body), a.body)
	return body.Data
}

// cursor continues a list; "" at its end.
func (a answer) cursor(t testing.TB) string {
	t.Helper()
	var body struct{ Meta struct{ Cursor string } }
	require.NoError(t, json.Unmarshal([]byte(a.body), &body), a.body)
	return body.Meta.Cursor
}

// call sends a request with the keys of the project.
func (h *harness) call(t testing.TB, method, path string, body any, headers ...string) answer {
	t.Helper()
	var content io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		content = strings.NewReader(body)
	case []byte:
		content = bytes.NewReader(body)
	default:
		text, err := json.Marshal(body)
		require.NoError(t, err)
		content = bytes.NewReader(text)
	}
	ctx := t.Context()
	if h.undescribed {
		ctx = apidoctest.Undescribed(ctx)
	}
	request, err := http.NewRequestWithContext(ctx, method, h.url+path, content)
	require.NoError(t, err)
	request.SetBasicAuth(h.keys[0], h.keys[1])
	if content != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "" {
			request.Header.Del(headers[i])
			continue
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := h.client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, strings.TrimSuffix(string(read), "\n")}
}

// get reads a path below the API with parameters given as name, value, name, value.
func (h *harness) get(t testing.TB, path string, parameters ...string) answer {
	t.Helper()
	values := url.Values{}
	for i := 0; i+1 < len(parameters); i += 2 {
		values.Add(parameters[i], parameters[i+1])
	}
	if len(values) > 0 {
		path += "?" + values.Encode()
	}
	return h.call(t, http.MethodGet, "/api/public"+path, nil)
}

// write puts rows into the store past the pipeline, where a test needs rows that no span could be.
func (h *harness) write(t testing.TB, rows ...model.Observation) {
	t.Helper()
	require.NoError(t, h.store.WriteObservations(t.Context(), h.project, rows))
}
