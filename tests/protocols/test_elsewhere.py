"""References by URL that lead to servers which do not answer.

Whoever calls a server can make it connect anywhere (docs/simhandle-protocol.md). Threads that wait
there are threads that wait for a peer: others take their place, and they end with their caller. No
test had seen that they did not, as in all of them the server that a reference led to answered.
"""

import contextlib
import os
import select
import socket
import statistics
import sys
import threading
import time
from pathlib import Path

import pytest
from faulty_proxy import FaultyProxy
from serving import eventually

sys.path.insert(0, str(Path(__file__).parent / "independent"))
import simhandle  # noqa: E402

CALLS = 100
IS_ME = "bool isMe(in wire.Named other)"
# Longer than the tests: nothing ends because it has taken long.
PATIENT = {"SIDL_RMI_CONNECT_MS": "600000", "SIDL_RMI_KEEPALIVE_MS": "1000"}


def listener(backlog=128):
    """A socket that listens, and accepts nobody."""
    one = socket.socket()
    one.bind(("127.0.0.1", 0))
    one.listen(backlog)
    return one


@contextlib.contextmanager
def deaf():
    """Accepts connections, and says nothing."""
    with listener() as one:
        yield one.getsockname()[1]


@contextlib.contextmanager
def full():
    """Takes no more connections: nobody accepts those that wait."""
    with listener(0) as one, contextlib.ExitStack() as stack:
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(one.getsockname())
        yield one.getsockname()[1]


@contextlib.contextmanager
def mute():
    """Greets, answers pings, and nothing else."""

    def answer(peer):
        threading.Thread(target=pong, args=(peer,), daemon=True).start()

    with listener() as one:
        threading.Thread(target=greet_all, args=(one, answer), daemon=True).start()
        yield one.getsockname()[1]
        one.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def stuck():
    """Greets, and reads nothing more."""
    with listener() as one, contextlib.ExitStack() as stack:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        greeted = threading.Thread(target=greet_all, args=(one, stack.enter_context))
        greeted.start()
        yield one.getsockname()[1]
        one.shutdown(socket.SHUT_RDWR)
        greeted.join()


def greet_all(one, then):
    """Until it is shut down."""
    with contextlib.suppress(OSError):
        while True:
            peer = one.accept()[0]
            peer.recv(simhandle.HELLO.size, socket.MSG_WAITALL)
            limits = (1 << 24, 1000, 1 << 33, 60000, 0, 1, 1)
            peer.sendall(simhandle.WELCOME.pack(simhandle.MAGIC, 2, 0, 0, os.urandom(16), *limits))
            then(peer)


def pong(peer):
    """Answers the pings of one client."""
    with peer, contextlib.suppress(OSError):
        while head := peer.recv(simhandle.HEADER.size, socket.MSG_WAITALL):
            kind, _, _, size, call, *_ = simhandle.HEADER.unpack(head)
            if size:
                peer.recv(size, socket.MSG_WAITALL)
            if kind == simhandle.PING:
                head = (simhandle.PONG, 0, 0, 0, call, 0, 0, 0, 0)
                peer.sendall(simhandle.HEADER.pack(*head))


@pytest.fixture(params=[deaf, full, mute, stuck], ids=lambda each: each.__name__)
def unanswering(request):
    """The URL of an object of a server that does not answer."""
    with request.param() as port:
        # A long name: a hundred of them are more than sockets take for somebody who does not read.
        yield f"simhandle://127.0.0.1:{port}/{'o' * 4000}"


def threads(server):
    """How many the server has."""
    return len(os.listdir(f"/proc/{server.process.pid}/task"))


def add(connection):
    """A call that needs nobody else."""
    return connection.attach("pub").call("int add(in int a, in int b)", 1, 2)


def begin_many(server, url):
    """A client, and its calls that lead to the URL."""
    client = simhandle.Connection("127.0.0.1", server.port)
    target = simhandle.Object(client, "pub", "wire.Box")
    return client, [target.begin(IS_ME, (url, "wire.Box")) for _ in range(CALLS)]


def test_others_are_served(server, unanswering):
    """However many calls wait there, and when their client has gone nothing is left of them."""
    shared = server("--threads", 4, env=PATIENT)
    before = threads(shared)
    client, _ = begin_many(shared, unanswering)
    assert eventually(lambda: threads(shared) > CALLS)
    for _ in range(5):
        other = simhandle.Connection("127.0.0.1", shared.port)
        assert add(other) == 3
        other.goodbye()
    while select.select([client.socket], [], [], 0)[0]:
        signs = (simhandle.PING, simhandle.PONG)
        assert client.read_frame().kind in signs  # none has been answered
    client.socket.close()
    assert eventually(lambda: threads(shared) <= before + 4), threads(shared)


def test_they_can_be_given_up(server, unanswering):
    """Each is answered then, and the connection goes on."""
    shared = server("--threads", 4, env=PATIENT)
    client, calls = begin_many(shared, unanswering)
    for each in calls:
        client.cancel(each)
    for each in calls:
        with pytest.raises(
            (simhandle.Failed, simhandle.Thrown), match="was cancelled|cancelled the call"
        ):
            client.finish(each)
    assert add(client) == 3
    client.goodbye()


def test_a_session_has_its_share(server, unanswering):
    """Of the threads that may wait, as for clients that do not answer."""
    shared = server("--threads", 2, env={**PATIENT, "SIDL_RMI_MAX_WAITING": "3"})
    client, _ = begin_many(shared, unanswering)
    text = "threads that wait for peers in calls of one client"
    refused = simhandle.Object(client, "pub", "wire.Box")
    with pytest.raises(simhandle.Failed, match=text):
        refused.call("int add(in int a, in int b)", 1, 2)
    other = simhandle.Connection("127.0.0.1", shared.port)
    assert add(other) == 3
    other.goodbye()
    client.socket.close()


@pytest.mark.parametrize("place", [deaf, full], ids=lambda each: each.__name__)
def test_objects_are_left_to_others(server, place):
    """Of calls on an object that takes one at a time: each kept it for as long as connecting may
    take, ten seconds. All objects of the tests took any number."""
    shared = server("--publish", "serial=wire.Tables")
    honest = simhandle.Connection("127.0.0.1", shared.port)
    serial = honest.attach("serial")

    def times(seconds):
        end = time.monotonic() + seconds
        each = []
        while time.monotonic() < end:
            start = time.monotonic()
            serial.call("void fill(in int dimension)", 1)
            each.append(time.monotonic() - start)
        return statistics.median(each), max(each)

    idle, _ = times(0.5)
    client = simhandle.Connection("127.0.0.1", shared.port)
    target = simhandle.Object(client, "serial", "wire.Tables")
    with place() as port:
        url = f"simhandle://127.0.0.1:{port}/o"
        calls = [
            target.begin("void leaveTo(in wire.Tables other)", (f"{url}{i}", "wire.Tables"))
            for i in range(127)
        ]
        median, longest = times(4)
        for each in calls:
            with pytest.raises((simhandle.Failed, simhandle.Thrown)):
                client.finish(each)
    assert longest < 3
    assert median < max(10 * idle, 0.002)
    assert shared.log.count("cannot connect to 127.0.0.1") == 1
    honest.goodbye()
    client.goodbye()


@pytest.mark.skipif("SHINAR_SANITIZED" in os.environ, reason="ASan keeps what is freed")
def test_places_that_failed_are_forgotten(server):
    """A server keeps nothing about the many places it was sent to in vain."""
    shared = server(env=PATIENT)
    client = simhandle.Connection("127.0.0.1", shared.port)
    target = simhandle.Object(client, "pub", "wire.Box")

    def lead_astray(count, kind):
        for i in range(count):
            host = f"127.0.{i >> 8}.{i & 255}"
            url = f"simhandle://{host}:1/{kind}"
            with pytest.raises(simhandle.Thrown):
                target.call(IS_ME, (url, "wire.Box"))

    lead_astray(500, "first")
    before = private_memory(shared)
    lead_astray(8000, "again")
    assert private_memory(shared) - before < 4096
    client.goodbye()


@pytest.mark.parametrize("is_own", [False, True], ids=["of another server", "of the server"])
def test_a_server_that_is_idle_settles_what_was_lost(server, is_own):
    """A server gives an object back, which is lost with one of its connections; it has another one,
    so that its session goes on. It makes no more calls that would find out, and settles it all the
    same. Its own objects, by an address that it does not know, are no exception. The tests with
    cuts had clients that went on calling, or ended."""
    keeper = server("--threads", 4, "--lease", 3600, env=PATIENT)
    home = keeper if is_own else server("--lease", 3600, env=PATIENT)
    at_keeper = simhandle.Connection("127.0.0.1", keeper.port)
    at_home = simhandle.Connection("127.0.0.1", home.port)
    public = simhandle.Object(at_keeper, "pub", "wire.Box")

    def alive():
        return at_home.attach("pub", add_reference=False).call("int alive()")

    with FaultyProxy(home.port, 1, cut_every=float("inf"), late_every=float("inf")) as proxy:
        before = alive()
        waits = "void waitFor(in wire.Box other)"
        both = [public.begin(waits, (f"{proxy.url}/pub", "wire.Box")) for _ in range(2)]
        for each in both:  # each over a connection of its own
            at_keeper.finish(each)
        box = at_home.create("wire.Box")
        public.call("void keep(in wire.Named other)", (f"{proxy.url}/{box.id}", "wire.Box"))
        box.release()
        assert alive() == before + 1
        proxy.lose_next()
        public.call("void forget()")
        assert eventually(lambda: proxy.cuts == 1)
        assert eventually(lambda: alive() == before)


def private_memory(server):
    """In KiB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0])
