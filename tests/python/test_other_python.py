"""Another Python than the one that Shinar was built with: the message names both, and what to do.

All other tests have one Python. The second one is made up here, from the names of files and of
functions: no machine need have two.
"""

import os
import re
import shutil
import sys

import pytest

SIDL = "package odd version 1.0 { class Thing { int f(); } }"
LINES = """
cmake_minimum_required(VERSION 3.25)
project(odd LANGUAGES C CXX)
find_package(Shinar REQUIRED)
sidl_add_library(odd_py LANGUAGE python SERVER SIDL odd.sidl IMPL_DIR impl)
sidl_add_library(odd_c LANGUAGE c CLIENT SIDL odd.sidl)
add_executable(main main.c)
target_link_libraries(main PRIVATE odd_c dl)
"""
MAIN = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "odd.h"
#include "sidl_Exception.h"

int main(int argc, char** argv) {
  sidl_BaseInterface ex = NULL;
  if (argc > 2) {
    const int how = strcmp(argv[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
    if (dlopen(argv[2], RTLD_NOW | how) == NULL) return 2;
  }
  odd_Thing thing = odd_Thing__create(&ex);
  if (ex == NULL) odd_Thing_deleteRef(thing, &ex);
  if (ex == NULL) return 0;
  sidl_report_exception(ex);
  return 3;
}
"""


@pytest.fixture(scope="module")
def built(stage, cmake_build, tmp_path_factory):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    folder = tmp_path_factory.mktemp("other")
    (folder / "odd.sidl").write_text(SIDL)
    (folder / "main.c").write_text(MAIN)
    (folder / "CMakeLists.txt").write_text(LINES)
    return cmake_build(folder, folder / "build", f"-DPython3_EXECUTABLE={sys.executable}")


@pytest.fixture
def fake(run, tmp_path, root):
    """fake(is_whole): a libpython 3.99 that has all functions that are looked up, or only what says
    that it is there; whoever calls one of the others is aborted."""
    embed = (root / "runtime" / "python" / "embed.c").read_text()
    needed = set(re.findall(r"^  X\((\w+)\)", embed, re.MULTILINE)) - {"Py_IsInitialized"}
    assert "Py_InitializeFromConfig" in needed

    def make(is_whole):
        functions = needed if is_whole else []
        lines = ['const char* Py_GetVersion(void) { return "3.99.1 (a fake)"; }']
        lines += ["int Py_IsInitialized(void) { return 0; }", "void abort(void);"]
        lines += [f"void {each}(void) {{ abort(); }}" for each in functions]
        (tmp_path / "fake.c").write_text("\n".join(lines) + "\n")
        library = tmp_path / "libpython3.99.so.1.0"
        run(["cc", "-shared", "-fPIC", "-w", "-o", library, tmp_path / "fake.c"])
        return library

    return make


@pytest.fixture
def start(built, run):
    """start(*arguments): the program with a Python in it."""

    def start_it(*arguments, status=3, **environment):
        found = {**os.environ, "SIDL_DLL_PATH": str(built), **environment}
        return run([built / "main", *arguments], env=found, status=status, timeout=60).stderr

    return start_it


OURS = f"Shinar was built for Python {sys.version_info[0]}.{sys.version_info[1]} (libpython"


@pytest.mark.parametrize(
    "how, is_whole, problem",
    [
        ("global", False, "which has no function PyConfig_InitPythonConfig"),
        # Its structures are others: to start it is to write beyond them.
        ("global", True, "which has not been started"),
        # Extension modules of either would take the functions of whichever is global.
        ("local", True, "for itself (RTLD_LOCAL)"),
    ],
)
def test_a_program_with_another_python(start, fake, how, is_whole, problem):
    library = fake(is_whole)
    said = start(how, library)
    assert "this process has Python 3.99" in said
    assert f"({library}), {problem}" in said, said
    assert OURS in said


def test_a_shinar_python_that_is_not_there(start):
    said = start(SHINAR_PYTHON="/nowhere/python")
    assert "SHINAR_PYTHON does not name a program: /nowhere/python: No such file" in said


def test_a_shinar_python_of_no_environment(start, tmp_path):
    """A program that is no Python: what is found beside it has no NumPy."""
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.symlink_to("/bin/true")
    hide = tmp_path / "hide"
    hide.mkdir()
    hidden = "import sys; sys.path = [each for each in sys.path if 'packages' not in each]"
    (hide / "sitecustomize.py").write_text(hidden)
    path = os.pathsep.join([str(hide), os.environ.get("PYTHONPATH", "")])
    said = start(SHINAR_PYTHON=str(program), PYTHONPATH=path)
    assert "shinar needs NumPy" in said
    assert f"SHINAR_PYTHON (now it is set to {program}) names the python of an environment" in said


def other_name(folder, module):
    """Makes the extension module one of Python 3.99; its file."""
    (file,) = folder.glob(f"{module}.*.so")
    other = folder / f"{module}.cpython-399-x86_64-linux-gnu.so"
    file.rename(other)
    return other


@pytest.mark.parametrize("module", ["shinar._core", "odd._native"])
def test_a_package_for_another_python(built, stage, run, tmp_path, module):
    for source in (stage / "lib" / "shinar" / "python", built):
        for name in ("shinar", "sidl", "odd"):
            if (source / name).exists():
                shutil.copytree(source / name, tmp_path / name)
    top, name = module.split(".")
    file = other_name(tmp_path / top, name)
    libraries = f"{stage / 'lib'}:{built}"
    found = {**os.environ, "PYTHONPATH": str(tmp_path), "LD_LIBRARY_PATH": libraries}
    said = run([sys.executable, "-c", "import odd"], env=found, status=1).stderr
    assert f"{module} was built for Python 3.99 ({file}), and this process has Python" in said
    assert sys.version.split()[0] in said
    assert "Run it with Python 3.99, or build the package for this Python" in said
    assert "SHINAR_PYTHON" in said


def test_a_module_that_does_not_exist_at_all(stage, run, tmp_path):
    """Python's own message, where there is nothing to say about versions."""
    (tmp_path / "lone").mkdir()
    (tmp_path / "lone" / "__init__.py").touch()
    found = {**os.environ, "PYTHONPATH": f"{stage / 'lib/shinar/python'}:{tmp_path}"}
    command = [sys.executable, "-c", "import shinar, lone._native"]
    assert "No module named 'lone._native'" in run(command, env=found, status=1).stderr


def test_no_numpy(stage, run):
    found = {**os.environ, "PYTHONPATH": str(stage / "lib" / "shinar" / "python")}
    hidden = "import sys; sys.path = [each for each in sys.path if 'packages' not in each]"
    said = run([sys.executable, "-c", f"{hidden}; import shinar"], env=found, status=1).stderr
    assert f"shinar needs NumPy, and Python {sys.version.split()[0]} (" in said
    assert f"of {sys.prefix} has none" in said
