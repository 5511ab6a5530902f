"""A program of MPI whose ranks serve Shinar's objects and call them, both libraries busy at once:
over each of Shinar's transports, and over two of Open MPI's, one of which uses UCX as well.

The program, beside_mpi.cpp, checks the values, and ends with a message where it hangs.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from open_mpi import MESSAGES  # noqa: E402

# Of Shinar: where a rank listens, whether it may use shared memory, and what a server's log says of
# a connection.
TRANSPORTS = {
    "tcp": ("simhandle://127.0.0.1:0", "off", "127.0.0.1:"),
    "unix": ("simhandle+unix://{folder}/{{rank}}", "off", "process "),
    "shm": ("simhandle://127.0.0.1:0", "on", "(shared memory)"),
    "ucx": ("ucx://127.0.0.1:0", "off", "(UCX)"),
}
# Who serves, and which of the two libraries is used first.
ROLES = [("one", "mpi"), ("both", "shinar")]
CROSSED = [("one", "shinar"), ("both", "mpi")]
CASES = [
    (transport, messages, *roles)
    for transport in TRANSPORTS
    for messages in MESSAGES
    for roles in (ROLES + CROSSED if transport == messages else ROLES)
]


@pytest.fixture(scope="module")
def mpirun():
    """The command that starts two ranks, on machines of one core, and by root."""
    if not shutil.which("mpirun") or not shutil.which("ompi_info"):
        pytest.skip("Open MPI is not installed")
    return ["mpirun", "-n", "2", "--oversubscribe", "--bind-to", "none"]


@pytest.fixture(scope="module")
def components(mpirun):
    """What Open MPI's messages can be carried by."""
    command = ["ompi_info", "--parsable"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def program(mpirun, root, cmake_build, tmp_path_factory):
    """The program that is each of the ranks."""
    return cmake_build(root / "tests" / "mpi", tmp_path_factory.mktemp("mpi")) / "beside_mpi"


@pytest.fixture
def short_folder(tmp_path_factory):
    """A folder for sockets, whose paths have at most 107 bytes."""
    return tmp_path_factory.mktemp("m")


@pytest.mark.parametrize(("transport", "messages", "who", "first"), CASES)
def test_both_at_work(
    transport,
    messages,
    who,
    first,
    mpirun,
    components,
    program,
    protocols,
    stage,
    short_folder,
    run,
):
    if f"mca:pml:{messages}:" not in components:
        pytest.skip(f"this Open MPI was built without its pml {messages}")
    if transport in protocols:
        protocols[transport].need(stage)
    address, shared_memory, log = TRANSPORTS[transport]
    env = {
        **os.environ,
        "SIDL_RMI_SHM": shared_memory,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    command = [*mpirun, *MESSAGES[messages], program, address.format(folder=short_folder)]
    done = run([*command, short_folder, who, first], timeout=120, env=env)
    assert sorted(done.stdout.split("\n")) == ["", "rank 0 is done", "rank 1 is done"]
    assert log in done.stderr
