"""What the tests of this folder share: a client of the server under test, and the record of what passed for which feature."""

import json
import os

import langfuse
import pytest
from opentelemetry.sdk.trace import TracerProvider

from support import Reader

pytest_plugins = ["weir"]

CLIENT = f"Python {langfuse.__version__}"


def pytest_configure(config):
    config.addinivalue_line("markers", "feature(name): the row of the table of features to which a test belongs")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Appends what became of each test to the file that CONFORMANCE_RESULTS names, a JSON object a line."""
    report = (yield).get_result()
    results = os.environ.get("CONFORMANCE_RESULTS")
    # A test that passes is told of once, after its body; one that fails or is skipped may do so before or after.
    if not results or (report.outcome == "passed" and call.when != "call"):
        return
    feature = item.get_closest_marker("feature")
    with open(results, "a", encoding="utf-8") as file:
        json.dump({
            "client": CLIENT, "feature": feature.args[0] if feature else "", "test": item.nodeid, "outcome": report.outcome,
        }, file)
        file.write("\n")


@pytest.fixture
def server():
    """A server for one test. What is set when a client is made needs one: the library keeps a client for each public key."""
    from weir import Weir  # not above: pytest wants to be the first to import its plugins

    with Weir() as server:
        yield server


@pytest.fixture(scope="session")
def langfuse_of():
    """Makes clients, each with spans of its own: two that shared a provider would both send every span."""
    made = {}

    def make(server, **options):
        options = {
            "base_url": server.url, "public_key": server.public_key, "secret_key": server.secret_key,
            "tracer_provider": TracerProvider(), "environment": "conformance", "release": "release-9",
            # A flush waits for the batch that is being collected.
            "flush_interval": 0.1, **options,
        }
        client = langfuse.Langfuse(**options)
        # By public key, as the library keeps them: a second shutdown of the same one would not come back.
        made[options["public_key"]] = client
        return client

    yield make
    for client in made.values():
        client.shutdown()


@pytest.fixture(scope="session")
def client(weir, langfuse_of):
    return langfuse_of(weir)


@pytest.fixture(scope="session")
def read(client):
    return Reader(client)
