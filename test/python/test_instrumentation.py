"""An instrumentation that knows nothing of the service: OpenInference on the OpenAI library, which talks to a fake."""

import http.server
import json
import threading

import openai
import pytest
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from support import Reader, unique
from weir import Weir

ANSWER = {
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o-2024-08-06",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Bonjour, Ümit"}}],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200},
}


class FakeModel(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def model():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), FakeModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield openai.OpenAI(api_key="none", base_url="http://{}:{}/v1".format(*server.server_address))
    server.shutdown()
    server.server_close()


@pytest.fixture
def instrumented():
    instrumentors = []

    def instrument(provider):
        instrumentors.append(OpenAIInstrumentor())
        instrumentors[-1].instrument(tracer_provider=provider)

    yield instrument
    for each in instrumentors:
        each.uninstrument()


def ask(model):
    name = unique("Ümit")
    model.chat.completions.create(model="gpt-4o", temperature=0.5, messages=[{"role": "user", "content": f"Greet {name}"}])
    return name


def check(row, name):
    assert row.type == "GENERATION"
    assert row.model == "gpt-4o-2024-08-06"
    assert (row.usage_details["input"], row.usage_details["output"], row.usage_details["total"]) == (1000, 200, 1200)
    assert row.total_cost == pytest.approx(1000 * 2.5e-6 + 200 * 10e-6)
    assert name in row.input and "Bonjour, Ümit" in row.output
    assert row.model_parameters["temperature"] == 0.5


@pytest.mark.feature("OpenInference instrumentation")
def test_through_the_client(langfuse_of, model, instrumented):
    provider = TracerProvider()
    with Weir() as server:
        client = langfuse_of(server, tracer_provider=provider)
        instrumented(provider)
        with client.start_as_current_observation(name="around") as around:
            name = ask(model)
        client.flush()
        rows = Reader(client).observations(trace_id=around.trace_id)
    assert set(rows) == {"around", "ChatCompletion"}
    check(rows["ChatCompletion"], name)
    assert rows["ChatCompletion"].parent_observation_id == around.id


@pytest.mark.feature("OpenInference instrumentation")
def test_without_the_client(weir, read, model, instrumented):
    """To the port for stock exporters, which asks for no keys."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(f"{weir.otlp_url}/v1/traces")))
    instrumented(provider)
    name = ask(model)
    row = read.observation(name="ChatCompletion")
    check(row, name)
