"""Seeds, past crashes and some seconds of mutation. `make fuzz` goes on for longer."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SECONDS = 60


@pytest.fixture(scope="module")
def fuzzer():
    folder = os.environ.get("SHINAR_FUZZ_BUILD", HERE.parent.parent / "build-fuzz")
    path = Path(folder) / "bin" / "fuzz_front_end"
    if not path.exists():
        pytest.skip("`make fuzzer` builds what this test runs")
    return path


def fuzz(fuzzer, tmp_path, *arguments):
    done = subprocess.run(
        [fuzzer, "-timeout=20", "-rss_limit_mb=2048", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=tmp_path,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    return done.stdout


def test_seeds(fuzzer, tmp_path):
    seeds = sorted([*HERE.glob("corpus/*"), *HERE.glob("crashes/*")])
    assert len(seeds) > 20
    fuzz(fuzzer, tmp_path, *seeds)


def test_mutation(fuzzer, tmp_path):
    (tmp_path / "new").mkdir()
    folders = [tmp_path / "new", HERE / "corpus", HERE / "crashes"]
    dictionary = f"-dict={HERE / 'sidl.dict'}"
    fuzz(fuzzer, tmp_path, f"-max_total_time={SECONDS}", dictionary, *folders)
