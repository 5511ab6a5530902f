"""Servers and clients for the tests of the protocols."""

import os
import signal
import subprocess

import pytest
from serving import Server, eventually


@pytest.fixture(scope="session")
def wire(build_dir):
    """Where the library to serve and its clients are."""
    return build_dir / "tests" / "wire"


@pytest.fixture
def server(sidl_tool, wire, tmp_path):
    """start(*options) → Server, with the port of its first address; all are stopped at the end and
    must then exit with 0."""
    servers = []

    def start(*options, env=None, prefix=()):
        port_file = tmp_path / f"port{len(servers)}"
        log = tmp_path / f"log{len(servers)}"
        command = [*prefix, sidl_tool, "serve", "--export", f"wire.Box={wire}/libwire.so"]
        command += ["--publish", "pub=wire.Box", "--port-file", port_file, *options]
        with log.open("w") as out:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
            )
        assert eventually(lambda: port_file.exists() or process.poll() is not None, 30)
        assert port_file.exists(), log.read_text()
        servers.append(Server(process, int(port_file.read_text().split()[0]), log))
        return servers[-1]

    yield start
    for each in servers:
        if each.process.poll() is None:
            each.process.send_signal(signal.SIGTERM)
            assert each.process.wait(timeout=20) == 0, each.log


@pytest.fixture
def client(wire):
    """client(url, command…) → completed process of wire_client."""

    def run(*arguments, program="wire_client", timeout=60, env=None):
        return subprocess.run(
            [str(wire / program), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(env or {})},
        )

    return run


@pytest.fixture
def policy(tmp_path):
    """policy(*roles) → a file; again: the same file with others."""
    path = tmp_path / "policy.toml"

    def write(*roles):
        path.write_text("\n".join(roles))
        path.chmod(0o600)
        return path

    return write
