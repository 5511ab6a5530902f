"""An array of 2^31 + 5 elements goes to another process, whole and in halves, is changed there in
place and made there, from every language to every language."""

import os
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CLASSES = {
    "c": "InC",
    "cxx": "InCxx",
    "fortran": "InFortran",
    "python": "InPython",
    "java": "InJava",
}
CALLERS = [*CLASSES, "f77"]
NEEDED = 12 << 20  # KiB: both ends have one array, a method may have another
PAIRS = [("java", "cxx"), ("python", "java"), ("f77", "fortran")]
if "SHINAR_SOAK" in os.environ:  # all of them
    PAIRS = [(caller, callee) for caller in CALLERS for callee in CLASSES]

pytestmark = pytest.mark.xdist_group("huge")


def available():
    """Memory that could be had now, in KiB."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1])
    return 0


@pytest.fixture(scope="module")
def has_java(stage):
    return (stage / "lib" / "shinar" / "java").exists() and shutil.which("java") is not None


@pytest.fixture(scope="module")
def huge(cmake_build, stage, has_java, tmp_path_factory):
    """Where the libraries and the programs are."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    options = [f"-DPython3_EXECUTABLE={sys.executable}", f"-DJAVA={'ON' if has_java else 'OFF'}"]
    return cmake_build(HERE, tmp_path_factory.mktemp("huge"), *options)


def java(huge, stage):
    """The command of the program in Java."""
    jars = [huge / "huge_java.jar", stage / "lib" / "shinar" / "java" / "shinar.jar"]
    options = ["--enable-native-access=ALL-UNNAMED", "-cp", ":".join(map(str, jars))]
    return ["java", *options, HERE / "InJava.java"]


@pytest.mark.parametrize(("caller", "callee"), PAIRS)
def test_the_last_element(caller, callee, has_java, huge, stage, run, serve, monkeypatch):
    if available() < NEEDED:
        pytest.skip("there is not enough memory")
    if "java" in (caller, callee) and not has_java:
        pytest.skip("built without a JDK")
    path = [(huge / "path").read_text(), str(stage / "lib/shinar/python")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    library = huge / f"libends_{callee}.so"
    if callee == "java":
        monkeypatch.setenv("SIDL_CLASS_PATH", (huge / "classpath").read_text())
    python = [sys.executable, HERE / "in_python.py"]
    programs = {"python": python, "java": java(huge, stage)}
    with serve(publish=[f"ends=huge.{CLASSES[callee]}={library}"]) as url:
        run([*programs.get(caller, [huge / f"in_{caller}"]), f"{url}/ends"])
