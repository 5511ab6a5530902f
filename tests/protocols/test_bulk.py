"""Big arrays land where they stay: no temporary of the size of an array is made at either end."""

import contextlib
import os
import socket
import threading
from pathlib import Path

import pytest
from serving import running

DOUBLES = 4 << 20
ARRAY = 8 * DOUBLES
LITTLE = ARRAY // 8

counted = pytest.mark.skipif(
    "SHINAR_SANITIZED" in os.environ, reason="sanitizers have an allocator of their own"
)

# How many arrays each end needs in the course of a call: those that the method or its caller keep.
# Of a slice that a method gives back it has made the whole.
MODES = {
    "in": (0, 1),
    "in-slice": (0, 1),
    "in-rows": (0, 1),
    "in-raw": (0, 1),
    "one-way": (0, 1),
    "inout": (0, 1),
    "inout-slice": (0, 1),
    "inout-rows": (0, 1),
    "inout-raw": (0, 1),
    "result": (1, 1),
    "result-slice": (1, 2),
    "out": (1, 1),
}


@pytest.fixture(scope="module")
def bulk(root, cmake_build, tmp_path_factory):
    """Where the server's library and its clients are."""
    build = tmp_path_factory.mktemp("bulk") / "build"
    source = root / "tests" / "protocols" / "bulk"
    if "SHINAR_SANITIZED" not in os.environ:
        return cmake_build(source, build)
    # There is no Python binding with sanitizers, and no Fortran.
    for target in ["bulk_server", "late", "changing"]:
        cmake_build(source, build, "-DSANITIZED=ON", target=target)
    return build


@pytest.fixture(params=["cxx", "fortran", "python"])
def command(request, bulk, stage, build_dir):
    """A client, but for its arguments, and what it wants in its environment."""
    if request.param != "python":
        return [bulk / f"in_{request.param}"], {}
    path = os.pathsep.join([(bulk / "path").read_text(), str(stage / "lib/shinar/python")])
    script = Path(__file__).parent / "bulk" / "in_python.py"
    return [build_dir / "venv" / "bin" / "python", script], {"PYTHONPATH": path}


@counted
@pytest.mark.parametrize("mode", MODES)
def test_no_array_is_made_twice(mode, command, bulk, server, run):
    """Bytes that both ends ask for in big pieces in the course of one call."""
    program, environment = command
    loaded = {"LD_PRELOAD": str(bulk / "libbytes.so")}
    one = server("--export", f"bulk.Store={bulk}/libbulk_server.so", env=loaded)
    arguments = [one.url, mode, DOUBLES]
    out = run([*program, *arguments], env={**os.environ, **environment, **loaded}).stdout
    asked_for = [int(part) for part in out.split()]
    for end, bytes_, arrays in zip(("client", "server"), asked_for, MODES[mode]):
        assert arrays * ARRAY <= bytes_ < arrays * ARRAY + LITTLE, (end, bytes_ / ARRAY)


@pytest.mark.parametrize("protocol", ["simhandle", "shm", "ucx"])
def test_what_a_method_returns_is_as_it_was_then(
    protocol, bulk, protocols, start_server, run, stage
):
    """It is sent when the method has ended: the object's next call wrote to what was on its way."""
    protocols[protocol].need(stage)
    library = f"bulk.Store={bulk}/libbulk_server.so"
    one = start_server(protocols[protocol], "--export", library)
    assert run([bulk / "changing", one.url]).stdout == "0\n"


class Stopping:
    """A proxy that stops in the midst of what the server sends, until it is told to go on."""

    def __init__(self, port, most):
        self._target, self._most = ("127.0.0.1", port), most
        self.go_on = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"simhandle://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            server = socket.create_connection(self._target)
            for pair in ((client, server, None), (server, client, self._most)):
                threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source, target, most):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if most is not None and most < len(data):
                    self.go_on.wait(60)
                    most = None
                target.sendall(data)
                most = None if most is None else most - len(data)
            target.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("how", ["alone", "another"])
def test_what_comes_too_late_does_not_land(how, bulk, server):
    """The caller's memory is its own when the call is over, though its answer is being read, be it
    by a thread that waits for another one."""
    one = server("--export", f"bulk.Store={bulk}/libbulk_server.so")
    proxy = Stopping(one.port, 2 << 20)
    env = {"SIDL_RMI_CONNECTIONS": "1"}
    with running(bulk, proxy.url, how, program="late", env=env) as client:
        assert client.stdout.readline() == "late, in part\n"
        proxy.go_on.set()
        out, _ = client.communicate("go on\n", timeout=60)
    assert out == "left alone\n"
    assert client.returncode == 0
