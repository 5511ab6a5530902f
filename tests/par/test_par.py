"""Arrays that are divided among ranks: sidl.par."""

import os
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
LANGUAGES = ["cxx", "fortran"]
SIZES = [(1, 1), (1, 4), (4, 1), (2, 3), (3, 2), (4, 3), (4, 4), (7, 5)]
DIVIDED = """\
[1..7, 1..4] in blocks of 2 x 4 on a grid of 2 x 1, 2 ranks
rank 0 has rows from 0 1
rank 1 has rows from 0 1 2
'piece' has 3 x 3 elements; the piece of rank 2 has 1 x 4
rank 0 has 0.1 0.2
rank 1 has 0.3 0.4
index 1 of rank 0 of 'target' is on no rank of 'source'
"""


@pytest.fixture(scope="module")
def built(cmake_build, tmp_path_factory):
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(HERE / "mxn", tmp_path_factory.mktemp("mxn"), *options, unity=True)


def test_against_counting(unit_tests, run):
    run([unit_tests("par_tests"), "--gtest_brief=1"])


def test_in_c(built, run_in_valgrind):
    assert run_in_valgrind([built / "divide_c"]).stdout == DIVIDED


def test_in_fortran(built, run):
    if not (built / "divide_fortran").exists():
        pytest.skip("no compiler for it here")
    assert run([built / "divide_fortran"]).stdout == DIVIDED


def test_in_java(stage, run):
    jar = stage / "lib" / "shinar" / "java" / "shinar.jar"
    if not jar.exists() or not shutil.which("java"):
        pytest.skip("built without a JDK")
    assert run(["java", "-cp", jar, HERE / "mxn" / "Divide.java"]).stdout == DIVIDED


@pytest.fixture
def exchange(built, run, start_server):
    """exchange(protocol, language, order, m, n, servers): arrays go there and back."""
    if not (built / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")

    def exchange_them(protocol, language, order, m, n, servers=1):
        library = built / f"libin_{language}.so"
        if not library.exists():
            pytest.skip("no compiler for it here")
        export = ["--export", f"mxn{language}.Field={library}"]
        urls = [start_server(protocol, "--drain", "0", *export).url for _ in range(servers)]
        command = [sys.executable, HERE / "cases" / "exchange.py", language, order, str(m), str(n)]
        environment = {**os.environ, "PYTHONPATH": (built / "path").read_text()}
        assert run([*command, *urls], env=environment).stdout == "all arrived\n"

    return exchange_them


@pytest.mark.parametrize("m, n", SIZES)
def test_numbers_of_ranks(m, n, exchange, protocols):
    exchange(protocols["simhandle"], "cxx", "columns" if m > n else "rows", m, n)


@pytest.mark.parametrize("language", LANGUAGES)
def test_between_programs(language, exchange, protocol):
    """Each rank there is a process."""
    exchange(protocol, language, "rows", 3, 2, servers=3)
