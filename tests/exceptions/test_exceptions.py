"""Data of exceptions whose SIDL declares neither packObj nor unpackObj: their Impl files have both,
and what these pack arrives."""

import os
import shutil

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")
LANGUAGES = ["c", "cxx", "fortran", "bare"]
PACKED = ["ovenc.Overheated: C, 451.5", "ovencxx.Overheated: C++, 451.5"]
PACKED += ["ovenfortran.Overheated: Fortran, 451.5"]


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    return cmake_build(root / "tests" / "exceptions", tmp_path_factory.mktemp("exceptions"))


@pytest.fixture(autouse=True)
def environment(programs, monkeypatch):
    """Libraries of several languages have tables of the same types."""
    monkeypatch.setenv("ASAN_OPTIONS", f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0")
    monkeypatch.setenv("SIDL_DLL_PATH", str(programs))


def test_in_one_process(programs, run):
    said = run([programs / "client", *LANGUAGES]).stdout.splitlines()
    assert said == [*PACKED, "ovencxx.Bare: bare, 451.5"]


def test_from_another_process(programs, run, serve):
    """What is packed by hand arrives, and of the others the note, as ever."""
    with serve(f"oven.Oven={programs}/libovens.so") as url:
        said = run([programs / "client", url, *LANGUAGES]).stdout.splitlines()
    assert said == [*PACKED, "ovencxx.Bare: bare, 0"]
