// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"cmp"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/wire"
)

// ownAttributes begins the resource attributes by which the receivers of this project pass on what they know.
const ownAttributes = "weir."

// span is a span while it is converted, with all that its rules look at. It is used for one span after the other.
type span struct {
	attributes

	converter *Converter
	otlp      ptrace.Span
	resource  *resource
	scope     *scope
	metadata  metadata
	// parameters are those of the model.
	parameters wire.Node

	// Memory that one rule or another needs, so that it is there for the next span too.
	decoder      decoder
	buffer       []byte
	requestKeys  []string
	requestItems []wire.Node
	reported     counts

	// The lookups are what the prices of a model may depend on, made once for all spans.
	parameterLookup, metadataLookup pricing.Lookup
}

// resource is what the spans of a resource have in common.
type resource struct {
	attributes
	origin model.Origin
	// metadata is the attributes as they stand in the metadata of each span.
	metadata fragment
}

// scope is what the spans of an instrumentation scope have in common.
type scope struct {
	name, version string
	// isSDK says that the scope is the service's own client library, whose attributes are all known.
	isSDK    bool
	metadata fragment
}

func newSpan(c *Converter, r pcommon.Resource, origin RequestOrigin) *span {
	res := &resource{attributes: newAttributes(c.classifier)}
	res.read(r.Attributes())
	const unknown = "unknown"
	res.origin = model.Origin{
		Source:            "otel",
		ServiceName:       res.text(keyServiceName),
		ServiceVersion:    res.text(keyServiceVersion),
		TelemetryLanguage: res.text(keyTelemetryLanguage),
		TelemetryName:     res.text(keyTelemetryName),
		TelemetryVersion:  res.text(keyTelemetryVersion),
		PublicKey:         origin.PublicKey,
		ClientName:        cmp.Or(origin.ClientName, unknown),
		ClientVersion:     cmp.Or(origin.ClientVersion, unknown),
	}
	tree := objectNode()
	for i := range res.all {
		if at := &res.all[i]; !strings.HasPrefix(at.name, ownAttributes) {
			tree.Keys = append(tree.Keys, at.name)
			tree.Items = append(tree.Items, nodeOf(at.value))
		}
	}
	res.metadata = newFragment(metadataResource, tree)
	s := &span{
		attributes: newAttributes(c.classifier),
		converter:  c,
		resource:   res,
	}
	s.parameterLookup, s.metadataLookup = s.parameterText, s.metadata.text
	return s
}

func (c *Converter) newScope(is pcommon.InstrumentationScope) *scope {
	s := &scope{
		name:    clean(is.Name()),
		version: clean(is.Version()),
		isSDK:   strings.HasPrefix(is.Name(), c.settings.Names.SDKScope),
	}
	tree := objectNode()
	if s.name != "" {
		setMember(&tree, "name", textNode(s.name))
	}
	if s.version != "" {
		setMember(&tree, "version", textNode(s.version))
	}
	attributes := objectNode()
	for name, value := range is.Attributes().All() {
		if name != wire.MarkEncoding {
			attributes.Keys = append(attributes.Keys, clean(name))
			attributes.Items = append(attributes.Items, nodeOf(value))
		}
	}
	setMember(&tree, "attributes", attributes)
	s.metadata = newFragment(metadataScope, tree)
	return s
}

// convert fills an observation. The order matters only where a field depends on another one.
func (s *span) convert(otlp ptrace.Span, o *model.Observation) {
	s.otlp = otlp
	s.decoder.Reset()
	s.read(otlp.Attributes())

	s.ids(o)
	s.times(o)

	o.Name = s.name()
	o.Type = s.observationType()
	o.Environment = s.environment()
	s.traceFields(o)
	s.status(o)
	s.prompt(o)
	s.experiment(o)

	o.Origin = s.resource.origin
	o.Origin.ScopeName, o.Origin.ScopeVersion = s.scope.name, s.scope.version

	x := s.inputAndOutput()
	s.metadata.collect(s)
	s.moveTools(&x)
	o.Metadata = s.metadata.json(s)
	o.Input, o.Output = x.input.String(), x.output.String()
	o.ToolDefinitions = toolDefinitions(x.input)
	o.ToolCalls, o.ToolCallNames = toolCalls(x.output)

	s.parameters = s.modelParameters()
	if len(s.parameters.Keys) > 0 {
		o.ModelParameters = s.parametersText()
	}
	if !s.isAgentStep() {
		o.Model = s.modelName()
		o.ProvidedUsage = s.providedUsage()
		o.ProvidedCost = s.providedCost()
	}
	s.price(o)
}

// isAgentStep is true for spans around whole runs of an agent: model, usage and cost are those of the spans below.
func (s *span) isAgentStep() bool {
	operation := s.str(keyGenAIOperation)
	return operation == "invoke_agent" || operation == "agent_step"
}
