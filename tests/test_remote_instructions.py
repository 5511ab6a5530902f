"""Instructions of small remote calls at both ends, held against bench/instructions.json.

All that a process does is counted, the watch thread of a server apart: the difference of two runs,
so that what they do once does not matter. Which worker serves a call varies a little from run to
run, which the slack is for. SHINAR_ACCEPT=1 writes the figures anew.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

CALLS = (1000, 3000)
SLACK = 1.02
OTHER_COMPILER = 1.25
STRANDS = 1.03  # what one call at a time on an object may cost of a no-op


@pytest.fixture(scope="module")
def counted(root, stage, cmake_build, run, tmp_path_factory):
    """Instructions of one call, by end and class."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")
    folder = tmp_path_factory.mktemp("remote")
    bench = cmake_build(root / "bench", folder / "bench", target="benchx_impl", optimised=True)
    cmake_build(root / "bench", folder / "bench", target="bench_noops", optimised=True)
    count = Counting(stage, bench, folder, run)
    figures = {
        "client.noop": count.client("Target"),
        "server.noop": count.server("Target"),
        "server.noop.concurrent": count.server("Free"),
    }
    for what in ("numbers", "struct", "object", "inout", "records"):
        figures[f"client.{what}"] = count.client(what)
        figures[f"server.{what}"] = count.server(what)
    return figures


class Counting:
    """Runs an end under callgrind, the other one without."""

    def __init__(self, stage, bench, folder, run):
        self.stage, self.bench, self.folder, self.run = stage, bench, folder, run
        # No polling: it would be counted.
        self.environment = {**os.environ, "SIDL_SPIN_US": "0"}

    def callgrind(self, name):
        output = f"--callgrind-out-file={self.folder}/{name}"
        return ["valgrind", "--tool=callgrind", "--separate-threads=yes", output]

    def total(self, name):
        texts = [path.read_text() for path in self.folder.glob(f"{name}-*")]
        totals = [
            re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            for text in texts
            if "WorkerPool::watch" not in text
        ]
        return sum(int(each[1]) for each in totals if each)

    def call(self, url, what, calls, prefix=()):
        self.run([*prefix, self.bench / "bench_noops", url, what, calls], env=self.environment)

    def serve(self, prefix=()):
        port = self.folder / "port"
        port.unlink(missing_ok=True)
        command = [*prefix, self.stage / "bin" / "sidl", "serve"]
        command += ["--listen", "simhandle://127.0.0.1:0", "--port-file", port]
        for what in ("Target", "Free", "Values", "Many"):
            command += ["--export", f"benchx.{what}={self.bench}/libbenchx_impl.so"]
        process = subprocess.Popen(
            [str(part) for part in command],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not (port.exists() and port.read_text().strip()):
            assert process.poll() is None, "the server did not start"
            time.sleep(0.05)
        return process, f"simhandle://127.0.0.1:{port.read_text().strip()}"

    @staticmethod
    def stop(process):
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)

    def client(self, what):
        process, url = self.serve()
        for calls in CALLS:
            self.call(url, what, calls, self.callgrind(f"{what}-client{calls}"))
        self.stop(process)
        return self.difference(f"{what}-client")

    def server(self, what):
        for calls in CALLS:
            process, url = self.serve(self.callgrind(f"{what}-server{calls}"))
            self.call(url, what, calls)
            self.stop(process)
        return self.difference(f"{what}-server")

    def difference(self, name):
        few, many = CALLS
        return round((self.total(f"{name}{many}") - self.total(f"{name}{few}")) / (many - few))


def test_a_remote_call_takes_no_more_instructions_than_it_did(counted, root, run):
    compiler = run(["cc", "--version"]).stdout.splitlines()[0]
    path = root / "bench" / "instructions.json"
    figures = json.loads(path.read_text())
    if os.environ.get("SHINAR_ACCEPT"):
        figures["remote"] = counted
        path.write_text(json.dumps(figures, indent=2) + "\n")
    slack = SLACK if figures["compiler"] == compiler else OTHER_COMPILER
    too_many = {
        name: (count, figures["remote"][name])
        for name, count in counted.items()
        if count > figures["remote"][name] * slack
    }
    assert too_many == {}, "(instructions now, and what bench/instructions.json has)"


def test_one_call_at_a_time_costs_next_to_nothing(counted):
    assert counted["server.noop"] <= counted["server.noop.concurrent"] * STRANDS
