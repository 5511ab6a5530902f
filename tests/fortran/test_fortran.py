"""Fortran as caller and as callee: every type in every mode, handles that count, three languages in
one family.

`make sanitize-fortran` sets SHINAR_SANITIZED_FORTRAN and runs the same with gcc's sanitizers;
test_fortran_sanitized.py is its short form.
"""

import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

# What cannot be so in Fortran: a result that is an argument, and one of another rank.
NOT_IN_FORTRAN = "-*InEveryMode/*:*WhatFitsIsNotCopied/*:*ResultOfAnotherDimension*"

SANITIZED = bool(os.environ.get("SHINAR_SANITIZED_FORTRAN"))
# Each language's library has tables by the same names; and Python keeps what it has to the end.
SANITIZERS = f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0"
NO_LEAKS = {"ASAN_OPTIONS": f"{SANITIZERS}:detect_leaks=0"}

pytestmark = pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    """The folder with the test programs."""
    folder = tmp_path_factory.mktemp("fortran")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    options += [f"-DFORTRAN_SANITIZE={'ON' if SANITIZED else 'OFF'}"]
    return cmake_build(root / "tests" / "fortran", folder, *options, unity=True, optimised=True)


def with_python(programs):
    """What programs that are, or start, Python need of their environment."""
    path = (programs / "path").read_text()
    return {**NO_LEAKS, "PYTHONPATH": path, "SIDL_DLL_PATH": str(programs)}


@pytest.fixture(autouse=True)
def sanitizers(programs, monkeypatch):
    """Programs that are not built with sanitizers load libraries that are."""
    if not SANITIZED:
        return
    libraries = [
        subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True).strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    monkeypatch.setenv("LD_PRELOAD", " ".join(libraries))
    monkeypatch.setenv("ASAN_OPTIONS", SANITIZERS)


@pytest.mark.parametrize("program", ["callers", "sidl_arrays"])
def test_callers_in_fortran(program, programs, run):
    run([programs / program])


def test_arrays_come_back_in_each_others_place(programs, run, serve):
    """What came back was written into one argument while the next one was still to be read from
    there. Callees of the other tests gave arrays back that they had made."""
    run([programs / "exchanges"])
    with serve(f"xch.Box={programs}/libxch.so") as url:
        run([programs / "exchanges"], env={**os.environ, "XCH_SERVER": url})


def test_whose_arrays_they_are(programs, run, serve):
    """A method took arrays that its caller in Fortran had allocated for its own, and gave all of an
    array where it should have given the first part. Methods of the other tests gave all of what
    they had made, and the callers' arrays were of Fortran's own."""
    leaks = run([programs / "owners"], env={**os.environ, "SIDL_REPORT_LEAKS": "1"}).stderr
    assert "own.Giver" not in leaks.replace("1 own.Giver", "")
    # What was freed is used again at once: an array without elements had kept its address.
    at_once = "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"
    run([programs / "owners"], env={**os.environ, "GLIBC_TUNABLES": at_once})
    with serve(f"own.Giver={programs}/libown.so") as url:
        run([programs / "owners"], env={**os.environ, "OWN_SERVER": url})


def test_bounds_that_do_not_fit_32_bits(programs, run, serve):
    """Of small arrays, to C++ and to Fortran and back; and raw arrays of more elements than an int
    can count, which are not there."""
    run([programs / "wide_bounds"])
    assert run([programs / "wide_old_codes"]).stdout == ""
    libraries = {"InCxx": "wide", "InFortran": "wide_in_fortran"}
    exports = [f"wide.{name}={programs}/lib{file}.so" for name, file in libraries.items()]
    with serve(*exports) as url:
        environment = {**os.environ, "WIDE_SERVER": url}
        run([programs / "wide_bounds"], env=environment)
        assert run([programs / "wide_old_codes"], env=environment).stdout == ""


def test_null_arrays(programs, run, serve):
    """In every form, to C++ and to Fortran that passes them on. No other test gave an array of
    Fortran's own that is not there: nulls were SIDL arrays, and Impl files looked no further."""
    run([programs / "nulls"])
    libraries = {"nul.InCxx": "nul", "relays.Relay": "relays", "relays.Heir": "relays"}
    with serve(*(f"{name}={programs}/lib{file}.so" for name, file in libraries.items())) as url:
        run([programs / "nulls"], env={**os.environ, "NUL_SERVER": url})


def test_null_arrays_to_python(root, programs, run, serve, monkeypatch):
    """From Python through Fortran to C++, Python and Fortran: all types, all modes."""
    if not (programs / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")
    for name, value in with_python(programs).items():
        monkeypatch.setenv(name, value)
    command = [sys.executable, root / "tests" / "fortran" / "nulls_from_python.py"]
    run(command)
    classes = ("nul.InCxx", "relays.Relay", "relays.Heir", "pynul.InPython")
    with serve(*classes) as url:
        run([*command, url])


def test_old_codes(programs, run):
    assert run([programs / "checks"]).stdout == ""
    assert run([programs / "heirs"]).stdout == ""


def test_callers_in_c_and_cxx(programs, run):
    run([programs / "types_tests", f"--gtest_filter={NOT_IN_FORTRAN}"])


def test_from_another_process(programs, run, serve):
    libraries = {"InC": "in_c", "InFortran": "in_fortran", "Item": "ty"}
    exports = [f"ty.{name}={programs}/lib{library}.so" for name, library in libraries.items()]
    with serve(*exports) as url:
        for program in ("callers", "sidl_arrays", "checks"):
            run([programs / program], env={**os.environ, "TY_SERVER": url})
        run(
            [programs / "types_tests", f"--gtest_filter={NOT_IN_FORTRAN}"],
            env={**os.environ, "TY_SERVER": url},
        )


def test_forks(programs, run, serve):
    with serve(f"ty.InFortran={programs}/libin_fortran.so") as url:
        run([programs / "forks"], env={**os.environ, "TY_SERVER": url}, timeout=120)


def test_handles_count(programs, run, tmp_path):
    statistics = tmp_path / "statistics"
    run([programs / "handles"], env={**os.environ, "FAM_STATISTICS": str(statistics)})
    assert re.search("of a dog.*of all dogs", statistics.read_text(), re.DOTALL)


def test_families_with_c(programs, run):
    """Fortran extends C, which extends Fortran."""
    run([programs / "cats"])


def test_a_server_of_classes_in_fortran(programs, run, serve):
    """Known objects, callbacks to objects in Fortran, deadlines."""
    dog = f"fam.Dog={programs / 'libdog.so'}"
    with serve(dog, publish=[f"rex={dog}"]) as url:
        run([programs / "remote_family"], env={**os.environ, "FAM_SERVER": url})


def test_families_with_python(root, programs, run):
    """Fortran extends Python, which extends Fortran; each is the host in turn."""
    if not (programs / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")
    environment = {**os.environ, **with_python(programs)}
    run([programs / "with_python"], env=environment)
    run([sys.executable, root / "tests" / "fortran" / "from_python.py"], env=environment)


def test_a_stop_in_a_method_is_told(programs, run):
    """It ends the program, whose status is then 0: at least it says so."""
    if not (programs / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")
    environment = {**os.environ, **with_python(programs)}
    program = "import fam; fam.Dog().feedWhat('poison'); print('never')"
    done = run([sys.executable, "-c", program], env=environment)
    assert done.stdout == ""
    assert re.search(r"in the middle of a call: method fam.Dog.feed\w+ \(in .*libdog", done.stderr)
    assert "as STOP does in Fortran" in done.stderr


def test_a_class_that_python_does_not_load(programs, run, tmp_path):
    """Another package of its name is in the way."""
    if not (programs / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")
    (tmp_path / "pets").mkdir()
    (tmp_path / "pets" / "__init__.py").touch()
    environment = {
        **os.environ,
        **NO_LEAKS,
        "PYTHONPATH": str(tmp_path),
        "SIDL_DLL_PATH": str(programs),
    }
    done = run([programs / "with_python"], env=environment, status=1)
    assert f"contain it: another package has the same name ({tmp_path}/pets)" in done.stderr
    assert "class pets.Terrier was found, but could not be loaded" in done.stderr


@pytest.mark.parametrize(
    "program",
    [
        "handles",
        "callers",
        "sidl_arrays",
        "nulls",
        "exchanges",
        "owners",
        "cats",
        "checks",
        "wide_bounds",
        "wide_old_codes",
    ],
)
@pytest.mark.skipif(SANITIZED, reason="the sanitizers look after that")
def test_nothing_leaks(program, programs, run_in_valgrind):
    run_in_valgrind([programs / program])


def test_an_exception_that_nobody_takes_ends_the_program(programs, run):
    done = run([programs / "uncaught"], status=1)
    assert "fam.Hungry: an empty bowl" in done.stderr
    assert re.search(r"in feed at .*12", done.stderr)
    assert "in fam.Dog.feed at fam_Dog_Impl.f90" in done.stderr
    assert "in fam.Dog.feed at fam.f90" in done.stderr


def test_a_call_without_an_object_ends_the_program(programs, run):
    done = run([programs / "no_object"], status=1)
    assert "fam.Dog.feed: the handle refers to no object" in done.stderr


def test_an_array_that_cannot_be_ends_the_program(programs, run):
    done = run([programs / "no_index"], status=-signal.SIGABRT)
    bounds = f"from {-(2**62)} to {-(2**62) - 1}"
    assert f"sidl: sidl_allocate: dimension 2 cannot be {bounds}" in done.stderr


def test_impl_files_are_up_to_date(root, run, sidlc, tmp_path):
    """sidlc would change nothing in the Impl files that are under version control."""
    folder = root / "tests" / "fortran"
    types = root / "tests" / "types" / "types.sidl"
    nulls = folder / "nulls.sidl"
    for name, source, options in [
        ("impl/ty_InFortran_Impl.f90", "in_fortran.sidl", ["-I", types]),
        ("impl_nulls/relays_Relay_Impl.f90", "relays.sidl", ["-I", nulls]),
        ("impl_nulls/relays_Heir_Impl.f90", "relays.sidl", ["-I", nulls]),
        ("impl_owners/own_Giver_Impl.f90", "owners.sidl", []),
        ("impl_fam/fam_Dog_Impl.f90", "dog.sidl", ["-I", folder / "fam.sidl"]),
        ("impl_cats/cats_Kitten_Impl.f90", "kitten.sidl", ["-I", folder / "cat.sidl"]),
        (
            "impl_fam/packs_Hound_Impl.f90",
            "hound.sidl",
            [f"-I{folder / name}" for name in ("fam.sidl", "dog.sidl", "terrier.sidl")],
        ),
    ]:
        before = (folder / name).read_text()
        copy = tmp_path / (folder / name).name
        copy.write_text(before)
        command = [sidlc, "--server=fortran", "-o", tmp_path / "out", "--impl-dir", tmp_path]
        run([*command, *options, folder / source])
        assert copy.read_text() == before
