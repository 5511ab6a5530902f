"""The same for C++: every generated file compiles alone, without a warning, as C++17 with gcc and
clang, and every header can be included alone and twice."""

import re
import shutil

import pytest

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
STRICT = ["-fsyntax-only", "-std=c++17", *WARNINGS]
TREES = ["kitchen_sink", "demo", "family", "values", "arrays"]
COMMON = "sidl_cxx.hxx"


@pytest.fixture(params=["g++", "clang++"])
def compiler(request):
    if not shutil.which(request.param):
        pytest.skip(f"no {request.param} here")
    return request.param


@pytest.fixture
def folders(root, tree):
    """folders(name): where the files of the tree called `name` and what they include are."""
    runtime = [root / "runtime" / language / "include" for language in ("cxx", "c")]
    return lambda name: [tree(name, "c++"), tree("sidl", "c++"), *runtime]


@pytest.fixture
def command(compiler, folders):
    """command(name): how the tree called `name` is compiled."""
    return lambda name: [compiler, *STRICT, *(f"-I{folder}" for folder in folders(name))]


@pytest.fixture(scope="session")
def precompile(root, tree, run, tmp_path_factory):
    """precompile(compiler): options that spare a file the reading of sidl_cxx.hxx, and with it of
    the C++ standard library."""
    made = {}

    def make(compiler):
        if compiler not in made:
            header = tmp_path_factory.mktemp("precompiled") / "common.hxx"
            header.write_text(f'#include "{COMMON}"\n')
            suffix = ".gch" if compiler == "g++" else ".pch"
            strict = [option for option in STRICT if option != "-fsyntax-only"]
            folders = [tree("sidl", "c++")]
            folders += [root / "runtime" / language / "include" for language in ("cxx", "c")]
            include = [f"-I{folder}" for folder in folders]
            run(
                [compiler, *strict, *include, "-x", "c++-header", header, "-o", f"{header}{suffix}"]
            )
            made[compiler] = ["-include", header]
        return made[compiler]

    return make


def includes_common(file, folders, seen):
    """Whether a file includes COMMON, itself or by what it includes: only then it cannot lack what
    COMMON brings. (`seen` has the names that were looked at.)"""
    for name in re.findall(r'^#include "(.+)"$', file.read_text(), re.M):
        if name == COMMON:
            return True
        found = next((folder / name for folder in folders if (folder / name).exists()), None)
        if found and name not in seen:
            seen.add(name)
            if includes_common(found, folders, seen):
                return True
    return False


@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_sources_compile(name, compiler, command, precompile, folders, tree, run_on_all):
    sources = sorted(tree(name, "c++").glob("*.cxx"))
    assert sources
    assert all(includes_common(source, folders(name), set()) for source in sources)
    run_on_all([*command(name), *precompile(compiler)], sources)


@pytest.mark.parametrize("name", ["sidl", *TREES, "long_names"])
def test_headers_stand_alone(
    name, compiler, command, precompile, folders, tree, tmp_path, run_on_all
):
    """What a header lacks does not depend on the compiler: clang reads them one by one, gcc all
    together."""
    headers = [
        header
        for header in sorted(tree(name, "c++").glob("*.hxx"))
        # sidl.rmi is included by all the others of the standard library
        if name != "sidl" or ("_Impl" not in header.name and "_rmi_" not in header.name)
    ]
    groups = [[header] for header in headers] if compiler == "clang++" else [headers]
    sources = {True: [], False: []}
    for group in groups:
        source = tmp_path / f"{group[0].stem}.cpp"
        source.write_text("".join(f'#include "{header.name}"\n' * 2 for header in group))
        is_spared = all(includes_common(header, folders(name), set()) for header in group)
        sources[is_spared].append(source)
    run_on_all([*command(name), *precompile(compiler)], sources[True])
    run_on_all(command(name), sources[False])


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


@pytest.mark.parametrize("found", ["beside it", "-I.", "-I{folder}", "-isystem{folder}"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_header_of_a_package_beside_its_user(language, found, tree, root, run, tmp_path):
    """It asks for the next one of its name, and is found once; by gcc and clang."""
    suffix, compilers, standard = {
        "c": ("h", ("gcc", "clang"), "-std=c11"),
        "c++": ("hxx", ("g++", "clang++"), "-std=c++17"),
    }[language]
    folder, other = tmp_path / "out", tmp_path / "other"
    shutil.copytree(tree("values", language), folder)
    other.mkdir()
    header = (folder / f"values.{suffix}").read_text()
    rest = header[header.index("/* Another library") :]
    (other / f"values.{suffix}").write_text(f"struct seen {{ int i; }};\n{rest}")
    source = folder / f"user.{'c' if language == 'c' else 'cpp'}"
    source.write_text(f'#include "values.{suffix}"\nstruct seen it;\n')
    includes = [] if found == "beside it" else [found.format(folder=folder)]
    includes += [f"-I{root / 'runtime' / each / 'include'}" for each in ("c", "cxx")]
    includes += [f"-I{tree('sidl', language)}", f"-I{other}"]
    for compiler in filter(shutil.which, compilers):
        run([compiler, standard, *WARNINGS, *includes, "-fsyntax-only", source], cwd=folder)
