"""The same for Python: modules compile without a warning as C++17 with gcc and clang, and what is
written in Python can be read by the oldest Python that is supported."""

import ast
import re
import shutil
import sysconfig
from pathlib import Path

import pytest

STRICT = ["-fsyntax-only", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
TREES = ["kitchen_sink", "macros", "demo", "family", "values", "arrays"]


@pytest.fixture
def include_options(root, tree):
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").exists():
        pytest.skip("no headers of Python here")

    def options(name):
        folders = [tree(name, "python"), tree("sidl", "python")]
        folders += [root / "runtime" / language / "include" for language in ("python", "c")]
        return [f"-isystem{headers}", *(f"-I{folder}" for folder in folders)]

    return options


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_modules_compile(name, compiler, tree, include_options, run_on_all):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")
    sources = sorted(tree(name, "python").glob("*.cxx"))
    assert sources
    run_on_all([compiler, *STRICT, *include_options(name)], sources)


@pytest.mark.parametrize("name", ["sidl", *TREES, "long_names"])
def test_python_can_be_read(name, tree):
    folder = tree(name, "python")
    paths = [*folder.rglob("*.py"), *folder.rglob("*.pyi")]
    assert len(paths) > 2
    for path in paths:
        ast.parse(path.read_text(), path.name, feature_version=(3, 9))


def test_two_runs_write_the_same_bytes(tree, generate, tmp_path):
    first = tree("kitchen_sink", "python")
    generate("kitchen_sink", "python", tmp_path)
    files = [path.relative_to(first) for path in sorted(first.rglob("*")) if path.is_file()]
    assert files == [path.relative_to(tmp_path) for path in sorted(tmp_path.rglob("*.*"))]
    for path in files:
        assert (first / path).read_bytes() == (tmp_path / path).read_bytes(), path


@pytest.mark.parametrize("name", ["sidl", *TREES])
def test_files_are_neat(name, tree):
    folder = tree(name, "python")
    for path in [*folder.rglob("*.py"), *folder.rglob("*.pyi"), *folder.glob("*.cxx")]:
        text = path.read_text()
        assert text.endswith("\n") and "\t" not in text and "\n\n\n" not in text, path.name
        assert not re.search(r"[ \t]$", text, re.MULTILINE), path.name
        for number, line in enumerate(text.splitlines(), 1):
            is_code = not line.lstrip().startswith(("#", "/", "*"))
            assert not is_code or len(line) <= 100, f"{path.name}:{number}: {line}"


def test_every_name_of_python_is_free(run, sidlc, tmp_path):
    """Words of Python that SIDL allows get an underscore, and so does what would be the same."""
    words = ["None", "None_", "True", "async", "async_", "await", "nonlocal", "mro", "mro_"]
    methods = "".join(f"void {word}(in int {word}); " for word in words)
    arguments = ", ".join(f"in int {word}" for word in words)
    members = "".join(f"int {word}; " for word in words)
    source = tmp_path / "words.sidl"
    source.write_text(
        f"package words version 1.0 {{ class A {{ {methods} void all({arguments}); }}"
        f"enum B {{ {', '.join(words)} }} struct C {{ {members} }} }}"
        "package await version 1.0 { class A extends words.A {} class True extends A {} }"
        "package user version 1.0 { class B extends await.True {} }"
    )
    run([sidlc, "--server=python", "-o", tmp_path, source])
    for path in tmp_path.rglob("*.py*"):
        text = path.read_text()
        ast.parse(text, path.name)
        if path.parts[-2:] == ("words", "__init__.pyi"):
            assert "def await_(self, await_: int" in text and "    nonlocal_ = 6" in text
            assert "        None_: int,\n        None__: int,\n        True_: int,\n" in text
            assert "    mro_ = 7\n    mro__ = 8\n" in text
            assert "    None_: int = 0\n    None__: int = 0\n" in text


def test_long_lines_of_doc_comments_stay_literals(sidlc, run, tmp_path):
    """Whatever their length, and where their words end."""
    lines = [f"   * {'word ' * n}{'x' * (length % 5 + 1)}" for length in range(60, 120)
             for n in [length // 5]]  # fmt: skip
    text = "\n".join(["package lines version 1.0 {", "  /**", *lines, "   */", "  class A {}", "}"])
    (tmp_path / "lines.sidl").write_text(f"{text}\n")
    run([sidlc, "--client=python", "-o", tmp_path / "out", tmp_path / "lines.sidl"])
    module = (tmp_path / "out" / "lines_module.cxx").read_text()
    assert "word x" in module
    odd = [line for line in module.splitlines() if line.replace('\\"', "").count('"') % 2 != 0]
    assert odd == []
