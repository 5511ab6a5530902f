"""Exceptions of classes that a client has the types of, and no code: clients in every language."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "faults"


@pytest.fixture(scope="module")
def built(cmake_build, stage, tmp_path_factory):
    """The folder with the server's library and the clients."""
    for language in ("lib/shinar/python", "include/shinar/fortran"):
        if not (stage / language).exists():
            pytest.skip(f"built without {language}: a language is missing")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(HERE, tmp_path_factory.mktemp("faults"), *options)


def test_they_are_caught_by_their_types(built, protocol, start_server, run):
    server = start_server(protocol, "--export", f"faults.Solver={built}/libfaults_server.so")
    paths = os.pathsep.join([(built / "path").read_text(), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths}
    clients = [[built / f"catch_{language}"] for language in ("c", "cxx", "fortran", "f77")]
    clients.append([sys.executable, HERE / "catch.py"])
    for client in clients:
        done = run([*client, server.url], env=environment, status=None, timeout=60)
        assert (client[-1].name, done.stdout, done.stderr) == (client[-1].name, "ok\n", "")
