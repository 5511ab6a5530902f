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


def includer(headers, source):
    """A source file that includes the headers and nothing else."""
    source.parent.mkdir(exist_ok=True)
    source.write_text("".join(f'#include "{header.name}"\n' for header in headers))
    return source


@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_sources_compile(name, compilers, tree, include_options, run_on_all):
    sources = sorted(tree(name).glob("*.c"))
    assert sources
    run_on_all([compilers[0], "-std=c11", *STRICT, *include_options(name)], sources)


@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_headers_stand_alone(name, compilers, tree, include_options, run_on_all, tmp_path):
    """What a header lacks does not depend on the compiler: gcc reads them one by one as C, clang as
    C++, and the other language all together."""
    headers = sorted(tree(name).glob("*.h"))
    alone = ".c" if compilers[0] == "gcc" else ".cpp"
    for compiler, suffix, standard in (
        (compilers[0], ".c", "-std=c11"),
        (compilers[1], ".cpp", "-std=c++17"),
    ):
        groups = [[header] for header in headers] if suffix == alone else [headers]
        folder = tmp_path / suffix[1:]
        sources = [includer(group, folder / f"{group[0].stem}{suffix}") for group in groups]
        run_on_all([compiler, standard, *STRICT, *include_options(name)], sources)
