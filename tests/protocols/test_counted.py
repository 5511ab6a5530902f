"""Numbered calls: however the server, the network or the load behaves, every call that returned ran
once and gave the right answer, one that the client was told did not run did not, none ran twice.

The server and the client each keep a file with a byte for every call (wire/impl/counts.hpp), which
are compared at the end. SHINAR_SOAK=1 makes the tests longer.
"""

import collections
import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from faulty_proxy import FaultyProxy
from serving import eventually, running

SOAK = bool(os.environ.get("SHINAR_SOAK"))
plain = pytest.mark.skipif(
    "SHINAR_SANITIZED" in os.environ, reason="takes long with sanitizers, and tells no more"
)
OK, WRONG, NOT_RUN, MAY_HAVE_RUN, HAS_RUN, OTHER, TOLD = 1, 2, 3, 4, 5, 6, 7
QUICK = {"SIDL_RMI_KEEPALIVE_MS": "200", "SIDL_RMI_CONNECT_MS": "3000"}


class Counting:
    """A client that counts, and what it and the server noted."""

    def __init__(self, process, ran, outcomes):
        self.process, self._ran, self._outcomes = process, ran, outcomes

    @property
    def made(self):
        """How many calls are over."""
        data = self._outcomes.read_bytes()
        return len(data) - data.count(0)

    def finish(self, seconds):
        """Waits for the end; (outcome, times that it ran) → number of calls."""
        out, _ = self.process.communicate(timeout=seconds)
        assert self.process.returncode == 0, out
        pairs = collections.Counter(zip(self._outcomes.read_bytes(), self._ran.read_bytes()))
        print(f"(outcome, runs): {dict(pairs)}; {out}")
        return pairs


@pytest.fixture
def serve_counter(server, wire, tmp_path):
    """serve_counter(calls, *options) → a server of a counter that expects so many calls."""

    def start(calls, *options, env=None, prefix=()):
        ran = tmp_path / "ran"
        if not ran.exists():
            ran.write_bytes(bytes(calls))
        offer = ["--export", f"wire.Counter={wire}/libwire.so", "--publish", "counter=wire.Counter"]
        env = {"WIRE_COUNTS": str(ran), **QUICK, **(env or {})}
        return server(*offer, *options, env=env, prefix=prefix)

    return start


@pytest.fixture
def counting(wire, tmp_path):
    """with counting(url, threads, calls) as it: a client at work."""

    @contextlib.contextmanager
    def start(url, threads, calls, *options, env=None, prefix=()):
        outcomes = tmp_path / "outcomes"
        outcomes.write_bytes(bytes(calls))
        program = {"program": "wire_counter", "env": {**QUICK, **(env or {})}, "prefix": prefix}
        with running(wire, url, threads, outcomes, *options, **program) as one:
            assert one.stdout.readline() == "counting\n"
            yield Counting(one, tmp_path / "ran", outcomes)

    return start


def check(pairs, calls, may_fail=False):
    """What must hold whatever happened; how many calls there were of each outcome. A call that ran
    in another order than those of its thread were made in counts 17 runs. `may_fail`: methods."""
    assert sum(pairs.values()) == calls
    allowed = {(OK, 1), (NOT_RUN, 0), (MAY_HAVE_RUN, 0), (MAY_HAVE_RUN, 1)}
    allowed |= {(TOLD, 0), (TOLD, 1)}
    allowed |= {(HAS_RUN, 1)} if may_fail else set()
    assert set(pairs) <= allowed, pairs
    totals = collections.Counter()
    for (outcome, _), number in pairs.items():
        totals[outcome] += number
    return totals


def test_64_threads_share_a_handle(serve_counter, counting):
    calls = 32_000
    url = serve_counter(calls).url + "/counter"
    with counting(url, 64, calls) as client:
        pairs = client.finish(120)
    assert pairs == {(OK, 1): calls}


@pytest.mark.parametrize(
    ("program", "command", "addresses", "cut_every"),
    [
        ("wire_client", "create-and-drop", 1, 60),
        ("wire_full", "create-and-drop-both", 1, 60),
        ("wire_full", "create-and-drop-both", 1, 12),  # before anything was lent, in handshakes
        ("wire_full", "create-and-drop-both", 2, 60),  # the server calls itself, by the other one
    ],
)
def test_books_balance_after_cuts(server, client, wire, program, command, addresses, cut_every):
    """A client that makes, passes and drops objects while its connections are cut. When it has
    dropped all, none is left at either end, though its session goes on: what was lost with a
    connection is settled, and who drops an answer gives back what it carries. The tests with cuts
    had one object, and did not look at what was left; nor did a server ever call itself by another
    address."""
    calls = (10_000 if SOAK else 1000) // addresses
    # A server that calls itself may be left without a connection, which it does not make for this.
    lease = 3600 if addresses == 1 else 3
    shared = server("--export", f"wire.Box={wire}/libwire.so", "--lease", lease, env=QUICK)

    def alive():
        return int(client(shared.url, "alive").stdout.split()[0]) - 2  # the published one, and it

    with contextlib.ExitStack() as stack:
        proxies = [
            stack.enter_context(FaultyProxy(shared.port, 4711 + i, cut_every=cut_every))
            for i in range(addresses)
        ]
        arguments = [proxies[0].url, command, calls, proxies[-1].url]
        one = stack.enter_context(running(wire, *arguments, program=program, env=QUICK))
        text = one.stdout.readline()
        cuts = sum(proxy.cuts for proxy in proxies)
        print(f"{cuts} cuts, {text}{alive()} boxes are alive before the calls that follow")
        assert cuts > 20
        for proxy in proxies:
            proxy.heal()
        one.stdin.write("\n")
        one.stdin.flush()
        mine = one.stdout.readline()
        assert eventually(lambda: alive() == 0, 20), f"{alive()} boxes are left"
        assert mine == "0\n", "objects of the client"
        assert one.poll() is None


@plain
def test_many_calls_without_growth(serve_counter, counting):
    """In the second half of the calls neither side grows, but for threads that the server hires if
    it waits long for the processor. SHINAR_SOAK=1: 10 million."""
    calls = 10_000_000 if SOAK else 200_000
    # One heap, else each thread comes to have one of its own; and what is large goes back at once,
    # else the heap grows by how many of the threads happened to hold a large array together.
    one_heap = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536"}
    shared = serve_counter(calls, env=one_heap)
    with counting(f"{shared.url}/counter", 16, calls, env=one_heap) as client:
        sizes = []
        for share in (0.1, 0.5, 0.95):
            assert eventually(lambda share=share: client.made > calls * share, 3600)
            sizes.append([least_size(shared.process), least_size(client.process)])
        pairs = client.finish(3600)
    print(f"(KiB, threads) of server and client: {sizes}")
    assert pairs == {(OK, 1): calls}
    for (before, few), (after, many) in zip(sizes[1], sizes[2]):
        assert after - before < 1024 + 256 * (many - few)


def least_size(process):
    """The least of some: arrays are in use when one looks."""
    return min(size(process) for _ in range(20))


def size(process):
    """Resident memory in KiB without files, of which the notes are one, and threads."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    return tuple(int(re.search(rf"{name}:\s*(\d+)", text)[1]) for name in ("RssAnon", "Threads"))


def test_server_killed_and_restarted(serve_counter, counting):
    """Calls in flight end; those after the restart go to the new server, over the same handle."""
    kills, calls = (50, 400_000) if SOAK else (5, 40_000)
    chance = random.Random(4711)
    shared = serve_counter(calls)
    port = shared.port
    with counting(f"{shared.url}/counter", 16, calls) as client:
        for _ in range(kills):
            made = client.made
            assert eventually(lambda made=made: client.made > made + chance.randrange(50, 2000))
            shared.process.kill()
            shared.process.wait()
            shared = serve_counter(calls, "--listen", f"simhandle://127.0.0.1:{port}")
        assert client.made < calls
        pairs = client.finish(300)
    totals = check(pairs, calls)
    assert totals[MAY_HAVE_RUN] > 0
    assert totals[OK] > calls // 2


@plain
def test_server_frozen(serve_counter, counting):
    """Frozen for longer than three keepalive intervals: calls in flight end, later ones do not."""
    freezes, calls = (10, 200_000) if SOAK else (2, 40_000)
    shared = serve_counter(calls)
    with counting(f"{shared.url}/counter", 16, calls) as client:
        for _ in range(freezes):
            made = client.made
            assert eventually(lambda made=made: client.made > made + 500)
            with stopped(shared.process):
                time.sleep(1.5)
            assert client.made < calls
        pairs = client.finish(300)
    totals = check(pairs, calls)
    assert totals[MAY_HAVE_RUN] > 0
    assert totals[OK] > calls // 2


@plain
def test_server_that_dozes(serve_counter, counting):
    """Frozen for a moment while it waits for its client, which is frozen, too: nobody notices."""
    calls = 20_000
    patient = {"SIDL_RMI_KEEPALIVE_MS": "5000"}
    shared = serve_counter(calls, env=patient)
    with counting(f"{shared.url}/counter", 1, calls, env=patient) as client:
        while client.process.poll() is None and client.made < calls:
            with stopped(client.process):
                time.sleep(0.01)
                with stopped(shared.process):
                    time.sleep(0.01)
            time.sleep(0.02)
        pairs = client.finish(60)
    assert pairs == {(OK, 1): calls}


@contextlib.contextmanager
def stopped(process):
    """Frozen for as long as the block takes."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def test_faulty_network(serve_counter, counting):
    """Connections that are cut anywhere, delayed, split. SHINAR_SOAK=1: a million calls."""
    calls = 1_000_000 if SOAK else 20_000
    shared = serve_counter(calls)
    with (
        FaultyProxy(shared.port, seed=4711) as proxy,
        counting(f"{proxy.url}/counter", 16, calls) as client,
    ):
        pairs = client.finish(3600)
    print(f"{proxy.cuts} cuts in {proxy.pieces} pieces")
    totals = check(pairs, calls)
    assert proxy.cuts > 5
    assert totals[MAY_HAVE_RUN] > 0
    assert totals[OK] > calls * 9 // 10


def test_order(serve_counter, counting):
    """One-way calls, and some that wait behind them: all run, in the order of their threads."""
    calls = 20_000
    with counting(f"{serve_counter(calls).url}/counter", 16, calls, "ordered") as client:
        pairs = client.finish(120)
    assert set(pairs) == {(OK, 1), (TOLD, 1)}, pairs


@pytest.mark.parametrize(("cut_every", "least"), [(300, 0.9), (25, 0.5)])
def test_order_on_a_faulty_network(serve_counter, counting, cut_every, least):
    """One-way calls run once or never, and what came after a broken connection runs after what came
    before. Often cut, a connection has not been read yet when the next one is. SHINAR_SOAK=1: a
    million calls."""
    calls = (1_000_000 if SOAK else 30_000) * cut_every // 300 + 5000
    shared = serve_counter(calls, "--threads", 2)
    with (
        FaultyProxy(shared.port, seed=4711, cut_every=cut_every) as proxy,
        counting(f"{proxy.url}/counter", 16, calls, "ordered") as client,
    ):
        pairs = client.finish(3600)
    print(f"{proxy.cuts} cuts in {proxy.pieces} pieces")
    totals = check(pairs, calls)
    assert proxy.cuts > 5
    assert totals[TOLD] > calls // 2
    assert pairs[(TOLD, 1)] > totals[TOLD] * least


def test_deadlines_and_callbacks(serve_counter, counting):
    """Calls in whose course the server calls back, and whose deadlines pass before they begin, when
    they run, or when the server waits for the callback. What the client hears is the fate of its
    own call, not of the callback, which the exception that ended the method came from: no test had
    looked at the fate of calls whose method failed. SHINAR_SOAK=1: 300,000 calls."""
    calls = 300_000 if SOAK else 6000
    shared = serve_counter(calls)
    with counting(f"{shared.url}/counter", 8, calls, "nested") as client:
        pairs = client.finish(3600)
    totals = check(pairs, calls, may_fail=True)
    assert totals[OK] > 0 and totals[MAY_HAVE_RUN] > 0


@pytest.fixture
def network():
    """Two namespaces with a cable between them: how to run programs in each, and the cable."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("network namespaces need root and ip")
    names = [f"shinar{os.getpid()}{side}" for side in "ab"]
    made = []
    try:
        for name in names:
            if subprocess.run(["ip", "netns", "add", name], check=False).returncode != 0:
                pytest.skip("this system gives us no network namespaces")
            made.append(name)
        ip(names[0], "link", "add", "cable", "type", "veth", "peer", "cable", "netns", names[1])
        for i, name in enumerate(names):
            ip(name, "address", "add", f"10.99.99.{i + 1}/24", "dev", "cable")
            ip(name, "link", "set", "cable", "up")
        yield names
    finally:
        for name in made:
            subprocess.run(["ip", "netns", "delete", name], check=False)


def ip(name, *arguments):
    subprocess.run(["ip", "-n", name, *arguments], check=True)


@contextlib.contextmanager
def cut(name):
    """For as long as the block takes nothing goes in or out."""
    ip(name, "link", "set", "cable", "down")
    try:
        yield
    finally:
        ip(name, "link", "set", "cable", "up")


@plain
@pytest.mark.parametrize(("seconds", "interval"), [(0.3, 5000), (3, 200)])
def test_network_cut(serve_counter, counting, network, seconds, interval):
    """A moment's cut is not noticed. A longer one ends the calls in flight; the object that the
    client has made is still there afterwards."""
    calls = 60_000
    inside = [["ip", "netns", "exec", name] for name in network]
    settings = {"SIDL_RMI_KEEPALIVE_MS": str(interval), "SIDL_RMI_CONNECT_MS": "1000"}
    address = ("--allow-anyone", "--listen", "simhandle://10.99.99.1:0")
    shared = serve_counter(calls, *address, env=settings, prefix=inside[0])
    url = f"simhandle://10.99.99.1:{shared.port}"
    with counting(url, 8, calls, env=settings, prefix=inside[1]) as client:
        assert eventually(lambda: client.made > 2000)
        with cut(network[0]):
            time.sleep(seconds)
        assert client.made < calls
        pairs = client.finish(120)
    totals = check(pairs, calls)
    assert "lease" not in shared.log
    if seconds < 1:
        assert totals[OK] == calls
    else:
        assert totals[MAY_HAVE_RUN] > 0
        assert totals[OK] > calls * 9 // 10
