"""The same for C++: every generated file compiles alone, without a warning, as C++17 with gcc and
clang, and every header can be included alone and twice."""

import shutil

import pytest

STRICT = ["-fsyntax-only", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
TREES = ["kitchen_sink", "demo", "family", "values", "arrays"]


@pytest.fixture(params=["g++", "clang++"])
def compile_cxx(request, root, tree, run_on_all):
    """compile_cxx(name, sources): checks sources against the tree called `name`."""
    compiler = request.param
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")

    def check(name, sources):
        folders = [tree(name, "c++"), tree("sidl", "c++")]
        folders += [root / "runtime" / language / "include" for language in ("cxx", "c")]
        run_on_all([compiler, *STRICT, *(f"-I{folder}" for folder in folders)], sources)

    return check


@pytest.mark.parametrize("name", TREES)
def test_sources_compile(name, compile_cxx, tree):
    sources = sorted(tree(name, "c++").glob("*.cxx"))
    assert sources
    compile_cxx(name, sources)


@pytest.mark.parametrize("name", ["sidl", *TREES])
def test_headers_stand_alone(name, compile_cxx, tree, tmp_path):
    sources = []
    for header in sorted(tree(name, "c++").glob("*.hxx")):
        if name == "sidl" and ("_Impl" in header.name or "_rmi_" in header.name):
            continue  # sidl.rmi is included by all of them
        sources.append(tmp_path / f"{header.stem}.cpp")
        sources[-1].write_text(f'#include "{header.name}"\n' * 2)
    compile_cxx(name, sources)


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
