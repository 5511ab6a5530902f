"""Exceptions in C++ programs that meet their class in two versions.

A program catches what it was compiled for if that fits the exception's object, and its parent, with
the note, if it does not. Whatever other libraries the process has changes nothing, and nobody gets
a handle without an object.

No test had seen the handles without one because no class that differed between versions was an
exception's, and because a process had one C++ library besides the program's own.
"""

import os

import pytest
from building import Builder

OWN = ["fail mix.Oops failed 7 8", "fall mix.Oops fallen 7 8"]
PARENT = ["fail sidl.SIDLException failed", "fall sidl.SIDLException fallen"]
FITS = {
    ("base", "base"): OWN,
    ("base", "oops_front"): PARENT,
    ("base", "oops_appended"): OWN,
    ("oops_appended", "base"): PARENT,
    ("oops_appended", "oops_appended"): OWN,
    ("oops_front", "base"): PARENT,
    ("oops_front", "oops_appended"): PARENT,
}


@pytest.fixture(scope="module")
def built(stage, compilers, tmp_path_factory):
    return Builder(tmp_path_factory.mktemp("exceptions"), stage, compilers)


def program_of(built, client, *libraries):
    return built.program("cxx", client, *libraries, source="catcher.cxx")


@pytest.mark.parametrize("language", ["c", "cxx"])
@pytest.mark.parametrize(("client", "server"), FITS)
def test_by_catalogue(built, run, client, server, language):
    program = program_of(built, client, "client")
    path = built.library(language, server).parent
    text = run([program], env={**os.environ, "SIDL_DLL_PATH": str(path)}).stdout
    assert text.splitlines() == FITS[client, server]


@pytest.mark.parametrize("language", ["c", "cxx"])
@pytest.mark.parametrize("other", ["oops_front", "oops_appended"])
@pytest.mark.parametrize(("client", "server"), [("base", "base"), ("base", "oops_appended")])
def test_another_library_is_linked(built, run, client, server, other, language):
    libraries = [built.library(language, server), built.library("cxx", other)]
    program = program_of(built, client, "client", *libraries)
    assert run([program]).stdout.splitlines() == FITS[client, server]


@pytest.mark.parametrize("other", ["oops_front", "oops_appended"])
def test_another_library_comes_first(built, run, other):
    """Then the classes are its."""
    libraries = [built.library("cxx", other), built.library("cxx", "base")]
    program = program_of(built, "base", *libraries, "client")
    assert run([program]).stdout.splitlines() == FITS["base", other]


@pytest.mark.parametrize("other", ["oops_front", "oops_appended"])
def test_another_library_is_loaded(built, run, other):
    program = program_of(built, "base", "client", built.library("cxx", "base"))
    text = run([program, "", built.library("cxx", other)]).stdout
    assert text.splitlines() == OWN


@pytest.mark.parametrize("others", [["base"], ["base", "oops_front"], ["base", "oops_appended"]])
def test_from_afar(built, run, serve, others):
    libraries = [built.library("cxx", other) for other in others]
    program = program_of(built, "base", "client", *libraries)
    server = built.library("c", "base")
    with serve(f"mix.Maker={server}", f"mix.Thing={server}", f"mix.Oops={server}") as url:
        assert run([program, url]).stdout.splitlines() == OWN


@pytest.mark.parametrize("other", ["oops_front", "oops_appended"])
def test_from_afar_with_another_library_first(built, run, serve, other):
    libraries = [built.library("cxx", other), built.library("cxx", "base")]
    program = program_of(built, "base", *libraries, "client")
    server = built.library("c", "base")
    with serve(f"mix.Maker={server}", f"mix.Thing={server}", f"mix.Oops={server}") as url:
        assert run([program, url]).stdout.splitlines() == FITS["base", other]
