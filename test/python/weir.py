"""Weir in a test suite: one process on free ports, with a fresh store.

Copy this file beside your tests and add `pytest_plugins = ["weir"]` to the conftest.py at the top. A test then asks for the
fixture `weir` and has an empty server with which every client of the service works:

    def test_answer(weir):
        langfuse = Langfuse(base_url=weir.url, public_key=weir.public_key, secret_key=weir.secret_key)

It needs nothing but the standard library and pytest. WEIR_BINARY names the binary, _build/weir of a clone in which it was built,
and WEIR_CONFIG another configuration than configs/local.yaml of that clone.
"""

import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import uuid

import pytest

BINARY = pathlib.Path(os.environ.get("WEIR_BINARY") or pathlib.Path(__file__).resolve().parent.parent.parent / "_build" / "weir")
CONFIG = pathlib.Path(os.environ.get("WEIR_CONFIG") or BINARY.resolve().parent.parent / "configs" / "local.yaml")


class Weir:
    """A server that can be stopped and started again, on the same ports and with the same data."""

    def __init__(self, *settings):
        """Settings change the configuration: "processors::langfuse::metadata::encoding: plain"."""
        for file, setting in ((BINARY, "WEIR_BINARY"), (CONFIG, "WEIR_CONFIG")):
            if not file.is_file():
                raise FileNotFoundError(f"there is no {file}: set {setting}, or run `make build` in the clone of Weir that has it")
        self.arguments = [str(BINARY), f"--config={CONFIG}", *(f"--config=yaml:{each}" for each in settings)]
        self.data = tempfile.mkdtemp(prefix="weir-")
        self.log = pathlib.Path(self.data, "weir.log")
        api, self.otlp_grpc, otlp_http, metrics = free_addresses(4)
        self.url = f"http://{api}"
        self.otlp_url = f"http://{otlp_http}"
        # Client libraries keep one client for each public key, so each server has its own.
        self.public_key = f"pk-lf-{uuid.uuid4()}"
        self.secret_key = f"sk-lf-{uuid.uuid4()}"
        self.environment = {
            **os.environ,
            "WEIR_DATA_DIR": os.path.join(self.data, "store"),
            # With configs/cluster.yaml these two are what WEIR_DATA_DIR is with the embedded store.
            "WEIR_CLICKHOUSE_DATABASE": f"weir_{uuid.uuid4().hex}",
            "WEIR_MEDIA_DIR": os.path.join(self.data, "media"),
            "WEIR_ENDPOINT": api,
            "WEIR_GRPC_ENDPOINT": self.otlp_grpc,
            "WEIR_HTTP_ENDPOINT": otlp_http,
            "WEIR_METRICS_PORT": metrics.rpartition(":")[2],
            "WEIR_PUBLIC_KEY": self.public_key,
            "WEIR_SECRET_KEY": self.secret_key,
        }
        self.process = None

    def start(self, patience=30):
        """Returns when the server takes data, usually after a fifth of a second."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.arguments, env=self.environment, stdout=log, stderr=log)
        deadline = time.monotonic() + patience
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"Weir did not start:\n{self.log.read_text()}")
            time.sleep(0.01)
        return self

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/api/public/ready", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def stop(self):
        """Everything that was acknowledged is still there after another start."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
            finally:
                self.process = None

    def remove(self):
        """Stops it for good."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.remove()
            raise

    def __exit__(self, *_):
        self.remove()


def free_addresses(count):
    """Addresses of loopback on which nothing listens. All are held until the last is found, so that no two are the same."""
    sockets = [listen_somewhere() for _ in range(count)]
    try:
        return ["{}:{}".format(*each.getsockname()) for each in sockets]
    finally:
        for each in sockets:
            each.close()


def listen_somewhere():
    """Below the ports of outgoing connections, any of which could take the port before the server starts."""
    for port in random.sample(range(15000, 32000), 100):
        try:
            return socket.create_server(("127.0.0.1", port))
        except OSError:
            continue
    raise RuntimeError("no free port")


@pytest.fixture(scope="session")
def weir():
    """An empty server for the whole run. With scope="function" each test would have its own."""
    with Weir() as server:
        yield server
