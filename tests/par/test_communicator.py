"""Groups of the processes of an MPI communicator: sidl.par.Group.ofCommunicator."""

import fcntl
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent / "mpi"
#: MPI libraries by the endings of their commands, and what starts ranks, also more than there are
#: cores.
LIBRARIES = {"openmpi": ["--oversubscribe", "--bind-to", "none"], "mpich": []}
LANGUAGES = ["c", "cxx", "fortran"]


@pytest.fixture(scope="module", params=LIBRARIES)
def mpi(request, stage, cmake_build, tmp_path_factory):
    """mpi((ranks, program, arguments), …): what ranks of programs with this MPI library print."""
    name = request.param
    commands = [shutil.which(f"{each}.{name}") for each in ("mpicc", "mpicxx", "mpifort")]
    if None in commands:
        pytest.skip(f"{name} is not installed")
    assert list((stage / "lib").glob("libsidl_mpi-*.so")), "built without MPI"
    languages = zip(("C", "CXX", "Fortran"), commands)
    compilers = [f"-DCMAKE_{language}_COMPILER={each}" for language, each in languages]
    folder = cmake_build(HERE, tmp_path_factory.mktemp(name), *compilers, unity=True)

    def run_ranks(*programs, status=0):
        command = [f"mpiexec.{name}", *LIBRARIES[name]]
        for count, (ranks, program, *arguments) in enumerate(programs):
            command += [":"] if count else []
            command += ["-n", ranks, folder / program, *arguments]
        done = subprocess.run(
            [*map(str, command)],
            env={
                **os.environ,
                "SIDL_DLL_PATH": str(folder),
                "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            },
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == status, done.stderr
        return done.stdout

    return run_ranks


def all_well(text, callers):
    """What ranks print may come in pieces, one within another."""
    return "".join(text.split()) == "well" * callers


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("servers, callers", [(1, 1), (2, 3), (3, 2)])
def test_groups_of_communicators(servers, callers, language, mpi, tmp_path, monkeypatch):
    folder = tmp_path / "r"
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    programs = [(servers + callers, f"world_{language}", servers)]
    if language == "c":  # which only calls
        programs = [(servers, "world_cxx", servers), (callers, "world_c", servers)]
    assert all_well(mpi(*programs), callers)
    assert list(folder.iterdir()) == []


def test_folders_left_behind(mpi, tmp_path, monkeypatch):
    """Processes that end without removing their sockets leave them to the next ones."""
    folder = tmp_path / "r"
    used, left, others = (folder / f"sidl-mpi-{name}" for name in ("used", "left", "others"))
    for each in (used, left, others):
        each.mkdir(parents=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(each / "0"))
    (others / "data").touch()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    in_use = os.open(used / "users", os.O_RDONLY | os.O_CREAT)
    fcntl.flock(in_use, fcntl.LOCK_SH)
    assert all_well(mpi((3, "world_cxx", 1)), 2)
    assert sorted(folder.iterdir()) == [others, used]
    os.close(in_use)
    assert all_well(mpi((2, "world_cxx", 1)), 1)
    assert list(folder.iterdir()) == [others] and len(list(others.iterdir())) == 2


def test_refusals(mpi):
    first, second = mpi((1, "world_cxx")).splitlines()
    assert first == "MPI is not initialized: call MPI_Init before Group.ofCommunicator"
    assert re.fullmatch("MPI says: .*[iI]nvalid communicator.*", second)


def test_no_mpi(stage, run):
    if not list((stage / "lib").glob("libsidl_python*")):
        pytest.skip("built without Python's headers: no Python binding")
    program = """
import sidl
from sidl.par import Group
try:
    Group.ofCommunicator(0)
except sidl.BaseException as refusal:
    print(refusal.getNote())
"""
    environment = {**os.environ, "PYTHONPATH": str(stage / "lib" / "shinar" / "python")}
    assert "uses no MPI that" in run([sys.executable, "-c", program], env=environment).stdout
