"""Libraries that were compiled by hand to hide their symbols.

What libsidl and other libraries look up is not hidden all the same: implementations are found and
tables linked with, and exceptions are caught.
"""

import os
import shutil

import pytest
from building import Builder

HIDDEN = ["-fvisibility=hidden", "-fvisibility-inlines-hidden"]
LANGUAGES = ["c", "cxx", *(["fortran"] if shutil.which("gfortran") else [])]


@pytest.fixture(scope="module")
def built(stage, compilers, tmp_path_factory):
    in_c = {"c": [*compilers["c"], HIDDEN[0]], "cxx": [*compilers["cxx"], *HIDDEN]}
    return Builder(tmp_path_factory.mktemp("hidden"), stage, {**compilers, **in_c})


@pytest.mark.parametrize("place", ["linked", "catalogue"])
@pytest.mark.parametrize("server", LANGUAGES)
def test_implementations_are_found(built, run, server, place):
    library = built.library(server, "base")
    linked = [library] if place == "linked" else []
    program = built.program("cxx", "base", "client", *linked)
    path = str(library.parent) if place == "catalogue" else ""
    text = run([program], env={**os.environ, "SIDL_DLL_PATH": path}).stdout
    assert "!" not in text, text
    assert "twin 4" in text.splitlines()


@pytest.mark.parametrize("server", ["c", "cxx"])
def test_exceptions_are_caught(built, run, server):
    program = built.program("cxx", "base", "client", source="catcher.cxx")
    path = built.library(server, "base").parent
    text = run([program], env={**os.environ, "SIDL_DLL_PATH": str(path)}).stdout
    assert text.splitlines() == ["fail mix.Oops failed 7 8", "fall mix.Oops fallen 7 8"]
