"""Users' projects built with sanitizers as docs/guide.md says, on an installed Shinar without them.

The tests of Shinar's own builds with sanitizers have all of it built so, without clang's check of
functions, and each package in one library of the program.
"""

import os
import shutil
import subprocess

import pytest

SHOP = """package shop version 1.0 {
  struct Price { double value; string unit; }
  class SoldOut extends sidl.SIDLException {}
  interface Named { string name(); }
  class Till implements-all Named {
    int count(in int n);
    Price price(in Price old, inout array<double> list);
    static int one();
    Till twin(in Named other);
  }
}
"""
MORE = """package more version 1.0 {
  class Big extends shop.Till { void f() throws shop.SoldOut; }
}
"""
LINES = """
cmake_minimum_required(VERSION 3.25)
project(checked LANGUAGES C CXX)
find_package(Shinar REQUIRED)
foreach(each IN ITEMS c cxx)
  sidl_add_library(shop_${each} LANGUAGE ${each} SERVER SIDL shop.sidl IMPL_DIR impl_${each})
  sidl_add_library(more_${each} LANGUAGE ${each} SERVER SIDL more.sidl INCLUDE shop.sidl
                   IMPL_DIR impl_${each})
  target_link_libraries(more_${each} PUBLIC shop_${each})
  # The same tables in a library more, and callers in one language of classes in the other.
  sidl_add_library(client_${each} LANGUAGE ${each} CLIENT SIDL shop.sidl more.sidl)
  add_executable(main_${each} main.${each})
endforeach()
target_link_libraries(main_c PRIVATE client_c more_cxx)
target_link_libraries(main_cxx PRIVATE client_cxx more_c)
"""
MAIN = {
    "c": r"""
#include <stdio.h>
#include "more.h"
#include "shop.h"
#include "sidl_Exception.h"
#define CALL(what) do { what; if (ex != NULL) { ++thrown; SIDL_CLEAR(ex); } } while (0)
int main(int argc, char** argv) {
  sidl_BaseInterface ex = NULL;
  int thrown = 0;
  more_Big big = argc > 1 ? more_Big__createRemote(argv[1], &ex) : more_Big__create(&ex);
  if (ex != NULL) return 1;
  shop_Named named = shop_Named__cast(big, &ex);
  CALL(more_Big_count(big, 1, &ex));
  CALL(more_Big_f(big, &ex));
  CALL(shop_Named_name(named, &ex));
  CALL(shop_Till_one(&ex));
  CALL(more_Big_twin(big, named, &ex));
  shop_Named_deleteRef(named, &ex);
  more_Big_deleteRef(big, &ex);
  printf("%d\n", thrown);
  return 0;
}
""",
    "cxx": r"""
#include <iostream>
#include "more.hxx"
#include "shop.hxx"
int thrown = 0;
template <class Call> void call(Call what) {
  try { what(); } catch (const std::exception&) { ++thrown; }
}
int main(int argc, char** argv) {
  more::Big big = argc > 1 ? more::Big::_create(argv[1]) : more::Big::_create();
  shop::Named named = big;
  call([&] { big.count(1); });
  call([&] { big.f(); });
  call([&] { named.name(); });
  call([&] { shop::Till::one(); });
  call([&] { big.twin(named); });
  std::cout << thrown << std::endl;
}
""",
}
FLAGS = {
    "gcc": "-fsanitize=address,undefined",
    "clang": "-fsanitize=address,undefined,function",  # the last is in C since clang 17
}


@pytest.fixture(scope="module", params=["gcc", "clang"])
def checked(request, stage, cmake_build, tmp_path_factory):
    """The compiler, and the folder of its build."""
    if os.environ.get("SHINAR_SANITIZED"):
        pytest.skip("the sanitizers are already in all that is tested")
    if not shutil.which(request.param):
        pytest.skip(f"no {request.param} here")
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "shop.sidl").write_text(SHOP)
    (folder / "more.sidl").write_text(MORE)
    (folder / "CMakeLists.txt").write_text(LINES)
    for language, text in MAIN.items():
        (folder / f"main.{language}").write_text(text)
    flags = f"{FLAGS[request.param]} -fno-sanitize-recover=all -g1"
    options = [f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}"]
    if request.param == "clang":
        options += ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"]
        options += ["-DCMAKE_EXE_LINKER_FLAGS=-fsanitize-link-c++-runtime -lstdc++"]
    return request.param, cmake_build(
        folder, folder / "build", *options, unity=True, as_users_do=True
    )


@pytest.mark.parametrize("language", ["c", "cxx"])
def test_nothing_is_reported(checked, run, language):
    found = {**os.environ, "ASAN_OPTIONS": "detect_odr_violation=2"}
    done = run([checked[1] / f"main_{language}"], env=found)
    assert (done.stdout, done.stderr) == ("5\n", "")


@pytest.mark.parametrize("language", ["c", "cxx"])
def test_a_server(checked, run, serve, monkeypatch, language):
    """`sidl serve` was built without sanitizers."""
    compiler, build = checked
    if compiler == "clang":
        pytest.skip("clang's runtime is in programs")
    command = ["gcc", "-print-file-name=libasan.so"]
    runtime = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    monkeypatch.setenv("LD_PRELOAD", runtime)
    with serve(f"more.Big={build / f'libmore_{language}.so'}") as url:
        done = run([build / f"main_{language}", url])
    assert (done.stdout, done.stderr) == ("5\n", "")
