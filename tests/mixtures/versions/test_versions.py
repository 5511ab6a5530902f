"""What is loaded together need not have been built together.

Client and server libraries of package mix are generated apart, from different versions and from
different sets of files, and meet in one program: linked in either order, or loaded by catalogue; or
in two, over a connection. Whatever they do ends in the right answer, or in an exception that says
that the versions are different ones; never in another method or another value.

No test had seen this because all of them built everything from one .sidl file, where the tables,
inline functions and vtables that the dynamic linker takes for each other's are alike; and
sanitizers do not look at which of two functions a table of functions leads to. Here every library
is of its own making.
"""

import os
import re
import shutil
import sys

import pytest
from building import HERE, VERSIONS, Builder, sidl_of

RIGHT = {
    "create": "0",
    "make": "4",
    "cast": "4",
    "swap": "7707",
    "paint": "22",
    "tell": "6",
    "twin": "4",
    "static": "1",
    "thing": "4",
    "texts": "ntu",
}
REMOTE = {"create", "make", "cast", "swap", "paint", "tell", "twin"}
# What an exception has to say.
SAYS = ("different SIDL files",)
HAS_FORTRAN = bool(shutil.which("gfortran"))
IN_FORTRAN = [("fortran", "fortran"), ("fortran", "c"), ("f77", "c"), ("cxx", "fortran")]
# Clients and servers.
PAIRS = [("c", "c"), ("cxx", "cxx"), ("c", "cxx")] + (IN_FORTRAN if HAS_FORTRAN else [])
# Callers find all that they know where they look for it.
GOOD_FOR_OLD_CLIENTS = {"base", "appended"}


@pytest.fixture(scope="module")
def built(stage, compilers, tmp_path_factory):
    return Builder(tmp_path_factory.mktemp("versions"), stage, compilers)


def results(text):
    """{what: (value, note)} of a client's lines."""
    found = {}
    for line in text.splitlines():
        what, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        found[what] = (None, rest[2:]) if rest.startswith("! ") else (rest, "")
    return found


def check(text, *, all_right=False):
    """Right answers and clear exceptions."""
    found = results(text)
    assert "create" in found, text
    for what, (value, note) in found.items():
        if value is None:
            assert not all_right, f"{what}: {note}"
            assert any(words in note for words in SAYS), f"{what}: {note}"
        else:
            assert value == RIGHT[what], f"{what}:\n{text}"
    return found


@pytest.mark.parametrize("version", ["base", "front", "appended", "statics", "reordered"])
@pytest.mark.parametrize(("client", "server"), PAIRS)
@pytest.mark.parametrize("order", ["client first", "server first"])
def test_linked(built, run, client, server, version, order):
    libraries = ["client", built.library(server, version)]
    if order == "server first":
        libraries.reverse()
    program = built.program(client, "base", *libraries)
    check(run([program]).stdout, all_right=version in GOOD_FOR_OLD_CLIENTS)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("client", "server"), PAIRS)
def test_by_catalogue(built, run, client, server, version):
    program = built.program(client, "base", "client")
    path = built.library(server, version).parent
    text = run([program], env={**os.environ, "SIDL_DLL_PATH": str(path)}).stdout
    found = check(text, all_right=version in GOOD_FOR_OLD_CLIENTS)
    if version == "widened":
        assert "mix.Pair.a is of type int in the first and of type long" in found["create"][1]
        assert str(path) in found["create"][1]


@pytest.mark.parametrize("is_new", [False, True], ids=["old client", "new client"])
def test_the_one_is_the_one_that_is_named_so(built, run, is_new):
    """A listener goes from the client to the server, which is its user: what the message said of
    the first was true of the second."""
    of_client, of_server = ("listener", "base") if is_new else ("base", "listener")
    program = built.program("c", of_client, "client")
    path = built.library("c", of_server).parent
    text = run([program], env={**os.environ, "SIDL_DLL_PATH": str(path)}).stdout
    note = results(text)["create"][1]
    one, other = re.search(r"(\S+) \(the first\) and (\S+) \(the second\)", note).groups()
    has = re.search(r"the first has (\S+) where the second has ([\w.]+\w)", note).groups()
    assert {one.rpartition("/")[2], other.rpartition("/")[2]} == {"libclient.so", "libserver.so"}
    new = "libclient.so" if is_new else "libserver.so"
    at_slot = [
        "mix.Listener.deaf" if each.endswith(new) else "mix.Listener.heard" for each in (one, other)
    ]
    assert list(has) == at_slot, note


@pytest.mark.parametrize(
    ("client", "version"),
    [("c", version) for version in VERSIONS] + [("cxx", "front"), ("cxx", "appended")],
)
def test_a_new_client_and_an_old_server(built, run, client, version):
    program = built.program(client, version, "client")
    path = built.library("c", "base").parent
    text = run([program], env={**os.environ, "SIDL_DLL_PATH": str(path)}).stdout
    check(text, all_right=version == "base")


@pytest.mark.skipif(not HAS_FORTRAN, reason="no gfortran here")
@pytest.mark.parametrize("order", ["client first", "server first"])
@pytest.mark.parametrize("client", ["fortran", "cxx"])
@pytest.mark.parametrize("server", ["fortran", "cxx"])
def test_different_sets_of_files(built, run, client, server, order):
    """The interface is the same, and the client has types besides."""
    libraries = ["client", built.library(server, "base")]
    if order == "server first":
        libraries.reverse()
    program = built.program(client, "base", *libraries, more=("more.sidl",))
    check(run([program]).stdout, all_right=True)


# What another process calls is found by name and digest.
WRONG_FROM_AFAR = {
    "reordered": {"swap"},
    "widened": {"swap"},
    "renumbered": {"paint"},
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("client", ["c", "cxx"])
@pytest.mark.parametrize("is_new", [False, True], ids=["old client", "new client"])
def test_from_afar(built, run, serve, client, version, is_new):
    of_client, of_server = (version, "base") if is_new else ("base", version)
    library = built.library("c", of_server)
    program = built.program(client, of_client, "client")
    with serve(f"mix.Maker={library}", f"mix.Thing={library}") as url:
        found = results(run([program, url]).stdout)
    for what, (value, note) in found.items():
        if value is None:
            assert what in WRONG_FROM_AFAR.get(version, set()), f"{what}: {note}"
            assert "a different signature" in note, note
        else:
            assert value == RIGHT[what], what
            assert what not in WRONG_FROM_AFAR.get(version, set()), what


def test_both_versions_are_named(built, run, serve):
    """What differs was named, and not the versions, which is what users know."""
    library = built.library("c", "two")
    reporter = built.program("c", "base", "client", source="reporter.c")
    with serve(f"mix.Maker={library}", f"mix.Thing={library}") as url:
        said = run([reporter, url]).stderr
    assert (
        "the server's mix.Maker.paint (version 2.0) has a different signature than the caller's: "
        "generate and build both from the same SIDL files" in said
    )
    assert "in mix.Maker.paint called remotely, by a caller with version 1.0\n" in said
    assert (
        "the server's class mix.Thing (version 2.0) has no method unit: generate and build caller "
        "and server from the same SIDL files\n" in said
    )
    assert "in mix.Thing.unit called remotely, by a caller with version 1.0\n" in said
    path = str(library.parent)
    said = run([reporter], env={**os.environ, "SIDL_DLL_PATH": path}, status=1).stderr
    assert re.search(r"different SIDL files, of versions (1.0 and 2.0|2.0 and 1.0): ", said), said


@pytest.mark.parametrize("version", VERSIONS)
def test_python(built, run, stage, tmp_path, version):
    python = stage / "lib" / "shinar" / "python"
    if not python.exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    (tmp_path / "mix.sidl").write_text(sidl_of("base"))
    shutil.copy(HERE / "client.py", tmp_path)
    path = built.library("c", version).parent
    environment = {
        **os.environ,
        "PYTHONPATH": str(python),
        "SHINAR_CACHE": str(built.folder / "cache"),
        "SIDL_DLL_PATH": str(path),
    }
    text = run([sys.executable, tmp_path / "client.py"], env=environment).stdout
    check(text, all_right=version in GOOD_FOR_OLD_CLIENTS)


def test_closed_libraries_stay(built, run):
    """Nothing had closed a library that had brought types: the next look-up read what was gone."""
    library = built.library("c", "base")
    program = built.tool(HERE / "closing.c")
    environment = {**os.environ, "SIDL_DLL_PATH": str(library.parent)}
    assert run([program, library], env=environment).stdout == "mix.Thing made\n"
