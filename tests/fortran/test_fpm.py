"""A package of fpm's: an interface, its implementation and a program, as docs/fortran.md says."""

import os
import shutil
import sys
from pathlib import Path

import pytest

FPM = shutil.which("fpm") or shutil.which("fpm", path=str(Path(sys.executable).parent))
SIDL = "package greet version 1.0 { class Greeter { string hello(in string who); } }\n"
MANIFEST = """
name = "greet"

[dependencies]
shinar = {{ path = "{shinar}" }}

[library]
source-dir = "src"
include-dir = ["src", "{stage}/include/shinar"]

[[executable]]
name = "greet"
source-dir = "app"
main = "main.f90"
"""
PROGRAM = """
program main
  use greet
  implicit none
  type(greet_Greeter) :: greeter
  call greeter%create()
  if (greeter%hello('fpm') /= 'hello, fpm') error stop
end program main
"""

pytestmark = [
    pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here"),
    pytest.mark.skipif(not FPM, reason="no fpm here (PyPI has it)"),
]


def test_a_package_of_fpm(stage, sidlc, run, tmp_path):
    for name in ("app", "src"):
        (tmp_path / name).mkdir()
    (tmp_path / "greet.sidl").write_text(SIDL)
    (tmp_path / "fpm.toml").write_text(
        MANIFEST.format(stage=stage, shinar=os.path.relpath(stage / "share/shinar/fpm", tmp_path))
    )
    (tmp_path / "app" / "main.f90").write_text(PROGRAM)
    run([sidlc, "--server=fortran", "-o", tmp_path / "src", tmp_path / "greet.sidl"])
    impl = tmp_path / "src" / "greet_Greeter_Impl.f90"
    begin, rest = impl.read_text().split("begin(greet.Greeter.hello)\n")
    end = rest[rest.index("    ! DO-NOT-DELETE splicer.end") :]
    impl.write_text(f"{begin}begin(greet.Greeter.hello)\n    retval = 'hello, ' // who\n{end}")
    # Classes are found by name: the linker is told to keep them, and to export them.
    link = f"-L{stage}/lib -Wl,-rpath,{stage}/lib -rdynamic -Wl,--undefined=greet_Greeter__class"
    environment = {**os.environ, "FPM_FC": "gfortran", "FPM_CC": "gcc"}
    run([FPM, "run", "--link-flag", link], cwd=tmp_path, env=environment)
