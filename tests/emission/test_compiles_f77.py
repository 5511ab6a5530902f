"""The same for Fortran 77: subroutines, what they are in C, and constants, in fixed and in free
source."""

import re
import shutil

import pytest

TREES = ["sidl", "kitchen_sink", "family", "subroutines"]
STRICT = ["-fsyntax-only", "-Wall", "-Werror"]
LONGEST_NAME = 63
FIXED_WIDTH = 72

needs_gfortran = pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")


@needs_gfortran
@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_subroutines_compile(name, tree, stage, run, tmp_path):
    sources = sorted(tree(name, "f77").glob("*_f77.f90"))
    assert sources
    for source in sources:
        run(["gfortran", *STRICT, f"-I{stage}/include/shinar/fortran", source], cwd=tmp_path)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_functions_compile(name, compiler, root, tree, run_on_all):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")
    folder = tree(name, "f77")
    folders = [folder, tree("sidl", "f77"), root / "runtime/c/include", root / "runtime/fortran"]
    options = [*STRICT, "-std=c11", "-Wextra", "-Wpedantic", *(f"-I{each}" for each in folders)]
    run_on_all([compiler, *options], sorted(folder.glob("*_f77.c")))


@needs_gfortran
@pytest.mark.parametrize("name", TREES)
def test_constants_are_for_fixed_and_for_free_source(name, tree, run, tmp_path):
    for constants in tree(name, "f77").glob("*.inc"):
        text = f"      subroutine look\n      implicit none\n      include '{constants.name}'\n"
        names = re.findall(r"^      parameter \((\w+)", constants.read_text(), re.M)
        assert names
        text += "".join(f"      write (*, *) {each}\n" for each in names[:1]) + "      end\n"
        for form, options in (("fixed", ["-std=legacy"]), ("free", ["-Wno-unused-parameter"])):
            source = tmp_path / f"{form}.{'f' if form == 'fixed' else 'f90'}"
            source.write_text(text)
            flags = [f"-f{form}-form", "-Wno-unused-parameter", *options]
            run(["gfortran", *STRICT, *flags, f"-I{constants.parent}", source], cwd=tmp_path)


@pytest.mark.parametrize("name", TREES)
def test_files_are_neat(name, tree):
    for path in tree(name, "f77").glob("*"):
        if path.suffix not in (".f90", ".inc"):
            continue
        text = path.read_text()
        assert text.startswith(f"! {path.name}: "), path.name
        assert text.endswith("\n") and not text.endswith("\n\n"), path.name
        assert "\n\n\n" not in text and "\t" not in text, path.name
        for number, line in enumerate(text.splitlines(), 1):
            assert not line.endswith(" "), f"{path.name}:{number}"
            is_code = not line.lstrip().startswith("!")
            wide = 132 if path.suffix == ".f90" else FIXED_WIDTH + 1  # and the sign to go on
            assert not is_code or len(line) <= wide, f"{path.name}:{number}: {line}"
        names = re.findall(r"\w+", re.sub(r"'[^']*'|!.*", "", text))
        assert len(max(names, key=len)) <= LONGEST_NAME, path.name


@pytest.mark.parametrize("constants", ["wide.inc", "wide_Names.inc"])
def test_long_names_are_constants_too(constants, run, sidlc, tmp_path):
    """A statement longer than a line of fixed source goes on in a way that free source reads, also
    where enumerators have their own names, as in Babel's time."""
    long = "of" + "VeryMany" * 7
    (tmp_path / "wide.sidl").write_text(
        f"package wide version 1.0 {{ enum Names {{ {long} = 7, {long}More = 2147483647 }} }}\n"
    )
    run([sidlc, "--client=f77", "-o", tmp_path, tmp_path / "wide.sidl"])
    text = (tmp_path / constants).read_text()
    lines = text.splitlines()
    going_on = [line for line in lines if line.endswith("&")]
    assert going_on and all(len(line) == FIXED_WIDTH + 1 for line in going_on)
    names = re.findall(r"integer\*4\W+(\w+)", text)
    assert len(set(names)) == 2 and all(len(each) <= LONGEST_NAME for each in names)
    if not shutil.which("gfortran"):
        return
    program = f"      program show\n      include '{constants}'\n"
    program += (
        "".join(f"      write (*, '(i0)')\n     & {each}\n" for each in names) + "      end\n"
    )
    fixed = tmp_path / "show.f"
    fixed.write_text(program)
    free = tmp_path / "show.f90"
    free.write_text(program.replace("\n     & ", " "))
    for source in (fixed, free):
        run(["gfortran", "-Wall", "-Werror", "-o", tmp_path / "show", f"-I{tmp_path}", source])
        assert run([tmp_path / "show"]).stdout.split() == ["7", "2147483647"]


def test_there_are_no_servers(run, sidlc, tmp_path):
    (tmp_path / "one.sidl").write_text("package one version 1.0 { class C { void m(); } }\n")
    done = run([sidlc, "--server=f77", "-o", tmp_path, tmp_path / "one.sidl"], status=2)
    assert "'f77' is for clients only: implement the class with --server=fortran" in done.stderr
