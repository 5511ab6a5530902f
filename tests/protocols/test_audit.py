"""The audit log of `sidl serve`: who came, what was refused to whom and by which rule, and what it
never has. Its lines are tested one by one in audit_test.cpp."""

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from policies import role
from serving import eventually

sys.path.insert(0, str(Path(__file__).parent / "independent"))
import simhandle  # noqa: E402

MINE = f"uid:{os.geteuid()}"


@pytest.fixture(autouse=True)
def _needs_toml(stage):
    if not (stage / "lib" / "libsidlx_policy.so").exists():
        pytest.skip("built without toml++")


@pytest.fixture
def audited(server, tmp_path):
    """audited(*options, policy) → (server, log file)."""

    def start(*options, policy=None):
        log = tmp_path / "audit.log"
        if policy is not None:
            path = tmp_path / "policy.toml"
            path.write_text(policy)
            path.chmod(0o600)
            options = [*options, "--policy", path]
        return server("--audit", log, *options), log

    return start


def lines(log):
    return [json.loads(each) for each in log.read_text().splitlines()]


def events(log, event):
    return [each for each in lines(log) if each["event"] == event]


def test_who_comes_and_goes(audited, client, tmp_path):
    url = f"simhandle+unix://{tmp_path}/s"
    _, log = audited("--listen", "simhandle://127.0.0.1:0", "--listen", url)
    assert client(url, "alive").returncode == 0
    assert client(url, "alive").returncode == 0
    assert eventually(lambda: len(events(log, "disconnected")) == 2)
    came = events(log, "connected")
    assert [each["identity"] for each in came] == [str(os.geteuid())] * 2
    assert came[0]["proof"] == "uid"
    assert came[0]["peer"].startswith("process ")
    assert re.fullmatch(r"[0-9a-f]{8}", came[0]["session"])
    assert came[0]["session"] != came[1]["session"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", came[0]["time"])
    assert log.stat().st_mode & 0o777 == 0o600


def test_what_is_refused_and_why(audited):
    some = role("some", ["anyone"], create=["wire.Box"], attach=["p"], call=["*", "!*.add"])
    started, log = audited(policy=some)
    connection = simhandle.Connection("127.0.0.1", started.port)
    box = connection.create("wire.Box")
    with pytest.raises(simhandle.Failed):
        box.call("int add(in int a, in int b)", 271828182, 3)
    with pytest.raises(simhandle.Failed):
        connection.create("wire.Other")
    with pytest.raises(simhandle.Failed):
        connection.attach("pub")
    found = [(each["action"], each["what"], each["rule"]) for each in events(log, "refused")]
    assert found == [
        ("call", "wire.Box.add", "role 'some': !*.add"),
        ("create", "wire.Other", "role 'some': no pattern"),
        ("attach", "pub", "role 'some': no pattern"),
    ]
    refusal = events(log, "refused")[0]
    assert refusal["peer"] == f"127.0.0.1:{connection.socket.getsockname()[1]}"
    assert re.fullmatch("[0-9a-f]{8}", refusal["session"])
    text = log.read_text()
    assert connection.session.hex() not in text
    assert box.id not in text
    assert "271828182" not in text


def test_who_is_not_admitted(audited, client):
    started, log = audited(policy=role("mine", ["tls:alice"]))
    assert client(started.url, "alive").returncode == 1
    assert eventually(lambda: events(log, "refused"))
    refusal = events(log, "refused")[0]
    assert refusal["action"] == "connect"
    assert "has no role in this server's policy" in refusal["rule"]
    assert events(log, "connected") == []


def test_who_does_not_prove_it(audited, client, stage, tmp_path):
    if not (stage / "lib" / "libsidlx_secret.so").exists():
        pytest.skip("built without OpenSSL")
    for name in ("right", "wrong"):
        (tmp_path / name).write_text(f"0123456789abcdef-{name}")
        (tmp_path / name).chmod(0o600)
    started, log = audited("--secret-file", tmp_path / "right")
    env = {"SIDL_SECRET_FILE": str(tmp_path / "wrong")}
    assert client(started.url, "alive", env=env).returncode == 1
    assert eventually(lambda: events(log, "refused"))
    assert events(log, "refused")[0]["rule"] == "the client does not have the same secret"
    assert "0123456789" not in log.read_text()


def test_a_name_with_control_characters_is_escaped(audited):
    started, log = audited(policy=role("none", ["anyone"]))
    connection = simhandle.Connection("127.0.0.1", started.port)
    with pytest.raises(simhandle.Failed):
        connection.create('x"\n{"event":"connected"}\x1b[2J' + "y" * 1000)
    assert len(events(log, "connected")) == 1
    assert events(log, "refused")[0]["what"].startswith('x"\n{"event":"connected"}\x1b[2J')
    assert "\x1b" not in log.read_text()
    assert len(log.read_text()) < 2000


def test_is_opened_again_after_a_rotation(audited, client):
    started, log = audited()
    assert client(started.url, "alive").returncode == 0
    assert eventually(lambda: events(log, "disconnected"))
    old = log.rename(log.with_suffix(".1"))
    started.process.send_signal(signal.SIGHUP)
    assert eventually(log.exists)
    assert client(started.url, "alive").returncode == 0
    assert eventually(lambda: events(log, "connected"))
    assert len(events(old, "connected")) == 1


def test_thousands_of_refusals_do_not_fill_it(audited):
    started, log = audited(policy=role("none", ["anyone"]))
    connection = simhandle.Connection("127.0.0.1", started.port)
    for _ in range(2000):
        with pytest.raises(simhandle.Failed):
            connection.create("wire.Box")
    assert len(events(log, "refused")) <= 200
    started.process.send_signal(signal.SIGTERM)
    assert started.process.wait(timeout=20) == 0
    left_out = sum(each["count"] for each in events(log, "left out"))
    assert len(events(log, "refused")) + left_out == 2000


def test_standard_error(server, client):
    started = server("--audit", "-")
    assert client(started.url, "alive").returncode == 0
    assert started.logged('"event":"connected"')


def test_a_full_disk_stops_nobody(server, client):
    started = server("--audit", "/dev/full")
    for _ in range(3):
        assert client(started.url, "alive").returncode == 0
    assert started.logged("the audit log '/dev/full' cannot be written: No space left on device")
    assert started.log.count("cannot be written") == 1


def test_one_that_cannot_be_opened_is_an_error(sidl_tool, run):
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass", "--audit", "/nowhere/a"]
    assert (
        "the audit log '/nowhere/a' (--audit, SIDL_AUDIT_FILE) cannot be opened"
        in run(command, status=1).stderr
    )
