"""Programs as they were written for Babel 2.0: .sidl, Impl files and clients in C and C++.

The Impl files in impl_c and impl_cxx are what Babel would have left: its banner, its prototypes
with throw specifications, its constructors; the users' code is between the splicer marks. They are
built twice: brought up to date by sidlc, and as they are.
"""

import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

IMPLS = {"c": ("impl_c", "c"), "cxx": ("impl_cxx", "c++")}
BLOCK = re.compile(r"splicer\.begin\((\S+)\)[^\n]*\n(.*?)[^\n]*splicer\.end\(\1\)", re.S)
THROWS = re.compile(r"\n\s*throw \([^)]*\)")
# C++17 has no throw specifications; compiled as C++14 such files can stay as they are.
OLD = {"c": [], "cxx": ["-std=gnu++14", "-w"]}


FROM_FORTRAN = """
import sys
import letters
import numpy as np
_, given = letters.F.create(sys.argv[1]).flip(np.array([b"a", b"c", b"b"]), np.zeros(3, "S1"))
print(given.tobytes().decode())
"""


class Workshop:
    """Compiles without CMake, as a makefile of the time would."""

    def __init__(self, folder, stage, source, run, compilers):
        self.folder, self.stage, self.source, self.run = folder, stage, source, run
        self.compilers = compilers

    def compile(self, files, *options):
        """Gives the object files, which are named after their sources."""
        flags = ["-fPIC", "-O0", "-c", "-I", self.folder, "-I", self.source]
        flags += ["-I", self.stage / "include" / "shinar", *options]

        def one(file):
            if file.suffix == ".c":
                compiler = [*self.compilers["c"], "-std=gnu11"]
            else:
                compiler = [*self.compilers["cxx"], "-std=gnu++17"]
            target = self.folder / f"{file.name}.o"
            self.run([*compiler, *flags, file, "-o", target])
            return target

        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(one, files))

    def link(self, target, *inputs):
        lib = self.stage / "lib"
        command = [*self.compilers["cxx"], "-o", self.folder / target, "-L", lib, *inputs, "-lsidl"]
        self.run([*command, f"-Wl,-rpath,{lib}"])
        return self.folder / target


@pytest.fixture(scope="module")
def source(root):
    return root / "tests" / "compat"


def generate(language, source, folder, sidlc, run):
    """The Impl files and everything sidlc makes of them, in `folder`."""
    impl, name = IMPLS[language]
    shutil.copytree(source / impl, folder, dirs_exist_ok=True)
    run([sidlc, f"--server={name}", "-o", folder, source / "mesh.sidl"])


@pytest.fixture(scope="module")
def workshop(source, stage, run, compilers, tmp_path_factory):
    """workshop(name): one with a folder of its own."""

    def make(name):
        return Workshop(tmp_path_factory.mktemp(name), stage, source, run, compilers)

    return make


@pytest.fixture(scope="module")
def libraries(source, sidlc, run, workshop):
    """The implementations as libraries: in C and C++, brought up to date and as they were."""
    made = {}
    for language, (impl, _) in IMPLS.items():
        shop = workshop(f"lib_{language}")
        generate(language, source, shop.folder, sidlc, run)
        suffix = "." + language
        files = {*shop.folder.glob("*.c"), *shop.folder.glob("*.cxx")}
        objects = shop.compile(sorted(files))
        made[language] = shop.link("libmesh.so", "-shared", *objects)

        # super is spelled as sidlc spells it: classes that override are brought up to date, and
        # so are exceptions with methods, which override packObj
        overrides = ("FineGrid", "MeshError")
        old = [
            f for f in (source / impl).iterdir() if not any(each in f.name for each in overrides)
        ]
        for file in old:
            shutil.copy(file, shop.folder)
        again = [shop.folder / f.name for f in old if f.suffix == suffix]
        again += [shop.folder / f.name.replace("_Impl", "_Skel") for f in again]
        shop.compile(again, *OLD[language])
        made[f"old {language}"] = shop.link("libmesh_old.so", "-shared", *objects)
    return made


@pytest.fixture(scope="module")
def clients(source, sidlc, run, workshop):
    """The object files of the clients."""
    made = {}
    shop = workshop("client_c")
    run([sidlc, "--client=c", "-o", shop.folder, source / "mesh.sidl"])
    made["c"] = shop.compile([source / "client.c", source / "arrays.c", source / "runtime.c"])
    shop = workshop("client_cxx")
    run([sidlc, "--client=c++", "-o", shop.folder, source / "mesh.sidl"])
    made["cxx"] = shop.compile([source / "client.cxx"])
    return made


@pytest.mark.parametrize("client", ["c", "cxx"])
@pytest.mark.parametrize("library", ["c", "cxx", "old c", "old cxx"])
def test_programs_run(client, library, clients, libraries, workshop, run):
    shop = workshop("program")
    path = libraries[library]
    program = shop.link("client", *clients[client], path, f"-Wl,-rpath,{path.parent}")
    assert run([program], cwd=shop.folder).stdout == "ok\n"
    for statistics in shop.folder.glob("*.stats"):
        lines = statistics.read_text().splitlines()
        assert lines and all(line.startswith("# ") for line in lines)


@pytest.mark.parametrize("library", IMPLS)
def test_functions_are_symbols(library, libraries, source, sidlc, workshop, run):
    """Also for programs that call them without their headers."""
    shop = workshop("noheader")
    run([sidlc, "--client=c", "--makefile", "-o", shop.folder, source / "mesh.sidl"])
    assert "mesh_Stub.c" in (shop.folder / "babel.make").read_text()
    path = libraries[library]
    objects = shop.compile([source / "noheader.c", shop.folder / "mesh_Stub.c"])
    program = shop.link("client", *objects, path, f"-Wl,-rpath,{path.parent}")
    assert run([program]).stdout == "ok\n"


def test_streams_take_all_types(source, workshop, run):
    shop = workshop("streams")
    assert run([shop.link("streams", *shop.compile([source / "streams.c"]))]).stdout == "ok\n"


@pytest.mark.parametrize("client", ["c", "cxx"])
def test_programs_call_a_server(client, libraries, source, sidlc, serve, workshop, run):
    shop = workshop("remote")
    run([sidlc, f"--client={IMPLS[client][1]}", "-o", shop.folder, source / "mesh.sidl"])
    files = [*shop.folder.glob("*_IOR.c"), source / f"remote.{client}"]
    program = shop.link("remote", *shop.compile(files), "-lsidlx_simhandle")
    with serve(f"mesh.Grid={libraries['cxx']}") as url:
        assert run([program, url]).stdout == "ok\n"


def test_a_server(libraries, source, sidlc, workshop, run):
    shop = workshop("server")
    run([sidlc, "--client=c++", "-o", shop.folder, source / "mesh.sidl"])
    path = libraries["c"]
    objects = shop.compile([source / "remote.cxx"])
    program = shop.link("server", *objects, path, f"-Wl,-rpath,{path.parent}", "-lsidlx_simhandle")
    assert run([program]).stdout == "ok\n"


@pytest.mark.parametrize("library", ["cxx", "old cxx"])
def test_an_impl_made_by_its_user(library, libraries, source, sidlc, workshop, run):
    shop = workshop("wrap")
    path = libraries[library]
    options = ["-I", path.parent]
    if library == "cxx":
        generate("cxx", source, shop.folder, sidlc, run)
    else:
        options += OLD["cxx"]
    objects = shop.compile([source / "wrap.cxx"], *options)
    program = shop.link("wrap", *objects, path, f"-Wl,-rpath,{path.parent}")
    assert run([program]).stdout == "ok\n"


@pytest.mark.parametrize("language", IMPLS)
def test_users_code_is_kept(language, source, sidlc, run, tmp_path):
    """Every block is there byte for byte; what Babel wrote around it is not; and that is all."""
    generate(language, source, tmp_path, sidlc, run)
    before = {f.name: f.read_text() for f in (source / IMPLS[language][0]).iterdir()}
    after = {name: (tmp_path / name).read_text() for name in before}
    for name, text in before.items():
        blocks = dict(BLOCK.findall(text))
        assert blocks
        kept = dict(BLOCK.findall(after[name]))
        assert {block: kept.get(block) for block in blocks} == blocks
        assert "UNREFERENCED" not in after[name]
        assert "Babel" not in after[name]
        assert not THROWS.search(after[name])
    run([sidlc, f"--server={IMPLS[language][1]}", "-o", tmp_path, source / "mesh.sidl"])
    assert {name: (tmp_path / name).read_text() for name in before} == after


@pytest.fixture(scope="module")
def heirs(source, sidlc, run, workshop):
    """The libraries of heirs.sidl, whose Impl files have the users' blocks and nothing else."""
    made = {}
    for language, (impl, name) in IMPLS.items():
        shop = workshop(f"heirs_{language}")
        shutil.copytree(source / "heirs" / impl, shop.folder, dirs_exist_ok=True)
        run([sidlc, f"--server={name}", "-o", shop.folder, source / "heirs" / "heirs.sidl"])
        files = {*shop.folder.glob("*.c"), *shop.folder.glob("*.cxx")}
        made[language] = shop.link("libheirs.so", "-shared", *shop.compile(sorted(files)))
    return made


@pytest.mark.parametrize("client", ["c", "cxx"])
@pytest.mark.parametrize("library", IMPLS)
def test_what_heirs_do(client, library, heirs, source, sidlc, serve, workshop, run):
    """In one process and at a server."""
    shop = workshop("heirs_client")
    sidl = source / "heirs" / "heirs.sidl"
    run([sidlc, f"--client={IMPLS[client][1]}", "-o", shop.folder, sidl])
    objects = shop.compile([source / "heirs" / f"client.{client}"])
    path = heirs[library]
    program = shop.link("client", *objects, path, f"-Wl,-rpath,{path.parent}", "-lsidlx_simhandle")
    assert run([program]).stdout == "ok\n"
    with serve(f"heirs.Heir={path}") as url:
        assert run([program, url]).stdout == "ok\n"


def test_raw_arrays_of_characters(source, stage, cmake_build, serve, tmp_path, run):
    """In Fortran and Python; C and C++ have them among what heirs do."""
    for language in ("include/shinar/fortran", "lib/shinar/python"):
        if not (stage / language).exists():
            pytest.skip(f"built without {language}")
    python = f"-DPython3_EXECUTABLE={sys.executable}"
    built = cmake_build(source / "letters", tmp_path / "build", python)
    catalogues = [str(built), os.environ.get("SIDL_DLL_PATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": (built / "path").read_text(),
        "SIDL_DLL_PATH": ";".join(catalogues),
    }
    assert run([built / "from_fortran"], env=environment).stdout.split() == ["ok"]
    command = [sys.executable, source / "letters" / "from_python.py"]
    assert run(command, env=environment).stdout == "ok\n"
    with serve(f"letters.F={built / 'libin_fortran.so'}") as url:
        command = [sys.executable, "-c", FROM_FORTRAN, url]
        assert run(command, env=environment).stdout == "bca\n"
