"""The plugin for other test suites, copied into one as the README says."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

import weir as plugin

pytestmark = pytest.mark.feature("in a test suite of one's own")

HERE = pathlib.Path(__file__).parent


def run_suite(folder, **environment):
    """A suite with nothing but the plugin and the example of the README."""
    shutil.copy(HERE / "weir.py", folder)
    shutil.copy(HERE / "example.py", folder / "test_example.py")
    (folder / "conftest.py").write_text('pytest_plugins = ["weir"]\n')
    inherited = {key: value for key, value in os.environ.items() if key not in ("WEIR_BINARY", "CONFORMANCE_RESULTS")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(folder)],
        env={**inherited, **environment}, cwd=folder, capture_output=True, text=True, timeout=100)


def test_example_of_the_readme(tmp_path):
    suite = run_suite(tmp_path, WEIR_BINARY=str(plugin.BINARY))
    assert suite.returncode == 0, suite.stdout
    assert "1 passed" in suite.stdout


def test_says_what_it_lacks(tmp_path):
    suite = run_suite(tmp_path)
    assert suite.returncode == 1
    assert "set WEIR_BINARY, or run `make build` in the clone of Weir that has it" in suite.stdout


def test_starts_in_less_than_a_second():
    took = []
    for _ in range(3):
        start = time.monotonic()
        with plugin.Weir():
            took.append(time.monotonic() - start)
    assert min(took) < 1, "the shortest: a machine may have other things to do"


def test_a_failed_start_leaves_nothing_behind():
    server = plugin.Weir("receivers::langfuse::no_such_setting: 1")
    with pytest.raises(RuntimeError, match="no_such_setting"):
        server.__enter__()
    assert not pathlib.Path(server.data).exists()
    assert server.process is None
