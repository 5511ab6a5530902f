"""`sidl serve`: addresses, limits, logs, and how it ends."""

import json
import os
import re
import signal
import socket
import stat
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import eventually
from unprintable import BYTES, VISIBLE, acts

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "protocols" / "independent"))
import simhandle  # noqa: E402

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


def greet(port):
    """The welcome that the server sends, 64 bytes."""
    hello = struct.pack(
        "<8sHHI16sIIQII8x", b"SHINAR\r\n", 2, 2, 0, b"s" * 16, 1 << 20, 3600000, 1 << 30, 0, 0
    )
    with socket.create_connection(("127.0.0.1", port), timeout=10) as peer:
        peer.sendall(hello)
        return peer.recv(64, socket.MSG_WAITALL)


def test_several_addresses(start, sidl):
    second = "simhandle://[::1]:0" if has_ipv6() else "simhandle://127.0.0.2:0"
    server = start("--listen", "simhandle://127.0.0.1:0", "--listen", second)
    assert len(server.ports) == 2
    other = second[:-1] + str(server.ports[1])
    assert server.out == f"listening on {server.url}\nlistening on {other}\n"
    # An object of one address is that of the other.
    words = ["call", f"{server.url}/board", "sameShape", f"{other}/board"]
    assert "is not a draw.Shape" in sidl(*words, status=1).stderr
    assert "draw.Board" in sidl("ping", f"{other}/board", "--count", 1).stdout
    assert server.stop() == 0


@pytest.mark.parametrize("kind", ["pipe", "link", "device"])
def test_a_port_file_that_is_no_file(sidl_tool, libraries, tmp_path, kind):
    """It was replaced by a file, which was removed in the end: a device, if one was root."""
    path, target = tmp_path / "ports", tmp_path / "target"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(target)
    elif os.geteuid() == 0:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    else:
        pytest.skip("only root can make devices")
    command = [sidl_tool, "serve", "--listen", "simhandle://127.0.0.1:0", "--port-file", path]
    command += ["--lib", libraries["draw"], "--publish", "board=draw.Board"]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as server:
        told = path.read_text() if kind == "pipe" else ""
        port = re.search(r":(\d+)$", server.stdout.readline().strip())[1]
        server.terminate()
    assert server.returncode == 0
    if kind == "link":
        assert path.is_symlink()
        told = target.read_text()
    assert kind == "device" or told == f"{port}\n"
    assert kind != "pipe" or path.is_fifo()
    assert kind != "device" or path.is_char_device()


def serve_board(sidl_tool, libraries, *options, **redirections):
    command = [sidl_tool, "serve", "--listen", "simhandle://127.0.0.1:0", *options]
    command += ["--lib", libraries["draw"], "--publish", "board=draw.Board"]
    return subprocess.Popen([*map(str, command)], stderr=subprocess.PIPE, text=True, **redirections)


def test_a_pipe_that_nobody_reads(sidl_tool, libraries, tmp_path):
    """The server waited in open(), where no signal came through."""
    os.mkfifo(tmp_path / "ports")
    server = serve_board(sidl_tool, libraries, "--port-file", tmp_path / "ports")
    with pytest.raises(subprocess.TimeoutExpired):
        server.wait(timeout=0.5)
    server.terminate()
    said = server.communicate(timeout=30)[1]
    assert server.returncode == 1 and "nobody read the port file" in said


def test_addresses_that_cannot_be_written(sidl_tool, libraries):
    with open("/dev/full", "w") as full:
        server = serve_board(sidl_tool, libraries, stdout=full)
        said = server.communicate(timeout=30)[1]
    assert server.returncode == 1
    assert "cannot write the addresses to standard output: No space left on device" in said


def test_addresses_of_two_protocols(sidl):
    words = ["--listen", "simhandle://127.0.0.1:0", "--listen", "other://127.0.0.1:0"]
    done = sidl("serve", "--publish", "a=b.C", *words, status=2)
    assert "use different protocols" in done.stderr


def test_a_library_where_a_class_is_wanted(sidl, tmp_path):
    library = tmp_path / "libdraw.so"
    library.touch()
    done = sidl("serve", "--export", library, status=1)
    assert f"'{library}' is a file, not a class: write pkg.Class={library}" in done.stderr


# ---- misspelt words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["serv"], "sidl: unknown command 'serv' (did you mean 'serve'?)"),
        (["serve", "--exprt=a.B"], "sidl: unknown option '--exprt' (did you mean '--export'?)"),
        (["serve", "--exprt", "a.B"], "sidl: unknown option '--exprt' (did you mean '--export'?)"),
        (
            ["ping", "--cuont", "3", "url"],
            "sidl: unknown option '--cuont' (did you mean '--count'?)",
        ),
        (["inspect", "--jsn"], "sidl: unknown option '--jsn' (did you mean '--json'?)"),
        (
            ["serve", "a.B"],
            "sidl: unexpected argument 'a.B'; the classes of a server are named by --export ",
        ),
        (["ping", "url", "b", "c"], "sidl: unexpected argument 'b'\n"),
        (["inspect", "--unheard-of", "url"], "sidl: unknown option '--unheard-of'\n"),
        (
            ["serve", "--serialize", "objct"],
            "'objct' is not one of object, class, library, none (did you mean 'object'?)",
        ),
        (
            ["serve", "--log-format=jason"],
            "'jason' is not one of text, json (did you mean 'json'?)",
        ),
        (["completion", "fis"], "'fis' is not one of bash, zsh, fish (did you mean 'fish'?)"),
    ],
)
def test_misspelt_options(sidl, words, said):
    assert said in sidl(*words, status=2).stderr


@pytest.fixture
def catalogued(libraries, monkeypatch, tmp_path):
    """The classes draw.Board and wire.Box, found by a catalogue."""
    entries = [
        f'<library uri="{libraries[name]}"><class name="{cls}" desc="ior/impl"/></library>'
        for name, cls in (("draw", "draw.Board"), ("wire", "wire.Box"))
    ]
    (tmp_path / "all.scl").write_text("<scl>" + "".join(entries) + "</scl>")
    monkeypatch.setenv("SIDL_DLL_PATH", f"/no/such/folder:{tmp_path}")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--export", "draw.Bord"], "Did you mean draw.Board?"),
        (["--export", "Box"], "Did you mean wire.Box?"),
        (["--publish", "a=draw.Baord"], "not known (did you mean 'draw.Board'?)"),
        (["--export", "draw.Sqare={draw}"], "draw_Sqare__class (did you mean 'draw.Square'?)"),
        (["--export", "draw.Shape={draw}"], "draw.Shape is an interface: name a class that"),
        (["--lib", "{draw}", "--export", "draw.Sqare"], "Did you mean draw.Square?"),
    ],
)
def test_misspelt_classes(sidl, libraries, catalogued, words, meant):
    said = sidl("serve", *(word.format(**libraries) for word in words), status=1).stderr
    assert meant in said


def test_a_class_in_a_library_for_callers(sidl, libraries):
    library = libraries["wire"].with_name("libwire_stubs.so")
    said = sidl("serve", "--export", f"wire.Box={library}", status=1).stderr
    assert "does not implement class wire.Box" in said
    assert "only its stubs are loaded; another library implements it" in said
    assert "mean" not in said


def test_a_class_that_nobody_knows(sidl, catalogued):
    said = sidl("serve", "--export", "other.Thing", status=1).stderr
    assert "mean" not in said
    assert "problems: /no/such/folder: No such file or directory" in said
    assert "specify its library: --export other.Thing=LIBRARY" in said
    said = sidl("serve", "--publish", "a=other.Thing", status=1).stderr
    assert "use --publish a=other.Thing=LIBRARY" in said


# ---- limits --------------------------------------------------------------------------------------

WELCOME = struct.Struct("<8sHHI16sIIQII2H4x")


@pytest.fixture(scope="module")
def limited(start):
    options = {
        "--max-inline": "8k",
        "--max-message": "64K",
        "--memory": "1M",
        "--max-unsent": "64k",
        "--max-connections": "3",
        "--max-calls": "64",
        "--max-waiting": "32",
        "--max-references": "2",
        "--keepalive-ms": "5000",
        "--lease": "7",
        "--threads": "4",
        "--connect-ms": "2000",
        "--spin-us": "0",
    }
    server = start("--verbose", *[word for pair in options.items() for word in pair])
    yield server
    assert server.stop() == 0


def test_limits_are_those_of_the_handshake(limited):
    welcome = WELCOME.unpack(greet(limited.ports[0]))
    assert welcome[5:9] == (8192, 5000, 65536, 7000)


def test_lease_of_the_environment(start, monkeypatch):
    """What no option says is as the settings of the environment have it."""
    monkeypatch.setenv("SIDL_RMI_LEASE_MS", "700")
    server = start()
    assert WELCOME.unpack(greet(server.ports[0]))[8] == 700
    assert server.stop() == 0


def test_strings_that_messages_need_are_never_too_long(start, sidl, monkeypatch):
    """Errors have texts, too."""
    monkeypatch.setenv("SIDL_RMI_MAX_STRING", "4096")
    server = start()
    monkeypatch.delenv("SIDL_RMI_MAX_STRING")
    for _ in range(2):
        said = sidl("call", f"{server.url}/nobody-of-this-name", "add", 1, 2, status=1).stderr
        assert "nobody-of-this-name" in said and "limit" not in said
    sidl("ping", server.url)
    assert server.stop() == 0


def test_limit_of_a_message(limited, sidl, tmp_path):
    path = tmp_path / "big"
    path.write_text(json.dumps([[0.0] * 10000]))
    done = sidl("call", f"{limited.url}/board", "transpose", f"@{path}", status=1)
    assert "65536" in done.stderr


def test_limit_of_references(limited, sidl):
    done = sidl("call", f"{limited.url}/board", "grid", 2, 2, status=1)
    assert "is above the limit of 2 (setting: SIDL_RMI_MAX_REFERENCES)" in done.stderr


def test_limit_of_connections(limited, sidl):
    peers = [socket.create_connection(("127.0.0.1", limited.ports[0])) for _ in range(3)]
    assert eventually(lambda: WELCOME.unpack(greet(limited.ports[0]))[1:3] == (0, 3))
    for peer in peers:
        peer.close()
    assert eventually(lambda: WELCOME.unpack(greet(limited.ports[0]))[1] == 2)


@pytest.mark.parametrize(
    "words",
    [
        ["--max-inline", "8191"],
        ["--max-message", "64X"],
        ["--max-message", "99999999999999999999"],
        ["--max-message", "20000000T"],
        ["--max-connections", "0"],
        ["--max-connections", "8k"],
        ["--keepalive-ms", "-1"],
        ["--threads", "1"],
        ["--lease", "-1"],
        ["--log-format", "xml"],
        ["--verbose", "--quiet"],
    ],
)
def test_wrong_options(sidl, words):
    done = sidl("serve", "--publish", "a=b.C", *words, status=2)
    assert words[0] in done.stderr


# ---- the log -------------------------------------------------------------------------------------


def test_log_lines(start, sidl):
    server = start("--verbose")
    with socket.create_connection(("127.0.0.1", server.ports[0]), timeout=10) as peer:
        peer.sendall(b"\n{}\x1b[31m GET / HTTP/1.0\r\n\r\n" + b"x" * 100)
        while peer.recv(4096):
            pass
    sidl("ping", server.url, "--count", 1)
    assert server.stop() == 0
    lines = server.log.splitlines()
    assert all(
        re.match(rf"{STAMP} (warning|info|detail) (sidl|simhandle): ", line) for line in lines
    )
    assert any("warning simhandle: refusing 127.0.0.1:" in line for line in lines)
    assert any(re.search(r"detail simhandle: connection of 127.0.0.1:\d+$", line) for line in lines)
    assert any(line.endswith(" closed") for line in lines)
    assert lines[-1].endswith("info sidl: stopped")


@pytest.mark.parametrize("form", ["text", "json"])
def test_log_names_what_failed_unheard(start, form):
    # Nobody but the log tells of them; it said "a one-way call failed", and no test read on.
    server = start("--log-format", form)
    connection = simhandle.Connection("127.0.0.1", server.ports[0])
    peer = f"127.0.0.1:{connection.socket.getsockname()[1]}"
    forged = b"\n2026-11-23T00:00:00.000Z error sidl: forged"
    board = connection.attach("board")
    simhandle.Object(connection, BYTES + forged, "draw.Board").send("oneway void wipe()")
    board.send("oneway void wipes()")
    lines = [
        f"the one-way call of 'wipe' by {peer} failed: there is no object '{VISIBLE}\\n2026-",
        f"the one-way call of 'wipes' by {peer} on draw.Board failed: ",
    ]

    def said():
        text = server.log
        if form == "text":
            return text
        return "\n".join(json.loads(line)["message"] for line in text.splitlines())

    assert eventually(lambda: all(line in said() for line in lines)), said()
    assert acts(server.log) == []
    assert not any(line.startswith("2026-11-23T00:00:00.000Z") for line in server.log.splitlines())
    connection.socket.close()
    assert server.stop() == 0


def test_log_names_a_peer_that_is_gone_before_it_is_accepted(start):
    # The system tells the address of a connection that is there, or of one that it gives away.
    server = start()
    server.process.send_signal(signal.SIGSTOP)
    with socket.create_connection(("127.0.0.1", server.ports[0]), timeout=10) as peer:
        name = f"127.0.0.1:{peer.getsockname()[1]}"
        peer.sendall(b"GET / HTTP/1.0\r\n\r\n".ljust(64))
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    server.process.send_signal(signal.SIGCONT)
    assert eventually(lambda: name in server.log), server.log
    assert "unknown peer" not in server.log
    assert server.stop() == 0


def test_log_as_json(start):
    server = start("--log-format", "json")
    assert server.stop() == 0
    assert server.out == ""
    records = [json.loads(line) for line in server.log.splitlines()]
    assert [set(each) for each in records] == [{"time", "level", "source", "message"}] * 3
    assert all(re.fullmatch(STAMP, each["time"]) for each in records)
    assert records[0]["message"] == f"listening on {server.url}"
    assert (records[-1]["level"], records[-1]["source"]) == ("info", "sidl")


def test_quiet(start):
    server = start("--quiet")
    assert server.stop(signal.SIGINT) == 0
    assert server.log == ""


# ---- the end -------------------------------------------------------------------------------------


@pytest.fixture
def busy(start, libraries, sidl, sidl_tool):
    """A server in whose object a call runs that does not end."""
    server = start("--publish", f"box=wire.Box={libraries['wire']}", "--drain", "30")
    command = [sidl_tool, "call", f"{server.url}/box", "wait", "100000"]

    def in_work():
        document = json.loads(sidl("inspect", "--json", server.url).stdout)
        return document["counters"]["server"]["callsInWork"]

    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as caller:
        assert eventually(lambda: in_work() == 2)  # asking is a call, too
        yield server
        assert caller.wait(timeout=10) == 1
        assert "sidl.rmi.UnexpectedCloseException" in caller.stderr.read()


def test_published_objects_end_with_it(start, libraries):
    """Their destructors run; and who looks for leaks is not told of them."""
    published = f"box=wire.Box={libraries['wire']}"
    server = start("--publish", published, env={"SIDL_REPORT_LEAKS": "1"})
    assert server.stop() == 0
    assert server.log.splitlines()[-1] == "sidl: no objects still alive at exit"


def test_second_signal(busy):
    busy.process.send_signal(signal.SIGTERM)
    assert eventually(lambda: "shutting down: waiting" in busy.log)
    time.sleep(0.2)  # what comes at once with the first is the same wish
    assert busy.stop() == 1
    assert "second signal: terminating without waiting for running calls" in busy.log
