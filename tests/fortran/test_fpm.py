"""A package of fpm's: an interface, its implementation and programs, new and old, as
docs/fortran.md and docs/fortran77.md say."""

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
shinar = {{ path = "{share}/fpm" }}
shinar_f77 = {{ path = "{share}/fpm_f77" }}

[library]
source-dir = "src"
include-dir = ["src", "{stage}/include/shinar"]

[[executable]]
name = "greet"
source-dir = "app"
main = "main.f90"

[[executable]]
name = "old"
source-dir = "old"
main = "old.f"

[fortran]
implicit-external = true
source-form = "default"
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
OLD_PROGRAM = """
      program old
      integer*8 greeter, ex
      character*20 text
      call greet_Greeter__create_f(greeter, ex)
      call greet_Greeter_hello_f(greeter, 'fpm', text, ex)
      if (ex .ne. 0 .or. text .ne. 'hello, fpm') stop 1
      call greet_Greeter_deleteRef_f(greeter, ex)
      end
"""

pytestmark = [
    pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here"),
    pytest.mark.skipif(not FPM, reason="no fpm here (PyPI has it)"),
]


def test_a_package_of_fpm(stage, sidlc, run, tmp_path):
    for name in ("app", "old", "src"):
        (tmp_path / name).mkdir()
    (tmp_path / "greet.sidl").write_text(SIDL)
    (tmp_path / "fpm.toml").write_text(
        MANIFEST.format(stage=stage, share=os.path.relpath(stage / "share/shinar", tmp_path))
    )
    (tmp_path / "app" / "main.f90").write_text(PROGRAM)
    (tmp_path / "old" / "old.f").write_text(OLD_PROGRAM)
    for option in ("--server=fortran", "--client=f77"):
        run([sidlc, option, "-o", tmp_path / "src", tmp_path / "greet.sidl"])
    impl = tmp_path / "src" / "greet_Greeter_Impl.f90"
    begin, rest = impl.read_text().split("begin(greet.Greeter.hello)\n")
    end = rest[rest.index("    ! DO-NOT-DELETE splicer.end") :]
    impl.write_text(f"{begin}begin(greet.Greeter.hello)\n    retval = 'hello, ' // who\n{end}")
    # Classes are found by name: the linker is told to keep them, and to export them.
    link = f"-L{stage}/lib -Wl,-rpath,{stage}/lib -rdynamic -Wl,--undefined=greet_Greeter__class"
    environment = {**os.environ, "FPM_FC": "gfortran", "FPM_CC": "gcc"}
    for program in ("greet", "old"):
        run([FPM, "run", program, "--link-flag", link], cwd=tmp_path, env=environment)
