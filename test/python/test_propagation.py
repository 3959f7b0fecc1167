"""A trace through two services: what the first says of it goes with the request, and the second has it on its spans."""

import http.server
import threading
import urllib.request

import pytest
from langfuse import propagate_attributes
from opentelemetry import context
from opentelemetry.propagate import extract, inject

from support import unique


@pytest.fixture
def second_service(client):
    """Reads the headers as every HTTP instrumentation does."""

    class Service(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            token = context.attach(extract({name.lower(): value for name, value in self.headers.items()}))
            try:
                with client.start_as_current_observation(name="called"):
                    pass
            finally:
                context.detach(token)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "http://{}:{}/".format(*server.server_address)
    server.shutdown()
    server.server_close()


@pytest.mark.feature("propagation to another service, as baggage")
def test_baggage(client, read, second_service):
    # Without tags: of their list the library makes the notation of Python, and hands that on as one text.
    given = {
        "user_id": unique("user"), "session_id": unique("session"), "version": "v3", "trace_name": "order", "environment": "shop",
        "metadata": {"tenant": "acme", "ort": "größe"},
    }
    with client.start_as_current_observation(name="caller") as caller:
        with propagate_attributes(**given, as_baggage=True):
            headers = {}
            inject(headers)
            assert "langfuse_user_id=" in headers["baggage"]
            with urllib.request.urlopen(urllib.request.Request(second_service, headers=headers)) as answer:
                assert answer.status == 200
        with propagate_attributes(**given):
            headers = {}
            inject(headers)
            assert "langfuse_user_id=" not in headers.get("baggage", ""), "only when asked for"
    client.flush()

    called = read.observations(trace_id=caller.trace_id)["called"]
    assert called.parent_observation_id == caller.id
    assert called.is_root_observation is False
    assert (called.user_id, called.session_id) == (given["user_id"], given["session_id"])
    assert (called.version, called.trace_name, called.environment) == ("v3", "order", "shop")
    assert (called.metadata["tenant"], called.metadata["ort"]) == ("acme", "größe")
