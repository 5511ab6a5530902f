"""Servers and clients that share a secret: over every way to carry simhandle, and what is said when
they do not share it. What hostile peers find out, secret_test.cpp asks."""

import os
import re
import signal
import subprocess
import sys

import pytest
from serving import eventually, running

REQUIRED = "this server requires a shared secret: set SIDL_SECRET_FILE"


@pytest.fixture
def secret(stage, tmp_path):
    """secret(name) → a file with a secret of its own."""
    if not (stage / "lib" / "libsidlx_secret.so").exists():
        pytest.skip("built without OpenSSL")

    def make(name):
        path = tmp_path / name
        path.write_text(os.urandom(16).hex() + "\n")
        path.chmod(0o600)
        return path

    return make


@pytest.fixture
def cluster(secret, monkeypatch):
    """The secret of servers and clients of the test."""
    path = secret("cluster.key")
    monkeypatch.setenv("SIDL_SECRET_FILE", str(path))
    return path


@pytest.fixture
def box(start_server, protocol, wire):
    """box(…) → a server of wire.Box over each protocol."""

    def start(*options):
        offer = ["--export", f"wire.Box={wire}/libwire.so", "--publish", "pub=wire.Box"]
        return start_server(protocol, *offer, "--verbose", *options)

    return start


# Ways to carry it, and protocols that have no secrets.
simhandle = pytest.mark.parametrize(
    "protocol", ["simhandle", "unix", "shm", "ucx", "pipes"], indirect=True
)
others = pytest.mark.parametrize("protocol", ["jsonsock", "pysock"], indirect=True)
COMMANDS = [("all", "wire_client"), ("callbacks", "wire_full"), ("to-and-fro", "wire_full")]


@simhandle
@pytest.mark.parametrize(("command", "program"), COMMANDS)
def test_calls_and_callbacks(box, cluster, client, command, program):
    server = box()
    done = client(server.url, command, program=program)
    assert done.stdout == "ok\n", done.stderr
    assert f": {cluster.name}, by secret" in server.log


@simhandle
def test_references_to_third_servers(box, cluster, client):  # noqa: ARG001
    done = client(box().url, "third", box().url)
    assert done.stdout == "ok\n", done.stderr


@simhandle
def test_who_has_another_one_or_none(box, cluster, secret, client, monkeypatch):  # noqa: ARG001
    server = box()
    done = client(server.url, "alive", env={"SIDL_SECRET_FILE": str(secret("other.key"))})
    assert done.returncode == 1
    assert (
        "the server does not have the same secret (SIDL_SECRET_FILE)" in done.stderr + done.stdout
    )
    assert "fate 0" in done.stderr + done.stdout
    assert eventually(lambda: "the client does not have the same secret" in server.log)
    monkeypatch.delenv("SIDL_SECRET_FILE")
    done = client(server.url, "alive")
    assert done.returncode == 1
    assert REQUIRED in done.stderr + done.stdout
    assert eventually(lambda: REQUIRED in server.log)


@simhandle
def test_a_server_without_it_is_not_called(box, secret, client):
    server = box()
    done = client(server.url, "alive", env={"SIDL_SECRET_FILE": str(secret("mine.key"))})
    assert done.returncode == 1
    assert "the server does not ask for a shared secret" in done.stderr + done.stdout


@others
def test_a_protocol_that_has_none_does_not_seem_to(protocol, secret, sidl_tool, run, tmp_path):
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass", "--secret-file", secret("key")]
    done = run([*command, "--listen", protocol.address.format(folder=tmp_path)], status=2)
    assert "knows neither shared secrets nor Munge" in done.stderr


def test_the_secret_is_proved_again_at_another_door(server, client, cluster, monkeypatch):
    monkeypatch.setenv("SIDL_RMI_SHM", "on")
    started = server("--verbose")
    assert client(started.url, "alive").returncode == 0
    assert re.search(rf"process \d+ \(shared memory\): {cluster.name}, by secret", started.log)


def test_a_client_outlives_its_server(server, wire, cluster):  # noqa: ARG001
    first = server()
    with running(wire, f"{first.url}/pub", program="wire_restart") as program:
        for turn in range(3):
            program.stdin.write("\n")
            program.stdin.flush()
            assert program.stdout.readline() == f"{3 * turn + 1} {3 * turn + 3}\n"
            first.process.send_signal(signal.SIGTERM)
            first.process.wait(timeout=20)
            first = server("--listen", f"simhandle://127.0.0.1:{first.port}")


def test_the_tools_have_it_too(server, secret, sidl_tool, run, monkeypatch):
    path = secret("key")
    url = server("--secret-file", path).url
    done = run([sidl_tool, "ping", "--count", 1, url], status=1)
    assert REQUIRED in done.stdout + done.stderr
    monkeypatch.setenv("SIDL_SECRET_FILE", str(path))
    assert '{"result":5}' in run([sidl_tool, "call", "--compact", f"{url}/pub", "add", 2, 3]).stdout
    assert "wire.Box" in run([sidl_tool, "inspect", url]).stdout


def test_an_empty_name_is_no_way_to_have_none(sidl_tool, run, server, client):
    """Scripts have variables that are not set: their servers would be open to all."""
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass"]
    assert "the name of the file is empty" in run([*command, "--secret-file", ""], status=2).stderr
    wanted = "SIDL_SECRET_FILE is set, but names no file"
    empty = {"SIDL_SECRET_FILE": ""}
    assert wanted in run(command, status=1, env={**os.environ, **empty}).stderr
    assert wanted in client(server().url, "alive", env=empty).stdout


def test_a_secret_that_others_can_read_is_refused(secret, sidl_tool, run):
    path = secret("open.key")
    path.chmod(0o640)
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass", "--secret-file", path]
    said = run(command, status=1).stderr
    assert f"has mode 0640, so that others may use or change it: chmod 600 '{path}'" in said
    assert path.read_text().strip() not in said


def test_another_users_secret_is_refused(secret, sidl_tool, run):
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    path = secret("theirs.key")
    os.chown(path, 12345, 12345)
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass", "--secret-file", path]
    assert "belongs to the user with id 12345" in run(command, status=1).stderr


def test_one_way_at_a_time(secret, sidl_tool, run):
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass"]
    both = {**os.environ, "SIDL_SECRET_FILE": str(secret("key")), "SIDL_MUNGE": "1"}
    said = run(command, status=1, env=both).stderr
    assert "SIDL_SECRET_FILE is set, but so is SIDL_MUNGE" in said
    said = run([*command, "--munge", "--secret-file", secret("key")], status=2).stderr
    assert "--secret-file" in said


def test_no_secret_is_logged(server, client, cluster):
    started = server("--verbose", "--log-format=json")
    assert client(started.url, "alive").returncode == 0
    words = cluster.read_text().strip()
    assert words not in started.log


# ---- read again, and set by programs -------------------------------------------------------------


def renew(path, text=None):
    """Gives the file another secret, or another text; returns a copy of what it was."""
    former = path.with_name(f"former.{path.name}")
    former.write_text(path.read_text())
    former.chmod(0o600)
    path.write_text(os.urandom(16).hex() if text is None else text)
    return str(former)


def hang_up(server):
    """Lets the server read its files again, for connections from now on."""
    server.process.send_signal(signal.SIGHUP)
    assert server.logged("SIGHUP: the policy is read again, and certificates, keys and secrets")


def test_the_secret_is_read_again(server, secret, client, wire):
    path = secret("cluster.key")
    mine = {"SIDL_SECRET_FILE": str(path)}
    started = server("--secret-file", path)
    with running(wire, f"{started.url}/pub", program="wire_restart", env=mine) as program:
        assert program.stdin.write("\n") and not program.stdin.flush()
        assert program.stdout.readline() == "1 3\n"
        former = {"SIDL_SECRET_FILE": renew(path)}
        assert client(started.url, "alive", env=former).returncode == 0  # not yet
        hang_up(started)
        assert client(started.url, "alive", env=mine).returncode == 0
        assert "not have the same secret" in client(started.url, "alive", env=former).stdout
        assert program.stdin.write("\n") and not program.stdin.flush()
        assert program.stdout.readline() == "4 6\n"  # connections that exist live on


@pytest.mark.parametrize(("text", "why"), [("short", "has 5 bytes"), (None, "cannot be opened")])
def test_a_broken_file_changes_nothing(server, secret, client, text, why):
    path = secret("cluster.key")
    started = server("--secret-file", path)
    former = {"SIDL_SECRET_FILE": renew(path, text)}
    if text is None:
        path.unlink()
    hang_up(started)
    for _ in range(3):
        assert client(started.url, "alive", env=former).returncode == 0
    assert started.log.count("still have to prove what they had to before") == 1, started.log
    assert why in started.log
    assert REQUIRED in client(started.url, "alive").stdout


PROGRAM = """
import sys, sidl
url, *secrets = sys.argv[1:]
for secret in ["", *secrets, ""]:
    sidl.rmi.Trust.setSecret(secret)
    try:
        made = sidl.rmi.ProtocolFactory.connectInstance(url, "sidl.BaseClass", True)
        print(made.getTypeName())
    except sidl.rmi.NetworkException as error:
        print(error.getNote())
"""


def test_a_program_says_what_its_secret_is(server, secret, stage, run, monkeypatch):
    """It counts instead of the environment: "" is none, and what is no good is no way in."""
    modules = stage / "lib" / "shinar" / "python"
    if not modules.exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    right, wrong, short = secret("right.key"), secret("wrong.key"), secret("short.key")
    short.write_text("short")
    started = server("--secret-file", right)
    environment = {**os.environ, "PYTHONPATH": str(modules), "SIDL_SECRET_FILE": str(right)}
    command = [sys.executable, "-c", PROGRAM, f"{started.url}/pub", wrong, short, right]
    said = run(command, env=environment).stdout.splitlines()
    wanted = [REQUIRED, "not have the same secret", "has 5 bytes", "wire.Box", "wire.Box"]
    assert len(said) == len(wanted)
    assert all(part in line for part, line in zip(wanted, said, strict=True)), said


SERVER = """
import sys, sidl
address, *secrets = sys.argv[1:]
trust = sidl.rmi.Trust
trust.setSecret(secrets.pop(0))
server = sidl.rmi.ProtocolFactory.createServer(address)
sidl.rmi.ExportRegistry.exportClass("sidl.BaseClass")
print(server.listen(address), flush=True)
server.run()
for line in sys.stdin:
    trust.setSecret(secrets.pop(0))
    print("set", flush=True)
"""


def test_a_server_goes_on_to_ask(secret, stage, monkeypatch, sidl_tool):
    """A program that serves takes another secret, and never none."""
    modules = stage / "lib" / "shinar" / "python"
    if not modules.exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    monkeypatch.setenv("PYTHONPATH", str(modules))
    first, second = secret("first.key"), secret("second.key")
    command = [sys.executable, "-c", SERVER, "simhandle://127.0.0.1:0", first, second, "", first]
    with subprocess.Popen(
        [str(each) for each in command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        url = process.stdout.readline().strip().removesuffix("/")

        def admits(path):
            own = {} if path is None else {"SIDL_SECRET_FILE": str(path)}
            done = subprocess.run(
                [str(sidl_tool), "ping", "--count", "1", url],
                capture_output=True, text=True, check=False, env={**os.environ, **own},
            )  # fmt: skip
            return done.returncode == 0

        try:
            for step, right in enumerate((first, second, second, first)):
                if step != 0:
                    process.stdin.write("\n")
                    process.stdin.flush()
                    assert process.stdout.readline() == "set\n"
                admitted = [each for each in (first, second, None) if admits(each)]
                assert admitted == [right], step
        finally:
            process.kill()
