"""Two servers whose objects call each other in a circle, in more chains than either has threads,
and whose first caller vanishes or has no more time: afterwards both answer, and hold nothing.

The tests of chains had their servers in one process, and a caller that waited to the end.
"""

import json
import signal
import sys
import time
from pathlib import Path

import pytest
from faulty_proxy import FaultyProxy
from serving import eventually, running

sys.path.insert(0, str(Path(__file__).parent / "independent"))
import simhandle  # noqa: E402

THREADS = 2  # of each server
CHAINS = 12
QUICK = {"SIDL_RMI_KEEPALIVE_MS": "500"}


@pytest.fixture
def pair(server, wire):
    """Two servers of few threads."""
    options = ["--threads", THREADS, "--lease", 1, "--export", f"wire.Hook={wire}/libwire.so"]
    return [server(*options, env=QUICK) for _ in range(2)]


@pytest.fixture
def look(run, sidl_tool):
    """look(server): calls in work and references of clients, those of who looks among them, and the
    objects: that each of them was passed to the other server by its own had kept it for ever."""

    def look_at(server):
        done = run([sidl_tool, "inspect", "--json", server.url], timeout=30)
        counters = json.loads(done.stdout)["counters"]["server"]
        alive = run([sidl_tool, "call", "--compact", f"{server.url}/pub", "alive"], timeout=30)
        objects = json.loads(alive.stdout)["result"]
        return counters["callsInWork"], counters["references"], objects

    return look_at


@pytest.fixture
def check_at_rest(pair, look, client):
    """Both servers answer, and hold what they held before: nothing."""
    before = [look(each) for each in pair]

    def check():
        for each, at_rest in zip(pair, before):
            done = client(each.url, "alive", timeout=30)
            assert done.returncode == 0, each.log
            assert eventually(lambda at=each, held=at_rest: look(at) == held, 30), (
                look(each),
                at_rest,
                each.log,
            )

    return check


@pytest.mark.parametrize("depth", [8, 500])
@pytest.mark.parametrize("after", [0.05, 0.5])
def test_the_caller_is_killed(pair, wire, check_at_rest, depth, after):
    urls = [each.url for each in pair]
    with running(wire, *urls, CHAINS, depth, 0, program="wire_circle", env=QUICK) as caller:
        assert caller.stdout.readline() == "going\n"
        time.sleep(after)  # somewhere in the midst of it: where does not matter
        caller.send_signal(signal.SIGKILL)
        caller.wait()
    check_at_rest()


def test_the_caller_has_no_more_time(pair, client, check_at_rest):
    urls = [each.url for each in pair]
    environment = {**QUICK, "SIDL_RMI_DEADLINE_MS": "40"}
    done = client(*urls, CHAINS, 1000, 5, program="wire_circle", timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    right, failed = (int(each.split()[0]) for each in done.stdout.splitlines()[1].split(", "))
    assert right + failed == 5 * CHAINS
    assert failed > 0
    check_at_rest()


def test_nobody_vanishes(pair, client, check_at_rest):
    done = client(*[each.url for each in pair], CHAINS, 100, 5, program="wire_circle", timeout=120)
    assert done.stdout == f"going\n{5 * CHAINS} right, 0 failed\n", done.stderr
    check_at_rest()


@pytest.mark.parametrize(
    ("how", "late"),
    [("in time", (0.15,)), ("interrupted", (0, 0.1))],
    ids=["in time", "interrupted"],
)
def test_the_caller_goes_on_with_another_call(pair, wire, how, late):
    """In the course of a call, one that it makes is given up while it waits elsewhere: as it is
    late, before its time is over there; or as its thread is interrupted, of which the server hears
    together with the next call. That takes longer, and nobody has set a bound to it. It ran on the
    thread that waited in the other, and ended with that. The tests of deadlines made no second
    call."""
    patient = float("inf")
    with FaultyProxy(pair[0].port, 1, cut_every=patient, late_every=patient) as proxy:
        program = {"program": "wire_abandoned", "env": QUICK}
        with running(wire, proxy.url, pair[1].url, how, **program) as caller:
            assert caller.stdout.readline() == "in work\n"
            proxy.delay_next(*late)
            out, _ = caller.communicate("go on\n", timeout=60)
    first, *rest = out.splitlines()
    assert ("deadline" if how == "in time" else "interrupted") in first, out
    assert rest == ["second: right", "all: right"]


@pytest.mark.parametrize("way", ["by book", "by thread"])
def test_a_method_waits_for_a_ticket_that_comes_back(pair, way):
    """In the course of the call that it waits for it is called itself: the call passes, though the
    thread that runs it does not read the answer. And it leaves its place to others while it waits.
    The tests of circles had calls that are answered where they were made."""
    first, second = pair
    name = f"{way} {second.url}/pub"
    clients = [simhandle.Connection("127.0.0.1", first.port) for _ in range(3 * THREADS)]
    hooks = [each.create("wire.Hook") for each in clients]
    for each in hooks:
        each.call("void setName(in string name)", name)
    for _ in range(5):
        calls = [each.begin("string getName()") for each in hooks]
        for client, call in zip(clients, calls):
            client.socket.settimeout(30)
            assert client.finish(call) == str(len(name))
    for each in clients:
        each.goodbye()
