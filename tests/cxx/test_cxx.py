"""The C++ binding at work: a C++ implementation called from C++ and from C, in one process."""

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
    )


def test_binding(programs, run):
    run([programs / "cxx_tests"])


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
