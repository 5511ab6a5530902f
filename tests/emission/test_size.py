"""60 levels of classes and 60 interfaces of one class, from generated .sidl files: everything
compiles, every method can be called and every cast made, from C and from C++."""

import os
import re

import pytest

COUNT = 60  # of levels, and of interfaces
STEP = 4  # every fourth level has methods of its own, the others only inherit
IMPLEMENTED = range(0, COUNT, STEP)

CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(size_tests LANGUAGES C CXX)
find_package(Shinar REQUIRED)
add_compile_options(-Wall -Wextra -Wpedantic -Werror -O0 -g0)
set(CMAKE_CXX_STANDARD 17)
sidl_add_library(big_c LANGUAGE c CLIENT SIDL known.sidl made.sidl)
sidl_add_library(big_cxx LANGUAGE cxx CLIENT SIDL known.sidl made.sidl)
sidl_add_library(big LANGUAGE c SERVER SIDL made.sidl INCLUDE known.sidl)
target_link_libraries(big PUBLIC big_c)
add_executable(from_c from_c.c)
target_link_libraries(from_c PRIVATE big_c big)
add_executable(from_cxx from_cxx.cxx)
target_link_libraries(from_cxx PRIVATE Shinar::sidl_cxx big)
# The headers alone: the types' tables are in the libraries for C.
set_target_properties(big_cxx PROPERTIES EXCLUDE_FROM_ALL ON)
target_include_directories(from_cxx BEFORE PRIVATE $<TARGET_PROPERTY:big_cxx,SIDL_OUTPUT_DIR>)
"""

# Each macro argument is a level, or the number of an interface.
FROM_C = """
#include <stdio.h>
#include "big.h"
#include "sidl_BaseInterface.h"

static int failures;
static sidl_BaseInterface ex;

static void require(int condition, const char* what) {{
  if (!condition || ex) printf("%s\\n", what), ++failures;
}}

static void drop(void* object) {{
  if (object) sidl_BaseInterface_deleteRef(object, &ex);
}}

#define LEVEL(n, by) \\
  do {{ \\
    big_C##n view = big_C##n##__cast(deepest, &ex); \\
    require((void*)view == (void*)deepest, "cast C" #n); \\
    big_C##n other = big_C##n##__cast(wide, &ex); \\
    require(!other, "no C" #n); \\
    require(big_C##n##_depth(view, &ex) == {made}, "C" #n ".depth"); \\
    require(big_C##n##_m##by(view, 3, &ex) == 3 + by, "C" #n ".m" #by); \\
    require(sidl_BaseInterface_isType((sidl_BaseInterface)view, "big.C" #n, &ex), "is C" #n); \\
    drop(view); \\
  }} while (0)

#define INTERFACE(n, next) \\
  do {{ \\
    big_I##n view = big_I##n##__cast(wide, &ex); \\
    require(big_I##n##_i##n(view, 4, &ex) == 4 + n, "I" #n ".i" #n); \\
    require(big_Wide_i##n(wide, 4, &ex) == 4 + n, "Wide.i" #n); \\
    big_I##next other = big_I##next##__cast(view, &ex); \\
    require(big_I##next##_i##next(other, 4, &ex) == 4 + next, "I" #n " to I" #next); \\
    drop(other); \\
    drop(view); \\
  }} while (0)

int main(void) {{
  big_C{last} deepest = big_C{last}__create(&ex);
  big_Wide wide = big_Wide__create(&ex);
  {levels}
  {interfaces}
  require(((struct sidl_object*)deepest)->d_refcount == 1, "references");
  require(((struct sidl_object*)wide)->d_refcount == 1, "references");
  drop(deepest);
  drop(wide);
  return failures;
}}
"""

FROM_CXX = """
#include <cstdio>
#include "big_C{last}.hxx"
#include "big_Wide.hxx"

static int failures;

static void require(bool condition, const char* what) {{
  if (!condition) std::printf("%s\\n", what), ++failures;
}}

#define LEVEL(n, by) \\
  {{ \\
    const auto view = sidl::babel_cast<big::C##n>(base); \\
    require(view && view.isSame(deepest), "cast C" #n); \\
    require(view.depth() == {made} && view.m##by(3) == 3 + by, "C" #n); \\
    require(deepest.m##by(3) == 3 + by, "deepest.m" #by); \\
  }}

#define INTERFACE(n, next) \\
  {{ \\
    const big::I##n view = wide; \\
    require(view.i##n(4) == 4 + n && wide.i##n(4) == 4 + n, "I" #n); \\
    require(sidl::babel_cast<big::I##next>(view).i##next(4) == 4 + next, "I" #n " to I" #next); \\
  }}

int main() {{
  const big::C{last} deepest = big::C{last}::_create();
  const sidl::BaseClass base = deepest;
  const big::Wide wide = big::Wide::_create();
  {levels}
  {interfaces}
  return failures;
}}
"""


def sidl_files():
    """What only has stubs, and what is implemented."""
    known, made = [], []
    for n in range(COUNT):
        extends = f" extends C{n - 1}" if n else ""
        body = f"int depth(); int m{n}(in int a);" if n in IMPLEMENTED else ""
        (made if n in IMPLEMENTED else known).append(f"class C{n}{extends} {{ {body} }}")
        known.append(f"interface I{n} {{ int i{n}(in int a); }}")
    every = ", ".join(f"I{n}" for n in range(COUNT))
    made.append(f"class Wide implements-all {every} {{}}")
    package = "package big version 1.0 {{\n  {}\n}}\n"
    return package.format("\n  ".join(known)), package.format("\n  ".join(made))


def fill_in(file):
    """Implements the methods of one Impl file."""

    def body(match):
        number = re.search(r"\d*$", match[2])[0]
        code = f"return a + {number};"
        if match[2] == "depth":
            code = "return 1;" if match[1] == "C0" else "return 1 + super_depth(self, _ex);"
        return f"begin(big.{match[1]}.{match[2]}) */\n    (void)self;\n    {code}\n    /* DO"

    text = file.read_text()
    method = r"begin\(big\.(\w+)\.([a-z]\w*)\) \*/\n.*?/\* DO"
    file.write_text(re.sub(method, body, text, flags=re.S))


@pytest.fixture(scope="module")
def programs(cmake_build, run, sidlc, tmp_path_factory):
    """The folder with the programs."""
    folder = tmp_path_factory.mktemp("size")
    known, made = sidl_files()
    (folder / "known.sidl").write_text(known)
    (folder / "made.sidl").write_text(made)
    levels = "\n  ".join(f"LEVEL({n}, {n // STEP * STEP});" for n in range(COUNT))
    interfaces = "\n  ".join(f"INTERFACE({n}, {(n + 29) % COUNT});" for n in range(COUNT))
    words = {"levels": levels, "interfaces": interfaces, "last": COUNT - 1}
    words["made"] = len(IMPLEMENTED)
    (folder / "from_c.c").write_text(FROM_C.format(**words))
    (folder / "from_cxx.cxx").write_text(FROM_CXX.format(**words))
    (folder / "CMakeLists.txt").write_text(CMAKE)
    command = [sidlc, "--server=c", "-o", folder / "generated", "--impl-dir", folder]
    run([*command, "-I", folder / "known.sidl", folder / "made.sidl"])
    for file in folder.glob("*_Impl.c"):
        fill_in(file)
    return cmake_build(folder, folder / "build")


@pytest.mark.parametrize("client", ["from_c", "from_cxx"])
def test_everything_is_called_and_cast(client, programs, run, monkeypatch):
    options = f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0"  # tables are in two libraries
    monkeypatch.setenv("ASAN_OPTIONS", options)
    assert run([programs / client]).stdout == ""
