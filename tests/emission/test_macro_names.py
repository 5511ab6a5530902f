"""Arguments and members may be called as macros of standard headers are: what is generated for them
compiles where these headers are included before it, with gcc and clang."""

import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

HEADERS = ["complex", "errno", "limits", "math", "signal", "stddef", "stdint", "stdio", "stdlib"]
BEFORE = "".join(f"#include <{name}.h>\n" for name in HEADERS) + "#define TRUE 1\n#define FALSE 0\n"
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
# GNU modes and those of the standards differ in what headers define.
KINDS = {".c": ("c11", "gnu11"), ".cxx": ("c++17", "gnu++17")}
COMPILERS = {("gcc", ".c"), ("clang", ".c"), ("g++", ".cxx"), ("clang++", ".cxx")}


@pytest.mark.parametrize(("compiler", "suffix"), sorted(COMPILERS))
@pytest.mark.parametrize("language", ["c", "c++", "fortran", "f77"])
def test_macros_as_names(language, compiler, suffix, root, tree, run_on_all, tmp_path):
    sources = sorted(tree("macros", language).glob(f"*{suffix}"))
    if not shutil.which(compiler) or not sources:
        pytest.skip(f"no {compiler} here, or nothing for it")
    before = tmp_path / "before.h"
    before.write_text(BEFORE)
    of_runtime = "c++" if language == "c++" else "c"
    folders = [tree("macros", language), tree("sidl", of_runtime)]
    folders += [root / "runtime" / each / "include" for each in ("cxx", "c")]
    folders += [tree("sidl", "c"), root / "runtime" / "fortran"]
    includes = ["-include", before, *(f"-I{folder}" for folder in folders)]
    for standard in KINDS[suffix]:
        run_on_all([compiler, f"-std={standard}", *FLAGS, *includes], sources)


def test_the_wire_has_names_as_they_are_in_sidl(tree):
    text = (tree("macros") / "macros_Simple_IOR.c").read_text()
    assert '{"I", ' in text and "offsetof(struct macros_Simple__data, I_)}" in text
    assert '"I_"' not in (tree("macros") / "macros_Uses_IOR.c").read_text()


def test_all_macros_are_known(root, stage, run):
    """sidlc's list has all macros that the compilers found here define in the headers that
    generated code is compiled with: else scripts/c_macros.py adds them. It is made on Debian 12;
    what other systems have besides is no fault."""
    folders = [stage / "include" / "shinar", Path(sysconfig.get_path("include"))]
    if javac := shutil.which("javac"):
        jni = Path(os.path.realpath(javac)).parent.parent / "include"
        folders += [jni, jni / "linux"]
    script = root / "scripts" / "c_macros.py"
    missing = run([sys.executable, script, "--missing", *folders]).stdout.split()
    system = platform.freedesktop_os_release()
    if missing and (system.get("ID"), system.get("VERSION_ID")) != ("debian", "12"):
        pytest.skip(f"scripts/c_macros.py would add what this system has: {' '.join(missing)}")
    assert missing == []


def test_names_stay_different(tree):
    """What gets a '_' is not called like another one that had it."""
    text = (tree("macros") / "macros_Uses_IOR.h").read_text().replace("\n", " ")
    assert "complex_," in text and "complex__," in text and "complex___," in text
