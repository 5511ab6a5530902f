"""Every generated C file compiles alone, without a warning, with gcc and clang; every header can be
included alone, from C and from C++17."""

import shutil

import pytest

STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
TREES = ["sidl", "kitchen_sink", "demo", "family", "values", "arrays"]


@pytest.fixture(params=COMPILERS)
def compilers(request):
    """The C and the C++ compiler of one make."""
    pair = COMPILERS[request.param]
    if not all(shutil.which(name) for name in pair):
        pytest.skip(f"no {request.param} here")
    return pair


@pytest.fixture
def include_options(root, tree):
    def options(name):
        folders = [tree(name), tree("sidl"), root / "runtime" / "c" / "include"]
        return [f"-I{folder}" for folder in folders]

    return options


def includers(headers, folder, suffix):
    """One source file for each header, which includes it and nothing else."""
    folder.mkdir()
    for header in headers:
        source = folder / f"{header.stem}{suffix}"
        source.write_text(f'#include "{header.name}"\n')
        yield source


@pytest.mark.parametrize("name", TREES)
def test_sources_compile(name, compilers, tree, include_options, run_on_all):
    sources = sorted(tree(name).glob("*.c"))
    assert sources
    run_on_all([compilers[0], "-std=c11", *STRICT, *include_options(name)], sources)


@pytest.mark.parametrize("name", TREES)
def test_headers_stand_alone(name, compilers, tree, include_options, run_on_all, tmp_path):
    headers = sorted(tree(name).glob("*.h"))
    for compiler, suffix, standard in (
        (compilers[0], ".c", "-std=c11"),
        (compilers[1], ".cpp", "-std=c++17"),
    ):
        sources = includers(headers, tmp_path / suffix[1:], suffix)
        run_on_all([compiler, standard, *STRICT, *include_options(name)], sources)
