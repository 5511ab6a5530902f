"""An array of 2^31 + 5 elements goes to another process, whole and in halves, is changed there in
place and made there, from every language to every language."""

import os
import sys
from pathlib import Path

import pytest

LANGUAGES = ["c", "cxx", "fortran", "python"]
CLASSES = {"c": "InC", "cxx": "InCxx", "fortran": "InFortran", "python": "InPython"}
NEEDED = 12 << 20  # KiB: both ends have one array, a method may have another
PAIRS = [("cxx", "fortran"), ("python", "c")]  # a longer run has all
if "SHINAR_SOAK" in os.environ:
    PAIRS = [(caller, callee) for caller in LANGUAGES for callee in LANGUAGES]

pytestmark = pytest.mark.xdist_group("huge")


def available():
    """Memory that could be had now, in KiB."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1])
    return 0


@pytest.fixture(scope="module")
def huge(root, cmake_build, stage, tmp_path_factory):
    """Where the libraries and the programs are."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(root / "tests" / "huge", tmp_path_factory.mktemp("huge"), *options)


@pytest.mark.parametrize(("caller", "callee"), PAIRS)
def test_the_last_element(caller, callee, huge, stage, run, serve, monkeypatch):
    if available() < NEEDED:
        pytest.skip("there is not enough memory")
    path = [(huge / "path").read_text(), str(stage / "lib/shinar/python")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    library = huge / f"libends_{callee}.so"
    programs = {"python": [sys.executable, Path(__file__).with_name("in_python.py")]}
    with serve(publish=[f"ends=huge.{CLASSES[callee]}={library}"]) as url:
        run([*programs.get(caller, [huge / f"in_{caller}"]), f"{url}/ends"])
