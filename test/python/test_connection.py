"""Keys, outages, and what flush and shutdown promise."""

import threading
import uuid

import pytest
from langfuse.api import LangfuseAPI

from support import Reader, unique


class Direct:
    """The generated client alone, which keeps nothing and sends no spans."""

    def __init__(self, server):
        self.api = LangfuseAPI(base_url=server.url, username=server.public_key, password=server.secret_key)


@pytest.mark.feature("auth_check and wrong keys")
def test_good_keys(client):
    assert client.auth_check() is True
    (project,) = client.api.projects.get().data
    assert project.id == "default"
    assert project.name in ("Local", "Default"), "as the configuration calls it"
    health = client.api.health.health()
    assert health.status == "OK" and health.version


@pytest.mark.feature("auth_check and wrong keys")
@pytest.mark.parametrize("wrong", ["public_key", "secret_key"])
def test_wrong_keys(server, langfuse_of, wrong):
    client = langfuse_of(server, **{wrong: f"wrong-{uuid.uuid4()}"})
    with pytest.raises(Exception) as raised:
        client.auth_check()
    assert raised.value.status_code == 401
    with client.start_as_current_observation(name="refused") as span:
        span.score(name="refused", value=1)
    client.flush()
    assert Reader(Direct(server)).observations() == {}
    assert Reader(Direct(server)).scores() == {}


@pytest.mark.feature("server down and back")
def test_down_and_back(server, langfuse_of):
    # In seconds, for an export with its retries: a busy machine takes its time to start a server.
    client = langfuse_of(server, timeout=60)
    with client.start_as_current_observation(name="before") as before:
        pass
    client.flush()
    server.stop()
    with client.start_as_current_observation(name="during") as during:
        pass
    back = threading.Timer(0.3, server.start)
    back.start()
    client.flush()
    back.join()
    # Not before: the library tries three times to send a score, after pauses that may be next to nothing.
    during.score(name="after", value=1)
    client.flush()
    read = Reader(client)
    assert set(read.observations(trace_id=before.trace_id)) == {"before"}, "what was acknowledged is still there"
    assert set(read.observations(trace_id=during.trace_id)) == {"during"}
    assert set(read.scores(trace_id=during.trace_id)) == {"after"}


@pytest.mark.feature("server down and back")
def test_down_for_good(server, langfuse_of):
    client = langfuse_of(server, timeout=1)
    server.stop()
    with client.start_as_current_observation(name="lost"):
        pass
    client.flush()  # comes back, and raises nothing


@pytest.mark.feature("flush and shutdown")
def test_flush(server, langfuse_of):
    client = langfuse_of(server, flush_interval=60, flush_at=500)
    with client.start_as_current_observation(name="kept back") as span:
        pass
    read = Reader(Direct(server))
    assert read.observations(trace_id=span.trace_id) == {}
    client.flush()
    assert set(read.observations(trace_id=span.trace_id)) == {"kept back"}


@pytest.mark.feature("flush and shutdown")
def test_shutdown(server, langfuse_of):
    client = langfuse_of(server, flush_interval=1, flush_at=500)
    with client.start_as_current_observation(name="last") as span:
        span.score(name="last", value=1)
    client.shutdown()
    read = Reader(Direct(server))
    assert set(read.observations(trace_id=span.trace_id)) == {"last"}
    assert set(read.scores(trace_id=span.trace_id)) == {"last"}


@pytest.mark.feature("flush and shutdown")
def test_many_batches(server, langfuse_of):
    client = langfuse_of(server, flush_at=50)
    trace_id = client.create_trace_id()
    with client.start_as_current_observation(name="all", trace_context={"trace_id": trace_id}):
        for number in range(300):
            with client.start_as_current_observation(name=f"span {number}", input="x" * 500):
                pass
    client.flush()
    assert len(Reader(client).observations(trace_id=trace_id, limit=100)) == 301


@pytest.mark.feature("compressed batches")
@pytest.mark.parametrize("compression", ["none", "gzip", "deflate"])
def test_compression(server, langfuse_of, monkeypatch, compression):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", compression)
    client = langfuse_of(server)
    with client.start_as_current_observation(name=unique("packed"), input="größe " * 1000) as span:
        pass
    client.flush()
    assert Reader(client).observation(trace_id=span.trace_id).input == "größe " * 1000


@pytest.mark.feature("compressed batches")
def test_base_url_with_a_slash(server, langfuse_of):
    client = langfuse_of(server, base_url=server.url + "/")
    with client.start_as_current_observation(name="slashed") as span:
        pass
    client.flush()
    assert set(Reader(Direct(server)).observations(trace_id=span.trace_id)) == {"slashed"}
