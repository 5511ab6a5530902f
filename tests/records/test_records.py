"""Arrays of structs, with implementations in C, in C++ and in Fortran, called from all of them."""

import json
import os

import pytest


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    """The folder with the test program."""
    return cmake_build(root / "tests" / "records", tmp_path_factory.mktemp("records"))


@pytest.fixture(autouse=True)
def types_twice(monkeypatch):
    """Callers in C and in C++ bring the tables of the same types, which is as it should be."""
    monkeypatch.setenv("ASAN_OPTIONS", f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0")


@pytest.fixture(scope="module")
def callers(programs):
    """The test programs: in C++ and C, and those in Fortran where they are built."""
    names = ("records_tests", "from_fortran", "from_old_code")
    return [programs / name for name in names if (programs / name).exists()]


def test_in_one_process(callers, run):
    for caller in callers:
        run([caller])


def test_nothing_leaks(callers, run_in_valgrind):
    for caller in callers:
        run_in_valgrind([caller])


def test_from_another_process(programs, callers, run, serve, protocol):
    languages = {"InC": "c", "InCxx": "cxx", "InFortran": "fortran"}
    libraries = {name: programs / f"libin_{each}.so" for name, each in languages.items()}
    exports = [f"rec.{name}={file}" for name, file in libraries.items() if file.exists()]
    exports.append(f"rec.Crate={programs}/librec.so")
    with serve(*exports, protocol=protocol) as url:
        for caller in callers:
            run([caller], env={**os.environ, "REC_SERVER": url})


def test_by_the_tool(programs, run, serve, stage):
    """Structs that contain arrays of each other, as JSON."""
    room = {"name": "behind", "doors": None}
    door = {"number": 7, "rooms": [room], "key": {"opens": [[room, room]]}}
    with serve(f"rec.InCxx={programs}/libin_cxx.so") as url:
        values = map(json.dumps, ([door], door, {"name": "first", "doors": [door]}))
        call = [stage / "bin" / "sidl", "call", url, "--create", "rec.InCxx", "house", *values]
        answer = json.loads(run(call).stdout)
    assert answer == {"result": [door], "out": {"o": door, "io": room}}
