"""Big arrays land where they stay: no temporary of the size of an array is made at either end."""

import os
from pathlib import Path

import pytest

DOUBLES = 4 << 20
ARRAY = 8 * DOUBLES
LITTLE = ARRAY // 8

pytestmark = pytest.mark.skipif(
    "SHINAR_SANITIZED" in os.environ, reason="sanitizers have an allocator of their own"
)

# How many arrays each end needs in the course of a call: those that the method or its caller keep.
# Of a slice that a method gives back it has made the whole.
MODES = {
    "in": (0, 1),
    "in-slice": (0, 1),
    "in-rows": (0, 1),
    "in-raw": (0, 1),
    "one-way": (0, 1),
    "inout": (0, 1),
    "inout-slice": (0, 1),
    "inout-rows": (0, 1),
    "inout-raw": (0, 1),
    "result": (1, 1),
    "result-slice": (1, 2),
    "out": (1, 1),
}


@pytest.fixture(scope="module")
def bulk(root, cmake_build, tmp_path_factory):
    """Where the server's library and its clients are."""
    build = tmp_path_factory.mktemp("bulk")
    return cmake_build(root / "tests" / "protocols" / "bulk", build / "build")


@pytest.fixture(params=["cxx", "python"])
def command(request, bulk, stage, build_dir):
    """A client, but for its arguments, and what it wants in its environment."""
    if request.param != "python":
        return [bulk / f"in_{request.param}"], {}
    path = os.pathsep.join([(bulk / "path").read_text(), str(stage / "lib/shinar/python")])
    script = Path(__file__).parent / "bulk" / "in_python.py"
    return [build_dir / "venv" / "bin" / "python", script], {"PYTHONPATH": path}


@pytest.mark.parametrize("mode", MODES)
def test_no_array_is_made_twice(mode, command, bulk, server, run):
    """Bytes that both ends ask for in big pieces in the course of one call."""
    program, environment = command
    counted = {"LD_PRELOAD": str(bulk / "libbytes.so")}
    one = server("--export", f"bulk.Store={bulk}/libbulk_server.so", env=counted)
    arguments = [one.url, mode, DOUBLES]
    out = run([*program, *arguments], env={**os.environ, **environment, **counted}).stdout
    asked_for = [int(part) for part in out.split()]
    for end, bytes_, arrays in zip(("client", "server"), asked_for, MODES[mode]):
        assert arrays * ARRAY <= bytes_ < arrays * ARRAY + LITTLE, (end, bytes_ / ARRAY)
