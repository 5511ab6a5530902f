"""Servers on Unix-domain sockets: the file, whose it is, and who may come in. That calls do what
they do over TCP is what the tests of all protocols say."""

import fcntl
import os
import re
import signal
import socket
import stat
import subprocess

import pytest
from serving import eventually, free_port

LISTENING = re.compile(r"^listening on (\S+)\n", re.MULTILINE)


@pytest.fixture
def call(sidl_tool, run):
    """call(url, method, …) → what `sidl call` prints."""

    def do(*arguments):
        return run([sidl_tool, "call", "--compact", *arguments]).stdout

    return do


@pytest.fixture
def path(tmp_path):
    """Of a socket."""
    return tmp_path / "door"


@pytest.fixture
def serve_box(sidl_tool, wire, tmp_path):
    """serve_box(address, …) → (process, log) of a server that is starting; killed at the end."""
    processes = []

    def start(*addresses, prefix=()):
        log = tmp_path / f"log{len(processes)}"
        command = [*prefix, sidl_tool, "serve", "--publish", f"pub=wire.Box={wire}/libwire.so"]
        for each in addresses:
            command += ["--listen", each]
        with log.open("w") as out:
            processes.append(
                subprocess.Popen([str(part) for part in command], stdout=out, stderr=out)
            )
        return processes[-1], log

    yield start
    for each in processes:
        each.kill()
        each.wait()


def listens(server):
    """True when it does, False if it cannot."""
    process, log = server
    assert eventually(lambda: LISTENING.search(log.read_text()) or process.poll() is not None, 30)
    return LISTENING.search(log.read_text()) is not None


def end(server, how=signal.SIGTERM):
    """Its exit status."""
    server[0].send_signal(how)
    return server[0].wait(timeout=20)


def test_the_file_is_the_users_and_goes_with_the_server(serve_box, call, path):
    server = serve_box(f"simhandle+unix://{path}")
    assert listens(server)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    call(f"simhandle+unix://{path}#pub", "noop")
    assert end(server) == 0
    assert not path.exists()


def test_the_tools_know_the_urls(serve_box, sidl_tool, run, call, path):
    url = f"simhandle+unix://{path}"
    assert listens(serve_box(url))
    assert f"  {url}#pub  wire.Box\n" in run([sidl_tool, "inspect", url]).stdout
    assert call(f"{url}#pub", "add", "2", "3") == '{"result":5}\n'
    assert f"{url}: alive, " in run([sidl_tool, "ping", "--count", "1", url]).stdout
    assert f"{url}#pub: wire.Box, " in run([sidl_tool, "ping", "--count", "1", f"{url}#pub"]).stdout
    errors = run([sidl_tool, "call", url, "add", "2", "3"], status=2).stderr
    assert f"'{url}' names a server" in errors


def test_a_server_has_both_doors(serve_box, call, path):
    """To the same objects, which are known by the door through which one has come."""
    port = free_port()
    doors = [f"simhandle+unix://{path}", f"simhandle://127.0.0.1:{port}"]
    assert listens(serve_box(*doors))
    call(f"{doors[0]}#pub", "setName", "Ada")
    assert call(f"{doors[1]}/pub", "getName") == '{"result":"Ada"}\n'
    assert call(f"{doors[0]}#pub", "itself").startswith(f'{{"result":"{doors[0]}#')


def test_a_port_file_keeps_the_port_of_the_other_door(sidl_tool, wire, path, tmp_path, run):
    ports = tmp_path / "ports"
    command = [sidl_tool, "serve", "--publish", f"pub=wire.Box={wire}/libwire.so"]
    command += ["--port-file", ports, "--listen", f"simhandle+unix://{path}"]
    errors = run(command, status=2).stderr
    assert (
        f"'simhandle+unix://{path}' has no port: --port-file would have nothing to write" in errors
    )
    assert not path.exists()
    command += ["--listen", "simhandle://127.0.0.1:0"]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL) as server:
        assert eventually(ports.exists)
        assert re.fullmatch(r"\d+\n", ports.read_text())
        server.terminate()


def test_what_a_killed_server_left_is_replaced(serve_box, sidl_tool, run, call, path):
    server = serve_box(f"simhandle+unix://{path}")
    assert listens(server)
    end(server, signal.SIGKILL)
    assert path.is_socket()
    errors = run([sidl_tool, "call", f"simhandle+unix://{path}#pub", "noop"], status=1).stderr
    assert f"{path}" in errors and "Connection refused: no server is listening there" in errors
    assert listens(serve_box(f"simhandle+unix://{path}"))
    call(f"simhandle+unix://{path}#pub", "noop")


def test_a_locked_folder_keeps_nobody_waiting(serve_box, path):
    """Whoever can read a folder, such as /tmp, can lock it."""
    folder = os.open(path.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    server = serve_box(f"simhandle+unix://{path}")
    assert listens(server)
    end(server, signal.SIGKILL)
    second = serve_box(f"simhandle+unix://{path}")  # the file that is left may be in use
    assert not listens(second)
    assert "a process has locked the folder, and the file may be in use" in second[1].read_text()
    os.close(folder)
    assert listens(serve_box(f"simhandle+unix://{path}"))


def test_nothing_else_is_replaced(serve_box, path):
    """Not a server that lives, nor a file."""
    first = serve_box(f"simhandle+unix://{path}")
    assert listens(first)
    second = serve_box(f"simhandle+unix://{path}")
    assert not listens(second)
    assert f"cannot listen on {path}: Address already in use" in second[1].read_text()
    assert end(first) == 0
    path.write_text("mine")
    third = serve_box(f"simhandle+unix://{path}")
    assert not listens(third)
    assert path.read_text() == "mine"


def test_what_clients_mistake_for_a_server(serve_box, sidl_tool, run, path):
    assert listens(serve_box(f"simhandle+unix://{path}"))
    other = path.with_name("file")
    other.touch()
    for url, why in [
        (
            f"simhandle+unix://{path}/pub#x",
            "Not a directory: write the name of an object after",
        ),
        (f"simhandle+unix://{other}#x", "Connection refused: it is not a socket"),
        (f"simhandle+unix://{other}s#x", "No such file or directory"),
    ]:
        assert why in run([sidl_tool, "call", url, "noop"], status=1).stderr


def test_of_several_that_start_at_once_one_listens(serve_box, call, path):
    """Each finds what a killed one has left."""
    for _ in range(5):
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(path))
        servers = [serve_box(f"simhandle+unix://{path}") for _ in range(3)]
        assert [listens(each) for each in servers].count(True) == 1
        call(f"simhandle+unix://{path}#pub", "noop")
        for each in servers:
            each[0].terminate()
            each[0].wait(20)
        assert not path.exists()


def test_the_file_of_a_successor_stays(serve_box, path):
    """A server whose file was removed, and made again by another one, ends."""
    first = serve_box(f"simhandle+unix://{path}")
    assert listens(first)
    path.unlink()
    second = serve_box(f"simhandle+unix://{path}")
    assert listens(second)
    assert end(first) == 0
    assert path.is_socket()


def test_other_users_stay_outside(serve_box, sidl_tool, run, path):
    if os.geteuid() != 0:
        pytest.skip("needs another user")
    assert listens(serve_box(f"simhandle+unix://{path}"))
    folder = path.parent
    while folder != folder.parent:  # nothing else must be in the way
        folder.chmod(folder.stat().st_mode | 0o011)
        folder = folder.parent
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sidl_tool, "call"]
    errors = run([*command, f"simhandle+unix://{path}#pub", "noop"], status=1).stderr
    assert "Permission denied" in errors
    path.chmod(0o666)
    run([*command, f"simhandle+unix://{path}#pub", "noop"])


def test_paths_that_cannot_be(serve_box, path):
    for address, why in [
        (f"simhandle+unix://{path}/{'x' * 100}", "has at most 107 bytes, this one has "),
        ("simhandle+unix://door", "the path is not absolute"),
        ("simhandle+unix:///a b", "the path contains a blank"),
        (f"simhandle+unix://{path}/none/door", "No such file or directory"),
        (f"simhandle+unix://{path}#pub", "an address to listen on must not have an object part"),
    ]:
        server = serve_box(address)
        assert not listens(server)
        assert why in server[1].read_text()


def test_the_log_names_processes(serve_box, path):
    server = serve_box(f"simhandle+unix://{path}")
    assert listens(server)
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(path))
        peer.sendall(b"GET / HTTP/1.0\r\n\r\n" + bytes(64))
        assert eventually(lambda: f"refusing process {os.getpid()}: " in server[1].read_text())
