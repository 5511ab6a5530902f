"""A new user's first hour: the hello example, and a project of one's own."""

import os
import re
import shutil

import pytest


@pytest.fixture(scope="module")
def hello(root, cmake_build, tmp_path_factory):
    """The example, copied elsewhere: it needs nothing of the source tree."""
    source = tmp_path_factory.mktemp("hello") / "source"
    shutil.copytree(root / "examples" / "hello", source)
    return cmake_build(source, source.parent / "build", as_users_do=True)


def test_hello_in_process(hello, run):
    assert run([hello / "hello_from_c"]).stdout == "hello, C!\n"
    assert run([hello / "hello_from_cxx"]).stdout == "hello, C++!\n"


@pytest.mark.parametrize("client_kind", ["SHARED", "STATIC"])
def test_hello_in_one_file(root, cmake_build, run, tmp_path, client_kind):
    """Static libraries: nothing is dropped that is only found by name, nothing is there twice."""
    source = tmp_path / "source"
    shutil.copytree(root / "examples" / "hello", source)
    lines = source / "CMakeLists.txt"
    text = lines.read_text().replace("IMPL_DIR impl)", "IMPL_DIR impl STATIC)")
    lines.write_text(text.replace("SIDL hello.sidl)", f"SIDL hello.sidl {client_kind})"))
    build = cmake_build(source, tmp_path / "build", as_users_do=True)
    assert run([build / "hello_from_c"]).stdout == "hello, C!\n"
    assert run([build / "hello_from_cxx"]).stdout == "hello, C++!\n"


def test_hello_without_cmake(root, stage, run, tmp_path):
    """The Makefile: pkg-config, and sidlc's list of the files it writes."""
    source = tmp_path / "hello"
    shutil.copytree(root / "examples" / "hello", source)
    found = {**os.environ, "PKG_CONFIG_PATH": str(stage / "lib" / "pkgconfig")}
    done = run(["make", "-C", source], env=found)
    assert done.stderr == ""
    assert run([source / "hello_from_c"]).stdout == "hello, C!\n"
    assert run([source / "hello_from_cxx"]).stdout == "hello, C++!\n"
    assert "Nothing to be done" in run(["make", "-C", source], env=found).stdout
    run(["make", "-C", source, "clean"], env=found)
    assert not list(source.rglob("*.o"))
    lost = {**os.environ, "PKG_CONFIG_PATH": "", "PKG_CONFIG_LIBDIR": ""}
    assert "set PKG_CONFIG_PATH" in run(["make", "-C", source], env=lost, status=2).stderr


def test_hello_remote(hello, run, serve):
    with serve(f"hello.World={hello / 'libhello_impl.so'}") as url:
        assert run([hello / "hello_from_c", url]).stdout == "hello, C!\n"
        assert run([hello / "hello_from_cxx", url]).stdout == "hello, C++!\n"


def test_hello_without_a_server(hello, run):
    for client in ("hello_from_c", "hello_from_cxx"):
        done = run([hello / client, "simhandle://127.0.0.1:1"], status=1)
        assert "127.0.0.1" in done.stderr


@pytest.mark.parametrize(
    "impl, sidl_file, language",
    [
        ("plant/impl", "plant.sidl", "c++ --classes=plant.Mesh;plant.BadMesh"),
        ("plant/impl", "plant.sidl", "fortran --classes=plant.Kernel"),
        ("plant/impl", "plant.sidl", "python --classes=plant.Monitor"),
        ("plant/impl", "report.sidl", "c"),
        ("plant/colleague/impl", "finer.sidl", "c++ --include=../plant.sidl"),
        ("hello/impl", "hello.sidl", "c++"),
        ("heat/impl", "heat.sidl", "c++"),
        ("heat/impl_fortran", "heat.sidl", "fortran"),
        ("heat/impl_python", "heat.sidl", "python"),
        ("heat/impl_java", "heat.sidl", "java"),
        ("protocol-plugin/impl", "jsonsock.sidl", "c++"),
        ("protocol-plugin-python/impl", "pysock.sidl", "python"),
    ],
)
def test_impl_files_of_the_examples_are_up_to_date(
    root, run, sidlc, tmp_path, impl, sidl_file, language
):
    """Whoever builds an example finds its sources unchanged."""
    folder = root / "examples" / impl
    source = folder.parent / sidl_file
    copies = tmp_path / "impl"
    shutil.copytree(folder, copies, ignore=shutil.ignore_patterns("__pycache__"))
    language, *options = language.split()
    command = [sidlc, f"--server={language}", *options, "-o", tmp_path / "glue"]
    run([*command, "--impl-dir", copies, source], cwd=source.parent)
    for path in sorted(each for each in copies.rglob("*") if each.is_file()):
        before = folder / path.relative_to(copies)
        assert path.read_text() == before.read_text(), path.name


def test_readme_shows_the_example(root):
    """The README's hello is the one that is tested."""
    readme = (root / "README.md").read_text()
    blocks = re.findall(r"```[a-z+]*\n(.*?)```", readme, re.DOTALL)
    for name in ("hello.sidl", "client.c", "client.cpp", "CMakeLists.txt"):
        text = (root / "examples" / "hello" / name).read_text()
        assert any(text.strip() == block.strip() for block in blocks), f"{name} differs in README"


COUNTER_SIDL = """
package shop version 2.1 {
  enum Kind { plain, fancy }
  class SoldOut extends sidl.SIDLException {}
  interface Counted { int count(); }
  class Till implements-all Counted {
    static string motto();
    void sell(in Kind kind, in int pieces) throws SoldOut;
    void swap(inout int left, inout int right);
    array<double> prices(in double base);
  }
}
"""

COUNTER_CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(shop LANGUAGES C CXX)
find_package(Shinar REQUIRED)
sidl_add_library(till_{language} LANGUAGE {language} SERVER SIDL shop.sidl IMPL_DIR impl)
sidl_add_library(till_c_client LANGUAGE c SIDL shop.sidl)
sidl_add_library(till_cxx_client LANGUAGE cxx SIDL shop.sidl STATIC)
add_executable(from_c from_c.c)
target_link_libraries(from_c PRIVATE till_c_client)
add_executable(from_cxx from_cxx.cpp)
target_link_libraries(from_cxx PRIVATE till_cxx_client)
"""

FROM_C = r"""
#include <stdio.h>
#include "shop.h"
#include "sidl_Exception.h"

int main(int argc, char** argv) {
  sidl_BaseInterface _ex = NULL;
  int32_t left = 1, right = 2;
  struct sidl_double__array* prices = NULL;
  shop_Till till = argc > 1 ? shop_Till__createRemote(argv[1], &_ex) : shop_Till__create(&_ex);
  SIDL_CHECK(_ex);
  shop_Till_sell(till, shop_Kind_fancy, 2, &_ex); SIDL_CHECK(_ex);
  shop_Counted counted = shop_Counted__cast(till, &_ex); SIDL_CHECK(_ex);
  printf("count %d\n", (int)shop_Counted_count(counted, &_ex)); SIDL_CHECK(_ex);
  shop_Counted_deleteRef(counted, &_ex);
  shop_Till_swap(till, &left, &right, &_ex); SIDL_CHECK(_ex);
  printf("swapped %d %d\n", (int)left, (int)right);
  prices = shop_Till_prices(till, 0.5, &_ex); SIDL_CHECK(_ex);
  printf("prices %g %g\n", sidl_double__array_get1(prices, 0), sidl_double__array_get1(prices, 2));
  sidl_double__array_deleteRef(prices);
  shop_Till_sell(till, shop_Kind_plain, 1000, &_ex);
  printf("sold out: %s\n", SIDL_CATCH(_ex, "shop.SoldOut") ? "yes" : "no");
  SIDL_CLEAR(_ex);
  printf("remote: %s\n", shop_Till__isRemote(till, &_ex) ? "yes" : "no");
  shop_Till_deleteRef(till, &_ex);
  return 0;
EXIT:
  sidl_report_exception(_ex);
  return 1;
}
"""

FROM_CXX = r"""
#include <iostream>
#include "shop.hxx"

int main(int argc, char** argv) {
  try {
    shop::Till till = argc > 1 ? shop::Till::_create(argv[1]) : shop::Till::_create();
    till.sell(shop::Kind_fancy, 2);
    shop::Counted counted = till;
    std::cout << "count " << counted.count() << "\n";
    int32_t left = 1, right = 2;
    till.swap(left, right);
    std::cout << "swapped " << left << " " << right << "\n";
    sidl::array<double> prices = till.prices(0.5);
    std::cout << "prices " << prices.get(0) << " " << prices.get(2) << "\n";
    try {
      till.sell(shop::Kind_plain, 1000);
    } catch (const shop::SoldOut&) {
      std::cout << "sold out: yes\n";
    }
    std::cout << "remote: " << (till._isRemote() ? "yes" : "no") << "\n";
  } catch (const std::exception& error) {
    std::cout << "failed: " << error.what() << "\n";
    return 1;
  }
}
"""

# What a user writes between the splicer marks, by language and mark.
IMPL = {
    "c": {
        "motto": 'return sidl_String_strdup("cash only");',
        "sell": """
  if (pieces > 100) SIDL_THROW(*_ex, shop_SoldOut, "not that many");
  sold += pieces * (kind == shop_Kind_fancy ? 2 : 1);
EXIT:
  return;
""",
        "count": "return sold;",
        "swap": "const int32_t kept = *left; *left = *right; *right = kept;",
        "prices": """
  struct sidl_double__array* result = sidl_double__array_create1d(3);
  for (int32_t i = 0; i < 3; ++i) sidl_double__array_set1(result, i, base * i);
  return result;
""",
        "_includes": "#include <sidl_String.h>\n#include <shop_SoldOut.h>\n"
        "static int32_t sold = 0;",
    },
    "cxx": {
        "motto": 'return "cash only";',
        "sell": """
  if (pieces > 100) {
    shop::SoldOut refusal = shop::SoldOut::_create();
    refusal.setNote("not that many");
    throw refusal;
  }
  sold += pieces * (kind == shop::Kind_fancy ? 2 : 1);
""",
        "count": "return sold;",
        "swap": "std::swap(left, right);",
        "prices": """
  sidl::array<double> result = sidl::array<double>::create1d(3);
  for (int32_t i = 0; i < 3; ++i) result.set(i, base * i);
  return result;
""",
        "_includes": "#include <utility>\n#include <shop_SoldOut.hxx>\nstatic int32_t sold = 0;",
    },
}


def fill_in(path, blocks):
    """Replaces what sidlc left between splicer marks, as a user would with an editor."""
    text = path.read_text()
    for name, code in blocks.items():
        mark = rf"splicer\.%s\(shop\.Till\.{re.escape(name)}\)"
        pattern = re.compile(
            rf"({mark % 'begin'}[^\n]*\n)(.*?)([^\n]*{mark % 'end'})",
            re.DOTALL,
        )
        text, count = pattern.subn(lambda m, code=code: f"{m[1]}{code}\n{m[3]}", text)
        assert count == 1, f"{path.name} has no splicer block {name}:\n{text}"
    path.write_text(text)


@pytest.mark.parametrize("language", ["c", "cxx"])
def test_a_project_of_ones_own(language, cmake_build, run, serve, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "shop.sidl").write_text(COUNTER_SIDL)
    (source / "CMakeLists.txt").write_text(COUNTER_CMAKE.format(language=language))
    (source / "from_c.c").write_text(FROM_C)
    (source / "from_cxx.cpp").write_text(FROM_CXX)
    build = tmp_path / "build"
    cmake_build(source, build, as_users_do=True)  # the Impl is written, and builds as it is
    impl = source / "impl" / f"shop_Till_Impl.{language}"
    fill_in(impl, IMPL[language])
    edited = impl.read_text()
    run(["cmake", "--build", build])

    library = build / f"libtill_{language}.so"
    catalogue = build / f"till_{language}.scl"
    here = {**os.environ, "SIDL_DLL_PATH": str(catalogue)}
    expected = ["count 4", "swapped 2 1", "prices 0 1", "sold out: yes"]
    for client in ("from_c", "from_cxx"):
        local = run([build / client], env=here).stdout.splitlines()
        assert local == [*expected, "remote: no"]
    with serve(f"shop.Till={library}") as url:
        for nth, client in enumerate(("from_c", "from_cxx")):
            remote = run([build / client, url]).stdout.splitlines()
            assert remote == [f"count {4 * (nth + 1)}", *expected[1:], "remote: yes"]

    # Nothing to do the second time; and a changed .sidl is noticed, the user's code kept.
    assert "no work to do" in run(["cmake", "--build", build]).stdout
    sidl = source / "shop.sidl"
    sidl.write_text(sidl.read_text().replace("int count();", "int count(); long total();"))
    run(["cmake", "--build", build])
    again = impl.read_text()
    assert "total" in again
    for code in IMPL[language].values():
        assert code in again
    assert edited != again


REPOSITORY_CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(more LANGUAGES C CXX)
find_package(Shinar REQUIRED)
sidl_add_library(till LANGUAGE c SERVER SIDL shop.sidl IMPL_DIR impl)
sidl_add_library(bigger LANGUAGE cxx SERVER SIDL more.sidl REPOSITORY repository IMPL_DIR impl)
target_link_libraries(bigger PUBLIC till)
sidl_add_library(till_cxx LANGUAGE cxx SIDL shop.sidl)
target_link_libraries(bigger PUBLIC till_cxx)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE bigger)
"""

REPOSITORY_MAIN = r"""
#include <iostream>
#include "more.hxx"
int main() {
  shop::Till till = more::Bigger::_create();
  std::cout << till.isType("more.Bigger") << " " << more::Bigger::_create()._isLocal() << "\n";
}
"""


def test_a_package_without_its_text(sidlc, cmake_build, run, tmp_path):
    """A class extends one of a compiled package, and one in another language at that."""
    (tmp_path / "shop.sidl").write_text(COUNTER_SIDL)
    run([sidlc, "--emit=ir", "-o", tmp_path / "repository/shop.sidlir", tmp_path / "shop.sidl"])
    (tmp_path / "more.sidl").write_text(
        "require shop version 2.1;\n"
        "package more version 1.0 { class Bigger extends shop.Till { int twice(in int x); } }"
    )
    (tmp_path / "CMakeLists.txt").write_text(REPOSITORY_CMAKE)
    (tmp_path / "main.cpp").write_text(REPOSITORY_MAIN)
    build = cmake_build(tmp_path, tmp_path / "build", as_users_do=True)
    assert run([build / "main"]).stdout == "1 1\n"


def test_an_error_in_the_sidl_file_stops_the_build(stage, run, tmp_path):
    (tmp_path / "shop.sidl").write_text(
        "package shop version 1.0 { class Till { int f(in Nix x); } }"
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(shop LANGUAGES C CXX)\n"
        "find_package(Shinar REQUIRED)\nsidl_add_library(till LANGUAGE c SERVER SIDL shop.sidl)\n"
    )
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={stage}"]
    done = run(command, status=1)
    assert "Nix" in done.stderr
    assert "sidlc failed (1)" in done.stderr
    assert not list(tmp_path.glob("*_Impl.*"))
