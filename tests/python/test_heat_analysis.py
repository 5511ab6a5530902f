"""examples/heat/analysis.py: the heat server driven from Python, twice: remote and in process."""

import os
import re
import sys

import pytest


@pytest.fixture(scope="module")
def library(root, cmake_build, stage, tmp_path_factory):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    folder = tmp_path_factory.mktemp("heat")
    cmake_build(root / "examples" / "heat", folder, target="heat_impl", optimised=True)
    return folder / "libheat_impl.so"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def analyse(run, root, stage, cache, tmp_path, *options, **more):
    environment = {
        **os.environ,
        "PYTHONPATH": str(stage / "lib" / "shinar" / "python"),
        "SHINAR_CACHE": str(cache),
        "MPLCONFIGDIR": str(cache / "matplotlib"),
        **more,
    }
    script = root / "examples" / "heat" / "analysis.py"
    done = run([sys.executable, script, "--out", tmp_path, *options], env=environment)
    for name in ("convergence.png", "field.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    order = re.search(r"^order (\d\.\d+)$", done.stdout, re.MULTILINE)
    assert 1.9 < float(order[1]) < 2.1
    assert re.search(r"^refused: \S+", done.stdout, re.MULTILINE)


def test_with_a_server(run, root, stage, cache, library, serve, tmp_path):
    with serve(f"heat.Solver={library}") as url:
        analyse(run, root, stage, cache, tmp_path, "--url", url)


def test_in_process(run, root, stage, cache, library, tmp_path):
    analyse(run, root, stage, cache, tmp_path, SIDL_DLL_PATH=str(library.parent / "heat_impl.scl"))
