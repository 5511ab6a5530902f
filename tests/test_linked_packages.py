"""Libraries whose types others use: linked PRIVATE, PUBLIC and by way of an INTERFACE library, in
one project and installed, in C++ and in Python.

Every other test links them PUBLIC: the extension modules of a Python package, which are targets of
their own, had only what its library hands on.
"""

import os
import sys

import pytest

SHOP_SIDL = """
package shop version 1.0 {
  enum Kind { plain, fancy }
  struct Price { double value; string unit; }
  class SoldOut extends sidl.SIDLException {}
  interface Priced { Price price(in Kind kind) throws SoldOut; }
  class Till implements-all Priced { array<Till> others(); }
}
"""

MORE_SIDL = """
package {name} version 1.0 {{
  struct Both {{ shop.Price price; shop.Till till; }}
  class Worse extends shop.SoldOut {{}}
  interface Dear extends shop.Priced {{}}
  class Big extends shop.Till implements-all Dear {{
    shop.Price twice(in shop.Price price);
    Both both(in shop.Till till, in array<shop.Till> tills) throws shop.SoldOut;
  }}
}}
"""

HEAD = """
cmake_minimum_required(VERSION 3.25)
project({project} LANGUAGES C CXX)
find_package(Shinar REQUIRED)
"""

SHOP = """
sidl_add_library(shop_cxx LANGUAGE cxx SERVER SIDL {folder}/shop.sidl IMPL_DIR impl)
sidl_add_library(shop_py LANGUAGE python CLIENT SIDL {folder}/shop.sidl)
"""

# Packages by how they link the other one's library.
MORE = """
set(shop_sidl {shop_sidl})
add_library(between INTERFACE)
target_link_libraries(between INTERFACE {prefix}shop_py)
foreach(each IN ITEMS "closed PRIVATE {prefix}shop_py" "open PUBLIC {prefix}shop_py"
                      "far PRIVATE between")
  string(REPLACE " " ";" each "${{each}}")
  list(POP_FRONT each name)
  sidl_add_library(${{name}} LANGUAGE python SERVER SIDL ${{name}}.sidl INCLUDE ${{shop_sidl}}
                   IMPL_DIR impl_py)
  target_link_libraries(${{name}} ${{each}})
endforeach()
sidl_add_library(closed_cxx LANGUAGE cxx SERVER SIDL closed.sidl INCLUDE ${{shop_sidl}}
                 IMPL_DIR impl)
target_link_libraries(closed_cxx PRIVATE {prefix}shop_cxx)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE closed_cxx {prefix}shop_cxx)
"""

MAIN = r"""
#include <iostream>
#include <closed.hxx>
int main() {
  shop::Till till = closed::Big::_create();
  std::cout << till.isType("shop.Priced") << "\n";
}
"""

PROGRAM = """
import closed, far, open, shop
for package in (closed, far, open):
    assert issubclass(package.Big, shop.Till) and issubclass(package.Worse, shop.SoldOut)
    big = package.Big()
    try:
        big.twice(shop.Price(1.0, "EUR"))
    except Exception as error:
        print(error)
"""


@pytest.fixture(scope="module")
def project(stage, tmp_path_factory):
    """project(name, text): a folder with this CMakeLists.txt and all sources."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")

    def make(name, text):
        folder = tmp_path_factory.mktemp(name)
        (folder / "shop.sidl").write_text(SHOP_SIDL)
        for each in ("closed", "open", "far"):
            (folder / f"{each}.sidl").write_text(MORE_SIDL.format(name=each))
        (folder / "main.cpp").write_text(MAIN)
        (folder / "CMakeLists.txt").write_text(HEAD.format(project=name) + text)
        return folder

    return make


def check(build, paths, libraries, run):
    """The program in C++ and the packages in Python work."""
    assert run([build / "main"]).stdout == "1\n"
    found = {**os.environ, "PYTHONPATH": ":".join(map(str, paths)), "SIDL_DLL_PATH": str(libraries)}
    said = run([sys.executable, "-c", PROGRAM], env=found).stdout.splitlines()
    assert len(said) == 3
    assert all("twice" in line for line in said), said


PYTHON = f"-DPython3_EXECUTABLE={sys.executable}"


def test_in_one_project(project, stage, cmake_build, run):
    more = MORE.format(shop_sidl="shop.sidl", prefix="")
    source = project("one", SHOP.format(folder=".") + more)
    build = cmake_build(source, source / "build", PYTHON, unity=True)
    check(build, [build, stage / "lib" / "shinar" / "python"], build, run)


def test_an_installed_one(project, stage, cmake_build, run):
    lines = SHOP.format(folder=".") + "sidl_install(shop_cxx shop_py PACKAGE Shop)\n"
    shop = project("shop", lines)
    run(["cmake", "--install", cmake_build(shop, shop / "build", PYTHON), "--prefix", shop / "opt"])
    more = MORE.format(shop_sidl="${Shop_SIDL_DIR}/shop.sidl", prefix="Shop::")
    source = project("more", "find_package(Shop REQUIRED)\n" + more)
    (source / "shop.sidl").unlink()
    both = f"-DCMAKE_PREFIX_PATH={stage};{shop / 'opt'}"
    build = cmake_build(source, source / "build", PYTHON, both, unity=True)
    libraries = shop / "opt" / "lib"
    packages = [build, libraries / "Shop" / "python", stage / "lib" / "shinar" / "python"]
    check(build, packages, libraries, run)


@pytest.mark.parametrize(
    "links",
    [
        "target_link_libraries(open INTERFACE shop_py)",
        "add_library(between SHARED main.cpp)\n"
        "target_link_libraries(between PRIVATE shop_py)\n"
        "target_link_libraries(open PRIVATE between)",
    ],
    ids=["by INTERFACE", "by another one's PRIVATE"],
)
def test_headers_that_are_for_others(project, stage, run, links):
    """What is linked so that its headers are not there is said when CMake configures."""
    more = "sidl_add_library(open LANGUAGE python CLIENT SIDL open.sidl INCLUDE shop.sidl)\n"
    source = project("others", SHOP.format(folder=".") + more + links)
    command = ["cmake", "-S", source, "-B", source / "build", "-G", "Ninja", PYTHON]
    said = run([*command, f"-DCMAKE_PREFIX_PATH={stage}"], status=1).stderr
    assert "target_link_libraries(open PUBLIC shop_py)" in " ".join(said.split())
