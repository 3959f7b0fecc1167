"""Metadata as every generation of clients writes it, through every pipeline: the same rows for the same filters.

The next generation JSON-encodes every value. Where the installed client does not, a span processor does it in its place.
"""

import base64
import json

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from langfuse import propagate_attributes

from support import MAJOR, Reader, condition, unique
from test_metadata import FILTERS, NESTED, NESTED_READ, SAME
from weir import Weir

PREFIXES = ("langfuse.observation.metadata.", "langfuse.trace.metadata.")

PIPELINES = {
    "processor, json": ["processors::langfuse::metadata::encoding: json"],
    "processor, plain": ["processors::langfuse::metadata::encoding: plain"],
    "no processor": ["service::pipelines::traces::processors: [memory_limiter]"],
}


class EncodingProcessor(SimpleSpanProcessor):
    """Sends each span with its metadata in the encoding of the next generation."""

    def on_end(self, span):
        super().on_end(ReadableSpan(
            name=span.name, context=span.context, parent=span.parent, resource=span.resource, kind=span.kind, events=span.events,
            links=span.links, status=span.status, start_time=span.start_time, end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
            attributes={key: encoded(value) if key.startswith(PREFIXES) else value for key, value in span.attributes.items()}))


def encoded(value):
    """Compact JSON with non-ASCII kept. What the older client has made JSON already stays, less blanks and escapes."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            pass
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.fixture(scope="module", params=PIPELINES)
def pipeline(request):
    with Weir(*PIPELINES[request.param]) as server:
        yield server


def as_is(server, langfuse_of):
    client = langfuse_of(server)
    return client, client.flush


def by_processor(server, langfuse_of):
    """The client of another server makes the spans, and a second processor sends them to this one."""
    keys = base64.b64encode(f"{server.public_key}:{server.secret_key}".encode()).decode()
    exporter = OTLPSpanExporter(f"{server.url}/api/public/otel/v1/traces", headers={"Authorization": f"Basic {keys}"})
    provider = TracerProvider()
    provider.add_span_processor(EncodingProcessor(exporter))
    client = langfuse_of(server, public_key=unique("pk-nowhere"), tracer_provider=provider, tracing_enabled=True)
    return client, provider.force_flush


SENDERS = [
    pytest.param(as_is, id="as the client sends it"),
    pytest.param(by_processor, id="encoded", marks=pytest.mark.skipif(MAJOR >= 5, reason="this client encodes by itself")),
]


@pytest.mark.feature("metadata of the next generation, with and without processor")
@pytest.mark.parametrize("sender", SENDERS)
def test_same_rows(pipeline, langfuse_of, sender):
    client, flush = sender(pipeline, langfuse_of)
    given = {key: value for key, (value, _) in SAME.items()}
    with propagate_attributes(metadata={"tenant": "acme", "ort": "größe"}):
        with client.start_as_current_observation(name=unique("encoded"), metadata={**given, "nested": NESTED}) as span:
            pass
    flush()

    read = Reader(langfuse_of(pipeline))
    metadata = read.metadata(trace_id=span.trace_id)
    metadata["date"] = metadata["date"].replace("+00:00", "Z")
    assert metadata == {**{key: reading for key, (_, reading) in SAME.items()}, **NESTED_READ, "tenant": "acme", "ort": "größe"}
    of_trace = condition("string", "traceId", "=", span.trace_id)
    for metadata_condition, found in [
            *FILTERS,
            (condition("stringObject", "metadata", "=", "acme", key="tenant"), True),
            (condition("stringObject", "metadata", "=", '"acme"', key="tenant"), False)]:
        assert bool(read.observations(metadata_condition, of_trace)) is found, metadata_condition
