"""Every example of docs/python.md is run.

The page's `sidl` block is the interface. Of its blocks in Python, those with splicer marks are the
Impl files' blocks, and each of the rest is a program.
"""

import os
import re
import sys

import pytest
from splicers import SPLICER, fill_in

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(tour LANGUAGES C CXX)
{example}
get_target_property(path tour SIDL_PYTHON_PATH)
file(WRITE ${{CMAKE_CURRENT_BINARY_DIR}}/path "${{path}}")
"""
RUNNER = """
import pathlib, sys
for path in sys.argv[1:]:
    exec(compile(pathlib.Path(path).read_text(), path, "exec"), {"__name__": "__main__"})
print("done")
"""


@pytest.fixture(scope="module")
def page(root, stage, sidlc, run, cmake_build, tmp_path_factory):
    """The examples of the page that are programs, and the folder of the project that it builds."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    text = (root / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
    of = {fence: [block for language, block in blocks if language == fence] for fence, _ in blocks}
    folder = tmp_path_factory.mktemp("tour")
    (folder / "tour.sidl").write_text(of["sidl"][0])
    (folder / "CMakeLists.txt").write_text(PROJECT.format(example=of["cmake"][0]))
    command = [sidlc, "--server=python", "-o", folder / "gen", "--impl-dir", folder / "impl"]
    run([*command, folder / "tour.sidl"])
    code = {name: body for block in of["python"] for name, body in SPLICER.findall(block)}
    known = [fill_in(path, code) for path in (folder / "impl").rglob("*_Impl.py")]
    assert set().union(*known) == set(code) and len(code) > 12
    cmake_build(folder, folder / "build", f"-DPython3_EXECUTABLE={sys.executable}")
    return [block for block in of["python"] if "splicer.begin" not in block], folder


def test_examples_run(page, run):
    examples, folder = page
    assert len(examples) > 7
    paths = []
    for number, block in enumerate(examples):
        paths.append(folder / f"example{number}.py")
        paths[-1].write_text(block)
    environment = {
        **os.environ,
        "PYTHONPATH": (folder / "build" / "path").read_text(),
        "PYTHONDEVMODE": "1",
        "SIDL_DLL_PATH": str(folder / "build"),
    }
    done = run([sys.executable, "-c", RUNNER, *paths], env=environment)
    assert (done.stdout, done.stderr) == ("done\n", "")
