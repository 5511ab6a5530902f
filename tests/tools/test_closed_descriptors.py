"""Programs that are started with descriptors 0 to 2 closed.

What they open next must not get these numbers: messages would be written into it.
"""

import os
import subprocess
import time

import pytest

PATIENCE = 30


def start(command):
    closing = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
    return subprocess.Popen([*closing, *map(str, command)])


def descriptors(pid):
    """What the process has open: number → what it is."""
    folder = f"/proc/{pid}/fd"
    return {int(fd): os.readlink(f"{folder}/{fd}") for fd in os.listdir(folder)}


def await_descriptors(process, wanted):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            found = descriptors(process.pid)
        except FileNotFoundError:  # one has been closed meanwhile
            continue
        if wanted(found):
            return found
    pytest.fail("the program has not come that far")
    return None


def check(found):
    assert [found.get(fd) for fd in range(3)] == ["/dev/null"] * 3


def test_sidl(stage):
    options = ["--export", "sidl.SIDLException", "--listen", "simhandle://127.0.0.1:0"]
    server = start([stage / "bin" / "sidl", "serve", *options])
    try:
        check(await_descriptors(server, lambda all: "socket:" in str(all.values())))
    finally:
        server.kill()
        server.wait()


def test_sidlc(sidlc, tmp_path):
    """It reads a pipe, and finds nothing in it that it understands."""
    pipe = tmp_path / "pipe.sidl"
    os.mkfifo(pipe)
    process = start([sidlc, "--client=c", "-o", tmp_path / "out", pipe])
    with pipe.open("w") as text:
        check(await_descriptors(process, lambda all: str(pipe) in all.values()))
        text.write("this is no SIDL")
    assert process.wait(PATIENCE) == 1
