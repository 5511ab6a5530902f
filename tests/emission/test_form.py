"""What holds for the text of generated files, whatever they are about."""

import re
import shutil
from pathlib import Path

import pytest

LANGUAGES = ["c", "c++"]
TREES = ["sidl", "kitchen_sink", "demo", "family", "values", "arrays"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["kitchen_sink", "sidl"])
def test_two_runs_write_the_same_bytes(name, language, tree, generate, tmp_path):
    first = tree(name, language)
    generate(name, language, tmp_path)
    names = sorted(path.name for path in first.iterdir())
    assert names == sorted(path.name for path in tmp_path.iterdir())
    for file_name in names:
        assert (first / file_name).read_bytes() == (tmp_path / file_name).read_bytes()


@pytest.mark.parametrize("name", TREES)
def test_files_are_neat(name, tree):
    for path in tree(name).iterdir():
        text = path.read_text()
        assert text.startswith(f"/*\n * {path.name}: "), path.name
        assert text.endswith("\n") and not text.endswith("\n\n"), path.name
        assert not re.search(r"[ \t]$", text, re.MULTILINE), path.name
        assert "\n\n\n" not in text, path.name
        assert "\t" not in text, path.name


@pytest.mark.parametrize("name", TREES)
def test_lines_fit_100_columns(name, tree):
    # Prose is the user's: only code is wrapped.
    for path in tree(name).iterdir():
        for number, line in enumerate(path.read_text().splitlines(), 1):
            is_code = not line.lstrip().startswith(("/*", "*", "#"))
            assert not is_code or len(line) <= 100, f"{path.name}:{number}: {line}"


@pytest.mark.skipif(not shutil.which("clang-format"), reason="no clang-format here")
@pytest.mark.parametrize("name", TREES)
def test_the_formatter_agrees(name, tree, run):
    style = Path(__file__).parent / "generated.clang-format"
    files = [path for path in sorted(tree(name).iterdir()) if not path.name.endswith("_IOR.c")]
    run(["clang-format", f"--style=file:{style}", "--dry-run", "-Werror", *files])


def test_banner_names_no_folder(tree, inputs):
    for path in tree("demo").iterdir():
        assert str(inputs["demo"].parent) not in path.read_text()


def test_size_of_a_class_with_seven_methods(run, sidlc, tmp_path):
    methods = "\n".join(
        f"    double method{i}(in array<double,2> a, inout string s, out int n);" for i in range(7)
    )
    source = tmp_path / "seven.sidl"
    source.write_text(f"package seven version 1.0 {{\n  class Methods {{\n{methods}\n  }}\n}}\n")
    folder = tmp_path / "out"
    run([sidlc, "--server=c", "-o", folder, source])
    assert sum(len(path.read_text().splitlines()) for path in folder.iterdir()) <= 1200


def test_size_of_the_standard_library(tree):
    assert sum(len(path.read_text().splitlines()) for path in tree("sidl").iterdir()) <= 48800
