"""Libraries of one name in two folders, made from two versions of a package, in one process.

The dynamic linker takes the first library of a name for all who need one, without a word. Tables
have the layout in their names, so what does not fit is not there; that was reported as a missing
symbol.
Every library of the other tests of versions has a name of its own.
"""

import os
import shutil
import sys

import pytest

SHOP = """package shop version {version} {{
  struct Price {{ double value; string unit;{member} }}
  class Till {{{method} int count(in int n); Price price(); }}
}}
"""
VERSIONS = {
    "one": {"version": "1.0", "member": "", "method": ""},
    "two": {"version": "2.0", "member": " int year;", "method": " string name();"},
}
DESK = """package desk version 1.0 {
  class Clerk { shop.Price price(); shop.Till till(); }
}
"""
LINES = """
cmake_minimum_required(VERSION 3.25)
project(names LANGUAGES C CXX)
find_package(Shinar REQUIRED)
foreach(each IN ITEMS c cxx)
  sidl_add_library(shop_${each} LANGUAGE ${each} SERVER SIDL shop.sidl IMPL_DIR impl_${each})
  sidl_add_library(desk_${each} LANGUAGE ${each} SERVER SIDL desk.sidl INCLUDE shop.sidl
                   IMPL_DIR impl_${each})
  target_link_libraries(desk_${each} PUBLIC shop_${each})
  sidl_add_library(stubs_${each} LANGUAGE ${each} CLIENT STATIC SIDL desk.sidl INCLUDE shop.sidl)
  target_link_libraries(stubs_${each} PUBLIC shop_${each})
  add_executable(loads_${each} main.${each})
  target_link_libraries(loads_${each} PRIVATE stubs_${each})
  add_executable(links_${each} main.${each})
  target_link_libraries(links_${each} PRIVATE desk_${each})
endforeach()
if(WITH_PYTHON)
  sidl_add_library(shop_py LANGUAGE python CLIENT SIDL shop.sidl)
  sidl_add_library(desk_py LANGUAGE python CLIENT SIDL desk.sidl INCLUDE shop.sidl)
  target_link_libraries(desk_py PRIVATE shop_py)
endif()
"""
MAIN = {
    "c": r"""
#include <stdio.h>
#include "desk.h"
#include "shop.h"
#include "sidl_Exception.h"
int main(void) {
  sidl_BaseInterface ex = NULL;
  shop_Till till = shop_Till__create(&ex);
  desk_Clerk clerk = ex == NULL ? desk_Clerk__create(&ex) : NULL;
  if (ex != NULL) {
    sidl_report_exception(ex);
    return 1;
  }
  desk_Clerk_deleteRef(clerk, &ex);
  shop_Till_deleteRef(till, &ex);
  return 0;
}
""",
    "cxx": r"""
#include <iostream>
#include "desk.hxx"
#include "shop.hxx"
int main() {
  try {
    shop::Till till = shop::Till::_create();
    desk::Clerk clerk = desk::Clerk::_create();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
""",
}


@pytest.fixture(scope="module")
def built(stage, cmake_build, tmp_path_factory):
    """The folders of both builds."""
    has_python = (stage / "lib" / "shinar" / "python").exists()
    options = [f"-DPython3_EXECUTABLE={sys.executable}", f"-DWITH_PYTHON={int(has_python)}"]
    result = {}
    for name, words in VERSIONS.items():
        folder = tmp_path_factory.mktemp(name)
        (folder / "shop.sidl").write_text(SHOP.format(**words))
        (folder / "desk.sidl").write_text(DESK)
        (folder / "CMakeLists.txt").write_text(LINES)
        for language, text in MAIN.items():
            (folder / f"main.{language}").write_text(text)
        result[name] = cmake_build(folder, folder / "build", *options, unity=True)
    return result


def check(said, built, library, suffix):
    """Both libraries, what is there, and what to do are named."""
    here, there = (built[each] / f"libshop_{suffix}.so" for each in ("one", "two"))
    assert f"{library}: undefined symbol: shop_" in said, said
    assert f"It was linked with {there}, but this process has loaded {here} instead" in said
    assert f"package shop is here in version 1.0, of {here}" in said
    assert "Generate and compile all of them from the same SIDL files" in said
    assert "OUTPUT_NAME in CMake" in said
    assert "sidl serve" in said


@pytest.mark.parametrize("language", ["c", "cxx"])
def test_a_library_from_a_catalogue(built, run, language):
    program = built["one"] / f"loads_{language}"
    for version, status in (("one", 0), ("two", 1)):
        path = built[version] / f"desk_{language}.scl"
        said = run([program], env={**os.environ, "SIDL_DLL_PATH": str(path)}, status=status).stderr
    check(said, built, built["two"] / f"libdesk_{language}.so", language)


@pytest.mark.parametrize("language", ["c", "cxx"])
def test_a_library_that_is_linked(built, run, tmp_path, language):
    """The dynamic linker's own word, before any code has run: docs/breaking-changes.md has it."""
    shutil.copy(built["two"] / f"libdesk_{language}.so", tmp_path)
    program = built["one"] / f"links_{language}"
    assert run([program]).returncode == 0
    said = run([program], env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}, status=127).stderr
    assert f"symbol lookup error: {tmp_path}/libdesk_{language}.so: undefined symbol: shop_" in said


def test_a_server(built, run, stage):
    exports = [
        f"shop.Till={built['one'] / 'libshop_c.so'}",
        f"desk.Clerk={built['two'] / 'libdesk_c.so'}",
    ]
    command = [stage / "bin" / "sidl", "serve", "--listen", "simhandle://127.0.0.1:0"]
    said = run([*command, *(f"--export={each}" for each in exports)], status=1).stderr
    check(said, built, built["two"] / "libdesk_c.so", "c")


def test_python(built, run, stage, tmp_path):
    python = stage / "lib" / "shinar" / "python"
    if not python.exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    for version, package in (("one", "shop"), ("two", "desk")):
        shutil.copytree(built[version] / package, tmp_path / package)
    found = {**os.environ, "PYTHONPATH": f"{tmp_path}:{python}"}
    said = run([sys.executable, "-c", "import shop, desk"], env=found, status=1).stderr
    check(said, built, built["two"] / "libdesk_py.so", "py")
