"""The example of a protocol: as short as it says, as the guide shows it, hard to harm."""

import contextlib
import json
import re
import socket
import struct
import sys
import time
from pathlib import Path

import pytest

EXAMPLE = Path("examples/protocol-plugin")
MOST_LINES = 810


def written_by_hand(path):
    """The lines of a file that sidlc did not write, without blank ones."""
    text = path.read_text()
    if path.parent.name == "impl":
        text = "".join(
            re.findall(r"splicer\.begin\(.*?\)\n(.*?)^ *// DO-NOT-DELETE", text, re.DOTALL | re.M)
        )
    return [line for line in text.splitlines() if line.strip()]


def test_it_can_be_read_in_one_sitting(root):
    files = [p for p in (root / EXAMPLE).rglob("*") if p.is_file() and p.suffix != ".md"]
    assert len(files) > 15
    assert sum(len(written_by_hand(path)) for path in files) < MOST_LINES


def test_the_guide_shows_the_example(root):
    guide = (root / "docs" / "writing-a-protocol.md").read_text()
    blocks = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", guide, re.DOTALL | re.M)
    assert len(blocks) > 10
    for path, block in blocks:
        text = (root / path).read_text()
        for part in block.split("…\n"):
            assert part in text, f"not in {path}:\n{part}"


def test_impl_files_are_up_to_date(root, run, sidlc, tmp_path):
    """sidlc would change nothing in the Impl files that are under version control."""
    before = {path.name: path.read_text() for path in (root / EXAMPLE / "impl").iterdir()}
    impl = tmp_path / "impl"
    impl.mkdir()
    for name, text in before.items():
        (impl / name).write_text(text)
    source = root / EXAMPLE / "jsonsock.sidl"
    run([sidlc, "--server=c++", "-o", tmp_path, "--impl-dir", impl, source])
    assert {path.name: path.read_text() for path in impl.iterdir()} == before


# ---- peers that misbehave ------------------------------------------------------------------------

JSONSOCK = pytest.mark.parametrize("protocol", ["jsonsock"], indirect=True)


def frame(body, length=None):
    """A frame; `length` lies about how long it is."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return struct.pack(">I", len(data) if length is None else length) + data


class Peer:
    """A client that writes what it likes."""

    def __init__(self, url):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(url.removeprefix("jsonsock://"))

    def ask(self, **body):
        """Sends a frame and gives the answer."""
        self.socket.sendall(frame({"id": 1, **body}))
        head = self.socket.recv(4, socket.MSG_WAITALL)
        return json.loads(self.socket.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL))

    def is_dropped(self):
        """The server closes the connection."""
        with contextlib.suppress(ConnectionResetError):
            return self.socket.recv(1) == b""
        return True


@pytest.fixture
def server(start_server, protocol, build_dir):
    return start_server(protocol, "--export", f"wire.Box={build_dir}/tests/wire/libwire.so")


def resident(process):
    """Resident memory in KiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


@JSONSOCK
def test_a_stranger_can_speak_it(server):
    peer = Peer(server.url)
    made = peer.ask(op="create", type="wire.Box")["values"][0]
    assert made["type"] == "wire.Box"
    assert made["url"] == f"{server.url}#{made['lent']}"
    again = peer.ask(op="connect", object=made["lent"])["values"][0]
    assert again["lent"] == made["lent"]
    release = frame({"op": "release", "object": made["lent"]})
    peer.socket.sendall(2 * release)
    # A release is not answered: until both have been carried out, connecting takes another count.
    while "values" in (gone := peer.ask(op="connect", object=made["lent"])):
        peer.socket.sendall(release)
        time.sleep(0.01)
    assert "sidl.rmi.ObjectDoesNotExistException" in gone["thrown"][0]["classes"]


@JSONSOCK
@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.0\r\n\r\n",
        frame(b"{"),
        frame(b"\xff\xfe"),
        frame([1, 2, 3]),
        frame({"op": 7}),
        frame({"op": "dance"}),
        frame({"op": "call"}),
        frame({"op": "call", "object": "x", "strand": 1, "homes": 5}),
        frame({"op": "call", "object": "x", "strand": 1, "homes": [{}]}),
        frame({"op": "release"}),
        frame(b"[" * 100000),
        frame(b"", 0xFFFFFFFF),
    ],
    ids=lambda data: repr(data[:24]),
)
def test_nonsense_ends_its_connection_alone(server, data):
    other = Peer(server.url)
    peer = Peer(server.url)
    peer.socket.sendall(data)
    assert peer.is_dropped()
    assert "values" in other.ask(op="create", type="wire.Box")


@JSONSOCK
def test_memory_is_for_what_is_there(server):
    peer = Peer(server.url)
    peer.ask(op="create", type="wire.Box")
    before = resident(server.process)
    silent = Peer(server.url)
    silent.socket.sendall(struct.pack(">I", 1 << 30) + bytes(16))
    assert "values" in peer.ask(op="create", type="wire.Box")
    assert resident(server.process) - before < 1024


# ---- the same of the one in Python ---------------------------------------------------------------


class PysockPeer:
    """A client of pysock that writes what it likes."""

    def __init__(self, url):
        host, port = url.removeprefix("pysock://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)

    def send(self, body, data=b""):
        """A frame, or bytes that are none."""
        if not isinstance(body, bytes):
            text = json.dumps(body).encode()
            body = struct.pack(">II", len(text), len(data)) + text + data
        self.socket.sendall(body)

    def ask(self, **body):
        """Sends a frame and gives the answer."""
        self.send({"id": 1, **body})
        lengths = struct.unpack(">II", self.socket.recv(8, socket.MSG_WAITALL))
        answer = json.loads(self.socket.recv(lengths[0], socket.MSG_WAITALL))
        self.socket.recv(lengths[1], socket.MSG_WAITALL)
        return answer

    def is_dropped(self):
        """The server closes the connection."""
        with contextlib.suppress(ConnectionResetError):
            return self.socket.recv(1) == b""
        return True


NONSENSE = [
    b"GET / HTTP/1.0\r\n\r\n",
    struct.pack(">II", 1, 0) + b"{",
    struct.pack(">II", 100000, 0) + b"[" * 100000,
    struct.pack(">II", 0xFFFFFFFF, 0),
    [1, 2, 3],
    {"op": 7},
    {"op": "dance"},
    {"op": "call"},
    {"op": "call", "object": "x", "strand": 1, "homes": 5},
    {"op": "call", "object": "x", "strand": 1, "homes": [{}]},
    {"op": "call", "object": "x", "strand": [1], "homes": []},
    {"op": "release"},
]


@pytest.mark.parametrize("protocol", ["pysock"], indirect=True)
def test_nonsense_ends_its_connection_alone_in_python(server):
    other = PysockPeer(server.url)
    for each in NONSENSE:
        peer = PysockPeer(server.url)
        peer.send(each)
        assert peer.is_dropped(), each
    made = other.ask(op="create", type="wire.Box")["values"][0]
    assert made["type"] == "wire.Box" and made["url"] == f"{server.url}/{made['lent']}"


@pytest.mark.parametrize("protocol", ["pysock"], indirect=True)
def test_memory_is_for_what_is_there_in_python(server):
    peer = PysockPeer(server.url)
    peer.ask(op="create", type="wire.Box")
    before = resident(server.process)
    silent = PysockPeer(server.url)
    silent.send(struct.pack(">II", 16, 1 << 30) + b'{"op": "dance"}  ')
    assert "values" in peer.ask(op="create", type="wire.Box")
    assert resident(server.process) - before < 4096


KEEPING = """
import contextlib, gc, sys, weakref
import sidl, sidl.rmi

class Local:
    pass

def connect(url):
    local = Local()
    locals_of_frames.append(weakref.ref(local))
    sidl.BaseInterface._connect(url)

gc.disable()
locals_of_frames = []
for url, kind in zip(sys.argv[1:], ["ObjectDoesNotExistException", "TimeOutException"]):
    try:
        connect(url)
    except sidl.rmi.NetworkException as why:
        assert type(why).__name__ == kind, why
print([each() for each in locals_of_frames])
"""


@pytest.mark.parametrize("protocol", ["pysock"], indirect=True)
def test_failures_keep_no_frames(server, run, stage, monkeypatch):
    """What cannot be attached to keeps nothing that its callers had. An answer kept the exception
    that its asker had raised, whose trace led to the asker and so back to the answer: what was in
    the frames of that circle stayed until Python's collector ran, which may be never."""
    monkeypatch.setenv("PYTHONPATH", str(stage / "lib" / "shinar" / "python"))
    monkeypatch.setenv("SIDL_RMI_DEADLINE_MS", "500")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        urls = [f"{server.url}/nobody", f"pysock://127.0.0.1:{port}/late"]
        done = run([sys.executable, "-c", KEEPING, *urls])
    assert done.stdout == "[None, None]\n"
