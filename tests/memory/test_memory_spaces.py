"""Arrays elsewhere: in one process, and between processes by every protocol."""

import os

import pytest


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    """The folder with the test program."""
    return cmake_build(root / "tests" / "memory", tmp_path_factory.mktemp("memory"))


@pytest.fixture(scope="module")
def callers(programs):
    """The test programs: in C++, and in Fortran where that is built."""
    return [
        programs / name for name in ("memory_tests", "from_fortran") if (programs / name).exists()
    ]


def test_in_one_process(callers, run):
    for caller in callers:
        run([caller])


def test_nothing_leaks(callers, run_in_valgrind):
    for caller in callers:
        run_in_valgrind([caller])


def test_from_another_process(programs, callers, run, serve, protocol):
    libraries = {"InCxx": "libin_cxx.so", "InFortran": "libin_fortran.so"}
    exports = [
        f"fields.{name}={programs / file}"
        for name, file in libraries.items()
        if (programs / file).exists()
    ]
    with serve(*exports, protocol=protocol) as url:
        for caller in callers:
            run([caller], env={**os.environ, "FIELDS_SERVER": url})
