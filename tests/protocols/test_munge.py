"""Munge vouches for the users of clients and servers: with daemons of the test, which have keys of
their own."""

import os
import re
import subprocess

import pytest
from serving import eventually

NOBODY = ["setpriv", "--reuid=65534", "--clear-groups"]


@pytest.fixture
def cluster(munged, monkeypatch):
    """Servers and clients of the test share a daemon."""
    socket = munged()
    monkeypatch.setenv("SIDL_MUNGE", "1")
    monkeypatch.setenv("SIDL_MUNGE_SOCKET", str(socket))
    return socket


@pytest.fixture
def as_nobody(sidl_tool):
    """What begins the command of a process of another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can be others")
    done = subprocess.run([*NOBODY, sidl_tool, "--help"], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("other users cannot run what is tested")
    return NOBODY


def user():
    done = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_server_learns_who_the_user_is(server, client, cluster):  # noqa: ARG001
    started = server("--verbose", "--munge")
    done = client(started.url, "all")
    assert done.stdout == "ok\n", done.stderr
    assert f": {user()}, by munge" in started.log


def test_shared_memory(server, client, cluster, monkeypatch):  # noqa: ARG001
    monkeypatch.setenv("SIDL_RMI_SHM", "on")
    started = server("--verbose", "--munge")
    assert client(started.url, "alive").returncode == 0
    assert re.search(rf"process \d+ \(shared memory\): {user()}, by munge", started.log)


def test_another_user(server, sidl_tool, run, cluster, as_nobody):  # noqa: ARG001
    started = server("--verbose", "--munge")
    run([*as_nobody, sidl_tool, "ping", "--count", 1, started.url])
    assert re.search(r": (nobody|65534), by munge", started.log)


def test_a_server_of_another_user(wire, sidl_tool, run, cluster, as_nobody, tmp_path):  # noqa: ARG001
    """Any user could pose as a server: clients say whom they trust."""
    command = [*as_nobody, sidl_tool, "serve", "--publish", "a=wire.Box", "--lib"]
    log = tmp_path / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [*map(str, command), str(wire / "libwire.so")], stdout=out, stderr=out
        )
    try:
        assert eventually(lambda: "listening on" in log.read_text()), log.read_text()
        url = re.search(r"listening on (\S+)", log.read_text())[1]
        # Root's processes trust those of root.
        said = run([sidl_tool, "ping", "--count", 1, url], status=1)
        assert "not by this process's or root" in said.stdout + said.stderr
        assert eventually(lambda: "the client proves nothing by Munge" in log.read_text())
        name = re.search(r"run by the user (\S+),", said.stdout + said.stderr)[1]
        run([sidl_tool, "ping", "--count", 1, url], env={**os.environ, "SIDL_MUNGE": f"x,{name}"})
    finally:
        process.kill()
        process.wait()


def test_other_clusters_and_no_daemon(server, client, cluster, munged):  # noqa: ARG001
    started = server("--munge")
    done = client(started.url, "alive", env={"SIDL_MUNGE_SOCKET": str(munged())})
    assert done.returncode == 1
    assert "Munge does not accept the credential of the server: Invalid credential" in done.stdout
    done = client(started.url, "alive", env={"SIDL_MUNGE_SOCKET": "/nowhere/socket"})
    assert done.returncode == 1
    assert "Munge does not accept the credential of the server: " in done.stdout
    done = client(started.url, "alive", env={"SIDL_MUNGE": "off"})
    assert done.returncode == 1
    assert "this server requires Munge: set SIDL_MUNGE" in done.stdout
    assert client(started.url, "alive").returncode == 0


def test_a_server_without_a_daemon(server, client, cluster):  # noqa: ARG001
    started = server("--munge", env={"SIDL_MUNGE_SOCKET": "/nowhere/socket"})
    assert client(started.url, "alive").returncode == 1
    assert "Munge gives this process no credential: " in started.log
