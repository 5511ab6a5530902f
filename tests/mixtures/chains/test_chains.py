"""Random calls within calls, among servers and a client whose objects they call back: every kind of
call, waited for in every way, with objects as arguments, deep and wide, by several threads. Every
result is right, every call has run once, and in the end nobody holds anything.

The same with deadlines, calls that are given up, and connections that are cut: whatever becomes of
those, what comes after them is right.

SHINAR_MIXTURES_SEED repeats a run; `make soak` runs for as long as it is told, as the random
packages do.
"""

import contextlib
import fcntl
import json
import os
import random
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "protocols")]
import plans  # noqa: E402
from faulty_proxy import FaultyProxy  # noqa: E402
from policies import ALL, role  # noqa: E402
from serving import eventually  # noqa: E402

pytestmark = pytest.mark.sanitized
SEED = int(os.environ.get("SHINAR_MIXTURES_SEED") or random.SystemRandom().randrange(10**9))
SOAK = "SHINAR_SOAK" in os.environ
SECONDS = float(os.environ.get("SHINAR_MIXTURES_SECONDS", "3600")) / 10 if SOAK else 0
ROUNDS = 15
PATIENCE = 30  # seconds for a round
THREADS = 2
LANGUAGES = [("cxx",), ("python",), ("cxx", "cxx"), ("cxx", "python"), ("python", "python")]
QUICK = {"SIDL_RMI_KEEPALIVE_MS": "500", "SIDL_RMI_LEASE_MS": "1000"}
FAILED = re.compile(r"sidl\.rmi\.\w+Exception")


@pytest.fixture(scope="module")
def built(build_dir, stage, cmake_build):
    """Where the nodes and their driver are."""
    work = build_dir / "tests" / "chains"
    work.mkdir(parents=True, exist_ok=True)
    has_python = (stage / "lib" / "shinar" / "python").exists()
    options = [f"-DWITH_PYTHON={int(has_python)}", f"-DPython3_EXECUTABLE={sys.executable}"]
    with open(work / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return cmake_build(HERE, work, *options)


class Driver:
    """The program that runs plans, and the model of what it and its servers have done."""

    def __init__(self, process, count):
        self.process, self.count = process, count
        self.model = None

    def ask(self, *words):
        """What it says to a line."""
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], f"no answer: {words}"
        said = self.process.stdout.readline()
        assert said, f"the driver ended: {self.process.communicate()[1]}"
        return said.rstrip("\n").split("\t")

    def make_nodes(self):
        """Drops those of before."""
        self.ask("new")
        self.model = plans.Model(THREADS, self.count)

    def check(self, *all_plans):
        """Results are right; so are the sums, sooner or later: one-way calls take longer."""
        texts = [str(each) for each in all_plans]
        expected = [self.model.run(thread, plan) for thread, plan in enumerate(all_plans)]
        said = self.ask("run", *texts)
        assert said == [str(each) for each in expected], (SEED, texts)
        done = [f"{runs} {total}" for runs, total in self.model.done]
        assert eventually(lambda: self.ask("done") == done), (self.ask("done"), done, SEED, texts)

    def has_run(self, count):
        """Its nodes have run so many plans, sooner or later."""
        return eventually(lambda: sum(int(each.split()[0]) for each in self.ask("done")) == count)

    def run(self, *all_plans):
        """Results are what they may be when calls are given up and connections are cut."""
        texts = [str(each) for each in all_plans]
        for said in self.ask("run", *texts):
            assert said.isdigit() or FAILED.match(said), (said, SEED, texts)

    def check_alive(self):
        """No process has nodes but those that were made last."""
        alive = [str(1 + THREADS)] * self.count
        assert eventually(lambda: self.ask("alive") == alive, PATIENCE), self.ask("alive")


@pytest.fixture
def look(run, sidl_tool):
    """look(server): calls in work, references of clients, and nodes, those of who looks among them.
    What collectors of garbage keep is none of these."""

    def look_at(server):
        call = [sidl_tool, "call", "--compact", "--create", "chains.Node", server.url, "alive"]
        alive = json.loads(run(call, timeout=PATIENCE).stdout)["result"]
        done = run([sidl_tool, "inspect", "--json", server.url], timeout=PATIENCE)
        counters = json.loads(done.stdout)["counters"]["server"]
        return counters["callsInWork"], counters["references"], alive

    return look_at


@pytest.fixture
def start(built, protocols, start_server, look, monkeypatch):
    """start(languages, option, …) → servers, which at the end are at rest, and stop in order."""
    for name, value in QUICK.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SIDL_DLL_PATH", str(built))
    rest = []

    def start_one(language, *more):
        library = built / f"libchains_{language}.so"
        if language == "python":
            library = built / "python" / library.name
        if not library.exists():
            pytest.skip("built without the Python binding")
        options = ["--threads", THREADS, *more]
        for name in ("Node", "Free"):
            options += ["--export", f"chains.{name}={library}"]
        server = start_server(protocols["simhandle"], *options)
        rest.append((server, look(server)))
        return server

    yield lambda languages, *more: [start_one(each, *more) for each in languages]
    before = [held for _, held in rest]

    def look_at_all():  # what one holds another one may keep, until it collects garbage
        return [look(server) for server, _ in rest]

    logs = [server.log for server, _ in rest]
    assert eventually(lambda: look_at_all() == before, PATIENCE), (SEED, look_at_all(), logs)
    for server, _ in rest:
        assert server.stop() == 0, server.log


@pytest.fixture
def drive(built):
    """with drive(url, …) as driver: with nodes at these servers, and here. Others than the only
    server can call those here if the driver is a server, too."""

    @contextlib.contextmanager
    def driver(*urls, serves=None):
        serves = len(urls) > 1 if serves is None else serves
        command = [built / "chains_driver", THREADS, int(serves), *urls]
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            bufsize=1,
        )  # fmt: skip
        try:
            yield Driver(process, len(urls) + 1)
            _, complaint = process.communicate(timeout=PATIENCE)
            assert (process.returncode, complaint) == (0, "")
        finally:
            process.kill()
            process.wait()

    return driver


def rounds():
    """The numbers of the rounds that are to be run."""
    end, number = time.monotonic() + SECONDS, 0
    while number < ROUNDS or time.monotonic() < end:
        yield number
        number += 1


@pytest.mark.parametrize("languages", LANGUAGES, ids="-".join)
def test_calls_within_calls(start, drive, languages):
    draw = random.Random(SEED)
    with drive(*[each.url for each in start(languages)]) as driver:
        driver.make_nodes()
        for number in rounds():
            maker = plans.Maker(draw, driver.count)
            make = maker.deep if number % 5 == 4 else maker.make
            driver.check(*(make(draw.randint(1, 60)) for _ in range(THREADS)))
        driver.make_nodes()
        driver.check_alive()


@pytest.mark.parametrize("languages", LANGUAGES, ids="-".join)
@pytest.mark.parametrize("cut_every", [float("inf"), 150], ids=["given up", "cut"])
def test_calls_that_fail_within_calls(start, drive, languages, cut_every):
    draw = random.Random(SEED)
    first, *others = start(languages)
    with FaultyProxy(int(first.url.rsplit(":", 1)[1]), SEED) as proxy:
        proxy.heal()
        with drive(proxy.url, *[each.url for each in others]) as driver:
            driver.make_nodes()
            proxy.harm(cut_every, late_every=50)
            for _ in rounds():
                maker = plans.Maker(draw, driver.count, faults=True)
                driver.run(*(maker.make(draw.randint(1, 60)) for _ in range(THREADS)))
            proxy.heal()
            driver.make_nodes()
            driver.check_alive()
            maker = plans.Maker(draw, driver.count)
            driver.check(*(maker.make(60) for _ in range(THREADS)))
            driver.make_nodes()
            driver.check_alive()


@pytest.fixture
def with_quota(stage, tmp_path):
    """with_quota(calls in work) → options of such a server."""
    if not (stage / "lib" / "libsidlx_policy.so").exists():
        pytest.skip("built without toml++")

    def options(quota):
        policy = tmp_path / "policy.toml"
        policy.write_text(role("all", ["anyone"], {"calls-in-work": quota}, **ALL))
        return "--policy", policy

    return options


@pytest.mark.parametrize("language", ["cxx", "python"])
@pytest.mark.parametrize("quota", [1, 2])
def test_calls_within_calls_that_have_a_quota(start, drive, with_quota, language, quota):
    """Those that nobody waits for are other chains: they wait for the places of those that here
    wait for them in turn."""
    draw = random.Random(SEED)
    with drive(*[each.url for each in start([language], *with_quota(quota))]) as driver:
        driver.make_nodes()
        for number in rounds():
            maker = plans.Maker(draw, driver.count, waits_for_all=True)
            make = maker.deep if number % 5 == 4 else maker.make
            driver.check(*(make(draw.randint(1, 60)) for _ in range(THREADS)))
        driver.make_nodes()
        driver.check_alive()


@pytest.mark.parametrize("how", "frbktpwz")
@pytest.mark.parametrize("language", ["cxx", "python"])
def test_what_is_waited_for_begins_calls_beyond_the_quota(start, drive, with_quota, language, how):
    """The thread that waits, in whatever way, runs them; one that asked a book did not."""
    (server,) = start([language], *with_quota(1))
    with drive(server.url) as driver:
        driver.make_nodes()
        for _ in range(20):
            (said,) = driver.ask("run", f"1c0(1g{how}1(1)3(1s9gf0(1););)")
            assert said.isdigit(), said


# With one server node 0 is there and 1 here, 2 and 3 are for all; with two servers 2 is here.
SEQUENCES = {
    # A thread here that had run a one-way call took the next call for one, too: for one that nobody
    # waits for, whose calls are no part of the chain that has node 0.
    "behind a one-way call": ("cxx", "1c0(1o3(1)o3(1)s3gf3(2c0(3))3(2)3(2c0(3));)"),
    # What it called in turn was of another chain, for which that which has node 0 was to end.
    "a one-way call that is waited for": ("cxx", "1c0(1o1(1c0(1))c1(1))"),
    "the same of another server": ("cxx-cxx", "1c0(1o1(1c2(1c0(1)))c1(1c0(1)))"),
    "the same beyond others": ("cxx", "1c0(1o3(1c1(1c0(1)))c3(1))"),
    # Each had a chain of its own, and the node that the other one waited for.
    "two at once, of each other": ("cxx-cxx", "1gf0(1s2c1(1))1(1s2c0(1));"),
    # Who only asks whether a call is over was called back after it.
    "asked again and again": ("cxx-cxx", "1c0(1gw1(1s2c0(1));)"),
    "a book asked again and again": ("cxx-cxx", "1c0(1gk1(1)4(1s9c0(1));)"),
    # Python waits for so many seconds: not in the runtime, so that no call came back meanwhile.
    "a wait with a timeout": ("python", "1c0(1gp1(1s2c0(1));)"),
    # A timeout of 0 was no wait at all, so that none came back between such questions either.
    "asked for its result again and again": ("python", "1c0(1gz2(1)1(1s2c0(1))2(1)1(1s2c0(1));)"),
    "asked whether it is done": ("python", "1c0(1gz1(1s2c0(1));)"),
    # The thread that takes in answers waited for the one that had first waited for the outer call,
    # and that ran the inner one, which waited for it.
    "a wait with a timeout while what is waited for is over": (
        "python",
        "1c0(1gf1(1gd0(1s5gp1(1s10);););)",
    ),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequence(start, drive, name):
    languages, plan = SEQUENCES[name]
    with drive(*[each.url for each in start(languages.split("-"))]) as driver:
        driver.make_nodes()
        for number in range(1, 41):
            (said,) = driver.ask("run", plan)
            assert said.isdigit(), said
            assert driver.has_run(number * plan.count("(")), driver.ask("done")


def test_what_follows_one_that_was_given_up_goes_on(start, drive):
    """It was of the same chain as long as the ticket was there, so that it passed what that one
    held, ran in the course of it, and was given up with it."""
    with drive(*[each.url for each in start(("cxx", "cxx"))]) as driver:
        driver.make_nodes()
        for number in range(100):
            plan = f"1q0,{number % 8}(1s2c1(1s2c0(1s2c1(1s2))))c0(1c1(1))"
            (said,) = driver.ask("run", plan)
            assert said.isdigit(), said


def test_what_was_begun_beside_one_that_is_cancelled_goes_on(start, drive):
    """A thread that waited for what the cancelled one had called ran it, and ended it for that."""
    with drive(*[each.url for each in start(("cxx", "cxx"))]) as driver:
        driver.make_nodes()
        for number in range(100):
            deep = f"s{number % 4}c{{}}(1" * 4
            ones = ["1" + deep.format(*places) + ")" * 4 for places in ((1, 0, 1, 0), (0, 1, 0, 1))]
            (said,) = driver.ask("run", f"1gc0({ones[0]})1({ones[1]});")
            assert said.isdigit(), said


def test_what_cannot_be_passed_on_is_let_go(start, drive):
    """A call to another server names objects of both, and one that only this server can call: the
    thread that has packed it kept them until its next call."""
    with drive(*[each.url for each in start(("cxx", "cxx"))], serves=False) as driver:
        driver.make_nodes()
        (said,) = driver.ask("run", "1c0(1c4(1))")
        assert said.startswith("sidl.rmi.ProtocolException") and "runs no server" in said
        driver.make_nodes()
        driver.check_alive()
