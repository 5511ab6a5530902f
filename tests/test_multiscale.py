"""A coarse model that starts fine ones when it needs them (examples/multiscale)."""

import os
import re
import sys

import pytest

np = pytest.importorskip("numpy")
ASK = """
import sys
from multiscale import Cell
for mixture in (0, 3, 7):
    for size in (16, 32):
        print(mixture, Cell().conductivity(mixture, float(sys.argv[1]), size))
"""


@pytest.fixture(scope="module")
def source(root):
    return root / "examples" / "multiscale"


@pytest.fixture(scope="module")
def built(source, stage, cmake_build, tmp_path_factory):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    folder = tmp_path_factory.mktemp("multiscale")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(source, folder, *options, optimised=True)


@pytest.fixture(scope="module")
def environment(built, stage):
    path = f"{stage / 'lib' / 'shinar' / 'python'}{os.pathsep}{built}"
    return {**os.environ, "PYTHONPATH": path, "SIDL_DLL_PATH": str(built)}


@pytest.fixture
def coarse(source, built, environment, run, tmp_path):
    """coarse(options): what the example prints; its results are in tmp_path."""
    job = (source / "fine.toml").read_text().replace("build/", f"{built}/")
    (tmp_path / "fine.toml").write_text(job)
    options = ["--size", "16", "--steps", "2", "--job", tmp_path / "fine.toml", "--out", tmp_path]

    def run_it(*more):
        command = [sys.executable, source / "coarse.py", *options, *more]
        return run(command, env=environment, cwd=tmp_path).stdout

    return run_it


def test_the_same_bits_with_any_number_of_fine_models(coarse, tmp_path):
    text = coarse("--no-picture", "--workers", "0", "1", "3")
    counts = re.findall(r"^(\d+) fine models answered (\d+) questions", text, re.MULTILINE)
    assert [int(models) for models, _ in counts] == [0, 1, 3]
    assert len({questions for _, questions in counts}) == 1 and int(counts[0][1]) > 20
    expected = np.load(tmp_path / "temperatures.0.npy")
    for workers in (1, 3):
        found = np.load(tmp_path / f"temperatures.{workers}.npy")
        assert found.tobytes() == expected.tobytes()


def test_heat_flows_from_hot_to_cold(coarse, tmp_path):
    coarse("--no-picture", "--workers", "0", "--steps", "25")
    history = np.load(tmp_path / "temperatures.0.npy")
    assert history.min() >= 300 and history.max() <= 1000
    assert (np.diff(history[-1]) < 0).all(), "what was hot in the middle has gone to the ends"
    assert np.abs(history[-1] - history[-2]).max() < np.abs(history[1] - history[0]).max() / 10


def test_conductivities(environment, run):
    """Between those of the two materials, and the less the more of it is glass."""
    for temperature in (300.0, 900.0):
        metal = 25 * (300 / temperature) ** 0.6
        glass = 0.8 + 0.0015 * (temperature - 300)
        text = run([sys.executable, "-c", ASK, str(temperature)], env=environment).stdout
        found = np.array([float(line.split()[1]) for line in text.splitlines()]).reshape(3, 2)
        assert (found > glass).all() and (found < metal).all(), found
        assert (np.diff(found, axis=0) < 0).all(), found


def test_the_picture(coarse, tmp_path):
    pytest.importorskip("matplotlib")
    coarse("--workers", "1", "2")
    assert (tmp_path / "multiscale.png").read_bytes().startswith(b"\x89PNG")
