"""What `make install` leaves: complete, movable, and usable without CMake."""

import os
import shlex
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def moved(stage, tmp_path_factory):
    """The installation, copied to another place."""
    folder = tmp_path_factory.mktemp("moved") / "opt"
    shutil.copytree(stage, folder, symlinks=True)
    return folder


def test_it_is_complete(stage):
    for path in (
        "bin/sidlc",
        "bin/sidl",
        "lib/libsidl.so",
        "lib/libsidl_par.so",
        "lib/libsidlx_simhandle.so",
        "lib/libsidlx_simhandle.scl",
        "lib/cmake/Shinar/ShinarConfig.cmake",
        "lib/cmake/Shinar/ShinarSidl.cmake",
        "lib/pkgconfig/shinar.pc",
        "include/shinar/sidl_ior.h",
        "include/shinar/sidl_BaseClass.h",
        "include/shinar/sidl_BaseClass.hxx",
        "include/shinar/sidl_cxx.hxx",
        "include/shinar-transport/core/transport.hpp",
        "lib/libsidl_python.so",
        "lib/shinar/python/shinar/__init__.py",
        "lib/shinar/python/sidl/rmi/__init__.pyi",
        "include/shinar/sidl_python.hpp",
        "share/shinar/sidl.sidl",
        "share/shinar/proto/sidl_ir.proto",
    ):
        assert (stage / path).exists(), path


def test_it_names_no_place_of_the_build(stage, root):
    for pattern in ("lib/cmake/Shinar/*.cmake", "lib/pkgconfig/*.pc", "lib/*.scl"):
        for path in stage.glob(pattern):
            assert str(root) not in path.read_text(), path


def test_traces_name_no_place_of_the_build(stage, root):
    """What the libraries throw goes to users, with the files where it was thrown."""
    for library in sorted((stage / "lib").glob("*.so")):
        command = ["readelf", "--string-dump=.rodata", library]
        texts = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
        named = [each for each in texts if bytes(root) in each and each.endswith((b".c", b".cpp"))]
        assert named == [], library.name


def test_programs_run_where_they_were_moved(moved, run):
    assert "sidlc" in run([moved / "bin" / "sidlc", "--version"]).stdout
    assert "serve" in run([moved / "bin" / "sidl", "--help"]).stdout


def test_pkg_config_is_enough(moved, root, run, tmp_path):
    """Compiles and links a C client by hand; without an implementation its call must fail."""
    environment = {**os.environ, "PKG_CONFIG_PATH": str(moved / "lib" / "pkgconfig")}
    text = run(["pkg-config", "--cflags", "--libs", "shinar"], env=environment).stdout
    hello = root / "examples" / "hello"
    run([moved / "bin" / "sidlc", "--client=c", "-o", tmp_path, hello / "hello.sidl"])
    program = tmp_path / "client"
    sources = [hello / "client.c", *tmp_path.glob("*_IOR.c")]
    options = [*shlex.split(text), f"-Wl,-rpath,{moved / 'lib'}"]
    run(["cc", "-std=c11", f"-I{tmp_path}", *sources, "-o", program, *options])
    assert "hello.World" in run([program], status=1).stderr


OUTER = """
cmake_minimum_required(VERSION 3.25)
project(outer LANGUAGES C CXX)
add_subdirectory(shinar)
sidl_add_library(hello LANGUAGE c CLIENT SIDL hello.sidl)
"""


def test_within_another_project(root, sidlc, stage, run, tmp_path):
    """add_subdirectory: the libraries are built there; the compiler must be there before."""
    (tmp_path / "CMakeLists.txt").write_text(OUTER)
    (tmp_path / "shinar").symlink_to(root)
    shutil.copy(root / "examples" / "hello" / "hello.sidl", tmp_path)
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja"]
    done = run(command, status=1)
    assert "install Shinar and call find_package(Shinar), or set SHINAR_SIDLC" in " ".join(
        done.stderr.split()
    )
    run([*command, f"-DSHINAR_SIDLC={sidlc}"])
    run(["cmake", "--build", tmp_path / "build", "--target", "hello"], timeout=1200)
    assert (tmp_path / "build" / "libhello.so").exists()


def test_destdir(root, build_dir, run, tmp_path):
    environment = {**os.environ, "DESTDIR": str(tmp_path)}
    run(["cmake", "--install", build_dir, "--prefix", "/opt/shinar"], env=environment)
    assert (tmp_path / "opt" / "shinar" / "bin" / "sidlc").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["opt"]
