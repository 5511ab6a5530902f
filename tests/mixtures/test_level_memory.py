"""Memory over many rounds: the bytes in use of clients and servers stay level (mixer/memory.py).

The short form runs a fixed package in C, C++ and Fortran; the long one (`make soak`) a new one, all
pairs with Python, and more rounds. SHINAR_MIXTURES_SEED repeats one. Java has soaks of its own
(tests/java): what it uses depends on when it collects garbage.
"""

import fcntl
import itertools
import os
import random
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "matrix"), str(HERE.parent / "protocols")]
from mixer import memory, scripts  # noqa: E402
from mixer.packages import Maker, Type  # noqa: E402
from mixer.running import Mixture, Pair  # noqa: E402
from mixer.writers import NAMES  # noqa: E402

SOAK = "SHINAR_SOAK" in os.environ
SEED = os.environ.get("SHINAR_MIXTURES_SEED") or (
    str(random.SystemRandom().randrange(10**9)) if SOAK else "201"
)
LEVEL = [name for name in NAMES if name != "java"]
PAIRS = [
    pair
    for pair in itertools.product(LEVEL, LEVEL)
    if SOAK or ("python" not in pair and pair[0] != "c")
]
STEPS = 700
ATTEMPTS = 3  # a leak is there each time; where others use the machine, noise may look like one
ROUNDS, EVERY, FIRST = (400, 20, 5) if SOAK else (56, 4, 3)  # FIRST figures are of the warm-up
# A block takes 32 bytes at least; the dictionaries of an interpreter grow for longer.
SLACK, SLACK_OF_PYTHON = 16 * EVERY, 128 * EVERY
FOUR = [
    Type("array", name, 4, order)
    for name in ("int", "int", "double", "long")
    for order in ("", "row-major", "column-major")
]


@pytest.fixture(scope="module")
def built(build_dir, stage):
    """built(package, folder, names): a mixture, built by one process at a time."""
    work = build_dir / "tests" / "level"
    work.mkdir(parents=True, exist_ok=True)

    def build(package, folder, names):
        return Mixture(package, work / folder, stage, names).build()

    with open(work / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield build


@pytest.fixture(scope="module")
def mixture(built):
    """A package with everything."""
    names = sorted(set(itertools.chain(*PAIRS)))
    return built(Maker(SEED, memory.FEATURES, 8).make(), "all", names)


@pytest.mark.parametrize("caller, callee", PAIRS)
def test_rounds_leave_nothing(mixture, caller, callee, monkeypatch):
    """A leak of one block a round is seen in the client and in the server."""
    for name, value in memory.EXACT.items():
        monkeypatch.setenv(name, value)
    steps = scripts.make(mixture.package, SEED, STEPS, (0, 1))
    for _ in range(ATTEMPTS):
        figures = memory.Rounds(mixture, caller, callee, steps).run(ROUNDS, EVERY)
        print("bytes in the client, in the server, KiB resident in both:", *figures, sep="\n")
        grown = memory.growth(figures[FIRST:])
        slack = [SLACK_OF_PYTHON if name == "python" else SLACK for name in (caller, callee)]
        if all(each <= most for each, most in zip(grown, slack)):
            return
    pytest.fail(f"{grown} bytes in {EVERY} rounds, SHINAR_MIXTURES_SEED={SEED}")


def test_arrays_of_four_dimensions(built):
    """All modes, orders and forms, null or not, passed on or made; the client within valgrind."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")
    package = Maker(f"{SEED}four", memory.FEATURES, 8, FOUR).make()
    assert {"in", "out", "inout"} <= {
        mode for _, method in package.methods() for mode, kind, _ in method.args if kind in FOUR
    }
    mixture = built(package, "four", ["cxx", "fortran"])
    mixture.within = ["valgrind", "-q", "--fair-sched=try",
                      f"--suppressions={HERE / 'valgrind.supp'}", "--leak-check=full",
                      "--errors-for-leak-kinds=definite,indirect",
                      "--error-exitcode=9"]  # fmt: skip
    for number in range(20 if SOAK else 1):
        steps = scripts.make(package, f"{SEED}/{number}", 250, (0, 1))
        assert mixture.complaint(Pair("fortran", "cxx", "simhandle"), steps) == ""
