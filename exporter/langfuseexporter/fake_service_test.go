// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

// reply is how the fake service behaves towards one request.
type reply struct {
	status int
	header map[string]string
	body   string
	// cut closes the connection instead of answering, cutUpload in the middle of the request, hang never answers; all
	// before the data is taken.
	cut, cutUpload, hang bool
	// lost takes the data, and then closes the connection; halfway does so in the middle of the answer.
	lost, halfway bool
}

// seen is a request as the service sees it.
type seen struct {
	path   string
	header http.Header
	body   []byte
	at     time.Time
}

// fakeService is a real HTTP server that behaves as a script says: one reply for each request in turn, and for
// all that come after it what the rules say.
type fakeService struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	script   []reply
	requests []seen
	spans    map[string]int // how often each span arrived, by name
	scores   map[string]int // and each score, by id

	// badSpan makes the service refuse a whole batch for one span, as it does; maxBytes is the body that it takes.
	badSpan  func(name string) bool
	maxBytes int
	// onRequest is called for every request.
	onRequest func()
	// score gives the status of one event of an ingestion request.
	score func(id string) int

	stop chan struct{}
}

func newFakeService(t testing.TB, script ...reply) *fakeService {
	f := &fakeService{t: t, script: script, spans: map[string]int{}, scores: map[string]int{}, stop: make(chan struct{})}
	f.Server = httptest.NewServer(f)
	t.Cleanup(func() {
		close(f.stop)
		f.Close()
	})
	return f
}

func (f *fakeService) next() reply {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.script) == 0 {
		return reply{}
	}
	r := f.script[0]
	f.script = f.script[1:]
	return r
}

func (f *fakeService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	does := f.next()
	if f.onRequest != nil {
		f.onRequest()
	}
	if does.cutUpload {
		_, _ = io.CopyN(io.Discard, r.Body, 10)
		panic(http.ErrAbortHandler)
	}
	wire, err := io.ReadAll(r.Body)
	if !assert.NoError(f.t, err) {
		return
	}
	plain := wire
	if r.Header.Get("Content-Encoding") == "gzip" {
		zr, err := gzip.NewReader(strings.NewReader(string(wire)))
		if assert.NoError(f.t, err) {
			plain, err = io.ReadAll(zr)
			assert.NoError(f.t, err)
		}
	}
	f.mu.Lock()
	f.requests = append(f.requests, seen{r.URL.Path, r.Header.Clone(), plain, time.Now()})
	f.mu.Unlock()

	switch {
	case does.cut:
		panic(http.ErrAbortHandler)
	case does.hang:
		select {
		case <-r.Context().Done():
		case <-f.stop:
		}
		panic(http.ErrAbortHandler)
	case does.lost:
		f.take(r, plain)
		panic(http.ErrAbortHandler)
	case does.halfway:
		f.take(r, plain)
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"half`)
		panic(http.ErrAbortHandler)
	case does.status != 0:
		if does.status/100 == 2 {
			f.take(r, plain)
		}
		for key, value := range does.header {
			w.Header().Set(key, value)
		}
		w.WriteHeader(does.status)
		_, _ = io.WriteString(w, does.body)
	default:
		f.byRule(w, r, plain)
	}
}

func (f *fakeService) byRule(w http.ResponseWriter, r *http.Request, body []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if f.maxBytes > 0 && len(body) > f.maxBytes {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		_, _ = io.WriteString(w, "Body exceeded 4.5mb limit")
		return
	}
	switch r.URL.Path {
	case "/api/public/otel/v1/traces":
		for _, name := range f.spanNames(r, body) {
			if f.badSpan != nil && f.badSpan(name) {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"error":"Invalid OTLP trace export: 1 span(s) cannot be processed"}`)
				return
			}
		}
		f.take(r, body)
		_, _ = io.WriteString(w, `{}`)
	case "/api/public/ingestion":
		w.WriteHeader(http.StatusMultiStatus)
		_, _ = io.WriteString(w, f.takeScores(body))
	case "/api/public/projects":
		_, _ = io.WriteString(w, `{"data":[{"id":"p-1","name":"My Project","organization":{"id":"o","name":"O"},"metadata":{}}]}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (f *fakeService) spanNames(r *http.Request, body []byte) (names []string) {
	request := ptraceotlp.NewExportRequest()
	if r.Header.Get("Content-Type") == contentJSON {
		assert.NoError(f.t, request.UnmarshalJSON(body))
	} else {
		assert.NoError(f.t, request.UnmarshalProto(body))
	}
	for _, rs := range request.Traces().ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				names = append(names, span.Name())
			}
		}
	}
	return names
}

// take stores what a request brings.
func (f *fakeService) take(r *http.Request, body []byte) {
	if r.URL.Path == "/api/public/ingestion" {
		f.takeScores(body)
		return
	}
	names := f.spanNames(r, body)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range names {
		f.spans[name]++
	}
}

// takeScores stores the scores that may be stored, and gives the answer.
func (f *fakeService) takeScores(body []byte) string {
	var request struct {
		Batch []struct {
			ID   string         `json:"id"`
			Type string         `json:"type"`
			Body map[string]any `json:"body"`
		} `json:"batch"`
	}
	assert.NoError(f.t, json.Unmarshal(body, &request))
	type verdict struct {
		ID      string `json:"id"`
		Status  int    `json:"status"`
		Message string `json:"message,omitempty"`
		Error   string `json:"error,omitempty"`
	}
	answer := map[string][]verdict{"successes": {}, "errors": {}}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, event := range request.Batch {
		assert.Equal(f.t, "score-create", event.Type)
		id, status := event.Body["id"].(string), http.StatusCreated
		if f.score != nil {
			status = f.score(id)
		}
		if status == http.StatusCreated {
			f.scores[id]++
			answer["successes"] = append(answer["successes"], verdict{ID: event.ID, Status: status})
			continue
		}
		answer["errors"] = append(answer["errors"], verdict{event.ID, status, "Invalid request data", "because"})
	}
	text, err := json.Marshal(answer)
	assert.NoError(f.t, err)
	return string(text)
}

func (f *fakeService) arrived() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.spans)
}

func (f *fakeService) seen() []seen {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]seen(nil), f.requests...)
}
