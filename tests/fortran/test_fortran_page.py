"""Every example of docs/fortran.md and docs/fortran77.md is compiled and run.

The `sidl` block of a page is the interface. Of its blocks in Fortran, those with splicer marks are
the Impl files' blocks, and each of the rest is a program, or, in fixed source, a routine.
"""

import os
import re
import shutil

import pytest

SPLICER = re.compile(
    r"^! DO-NOT-DELETE splicer\.begin\((\S+)\)\n(.*?)^! DO-NOT-DELETE splicer\.end", re.M | re.S
)
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(tour LANGUAGES C Fortran)
{example}
foreach(program {programs})
  add_executable(${{program}} ${{program}}.f90)
  target_link_libraries(${{program}} PRIVATE tour)
endforeach()
{implementation}
{client}
foreach(program {old_programs})
  {legacy}
endforeach()
add_executable(smoothed smoothed.f)
sidl_add_library(old_f77 LANGUAGE f77 SIDL old.sidl)
target_link_libraries(smoothed PRIVATE old_f77 old)
"""
# Calls the class around an old routine.
SMOOTHED = """
      program smoothed
      integer*8 smoother, ex
      integer*4 n
      double precision x(3)
      data x /1d0, 0d0, 3d0/
      call old_Smoother__create_f(smoother, ex)
      call old_Smoother_sweep_f(smoother, x, 3, n, ex)
      if (ex .ne. 0 .or. n .ne. 1 .or. x(2) .ne. 2d0) stop 1
      call old_Smoother_deleteRef_f(smoother, ex)
      end
"""

pytestmark = pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")


def fill_in(path, blocks):
    """Puts the blocks where they belong in an Impl file; gives the names of those it has."""
    text = path.read_text()
    known = {name for name in blocks if f"splicer.begin({name})" in text}
    for name in known:
        begin = text.index("\n", text.index(f"splicer.begin({name})")) + 1
        end = text.rindex("\n", 0, text.index(f"splicer.end({name})")) + 1
        text = text[:begin] + blocks[name] + text[end:]
    path.write_text(text)
    return known


def blocks_of(page):
    """Fence: the blocks of a page."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(), re.M | re.S)
    return {fence: [block for name, block in blocks if name == fence] for fence, _ in blocks}


def write_impl(name, of, folder, run, sidlc):
    """Makes the Impl files of a page's package and fills them in."""
    (folder / f"{name}.sidl").write_text(of["sidl"][0])
    command = [sidlc, "--server=fortran", "-o", folder / "gen", "--impl-dir", folder / "impl"]
    run([*command, folder / f"{name}.sidl"])
    code = {name: body for block in of["fortran"] for name, body in SPLICER.findall(block)}
    known = [fill_in(path, code) for path in (folder / "impl").glob("*_Impl.f90")]
    assert set().union(*known) == set(code) != set()


def write_sources(of, suffix, folder):
    """Writes the programs, and the routines, of a page: the programs' names."""
    programs = []
    for block in of["fortran"]:
        if named := re.match(r" *(program|SUBROUTINE) (\w+)", block):
            (folder / f"{named[2].lower()}{suffix}").write_text(block)
            programs += [named[2]] if named[1] == "program" else []
    return programs


@pytest.fixture(scope="module")
def pages(root, sidlc, run, cmake_build, tmp_path_factory):
    """The folder with the pages' programs, and the names of each page's."""
    folder = tmp_path_factory.mktemp("tour")
    new, old = (blocks_of(root / "docs" / name) for name in ("fortran.md", "fortran77.md"))
    write_impl("tour", new, folder, run, sidlc)
    write_impl("old", old, folder, run, sidlc)
    programs = write_sources(new, ".f90", folder)
    old_programs = write_sources(old, ".f", folder)
    (folder / "smoothed.f").write_text(SMOOTHED)
    client, *legacy = old["cmake"][0].splitlines()
    names = {"legacy.f": "${program}.f", "(legacy ": "(old_${program} "}
    for name, other in names.items():
        legacy = [line.replace(name, other) for line in legacy]
    project = PROJECT.format(
        example=new["cmake"][0], programs=" ".join(programs), implementation=old["cmake"][1],
        client=client, legacy="\n  ".join(legacy), old_programs=" ".join(old_programs),
    )  # fmt: skip
    (folder / "CMakeLists.txt").write_text(project)
    old_programs = [f"old_{name}" for name in old_programs]
    return cmake_build(folder, folder / "build"), programs, [*old_programs, "smoothed"]


def test_the_programs_do_what_the_page_says(pages, run, serve):
    folder, programs, old_programs = pages
    assert len(programs) > 4 and len(old_programs) > 6
    with serve(f"tour.Kit={folder / 'libtour.so'}") as url:
        for program in [*programs, *old_programs]:
            run([folder / program], env={**os.environ, "TOUR_SERVER": url})


def test_old_programs_leave_nothing(pages, run_in_valgrind):
    folder, _, programs = pages
    # That one loads a protocol, and valgrind does not like how the C library's loader reads texts.
    for program in set(programs) - {"old_remote"}:
        run_in_valgrind([folder / program])
