"""The C++ binding at work: a C++ implementation called from C++ and from C, in one process."""

import shutil
import subprocess

import pytest


@pytest.fixture(scope="module", params=["17", "20"])
def programs(request, root, cmake_build, tmp_path_factory):
    """The folder with the test programs, of one C++ standard, one of them not optimised."""
    folder = tmp_path_factory.mktemp(f"cxx{request.param}")
    source = root / "tests" / "cxx"
    kind = "Release" if request.param == "17" else "None"
    return cmake_build(
        source,
        folder,
        f"-DCXX_STANDARD={request.param}",
        f"-DCMAKE_BUILD_TYPE={kind}",
        unity=True,
        as_users_do=True,
    )


def test_binding(programs, run):
    run([programs / "cxx_tests"])


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_the_first_error_without_exceptions_says_so(build_dir, tmp_path, compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    source = tmp_path / "caller.cpp"
    source.write_text('#include "sidl.hxx"\nint main() {}\n')
    command = [
        compiler,
        "-fno-exceptions",
        "-fsyntax-only",
        "-I",
        build_dir / "stage" / "include" / "shinar",
    ]
    done = subprocess.run([*command, source], capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if " error: " in line]
    assert "compile without -fno-exceptions, or call from C" in errors[0], done.stderr


def test_nothing_leaks(programs, run_in_valgrind):
    run_in_valgrind([programs / "cxx_tests"])


def test_impl_files_are_up_to_date(root, run, sidlc, tmp_path):
    """sidlc would change nothing in the Impl files that are under version control."""
    folder = root / "tests" / "cxx"
    before = {path: path.read_text() for path in sorted((folder / "impl").iterdir())}
    copies = tmp_path / "impl"
    copies.mkdir()
    for path, text in before.items():
        (copies / path.name).write_text(text)
    run([sidlc, "--server=c++", "-o", tmp_path, "--impl-dir", copies, folder / "zoo.sidl"])
    assert {path: (copies / path.name).read_text() for path in before} == before
