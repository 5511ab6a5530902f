"""One package whose classes are implemented in Python in several folders, and called from others.

Python has one package of a name; each library has a folder of its own. Whose extension module came
first had been everybody's: other classes ran than the library's, without a word."""

import os
import shutil
import sys

import pytest

SIDL = """package pair version 1.0 {
  class Node { string name(); }
  class Leaf extends Node { string name(); }
  package deep { class Twig { string name(); } }
}
"""
FOLDERS = {  # the classes that each library implements
    "first": ("python", "../pair.sidl", "pair.Node"),
    "second": ("python", "../pair.sidl", "pair.Leaf pair.deep.Twig"),
    "newer": ("python", "../newer/pair.sidl", "pair.Leaf"),
    "native": ("cxx", "../pair.sidl", "pair.Node pair.Leaf"),
}
BODIES = {
    "first/impl/pair/Node_Impl.py": 'return "node"',
    "second/impl/pair/Leaf_Impl.py": 'return "leaf of " + self.super.name()',
    "second/impl/pair/deep/Twig_Impl.py": 'return "twig"',
    "newer/impl/pair/Leaf_Impl.py": 'return "new leaf"',
}
CALLER = """
import sys, pair.deep
for name in sys.argv[1:]:
    made = eval(f"pair.{name}")
    try:
        print(name, made().name())
    except Exception as error:
        print(name, error)
"""


@pytest.fixture(scope="module")
def built(stage, cmake_build, tmp_path_factory):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    folder = tmp_path_factory.mktemp("folders")
    (folder / "pair.sidl").write_text(SIDL)
    lines = ["cmake_minimum_required(VERSION 3.20)", "project(folders LANGUAGES C CXX)"]
    lines += ["find_package(Shinar REQUIRED)"]
    for name, (language, sidl, classes) in FOLDERS.items():
        (folder / name).mkdir()
        (folder / name / "CMakeLists.txt").write_text(
            f"sidl_add_library({name} LANGUAGE {language} SERVER SIDL {sidl} IMPL_DIR impl\n"
            f"  CLASSES {classes})\n"
        )
        lines.append(f"add_subdirectory({name})")
    (folder / "newer" / "pair.sidl").write_text(
        SIDL.replace("string name(); }", "int age(); string name(); }", 1)
    )
    (folder / "callers").mkdir()
    (folder / "callers" / "CMakeLists.txt").write_text(
        "sidl_add_library(callers LANGUAGE python SIDL ../pair.sidl)\n"
    )
    lines.append("add_subdirectory(callers)\n")
    (folder / "CMakeLists.txt").write_text("\n".join(lines))
    cmake_build(folder, folder / "build", f"-DPython3_EXECUTABLE={sys.executable}", unity=True)
    for path, body in BODIES.items():
        text = (folder / path).read_text()
        begin = text.index(".name)\n", text.index("splicer.begin(pair")) + len(".name)\n")
        end = text.index("# DO-NOT-DELETE splicer.end", begin)
        (folder / path).write_text(f"{text[:begin]}        {body}\n        {text[end:]}")
    return folder / "build"


@pytest.fixture
def call(built, stage, run):
    """call(libraries, classes, packages): what a Python program gets from them, whose package is
    that of the folder."""

    def call_them(libraries, classes, package="callers"):
        python = [built / package, stage / "lib" / "shinar" / "python"]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, python)),
            "SIDL_DLL_PATH": ";".join(str(built / name) for name in libraries),
        }
        done = run([sys.executable, "-c", CALLER, *classes], env=environment)
        return dict(line.split(" ", 1) for line in done.stdout.splitlines()), done.stderr

    return call_them


WORDS = {"Node": "node", "Leaf": "leaf of node", "deep.Twig": "twig"}


@pytest.mark.parametrize("package", ["callers", "first", "second"])
@pytest.mark.parametrize("classes", [["Node", "Leaf", "deep.Twig"], ["deep.Twig", "Leaf", "Node"]])
def test_each_library_has_its_own(call, package, classes):
    expected = {name: WORDS[name] for name in classes}
    assert call(["first", "second"], classes, package) == (expected, "")


@pytest.fixture
def serve_and_call(built, start_server, run, stage, monkeypatch):
    """What name() of a class answers in a server of these libraries. An interpreter
    is started in it, and what comes first is the package, or what PYTHONPATH has."""

    def serve_and_call_it(protocol, folders, exports, name, package=""):
        python = [stage / "lib" / "shinar" / "python", *([built / package] if package else [])]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, python)))
        monkeypatch.setenv("SIDL_DLL_PATH", ";".join(str(built / each) for each in folders))
        server = start_server(protocol, *(part for each in exports for part in ("--export", each)))
        command = [stage / "bin" / "sidl", "call", "--compact", "--create", name]
        done = run([*command, server.url, "name"], status=None)
        server.stop()
        return done.stdout + done.stderr

    return serve_and_call_it


@pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)
@pytest.mark.parametrize("exports", [["pair.Node", "pair.Leaf"], ["pair.Leaf", "pair.Node"]])
def test_by_a_server(protocol, built, serve_and_call, exports):
    library = {"pair.Node": "first/libfirst.so", "pair.Leaf": "second/libsecond.so"}
    named = [f"{each}={built / library[each]}" for each in exports]
    for name in exports:
        expected = f'{{"result":"{WORDS[name.removeprefix("pair.")]}"}}\n'
        assert serve_and_call(protocol, ["first", "second"], exports, name) == expected
        assert serve_and_call(protocol, [], named, name) == expected


@pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)
def test_two_implementations_of_a_class(protocol, built, serve_and_call):
    """One Python module of a name: the other one is refused, with both folders' names."""
    other = built / "other"
    shutil.copytree(built / "second", other)
    leaf = other / "pair" / "Leaf_Impl.py"
    leaf.write_text(leaf.read_text().replace("leaf of", "another leaf of"))
    folders, exports = ["first", "other"], ["pair.Node", "pair.Leaf"]
    answer = serve_and_call(protocol, folders, exports, "pair.Leaf")
    assert answer == '{"result":"another leaf of node"}\n'
    answer = serve_and_call(protocol, folders, exports, "pair.Leaf", package="second")
    assert f"is implemented in {other}/pair and in {built}/second/pair" in answer


@pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)
def test_an_implementation_in_another_language(protocol, serve_and_call):
    """A catalogue lists Leaf in C++ before Leaf in Python, which the server has by then: what is
    super is the parent of the object's own class. Callers' tables led to that of the other."""
    folders, exports = ["first", "native", "second"], ["pair.deep.Twig", "pair.Leaf"]
    answer = serve_and_call(protocol, folders, exports, "pair.Leaf", package="callers")
    assert answer == '{"result":"leaf of node"}\n'


def test_an_implementation_of_another_version(built, call):
    words, errors = call(["first", "newer"], ["Node", "Leaf"])
    assert "could not be loaded" in words.pop("Leaf")
    assert f"{built}/newer/pair/_server" in errors
    assert "generated from different SIDL files" in errors
    assert words == {"Node": "node"}


def test_modules_that_implementations_import(built, call):
    """Those of the two folders must not be mistaken for each other."""
    helpers = [built / folder / "pair" / "deep" / "helpers.py" for folder in ("first", "second")]
    helpers[0].parent.mkdir(exist_ok=True)
    for each in helpers:
        each.write_text("NAME = 'the same'")
    assert call(["first", "second"], ["Leaf"], "first")[0] == {"Leaf": WORDS["Leaf"]}
    helpers[1].write_text("NAME = 'another'")
    words, _ = call(["first", "second"], ["Leaf"], "first")
    assert f"{helpers[1]} and {helpers[0]} differ" in words["Leaf"]
    for each in helpers:
        each.unlink()


def test_callers_without_an_implementation(built, call):
    """The library is there, and the folder beside it is not."""
    (built / "bare").mkdir()
    for name in "first.scl", "libfirst.so":
        shutil.copy(built / "first" / name, built / "bare")
    words, errors = call(["bare"], ["Node"])
    assert "could not be loaded" in words["Node"]
    assert f"{built}/callers/pair has what callers of package pair need, but no classes" in errors


def test_a_module_of_python_is_found_first(stage, run):
    """What a package called so is to the host of its classes."""
    text = "import shinar._embedded\nshinar._embedded.server('math', '/x')"
    path = {**os.environ, "PYTHONPATH": str(stage / "lib" / "shinar" / "python")}
    done = run([sys.executable, "-c", text], env=path, status=1)
    assert "Python has a module math of its own" in done.stderr
    assert "the package math of a library in /x: give the package another name" in done.stderr
