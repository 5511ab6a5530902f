"""Every example of docs/fortran.md is compiled and run.

The page's `sidl` block is the interface. Of its blocks in Fortran, those with splicer marks are the
Impl files' blocks, and each of the rest is a program.
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


@pytest.fixture(scope="module")
def page(root, sidlc, run, cmake_build, tmp_path_factory):
    """The folder with the page's programs, and their names."""
    text = (root / "docs" / "fortran.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
    of = {fence: [block for language, block in blocks if language == fence] for fence, _ in blocks}
    folder = tmp_path_factory.mktemp("tour")
    (folder / "tour.sidl").write_text(of["sidl"][0])
    command = [sidlc, "--server=fortran", "-o", folder / "gen", "--impl-dir", folder / "impl"]
    run([*command, folder / "tour.sidl"])
    code = {name: body for block in of["fortran"] for name, body in SPLICER.findall(block)}
    known = [fill_in(path, code) for path in (folder / "impl").glob("*_Impl.f90")]
    assert set().union(*known) == set(code) and len(code) > 15
    programs = {}
    for block in of["fortran"]:
        if named := re.match(r"program (\w+)", block):
            programs[named[1]] = block
            (folder / f"{named[1]}.f90").write_text(block)
    project = PROJECT.format(example=of["cmake"][0], programs=" ".join(programs))
    (folder / "CMakeLists.txt").write_text(project)
    return cmake_build(folder, folder / "build"), list(programs)


def test_the_programs_do_what_the_page_says(page, run, serve):
    folder, programs = page
    assert len(programs) > 4
    with serve(f"tour.Kit={folder / 'libtour.so'}") as url:
        for program in programs:
            run([folder / program], env={**os.environ, "TOUR_SERVER": url})
