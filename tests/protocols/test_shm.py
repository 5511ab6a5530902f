"""Shared memory between processes of one host: clients move to it by themselves, or stay where they
are, and ends that die, stop or lie harm nobody else. What calls promise over it: the tests over all
protocols, of which it is one."""

import array
import contextlib
import os
import re
import signal
import socket
import subprocess
import time

import pytest
from serving import eventually, running

MOVED = r"connection of process \d+ \(shared memory\)"


@pytest.fixture(autouse=True)
def _by_default(monkeypatch):
    monkeypatch.delenv("SIDL_RMI_SHM")


def unix_url(tmp_path):
    return f"simhandle+unix://{tmp_path}/socket"


def test_clients_move_by_themselves(server, client):
    started = server("--verbose")
    done = client(started.url, "alive")
    assert done.returncode == 0, done.stderr
    assert re.search(MOVED, started.log)


def test_clients_of_a_unix_socket_move_too(server, client, tmp_path):
    started = server(
        "--verbose", "--listen", "simhandle://127.0.0.1:0", "--listen", unix_url(tmp_path)
    )
    done = client(unix_url(tmp_path), "alive")
    assert done.returncode == 0, done.stderr
    assert re.search(MOVED, started.log)


@pytest.mark.parametrize("end", ["client", "server", "option"])
def test_either_end_can_forbid_it(server, client, end):
    off = {"SIDL_RMI_SHM": "off"}
    option = ["--no-shm"] if end == "option" else []
    started = server("--verbose", *option, env=off if end == "server" else None)
    done = client(started.url, "alive", env=off if end == "client" else None)
    assert done.returncode == 0, done.stderr
    assert "connection of 127.0.0.1:" in started.log
    assert "shared memory" not in started.log


def may_unshare():
    command = ["unshare", "--net", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not may_unshare(), reason="this user may not make network namespaces")
def test_in_another_network_namespace_clients_stay(server, wire, tmp_path):
    started = server(
        "--verbose", "--listen", "simhandle://127.0.0.1:0", "--listen", unix_url(tmp_path)
    )
    command = ["unshare", "--net", wire / "wire_client", unix_url(tmp_path), "alive"]
    environment = {**os.environ, "SIDL_LOG": "detail"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "shared memory" not in started.log


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can become somebody else")
def test_other_users_stay(server, wire):
    started = server("--verbose")
    command = ["setpriv", "--reuid=65534", "--clear-groups", wire / "wire_client"]
    done = subprocess.run(
        [*command, started.url, "alive"], capture_output=True, text=True, check=False
    )
    if "Permission denied" in done.stderr:
        pytest.skip("others may not read the build folder")
    assert done.returncode == 0, done.stderr
    assert "shared memory" not in started.log


def mappings(pid):
    with open(f"/proc/{pid}/maps") as maps:
        return sum("/memfd:shinar" in line for line in maps)


def test_what_clients_leave_behind_goes(server, wire, client):
    started = server()
    descriptors = f"/proc/{started.process.pid}/fd"
    assert client(started.url, "alive").returncode == 0
    assert eventually(lambda: mappings(started.process.pid) == 0)
    before = len(os.listdir(descriptors))
    for _ in range(5):
        with running(wire, started.url, "hold", 1) as staying:
            assert eventually(lambda: mappings(started.process.pid) == 1)
            staying.send_signal(signal.SIGKILL)
        assert eventually(lambda: mappings(started.process.pid) == 0)
    assert eventually(lambda: len(os.listdir(descriptors)) <= before)


def door_of(started):
    """The abstract address of a server's door, as its welcome names it."""
    with socket.create_connection(("127.0.0.1", started.port)) as connection:
        hello = b"SHINAR\r\n" + b"\2\0\2\0" + b"\1\0\0\0" + bytes(range(16)) + bytes(32)
        connection.sendall(hello)
        welcome = b""
        while len(welcome) < 64 or len(welcome) < 64 + int.from_bytes(welcome[52:56], "little"):
            welcome += connection.recv(4096)
    assert welcome[12] == 1
    found = re.search(r"^simhandle\+shm://([0-9a-f]{32}):0$", welcome[64:].decode(), re.MULTILINE)
    return f"\0shinar-{found[1]}"


NOTE = b"SHINSHM\n" + (1).to_bytes(4, "little") + (1 << 19).to_bytes(4, "little")


def test_what_is_no_client_is_sent_away(server, client):
    started = server()
    door = door_of(started)
    memory = os.memfd_create("small", os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, 4096)
    near, far = socket.socketpair()
    lies = [
        (b"GET / HTTP/1.1\r\n\r\n", []),
        (NOTE, []),
        (NOTE, [memory]),
        (NOTE, [memory, far.fileno()]),
        (NOTE, [memory] * 20),
        (NOTE[:8], [memory, far.fileno()]),
    ]
    descriptors = f"/proc/{started.process.pid}/fd"
    for text, passed in lies * 10:
        with socket.socket(socket.AF_UNIX) as liar:
            liar.connect(door)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", passed))]
            liar.sendmsg([text], rights if passed else [])
            liar.settimeout(10)
            with contextlib.suppress(ConnectionResetError):
                assert liar.recv(1) == b""
    assert client(started.url, "alive").returncode == 0
    assert eventually(lambda: len(os.listdir(descriptors)) < 30)
    for each in (near, far):
        each.close()
    os.close(memory)


def test_a_server_that_stops_is_given_up(server, wire):
    """Nobody reads the ring, and no socket shows that."""
    impatient = {"SIDL_RMI_KEEPALIVE_MS": "300"}
    started = server("--drain", "0", env=impatient)
    with running(wire, started.url, "wait", 60000, env=impatient) as waiting:
        assert waiting.stdout.readline() == "waiting\n"
        time.sleep(0.3)
        started.process.send_signal(signal.SIGSTOP)
        try:
            assert waiting.wait(timeout=20) != 0
        finally:
            started.process.kill()
            started.process.wait()


def test_a_server_that_dies_is_noticed_at_once(server, wire):
    """Though its clients sleep where no descriptor shows it, and nobody asks."""
    started = server()
    with running(wire, started.url, "wait", 60000) as waiting:
        assert waiting.stdout.readline() == "waiting\n"
        time.sleep(0.3)
        started.process.kill()
        started.process.wait()
        assert waiting.wait(timeout=5) != 0
