"""Many connections, and connections that misbehave: whoever behaves is served meanwhile.

The crowd is made of raw sockets, and of the client in independent/simhandle.py. SHINAR_SOAK=1 makes
it bigger.
"""

import contextlib
import os
import re
import resource
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from serving import eventually

sys.path.insert(0, str(Path(__file__).parent / "independent"))
import simhandle  # noqa: E402

SOAK = bool(os.environ.get("SHINAR_SOAK"))
SANITIZED = "SHINAR_SANITIZED" in os.environ
HELLO = simhandle.HELLO.pack(
    b"SHINAR\r\n", 2, 2, 0, os.urandom(16), 1 << 24, 20000, 1 << 33, 0, 0, 0
)
ADD = simhandle.Method.parse("int add(in int a, in int b)")
BIG = "array<double> doubles(in array<double> a)"


@pytest.fixture
def connect():
    """connect(server) → a connection of the independent client; all are closed at the end."""
    with contextlib.ExitStack() as stack:

        def make(server):
            one = simhandle.Connection("127.0.0.1", server.port)
            stack.callback(one.socket.close)
            return one

        yield make


@pytest.fixture
def raw():
    """raw(server, data) → a socket on which data was sent; all are closed at the end."""
    with contextlib.ExitStack() as stack:

        def make(server, data=b""):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.sendall(data)
            return one

        yield make


def status(server, name):
    """A number from /proc/…/status."""
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"{name}:\s*(\d+)", text)[1])


def processor_seconds(server):
    """What the server has used so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def add_request(connection, a, b, call):
    """The bytes of a call of add(a, b) of the published box, with the number of the method."""
    body = simhandle.Writer()
    body.put("string", "pub")
    body.pack("ii", a, b)
    number = connection.number_of(ADD)
    head = simhandle.HEADER.pack(simhandle.REQUEST, 0, 0, len(body.body), call, 0, number, 0, 0)
    return head + bytes(body.body)


def served(connections, rounds=1):
    """Everybody asks, then everybody reads the answer; how many were right."""
    right = 0
    for turn in range(rounds):
        for i, one in enumerate(connections):
            one.socket.sendall(add_request(one, i, turn, turn + 1))
        for i, one in enumerate(connections):
            right += one.answer(turn + 1).get("int") == i + turn
    return right


def test_1000_connections(server, connect):
    count, rounds = 1000, 3
    shared = server()
    first = [connect(shared) for _ in range(10)]
    assert served(first) == len(first)
    threads, before = status(shared, "Threads"), status(shared, "RssAnon")
    crowd = [connect(shared) for _ in range(count)]
    assert served(crowd, rounds) == count * rounds
    each = (status(shared, "RssAnon") - before) / count
    print(f"{each:.2f} KiB for an idle connection, {status(shared, 'Threads')} threads")
    # Where all takes longer, more of them are called for help meanwhile.
    assert status(shared, "Threads") <= threads + (16 if SANITIZED else 4)
    assert SANITIZED or each < 8


# A greeting and a request; that much of it, if not more, never comes.
SLOW = HELLO + simhandle.HEADER.pack(simhandle.REQUEST, 0, 0, 1 << 20, 1, 0, 1, 0, 0) + b"drip"


def sent_at_once(number):
    """How much of SLOW a slow client sends before it begins to drip."""
    return (0, number % 64, 64, 64 + number % 32, 96)[number % 5]


def test_half_open_connections(server, connect, raw):
    """Each drips a byte now and then. SHINAR_SOAK=1: 10,000."""
    count = 10_000 if SOAK else 200 if SANITIZED else 1000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    shared = server(env={"SIDL_RMI_CONNECT_MS": "600000"})
    resource.prlimit(shared.process.pid, resource.RLIMIT_NOFILE, (hard, hard))
    good = connect(shared)
    alone = timed(good)
    before = status(shared, "RssAnon")
    crowd = [raw(shared, SLOW[: sent_at_once(i)]) for i in range(count)]
    for i in range(0, count, 3):
        crowd[i].send(SLOW[sent_at_once(i) :][:1])
    in_crowd = timed(good)
    each = (status(shared, "RssAnon") - before) / count
    print(f"{1e6 * alone:.0f} us for a call, {1e6 * in_crowd:.0f} with {count} half-open")
    print(f"{each:.2f} KiB for each of them")
    assert SANITIZED or each < 24
    assert served([good, connect(shared)]) == 2
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def timed(connection, calls=100):
    """Seconds for a call, all of which are answered rightly; the best of some batches."""
    times = []
    for _ in range(10):
        start = time.monotonic()
        for _ in range(calls):
            assert served([connection]) == 1
        times.append((time.monotonic() - start) / calls)
    return min(times)


def test_slow_writers(server, connect):
    """Requests that come byte by byte are answered like others; who dies half-way harms nobody."""
    shared = server()
    good, slow, dying = connect(shared), [connect(shared) for _ in range(50)], connect(shared)
    requests = [add_request(one, i, 0, 1) for i, one in enumerate(slow)]
    dying.socket.sendall(add_request(dying, 1, 1, 1)[:40])
    for at in range(len(requests[0])):
        for one, request in zip(slow, requests):
            one.socket.sendall(request[at : at + 1])
        assert served([good]) == 1
        if at == 20:
            dying.socket.close()
    assert [one.answer(1).get("int") for one in slow] == list(range(50))
    assert shared.logged("it ended in the middle of a message")
    assert served([good]) == 1


@pytest.mark.skipif(SANITIZED, reason="takes long with sanitizers, and tells no more")
def test_slow_readers(server, connect):
    """Clients that ask for much and read nothing, more of them than the server has threads: it
    serves others, and gives them up in the end."""
    shared = server("--threads", 4, env={"SIDL_RMI_KEEPALIVE_MS": "1000"})
    good, slow = connect(shared), [connect(shared) for _ in range(10)]
    numbers = simhandle.Array((0,), ((1 << 21) - 1,), [0.5] * (1 << 21))
    body = simhandle.Writer()
    body.put("string", "pub")
    body.put("array<double>", numbers)
    for one in slow:
        one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.send(simhandle.REQUEST, body, 1, one.number_of(simhandle.Method.parse(BIG)))
    assert eventually(lambda: all(is_greeted(each.socket) for each in slow))  # with an answer
    for _ in range(200):
        assert served([good]) == 1
    assert "does not accept data" not in shared.log
    assert eventually(lambda: shared.log.count("the peer does not accept data") == len(slow)), (
        shared.log
    )
    assert served([good]) == 1


@pytest.mark.skipif(SANITIZED, reason="judges the processor's time")
def test_no_more_descriptors(server, connect, raw):
    """The server waits for some without haste, serves those whom it has, and goes on."""
    shared = server()
    good = connect(shared)
    assert served([good]) == 1
    used = len(os.listdir(f"/proc/{shared.process.pid}/fd"))
    room = 20
    resource.prlimit(shared.process.pid, resource.RLIMIT_NOFILE, (used + room, used + room))
    crowd = [raw(shared, HELLO) for _ in range(2 * room)]
    assert eventually(lambda: greeted(crowd) == room)
    assert shared.logged("cannot accept connections at the moment: Too many open files")
    before = processor_seconds(shared)
    for _ in range(50):
        time.sleep(0.02)
        assert served([good]) == 1
    assert processor_seconds(shared) - before < 0.5
    assert greeted(crowd) == room
    assert shared.log.count("cannot accept") == 1
    for one in [each for each in crowd if is_greeted(each)]:
        one.close()
    assert eventually(lambda: greeted(crowd) == room)
    assert served([good]) == 1


def is_greeted(peer):
    """The server's welcome has come."""
    return peer.fileno() >= 0 and bool(select.select([peer], [], [], 0)[0])


def greeted(crowd):
    """How many of those that are open are."""
    return sum(is_greeted(each) for each in crowd)


@pytest.mark.skipif(SANITIZED, reason="sanitizers use descriptors, too")
def test_client_without_descriptors(server, wire):
    """A client that has a socket and cannot make another says so."""
    command = [wire / "wire_client", server().url, "third", server().url]
    done = subprocess.run(
        ["prlimit", "--nofile=4:4", *map(str, command)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith("sidl.rmi.ConnectException: creating an object at 127.0.0.1:")
    assert "Too many open files" in done.stdout
    assert "fate 0" in done.stdout
