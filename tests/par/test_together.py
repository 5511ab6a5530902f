"""Parallel objects: sidl.par.Group."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent / "together"
SIZES = [(1, 1), (1, 3), (3, 1), (2, 3), (4, 3), (4, 4), (7, 5)]
#: What a rank of the callers does, with how many ranks of the object and of the callers.
CASES = [
    *(("arrays", m, n) for m, n in SIZES),
    *(("values", m, n) for m, n in [(1, 1), (2, 3), (4, 2)]),
    *(("structs", m, n) for m, n in [(1, 4), (3, 2), (4, 4)]),
    *(("alone", m, n) for m, n in [(2, 3), (3, 2)]),
    *(("exceptions", m, n) for m, n in [(1, 3), (4, 2), (3, 3)]),
    *(("callbacks", m, n) for m, n in [(1, 1), (2, 3), (3, 2)]),
    ("reconnects", 2, 2),
    ("restarted", 1, 1),
    *(("absent", m, n) for m, n in [(1, 3), (2, 2), (3, 3)]),
    *(("late", m, n) for m, n in [(1, 4), (3, 5)]),
    *(("frozen_callee", m, n) for m, n in [(2, 1), (3, 2), (2, 3)]),
    *(("frozen_caller", m, n) for m, n in [(1, 2), (2, 3)]),
    *(("interrupted", m, n) for m, n in [(1, 2), (2, 3), (3, 1), (4, 3)]),
    *(("mixture", m, n) for m, n in [(1, 3), (3, 2), (4, 4), (2, 1)]),
    *(("out_of_step", m, n) for m, n in [(1, 2), (2, 2), (2, 3)]),
    *(("empty_pieces", m, n) for m, n in [(1, 2), (2, 3)]),
    *(("other_methods", m, n) for m, n in [(2, 2), (4, 4)]),
    ("disagreements", 1, 2),
    ("disagreements", 1, 3),
    *(("connecting", m, n) for m, n in [(1, 2), (2, 1), (2, 3), (4, 2)]),
]
#: The same, where a rank dies: which of the callers ends without having done its work.
DEATHS = [
    *(("death_beside_long_call", 2, n, None) for n in (1, 2)),
    *(("death_of_callee", m, n, None) for m, n in [(3, 2), (4, 1), (2, 4)]),
    *(("death_of_caller", m, n, 1) for m, n in [(1, 2), (3, 4)]),
    *(("death_within_call", m, n, n - 1) for m, n in [(2, 3), (4, 4)]),
]
#: Cases, ranks, programs that call at the same time, and how often all of them do.
ORDERS = [
    ("many", 3, ("one", "two", "three"), 3 * 10),
    ("crowded", 3, ("one", "two", "three"), 400 + 2 * 12),
    ("crowded", 2, ("two", "one"), 400 + 12),
]
ROUTES = ["shm", "unix", "tcp", "ucx"]


def free_ports(count):
    """Ports that were free a moment ago: ranks have to know those of others before they listen."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@pytest.fixture(scope="module")
def built(cmake_build, tmp_path_factory):
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    folder = cmake_build(HERE, tmp_path_factory.mktemp("together"), *options, unity=True)
    if not (folder / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")
    return folder


@pytest.fixture
def job(built, stage):
    """job(case, m, n, route, programs): what the ranks of each of the programs print."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sidl"))  # a short name
        servers = []

        def urls(program, ranks, route):
            if route in ("tcp", "ucx"):
                scheme = "simhandle" if route == "tcp" else "ucx"
                return [f"{scheme}://127.0.0.1:{port}" for port in free_ports(ranks)]
            return [f"simhandle+unix://{folder}/{program}.{rank}" for rank in range(ranks)]

        def start(program, ranks, environment, *command):
            # "some": only every second rank uses shared memory
            shm = {"shm": ["on"], "some": ["on", "off"]}.get(environment["ROUTE"], ["off"])
            return [
                subprocess.Popen(
                    [*map(str, command)],
                    env={
                        **environment,
                        "SIDL_PROGRAM": program,
                        "SIDL_RANK": str(rank),
                        "SIDL_RMI_SHM": shm[rank % len(shm)],
                    },
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                for rank in range(ranks)
            ]

        def run_job(
            case,
            m,
            n,
            route="shm",
            programs=("callers",),
            kind="cyclic",
            script="call.py",
            caller=None,
            server=None,
            behind=0,  # ranks of another object, which the first one calls
        ):
            if route == "ucx" and not (stage / "lib" / "libsidlx_ucx.so").exists():
                pytest.skip("built without ucx")
            environment = {
                **os.environ,
                "PYTHONPATH": (built / "path").read_text(),
                "SIDL_DLL_PATH": str(built),
                "ROUTE": route,
                "SIDL_URLS_OCEAN": " ".join(urls("ocean", m, route)),
            }
            for program in programs:
                environment[f"SIDL_URLS_{program.upper()}"] = " ".join(urls(program, n, route))
            python = [sys.executable]
            if behind > 0:
                environment["SIDL_URLS_NEXT"] = " ".join(urls("next", behind, route))
                servers.extend(start("next", behind, environment, *python, HERE / "serve.py", kind))
            command = server or [*python, HERE / "serve.py", kind]
            servers.extend(start("ocean", m, environment, *command))
            command = caller or [*python, HERE / script, case, kind]
            callers = [
                each for program in programs for each in start(program, n, environment, *command)
            ]
            servers.extend(callers)  # to be ended as well, whatever happens
            return [(each.communicate(timeout=60)[0], each.returncode) for each in callers]

        yield run_job
        for each in servers:
            each.kill()
            each.communicate()


@pytest.mark.parametrize("case, m, n", CASES)
def test_calls(case, m, n, job):
    assert job(case, m, n) == [("well\n", 0)] * n


@pytest.mark.parametrize("m, n", [(1, 2), (2, 3), (4, 4), (5, 2)])
def test_lists_of_indices(m, n, job):
    assert job("lists", m, n, kind="listed") == [("well\n", 0)] * n


@pytest.mark.parametrize("m, n", SIZES)
@pytest.mark.parametrize("kind", ["both", "ocean", "callers"])
def test_redistribution_of_lists(kind, m, n, job):
    command = [sys.executable, HERE / "mesh.py", kind, m, n]
    assert job("", m, n, caller=command, server=command) == [("well\n", 0)] * n


@pytest.mark.parametrize("m, n", [(1, 1), (1, 3), (3, 2)])
@pytest.mark.parametrize("kind", ["rows", "line_listed", "tardy"])
def test_lists_on_one_side(kind, m, n, job):
    assert job("lists_on_one_side", m, n, kind=kind) == [("well\n", 0)] * n


@pytest.mark.parametrize("m, n", [(2, 1), (3, 2)])
@pytest.mark.parametrize("kind", ["silent", "silent_listed"])
def test_who_has_not_said_how_arrays_are_divided(kind, m, n, job):
    assert job("silent", m, n, kind=kind) == [("well\n", 0)] * n


@pytest.mark.parametrize(
    "case, m, n, keepalive",
    [
        ("stalled_callee", 3, 2, 300),
        ("stalled_caller", 2, 2, 300),
        ("stalled_caller", 2, 2, 1000),  # longer than one question to a rank may take
        ("tardy_caller", 2, 2, 300),
    ],
)
def test_keepalives(case, m, n, keepalive, job, monkeypatch):
    monkeypatch.setenv("SIDL_RMI_KEEPALIVE_MS", str(keepalive))
    assert job(case, m, n, programs=("one", "two")) == [("well\n", 0)] * (2 * n)


@pytest.mark.parametrize(
    "case, keepalive, status",
    [("stopped_client", 300, 0), ("killed_client", 300, -9), ("slow_client", 20000, 0)],
)
def test_clients_that_are_held_up(case, keepalive, status, job, monkeypatch):
    """Of whose parts of a call some have come, and others have not."""
    monkeypatch.setenv("SIDL_RMI_KEEPALIVE_MS", str(keepalive))
    monkeypatch.setenv("SIDL_RMI_ROUTES", "tcp")
    ended = job(case, 3, 1, "tcp", programs=("one", "two"))
    assert ended == [("well\n" if status == 0 else "", status), ("well\n", 0)]


def test_callers_in_java(built, job):
    if not (built / "class_path").exists() or not shutil.which("java"):
        pytest.skip("no Java here")
    class_path = (built / "class_path").read_text()
    caller = ["java", "-cp", class_path, HERE / "Call.java"]
    assert job("", 3, 2, caller=caller) == [("well\n", 0)] * 2


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_within_a_program(ranks, job):
    assert job("", 0, ranks, script="within.py") == [("well\n", 0)] * ranks


@pytest.mark.parametrize("case", ["raises", "passes"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_objects_in_python(case, ranks, job):
    assert job(case, 0, ranks, script="in_python.py") == [("well\n", 0)] * ranks


def test_a_rank_that_ends_after_its_last_barrier(job):
    assert job("", 0, 2, "unix", script="ends.py") == [("well\n", 0)] * 2


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("kind", ["rows", "parts"])
def test_routes(route, kind, job):
    assert job("arrays", 3, 2, route, kind=kind) == [("well\n", 0)] * 2


@pytest.mark.parametrize("case, m, n, dies", DEATHS)
def test_deaths(case, m, n, dies, job):
    """The others get an exception that names it, and go on."""
    expected = [("", 0) if rank == dies else ("well\n", 0) for rank in range(n)]
    assert job(case, m, n) == expected


def test_serving_ends(built):
    """What a rank has published goes with the end of serve."""
    with tempfile.TemporaryDirectory(prefix="sidl") as folder:
        url = f"simhandle+unix://{folder}/ocean"
        environment = {
            **os.environ,
            "PYTHONPATH": (built / "path").read_text(),
            "SIDL_DLL_PATH": str(built),
            "SIDL_REPORT_LEAKS": "1",
            "SIDL_PROGRAM": "ocean",
            "SIDL_RANK": "0",
            "SIDL_URLS_OCEAN": url,
        }
        server = subprocess.Popen(
            [sys.executable, HERE / "serve.py", "cyclic"],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        program = "import os, sea\nfrom sidl.par import Group\n"
        program += f"print(Group.alone().connect('ocean', ['{url}']).isType('sea.Ocean'))"
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        assert done.stdout == "True\n", done.stderr
        server.terminate()
        assert server.communicate(timeout=60)[1] == "sidl: no objects still alive at exit\n"
        assert server.returncode == 0


def test_hostile_clients(job, sidl_tool, monkeypatch):
    """Whatever peers call with, servers go on, and serve others as well as before."""
    monkeypatch.setenv("SIDL_TOOL", str(sidl_tool))
    assert job("", 3, 2, kind="listed", script="hostile.py") == [("well\n", 0)] * 2


def test_calls_that_come_to_some_ranks(job, monkeypatch):
    monkeypatch.setenv("SIDL_PAR_HOLD_MS", "3000")
    assert job("", 3, 2, script="halves.py") == [("well\n", 0)] * 2


def test_clients_in_haste(job):
    assert job("hasty", 3, 1, programs=("one", "two")) == [("well\n", 0)] * 2


@pytest.mark.parametrize("scheme", ["simhandle", "ucx"])
def test_a_group_of_a_server_that_listens_already(scheme, built, run, stage):
    if scheme == "ucx" and not (stage / "lib" / "libsidlx_ucx.so").exists():
        pytest.skip("built without ucx")
    program = f"""
from sidl.par import Group
from sidl.rmi import ProtocolFactory
server = ProtocolFactory.createServer("{scheme}://127.0.0.1:0")
url = server.listen("{scheme}://127.0.0.1:0")
server.run()
assert Group.ofURLs([url], 0).getURLs() == [url]
print("well")
"""
    environment = {**os.environ, "PYTHONPATH": (built / "path").read_text()}
    assert run([sys.executable, "-c", program], env=environment).stdout == "well\n"


@pytest.mark.parametrize(
    "lists, difference",
    [
        (["a b", "b a"], "with other URLs; its rank 0 is {other}"),
        (["a b", "a b c"], "of {ranks} ranks, not {own}"),
    ],
)
def test_groups_of_different_urls(lists, difference, built):
    program = """
import sys
from sidl.par import DistributionException, Group
from sidl.rmi import Deadline
Deadline.setForThread(2500)
own, urls = sys.argv[1], sys.argv[2:]
try:
    Group.ofURLs(urls, urls.index(own))
except DistributionException as refused:
    print(refused.getNote())
"""
    environment = {**os.environ, "PYTHONPATH": (built / "path").read_text()}
    with tempfile.TemporaryDirectory(prefix="sidl") as folder:
        urls = [[f"simhandle+unix://{folder}/{each}" for each in names.split()] for names in lists]
        ranks = [
            subprocess.Popen(
                [sys.executable, "-c", program, f"simhandle+unix://{folder}/{own}", *those],
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
            )
            for own, those in zip("ab", urls)
        ]
        notes = [each.communicate(timeout=60)[0] for each in ranks]
    said = difference.format(other=urls[1][0], ranks=len(urls[1]), own=len(urls[0]))
    assert f"forms a group {said}" in notes[0] and "give the same URLs" in notes[0], notes


def test_refusals(built, run):
    environment = {"PYTHONPATH": (built / "path").read_text(), "SIDL_DLL_PATH": str(built)}
    with tempfile.TemporaryDirectory(prefix="sidl") as folder:
        command = [sys.executable, HERE / "refusals.py", folder]
        assert run(command, env={**os.environ, **environment}).stdout == "well\n"


@pytest.mark.parametrize("m, n", [(2, 1), (2, 2), (3, 1)])
def test_the_order_ends_with_rank_0(m, n, job):
    assert job("death_of_first", m, n, programs=("one", "two")) == [("well\n", 0)] * (2 * n)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_groups_that_have_lost_a_rank(m, job):
    ended = job("bereaved", m, 2, programs=("one", "two"))
    assert ended == [("well\n", 0), ("", 0), ("well\n", 0), ("well\n", 0)]


@pytest.fixture
def quota(stage, tmp_path, monkeypatch):
    """quota(key, limit): what all clients together may use of a rank."""
    if not (stage / "lib" / "libsidlx_policy.so").exists():
        pytest.skip("built without toml++")

    def set_quota(key, limit):
        policy = tmp_path / "policy.toml"
        policy.write_text(
            f'[[role]]\nname = "own"\nwho = ["uid:{os.geteuid()}"]\n'
            'attach = ["*"]\ncall = ["*"]\n'
            f"[role.quota]\n{key} = {limit}\n"
        )
        policy.chmod(0o600)
        monkeypatch.setenv("SIDL_POLICY_FILE", str(policy))
        return f"SIDL_POLICY_FILE={policy}"

    return set_quota


@pytest.mark.parametrize("case, m, n", [("values", 2, 3), ("lists_on_one_side", 3, 2)])
def test_a_quota_smaller_than_a_group(case, m, n, job, quota):
    """Parts of a call that wait for other parts of it leave room for these."""
    quota("calls-in-work", 1)
    assert job(case, m, n, kind="rows") == [("well\n", 0)] * n


def test_a_quota_of_connections(job, quota, monkeypatch):
    """A rank that refuses further ones is not gone."""
    ruled = quota("connections", 2)
    monkeypatch.delenv("SIDL_POLICY_FILE")
    serving = ["env", ruled, sys.executable, HERE / "serve.py", "cyclic"]
    ended = job("arrays", 2, 2, "unix", server=serving)
    said = "".join(output for output, _ in ended)
    assert "has 2 connections, as many as it may" in said
    assert "is gone" not in said


@pytest.mark.parametrize("m, n, programs", [(2, 1, 1), (3, 2, 1), (3, 2, 2)])
def test_chains_with_deadlines(m, n, programs, job):
    ended = job("chained", m, n, programs=("one", "two")[:programs], behind=2)
    assert ended == [("well\n", 0)] * (n * programs)


@pytest.mark.parametrize("m, n", [(1, 3), (4, 3)])
def test_mixtures_without_flags(m, n, job):
    assert job("mixture", m, n, "unix") == [("well\n", 0)] * n


@pytest.mark.parametrize("route", [*ROUTES, "some"])
def test_flags_in_shared_memory(route, job):
    assert job("flags", 1, 3, route) == [("well\n", 0)] * 3


@pytest.mark.parametrize("route", ROUTES)
def test_deaths_by_route(route, job):
    assert job("death_within_call", 2, 2, route) == [("well\n", 0), ("", 0)]


@pytest.mark.parametrize("case, m, programs, calls", ORDERS)
def test_one_order(case, m, programs, calls, job):
    """Calls of several groups run in one order on all ranks, and none within another."""
    histories = {}
    for text, status in job(case, m, 2, programs=programs):
        assert status == 0 and text.endswith("well\n"), text
        rank, *words = text.splitlines()[0].split()[1:]
        assert all(end == begin[1:] + ")" for begin, end in zip(words[::2], words[1::2])), words
        histories[rank] = max(histories.get(rank, []), words, key=len)
    assert len(histories) == min(m, 2) and len(set(map(tuple, histories.values()))) == 1, histories
    assert len(histories["0"]) == 2 * calls
