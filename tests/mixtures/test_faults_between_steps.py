"""Scripts with a fault between two steps: connections cut, the server killed or stopped for a
while, the client killed or forked, everything dropped (mixer/faults.py).

The short form puts some faults at random, the long one (`make soak`) each fault before every step.
SHINAR_MIXTURES_SEED repeats one.
"""

import fcntl
import os
import random
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "matrix"), str(HERE.parent / "protocols")]
from mixer import faults, packages  # noqa: E402
from mixer.running import Mixture  # noqa: E402

SOAK = "SHINAR_SOAK" in os.environ
SEED = int(os.environ.get("SHINAR_MIXTURES_SEED") or random.SystemRandom().randrange(10**9))
STEPS = 14


@pytest.fixture(scope="module")
def mixture(build_dir, stage):
    """A package whose clients say what became of each step."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without the Python binding")
    package = packages.Maker("faults", faults.FEATURES, 4).make()
    work = build_dir / "tests" / "faults"
    work.mkdir(parents=True, exist_ok=True)
    with open(work / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Mixture(package, work, stage, faults.CLIENTS).build()


def trials(mixture):
    """What is tried: (caller, callee, fault, step)."""
    every = [(caller, callee, fault, at) for caller in faults.CLIENTS for callee in faults.CLIENTS
             for fault in faults.FAULTS for at in range(STEPS + 1)]  # fmt: skip
    return every if SOAK else random.Random(SEED).sample(every, 10)


def test_faults_between_steps(mixture):
    steps = faults.script(mixture.package, SEED, STEPS)
    found = []
    for caller, callee, fault, at in trials(mixture):
        trial = faults.Trial(mixture, caller, callee, steps, fault, at)
        if complaint := trial.complaint():
            found.append(f"SHINAR_MIXTURES_SEED={SEED}, {complaint}, steps {steps}")
    assert found == []
