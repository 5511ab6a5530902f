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
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"}


@pytest.fixture(scope="module")
def dumps(root, cmake_build, run, tmp_path_factory):
    """What callgrind saw of CALLS calls, as text, by the name of the measurement."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")
    folder = tmp_path_factory.mktemp("instructions")
    programs = ["bench_inproc", "bench_fortran"] if shutil.which("gfortran") else ["bench_inproc"]
    for name in programs:
        cmake_build(root / "bench", folder / "bench", target=name, optimised=True)
        output = f"--callgrind-out-file={folder}/{name}"
        program = folder / "bench" / name
        run(["valgrind", "--tool=callgrind", output, program, "instructions"])
    texts = [path.read_text() for path in folder.glob("bench_*.*")]
    found = [
        (re.search(r"^desc: Trigger: Client Request: (\S+)$", text, re.M), text) for text in texts
    ]
    return {name[1]: text for name, text in found if name}


def functions(dump):
    """The functions that ran."""
    return set(re.findall(r"^c?fn=\(\d+\) (\S+)", dump, re.M))


@pytest.fixture(scope="module")
def counted(dumps):
    """Instructions of one call, by the name of the measurement."""
    return {
        name: round(int(re.search(r"^totals: (\d+)", dump, re.M)[1]) / CALLS)
        for name, dump in dumps.items()
        if not name.startswith("yardstick.")
    }


@pytest.mark.parametrize("what", ["noop", "add", "array", "cast"])
def test_no_memory_is_allocated_by_a_call(dumps, what):
    assert functions(dumps["yardstick.malloc"]) & ALLOCATORS, "malloc would be seen"
    for name, dump in dumps.items():
        # What is an array in Fortran becomes one of SIDL's for the call.
        if name.endswith(f".{what}") and name != "fortran_fortran.array":
            assert functions(dump) & ALLOCATORS == set(), name


def test_an_array_costs_the_same_whatever_its_size(counted):
    large = {name: count for name, count in counted.items() if name.endswith(".array.large")}
    assert large, "nothing was measured"
    # The stride of Fortran's array of one element is not looked at.
    more = {"fortran_fortran.array.large": 5}
    for name, count in large.items():
        assert count == counted[name.removesuffix(".large")] + more.get(name, 0), name


def test_calls_take_no_more_instructions_than_they_did(counted, root, run):
    compiler = run(["cc", "--version"]).stdout.splitlines()[0]
    path = root / "bench" / "instructions.json"
    if os.environ.get("SHINAR_ACCEPT"):
        figures = json.loads(path.read_text())
        figures.update(compiler=compiler, instructions=dict(sorted(counted.items())))
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
