"""The first trace of the README, as a newcomer runs it: with keys and address in the environment."""

import os
import pathlib
import subprocess
import sys

import pytest

from support import MAJOR


@pytest.mark.feature("first trace of the README")
def test_first_trace(weir, read):
    environment = {
        **os.environ, "LANGFUSE_BASE_URL": weir.url, "LANGFUSE_PUBLIC_KEY": weir.public_key, "LANGFUSE_SECRET_KEY": weir.secret_key,
        "LANGFUSE_TRACING_ENVIRONMENT": f"first-{MAJOR}",
    }
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name("first_trace.py")], env=environment, check=True, timeout=60)
    row = read.observation(environment=f"first-{MAJOR}")
    assert (row.name, row.output) == ("answer", "42")
    assert "six by seven" in row.input
