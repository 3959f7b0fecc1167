// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/wire"
)

// Settings are what a Converter needs to know.
type Settings struct {
	// Names are the names of the service.
	Names wire.Names
	// Prices is the table of models; without it nothing is priced.
	Prices *pricing.Table
	// Tokenize counts the tokens of input and output where a client sent no usage and the model's tokenizer is known.
	Tokenize bool
	// Now gives a time to spans that have none; time.Now by default.
	Now func() time.Time
}

// RequestOrigin is what the request tells of its sender, beyond the spans themselves.
type RequestOrigin struct {
	PublicKey string
	// ClientName and ClientVersion are those of the client library, from its headers.
	ClientName    string
	ClientVersion string
}

// Converter turns spans into observations. It has no state, so any number of goroutines may use it.
type Converter struct {
	settings   Settings
	classifier *classifier
}

// New makes a Converter.
func New(settings Settings) *Converter {
	if settings.Now == nil {
		settings.Now = time.Now
	}
	return &Converter{settings: settings, classifier: newClassifier(settings.Names)}
}

// Traces converts all spans, in their order. It does not change them; the observations share their texts.
func (c *Converter) Traces(td ptrace.Traces, origin RequestOrigin) []model.Observation {
	observations := make([]model.Observation, 0, td.SpanCount())
	for _, rs := range td.ResourceSpans().All() {
		observations = c.AppendResource(observations, rs, origin)
	}
	return observations
}

// AppendResource appends the observations of one resource.
func (c *Converter) AppendResource(
	dst []model.Observation, rs ptrace.ResourceSpans, origin RequestOrigin,
) []model.Observation {
	s := newSpan(c, rs.Resource(), origin)
	for _, ss := range rs.ScopeSpans().All() {
		s.scope = c.newScope(ss.Scope())
		for _, otlp := range ss.Spans().All() {
			dst = append(dst, model.Observation{})
			s.convert(otlp, &dst[len(dst)-1])
		}
	}
	return dst
}
