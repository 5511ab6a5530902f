"""`pip install .`, of Shinar's own packages and of a user's, with classes implemented in Python:
nothing comes over the network."""

import os
import re
import shutil
import sys

import pytest
from splicers import SPLICER, fill_in

PROGRAM = """
import shinar, sidl.rmi, tour
assert shinar.__file__.startswith(__import__("sys").argv[1])
assert tour.Range(1.0, 2.0).high == 2.0 and issubclass(tour.Square, tour.Shape)
try:
    tour.Square.create("simhandle://127.0.0.1:1")
except sidl.rmi.NetworkException as error:
    print("refused")
tile = tour.Tile()
tile.setEdge(2.0)
print(tile.name(), tile.area())
"""


@pytest.fixture
def install(run, stage, tmp_path):
    """install(source): installs a project; gives the folder that belongs on Python's path."""
    pytest.importorskip("scikit_build_core")
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    environment = {
        **os.environ,
        "CMAKE_PREFIX_PATH": str(stage),
        "SKBUILD_CMAKE_BUILD_TYPE": "None",
    }
    if shutil.which("ccache"):
        environment |= {f"CMAKE_{each}_COMPILER_LAUNCHER": "ccache" for each in ("C", "CXX")}

    def pip_install(source):
        target = tmp_path / "site"
        options = ["--no-build-isolation", "--no-deps", "--no-index", "--target", target]
        run([sys.executable, "-m", "pip", "install", *options, source], env=environment)
        return target

    return pip_install


def test_wheels(install, root, run, sidlc, tmp_path):
    text = (root / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
    of = {language: block for language, block in blocks}  # the last of each
    folder = tmp_path / "tour"
    folder.mkdir()
    (folder / "tour.sidl").write_text(of["sidl"])
    (folder / "pyproject.toml").write_text(of["toml"])
    # The page's project is that of callers; with these words it is one of implementations, too.
    project = of["cmake"].replace("CLIENT", "SERVER IMPL_DIR impl")
    (folder / "CMakeLists.txt").write_text(project)
    command = [sidlc, "--server=python", "-o", tmp_path / "glue", "--impl-dir", folder / "impl"]
    run([*command, folder / "tour.sidl"])
    code = dict(SPLICER.findall(text))
    assert set().union(*(fill_in(each, code) for each in folder.rglob("*_Impl.py"))) == set(code)
    site = install(root)
    assert install(folder) == site
    shutil.rmtree(folder)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = run([sys.executable, "-c", PROGRAM, site], env=environment, cwd=tmp_path)
    assert done.stdout == "refused\na tile, a square 4.0\n"
