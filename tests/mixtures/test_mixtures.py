"""Random packages in all languages, driven from all languages, compared with a model.

`make test` builds all cases that were kept, `make thorough` the package of a fixed seed and that of
a new one, too. SHINAR_MIXTURES_SEED repeats a new one. SHINAR_MIXTURES_SECONDS says how long the
long form goes on making packages (`make soak`: an hour). What fails is shrunk, and kept as a case
in cases/ if SHINAR_MIXTURES_KEEP is set, else below the build folder.
"""

import fcntl
import json
import os
import random
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "matrix")]
from mixer import finding  # noqa: E402
from mixer.writers import NAMES  # noqa: E402

CASES = HERE / "cases"
FIXED = 20260
STEPS = 60
SECONDS = float(os.environ.get("SHINAR_MIXTURES_SECONDS", "3600"))


@pytest.fixture(scope="module")
def mixtures(build_dir, stage, compilers):
    """Builds mixtures and looks for failures, one process at a time. A build with sanitizers has
    neither Fortran nor Python nor Java."""
    homes = {
        "fortran": "include/shinar/fortran",
        "python": "lib/shinar/python",
        "java": "lib/shinar/java",
    }
    names = [name for name in NAMES if (stage / homes.get(name, "")).exists()]
    (cc, *flags), (cxx, *_) = compilers["c"], compilers["cxx"]
    options = [f"-DCMAKE_C_COMPILER={cc}", f"-DCMAKE_CXX_COMPILER={cxx}"]
    if flags:
        options += [f"-DCMAKE_C_FLAGS={' '.join(flags)}", f"-DCMAKE_CXX_FLAGS={' '.join(flags)}"]
        # Programs in C load libraries in C++: the sanitizers then need more.
        options += ["-DCMAKE_EXE_LINKER_FLAGS=-fsanitize-link-c++-runtime -lstdc++"]
    keep = CASES if os.environ.get("SHINAR_MIXTURES_KEEP") else build_dir / "tests" / "mixtures"
    work = build_dir / "tests" / "mixtures"
    work.mkdir(parents=True, exist_ok=True)
    with open(work / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield finding.Finder(work, stage, keep, names, options)


def new_seed():
    """One that was not tried before, or the one to repeat."""
    given = os.environ.get("SHINAR_MIXTURES_SEED")
    return int(given) if given else random.SystemRandom().randrange(10**9)


@pytest.mark.parametrize("choose", [lambda: FIXED, new_seed], ids=["fixed", "new"])
def test_a_package(mixtures, choose):
    seed = choose()
    found = mixtures.try_seed(seed, size=4, steps=STEPS, rounds=2)
    assert found == [], f"SHINAR_MIXTURES_SEED={seed} repeats it"


def test_cases_that_were_kept(mixtures):
    cases = [json.loads(path.read_text()) for path in sorted(CASES.glob("*.json"))]
    assert mixtures.replay(cases) == []


@pytest.mark.skipif("SHINAR_SOAK" not in os.environ, reason="the long form: make soak")
def test_many_packages(mixtures):
    end, found = time.monotonic() + SECONDS, []
    while time.monotonic() < end and not found:
        found = mixtures.try_seed(new_seed(), size=10, steps=400, rounds=5)
    print(mixtures.report())
    assert found == []
