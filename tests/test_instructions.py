"""Instructions of calls in process, held against the figures in bench/instructions.json.

Instructions do not vary with the machine's mood, so this is the guard of the targets in process.
They do vary with the compiler: one other than that of the figures may use a quarter more. After a
change that is meant to cost (or to save), SHINAR_ACCEPT=1 writes the figures anew.
"""

import json
import os
import re
import shutil

import pytest

CALLS = 1000
OTHER_COMPILER = 1.25


@pytest.fixture(scope="module")
def counted(root, cmake_build, run, tmp_path_factory):
    """Instructions of one call, by the name of the measurement."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")
    folder = tmp_path_factory.mktemp("instructions")
    cmake_build(root / "bench", folder / "bench", target="bench_inproc")
    program = folder / "bench" / "bench_inproc"
    output = f"--callgrind-out-file={folder}/out"
    run(["valgrind", "--tool=callgrind", output, program, "instructions"])
    counts = {}
    for dump in folder.glob("out.*"):
        text = dump.read_text()
        name = re.search(r"^desc: Trigger: Client Request: (\S+)$", text, re.M)
        if name and not name[1].startswith("yardstick."):
            counts[name[1]] = round(int(re.search(r"^totals: (\d+)", text, re.M)[1]) / CALLS)
    return counts


def test_calls_take_no_more_instructions_than_they_did(counted, root, run):
    compiler = run(["cc", "--version"]).stdout.splitlines()[0]
    path = root / "bench" / "instructions.json"
    if os.environ.get("SHINAR_ACCEPT"):
        figures = {"compiler": compiler, "instructions": dict(sorted(counted.items()))}
        path.write_text(json.dumps(figures, indent=2) + "\n")
    figures = json.loads(path.read_text())
    slack = 1 if figures["compiler"] == compiler else OTHER_COMPILER
    allowed = figures["instructions"]
    assert sorted(counted) == sorted(allowed)
    too_many = {
        name: (count, allowed[name])
        for name, count in counted.items()
        if count > allowed[name] * slack
    }
    assert too_many == {}, "(instructions now, and what bench/instructions.json has)"
