"""Arrays elsewhere: in one process, and between processes by every protocol."""

import os

import pytest


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    """The folder with the test program."""
    return cmake_build(root / "tests" / "memory", tmp_path_factory.mktemp("memory"))


def test_in_one_process(programs, run):
    run([programs / "memory_tests"])


def test_nothing_leaks(programs, run_in_valgrind):
    run_in_valgrind([programs / "memory_tests"])


def test_from_another_process(programs, run, serve, protocol):
    libraries = {"InCxx": "libin_cxx.so", "InFortran": "libin_fortran.so"}
    exports = [
        f"fields.{name}={programs / file}"
        for name, file in libraries.items()
        if (programs / file).exists()
    ]
    with serve(*exports, protocol=protocol) as url:
        env = {**os.environ, "FIELDS_SERVER": url}
        run([programs / "memory_tests"], env=env)
