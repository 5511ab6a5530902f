"""bench/run.py in its short form: every row that was ever promised is there. No clock is judged."""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys

import pytest

CALLERS = ("c_c", "c_cxx", "cxx_c", "cxx_cxx")
SIZES = (1, 16, 128, 1 << 10, 8 << 10, 64 << 10)


@pytest.fixture(scope="module")
def rows(root, stage, build_dir, tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "bench.json"
    command = [sys.executable, root / "bench" / "run.py", "--stage", stage, "--quick"]
    command += ["--work", build_dir / "bench-quick", "--json", path]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return {row["name"]: row for row in json.loads(path.read_text())}


def test_rows_are_there(rows, stage):
    names = [
        f"inproc.{pair}.{what}"
        for pair in CALLERS
        for what in ("noop", "add", "array", "array.large", "create", "cast")
    ]
    names += [
        f"inproc.{pair}.{what}.threads" for pair in CALLERS for what in ("array", "create", "cast")
    ]
    if (stage / "lib" / "shinar" / "java").exists():
        names += [
            f"inproc.{pair}.{what}" for pair in ("java_c", "c_java") for what in ("noop", "add")
        ]
        names += ["inproc.java_c.array.large", "inproc.java_java.element", "simhandle.noop.java"]
    if (stage / "lib" / "shinar" / "python").exists():
        sorts = ("", ".brief", ".held", ".pybind11")
        names += [f"inproc.python_cxx.{what}{sort}" for what in ("noop", "add") for sort in sorts]
        names += ["inproc.python_cxx.array.large", "inproc.cxx_python.noop"]
        names += ["inproc.cxx_python.add", "simhandle.noop.python"]
    names += [f"inproc.c_c.noop.contracts_{state}" for state in ("off", "on")]
    names += ["contracts.all_positive.1048576"]
    names += [f"compiler.check.{n}.time" for n in (1715, 2000)]
    names += ["simhandle.noop", *(f"simhandle.echo_double.{n}" for n in SIZES)]
    names += [f"simhandle.calls.{threads}" for threads in (1, 2, 4, 16, 64)]
    names += ["simhandle.idle_connection"]
    assert [name for name in names if name not in rows] == []


def test_rows_are_whole(rows):
    for name, row in rows.items():
        assert row["value"] > 0, name
        assert row["yardstick"] > 0, name
        assert row["ratio"] == pytest.approx(row["value"] / row["yardstick"], abs=1e-3), name
        assert row["unit"] in ("ns", "us", "ms", "calls/s", "KiB", "KB/line"), name
        assert row["against"], name


def test_an_idle_connection_takes_little(rows):
    """In KiB; seven empty queues had doubled it."""
    assert rows["simhandle.idle_connection"]["value"] < 5


def test_layers(root, stage, build_dir, run, tmp_path):
    """Each layer of a call of each type is there, and the picture is drawn."""
    path = tmp_path / "layers.json"
    command = [sys.executable, root / "bench" / "layers.py", "--stage", stage, "--quick"]
    run([*command, "--work", build_dir / "bench-quick", "--json", path])
    found = json.loads(path.read_text())
    types = [
        "bool",
        "char",
        "int",
        "long",
        "float",
        "double",
        "fcomplex",
        "dcomplex",
        "string",
        "struct",
        "object",
    ]
    assert {row["type"] for row in found} == set(types)
    for row in found:
        assert row["total_us"] > 0, row
    # Over few bytes a short look may see no slope of a type beside its noise.
    assert statistics.median(row["model_mb_per_s"] for row in found) > 0
    assert (build_dir / "bench-quick" / "layers.png").stat().st_size > 10_000


def test_beside_mpi(root, stage, build_dir, run, tmp_path):
    """Each transport has its rows."""
    if not shutil.which("mpirun"):
        pytest.skip("Open MPI is not installed")
    path = tmp_path / "mpi.json"
    command = [sys.executable, root / "bench" / "mpi.py", "--stage", stage, "--quick"]
    run([*command, "--work", build_dir / "bench-mpi-quick", "--json", path])
    found = json.loads(path.read_text())
    assert {"tcp", "unix", "shm"} <= {row["transport"] for row in found}
    for row in found:
        rates = (row["calls"], row["messages"], row["calls_beside"], row["messages_beside"])
        assert min(rates) > 0, row


def test_redistributing(root, stage, build_dir, run):
    """As programs grow, a rank's messages do not; by calls arrives what MPI brings."""
    command = [sys.executable, root / "bench" / "mxn.py", "--stage", stage, "--quick"]
    said = run([*command, "--work", build_dir / "bench-quick"]).stdout
    rows = re.findall(r"^tiles > tiles +(\d+) +(\d+) ", said, re.M)
    assert [int(ranks) for ranks, _ in rows] == [10, 100, 1000]
    assert all(int(messages) <= 4 for _, messages in rows)
    assert len(re.findall(r"^rows > .* \d", said, re.M)) == 3
    if shutil.which("mpirun"):
        assert re.search(r"^shared memory +2\.1 .* \d+\.\d\d$", said, re.M)


@pytest.fixture
def patterns(root, stage, build_dir, run):
    if not shutil.which("mpirun"):
        pytest.skip("Open MPI is not installed")
    command = [sys.executable, root / "bench" / "patterns.py", "--stage", stage, "--quick"]
    command += ["--work", build_dir / "bench-mpi-quick"]
    return lambda *more, **options: run([*command, *more], **options)


def test_patterns(patterns, tmp_path):
    """By both routes, each pattern of each kind has a row for each amount of work."""
    path = tmp_path / "patterns.json"
    said = patterns("--json", path).stdout
    waits = ("pipeline", "shift", "two_shifts", "exchange")
    names = {f"{pattern}.{kind}" for kind in ("rendezvous", "answered") for pattern in waits}
    names |= {f"{pattern}.spawned" for pattern in waits[:3]}
    wanted = {(f"patterns.{name}", us) for name in names for us in (1, 10)}
    wanted |= {("patterns.service.one", 0), ("patterns.service.group", 0)}
    rows = json.loads(path.read_text())
    for route in ("shared memory", "Unix-domain sockets"):
        found = [row for row in rows if row["route"] == route]
        assert len(found) == len(wanted)
        assert {(row["name"], row["work"]) for row in found} == wanted
    assert all(row["ranks"] >= 2 and row["work_us"] > 0 for row in rows)
    for row in rows:
        if ".service." in row["name"]:
            assert row["calls_us"] > 0 and row["mpi_us"] > 0, row
    assert len(re.findall(r"^exchange\.rendezvous( +-?[\d.]+){4}", said, re.M)) == 3


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("lost", "a message is missing"),
        ("wrong", r"stage 1 wants 1\.0+ of rank 0, and got 2\.0+"),
        ("silent", r"rank \d+: pipeline\.rendezvous, 1 us of work, calls has not ended in time"),
    ],
)
def test_patterns_see_what_does_not_arrive(patterns, fault, message):
    """A call that is lost, those that never come, and one that says what it should not."""
    done = patterns("--wait", "3", status=1, env={**os.environ, "BENCH_FAULT": fault})
    assert re.search(message, done.stderr), done.stderr


def test_peers_are_skipped_with_a_reason(root, stage, run, tmp_path):
    command = [sys.executable, root / "bench" / "peers.py", "--stage", stage, "--work", tmp_path]
    done = run([*command, "--peers", tmp_path / "nowhere"])
    assert "skipped" in done.stdout and "nowhere" in done.stdout
