"""An ocean and an atmosphere on different numbers of ranks (examples/coupled)."""

import json
import os
import re
import shutil
import sys

import pytest

np = pytest.importorskip("numpy")
DAY = 86400.0  # s
STEPS = 12
RANKS = [(1, 1, 1), (2, 3, 1), (3, 2, 2), (4, 1, 1)]  # of ocean, atmosphere and driver


@pytest.fixture(scope="module")
def source(root):
    return root / "examples" / "coupled"


@pytest.fixture(scope="module")
def built(source, stage, cmake_build, tmp_path_factory):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    if not shutil.which("gfortran"):
        pytest.skip("no Fortran compiler here")
    folder = tmp_path_factory.mktemp("coupled")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(source, folder, *options, optimised=True)


@pytest.fixture(scope="module")
def environment(built, stage):
    path = f"{stage / 'lib' / 'shinar' / 'python'}{os.pathsep}{built}"
    return {**os.environ, "PYTHONPATH": path, "SIDL_DLL_PATH": str(built)}


@pytest.fixture(scope="module")
def alone(source, environment, run, tmp_path_factory):
    """alone(steps, every): temperatures from one process."""
    folder = tmp_path_factory.mktemp("alone")

    def run_alone(steps, every):
        options = ["--alone", "--no-picture", f"--steps={steps}", f"--every={every}"]
        command = [sys.executable, source / "driver.py", *options, f"--out={folder}"]
        run(command, env=environment)
        return dict(np.load(folder / "coupled.npz"))

    return run_alone


@pytest.fixture
def launch(source, stage, built, environment, run, tmp_path):
    """launch(ranks, options): the example's job with other numbers of ranks."""

    def run_job(ranks, *options, status=0):
        text = (source / "job.toml").read_text().replace('"build/', f'"{built}/')
        for name, number in zip(("ocean", "atmosphere", "driver"), ranks):
            text, found = re.subn(rf"(\[{name}\]\nranks =) \d+", rf"\1 {number}", text)
            assert found == 1
        driver = json.dumps([sys.executable, str(source / "driver.py"), *options])
        text = text.replace('["python3", "driver.py"]', driver)
        (tmp_path / "job.toml").write_text(text)
        command = [stage / "bin" / "sidl", "launch", "job.toml"]
        return run(command, status=status, env=environment, cwd=tmp_path)

    return run_job


@pytest.mark.parametrize("ranks", RANKS, ids=lambda ranks: "x".join(map(str, ranks)))
def test_the_same_bits_on_any_number_of_ranks(ranks, launch, alone, tmp_path):
    expected = alone(STEPS, 3)
    launch(ranks, f"--steps={STEPS}", "--every=3", "--no-picture")
    found = np.load(tmp_path / "coupled.npz")
    for name in ("sst", "air"):
        assert found[name].shape == (1 + STEPS // 3, 60, 40)
        assert (found[name] == expected[name]).all(), name


def test_a_rank_without_a_row(launch):
    failed = launch((9, 1, 1), status=1)
    assert "too many ranks: one has no row" in failed.stderr


def test_a_step_that_is_too_long(launch, source, environment, run):
    """Ranks of the ocean throw what a caller of the atmosphere catches, and one process, too."""
    complaint = "a step of 100.0 h; the longest stable one is 72.8 h"
    assert complaint in launch((2, 3, 1), "--hours=100", status=2).stderr
    command = [sys.executable, source / "driver.py", "--alone", "--hours=100"]
    assert complaint in run(command, status=2, env=environment).stderr


def test_heat_is_conserved(alone):
    """What both have more after a step is what came from the sun and did not go to space."""
    fields = alone(6, 1)
    heat = 1025 * 3990 * 50 * fields["sst"].sum((1, 2)) + 1e7 * fields["air"].sum((1, 2))
    sun = 60 * sum(300 - 160 * (j + 0.5) / 40 for j in range(40))
    space = (210 + 2 * fields["air"]).sum((1, 2))
    gained = DAY * (sun - space[1:])  # the air radiates with its new temperature
    assert np.abs(np.diff(heat) - gained).max() < 1e-12 * heat[0]
    assert np.abs(gained).min() > 1e-6 * heat[0]


def test_space_gets_what_the_sun_gives(alone):
    """After decades, which are many times the memory of the sea."""
    air = alone(12000, 12000)["air"][-1]
    assert abs(210 + 2 * air.mean() - 220) < 0.01


def test_the_picture(source, environment, run, tmp_path):
    pytest.importorskip("matplotlib")
    options = ["--alone", "--steps=20", "--every=10", f"--out={tmp_path}"]
    run([sys.executable, source / "driver.py", *options], env=environment)
    assert (tmp_path / "coupled.png").read_bytes().startswith(b"\x89PNG")
