"""Arrays, raw arrays, structs and objects in every mode, with an implementation in C and one in
C++, called from both."""

import os

import pytest

IMPLS = {
    "in_c.sidl": ("impl_c", "c"),
    "in_cxx.sidl": ("impl_cxx", "c++"),
    "types.sidl": ("impl_item", "c++"),
}


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    """The folder with the test programs."""
    return cmake_build(
        root / "tests" / "types", tmp_path_factory.mktemp("types"), unity=True, optimised=True
    )


@pytest.fixture(autouse=True)
def types_twice(monkeypatch):
    """Callers in C and in C++ bring the tables of the same types, which is as it should be."""
    monkeypatch.setenv("ASAN_OPTIONS", f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0")


def test_every_type_in_every_mode(programs, run):
    run([programs / "types_tests"])


def test_nothing_leaks(programs, run_in_valgrind):
    run_in_valgrind([programs / "types_tests"])


def test_the_same_from_another_process(programs, run, serve, protocol):
    libraries = {"InC": "in_c", "InCxx": "in_cxx", "Item": "ty"}
    exports = [f"ty.{name}={programs}/lib{library}.so" for name, library in libraries.items()]
    with serve(*exports, protocol=protocol) as url:
        run([programs / "types_tests"], env={**os.environ, "TY_SERVER": url})


@pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)
def test_forks(programs, run, serve, protocol):
    """A child never frees what belongs to its parent's threads: that is no leak."""
    options = f"{os.environ['ASAN_OPTIONS']}:detect_leaks=0"
    with serve(f"ty.InC={programs}/libin_c.so", protocol=protocol) as url:
        environment = {**os.environ, "TY_SERVER": url, "ASAN_OPTIONS": options}
        run([programs / "forks"], env=environment, timeout=120)


@pytest.mark.parametrize("source", IMPLS)
def test_impl_files_are_up_to_date(source, root, run, sidlc, tmp_path):
    """sidlc would change nothing in the Impl files that are under version control."""
    impl_dir, language = IMPLS[source]
    folder = root / "tests" / "types"
    before = {path.name: path.read_text() for path in sorted((folder / impl_dir).iterdir())}
    copies = tmp_path / "impl"
    copies.mkdir()
    for name, text in before.items():
        (copies / name).write_text(text)
    command = [sidlc, f"--server={language}", "-o", tmp_path, "--impl-dir", copies]
    if source != "types.sidl":
        command += ["-I", folder / "types.sidl"]
    run([*command, folder / source])
    assert {name: (copies / name).read_text() for name in before} == before
