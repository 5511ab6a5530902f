"""The same for C++: every generated file compiles alone, without a warning, as C++17 with gcc and
clang, and every header can be included alone and twice."""

import re
import shutil

import pytest

STRICT = ["-fsyntax-only", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
TREES = ["kitchen_sink", "demo", "family", "values", "arrays"]


@pytest.fixture(params=["g++", "clang++"])
def compiler(request):
    if not shutil.which(request.param):
        pytest.skip(f"no {request.param} here")
    return request.param


@pytest.fixture
def command(compiler, root, tree):
    """command(name): how the tree called `name` is compiled."""

    def make(name):
        folders = [tree(name, "c++"), tree("sidl", "c++")]
        folders += [root / "runtime" / language / "include" for language in ("cxx", "c")]
        return [compiler, *STRICT, *(f"-I{folder}" for folder in folders)]

    return make


@pytest.fixture
def precompiled(compiler, root, run, tmp_path):
    """Options that spare a source the reading of the C++ standard library."""
    names = set()
    for header in (root / "runtime" / "cxx" / "include").glob("*.hxx"):
        names |= set(re.findall(r"^#include (<\w+>)$", header.read_text(), re.M))
    header = tmp_path / "standard.hxx"
    header.write_text("".join(f"#include {name}\n" for name in sorted(names - {"<span>"})))
    suffix = ".gch" if compiler == "g++" else ".pch"
    strict = [option for option in STRICT if option != "-fsyntax-only"]
    run([compiler, *strict, "-x", "c++-header", header, "-o", f"{header}{suffix}"])
    return ["-include", header]


@pytest.mark.parametrize("name", TREES)
def test_sources_compile(name, command, precompiled, tree, run_on_all):
    sources = sorted(tree(name, "c++").glob("*.cxx"))
    assert sources
    run_on_all([*command(name), *precompiled], sources)


@pytest.mark.parametrize("name", ["sidl", *TREES])
def test_headers_stand_alone(name, compiler, command, tree, tmp_path, run_on_all):
    """What a header lacks does not depend on the compiler: clang reads them one by one, gcc all
    together."""
    headers = [
        header
        for header in sorted(tree(name, "c++").glob("*.hxx"))
        # sidl.rmi is included by all the others of the standard library
        if name != "sidl" or ("_Impl" not in header.name and "_rmi_" not in header.name)
    ]
    groups = [[header] for header in headers] if compiler == "clang++" else [headers]
    sources = []
    for group in groups:
        sources.append(tmp_path / f"{group[0].stem}.cpp")
        sources[-1].write_text("".join(f'#include "{header.name}"\n' * 2 for header in group))
    run_on_all(command(name), sources)


def test_files_are_neat(tree):
    for path in sorted(tree("kitchen_sink", "c++").glob("*.?xx")):
        text = path.read_text()
        assert text.startswith(f"/*\n * {path.name}: "), path.name
        assert text.endswith("\n") and not text.endswith("\n\n"), path.name
        assert "\n\n\n" not in text and "\t" not in text, path.name
        for number, line in enumerate(text.splitlines(), 1):
            assert line == line.rstrip(), f"{path.name}:{number}"
            is_code = not line.lstrip().startswith(("/*", "*", "#", "//"))
            assert not is_code or len(line) <= 100, f"{path.name}:{number}: {line}"
