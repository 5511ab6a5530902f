"""Clustering with master and workers as objects (examples/clustering)."""

import importlib.util
import json
import os
import re
import sys

import pytest

np = pytest.importorskip("numpy")
# Points, and numbers of workers among which they are divided: also in blocks that are not full, and
# with workers that have none.
CASES = [(4000, (1, 2, 3)), (1100, (1, 4, 6))]
SHARE = """
import sys
import clustering, numpy
worker = clustering.Worker()
worker.begin(clustering.Layout(points=90, block=40, clusters=3))
given = numpy.load("given.npz")
worker.take(given["points"])
numpy.save("sums.npy", worker.share(given["clusters"], 1.5))
"""


@pytest.fixture(scope="module")
def source(root):
    return root / "examples" / "clustering"


@pytest.fixture(scope="module")
def built(source, stage, cmake_build, tmp_path_factory):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    folder = tmp_path_factory.mktemp("clustering")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(source, folder, *options, optimised=True)


@pytest.fixture(scope="module")
def environment(built, stage):
    path = f"{stage / 'lib' / 'shinar' / 'python'}{os.pathsep}{built}"
    return {**os.environ, "PYTHONPATH": path, "SIDL_DLL_PATH": str(built)}


@pytest.fixture(scope="module")
def load(source):
    """load(name): a module of the example, without those that need Shinar."""

    def load_it(name):
        spec = importlib.util.spec_from_file_location(name, source / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load_it


@pytest.fixture(scope="module")
def annealing(load):
    return load("annealing")


@pytest.fixture
def launch(source, stage, built, environment, run, tmp_path):
    """launch(points, workers): what the example's job finds with these, and what it says."""

    def run_job(points, workers):
        text, found = re.subn(
            r"ranks = \d+", f"ranks = {workers}", (source / "job.toml").read_text()
        )
        assert found == 1
        worker, master = built / "worker", [sys.executable, str(source / "master.py")]
        text = re.sub(r'"build/worker", "\d+"', f'"{worker}", "{points}"', text)
        text = text.replace('["python3", "master.py"]', json.dumps([*master, "--no-picture"]))
        (tmp_path / "job.toml").write_text(text)
        command = [stage / "bin" / "sidl", "launch", "job.toml"]
        said = run(command, env=environment, cwd=tmp_path).stdout
        return dict(np.load(tmp_path / "clusters.npz")), said

    return run_job


@pytest.mark.parametrize("points, numbers", CASES)
def test_the_same_bits_on_any_number_of_workers(points, numbers, launch):
    expected, _ = launch(points, numbers[0])
    for workers in numbers[1:]:
        found, said = launch(points, workers)
        assert f"{points} points, {workers} workers, {found['calls']} calls" in said
        assert found["calls"] == expected["calls"]
        assert found["clusters"].tobytes() == expected["clusters"].tobytes()


def test_the_clusters_are_found(launch, load):
    """As far as 4000 points tell: the mean of n points is off by their deviation / sqrt(n)."""
    clusters = launch(4000, 2)[0]["clusters"]
    true = load("points").TRUE
    assert clusters.shape == (len(true), 3)
    clusters = clusters[np.argsort(clusters[:, 0])]
    distances = np.hypot(*(clusters[:, :2] - true[:, :2]).T)
    assert (distances < 4 * true[:, 2] / np.sqrt(40 * true[:, 3])).all()
    assert np.abs(100 * clusters[:, 2] - true[:, 3]).max() < 2.5


def test_shares_of_points(environment, run, tmp_path):
    """The sums of a worker, in a process of its own, and as NumPy computes them."""
    random = np.random.default_rng(1)
    points, clusters = random.normal(size=(90, 2)), random.random((3, 3))
    np.savez(tmp_path / "given.npz", points=points, clusters=clusters)
    run([sys.executable, "-c", SHARE], env=environment, cwd=tmp_path)
    relative = points[:, None, :] - clusters[:, :2]
    x, y = relative[..., 0], relative[..., 1]
    share = clusters[:, 2] * np.exp(-(x**2 + y**2) / 1.5)
    share /= share.sum(axis=1, keepdims=True)
    moments = np.stack([share * each for each in (1, x, y, x * x, x * y, y * y)], axis=-1)
    expected = [moments[first : first + 40].sum(axis=0) for first in (0, 40, 80)]
    np.testing.assert_allclose(np.load(tmp_path / "sums.npy"), expected, rtol=1e-12, atol=1e-12)


def test_a_cluster_divides_below_twice_its_variance(annealing):
    clusters = np.array([[1.0, 2.0, 1.0]])
    moments = np.array([[100.0, 0.0, 0.0, 100 * 4.0, 0.0, 100 * 9.0]])  # variances 4 and 9
    assert (annealing.divide(clusters, moments, 18.1, 2) == clusters).all()
    low, high = annealing.divide(clusters, moments, 17.9, 2)
    assert low.tolist() == [1.0, pytest.approx(2 - 0.15), 0.5]
    assert high.tolist() == [1.0, pytest.approx(2 + 0.15), 0.5]
    assert (annealing.divide(clusters, moments, 17.9, 1) == clusters).all()


def test_halves_that_stay_together_are_one_again(annealing):
    halves = np.array([[0.0, 0.0, 0.5], [0.1, 0.0, 0.25], [1.0, 0.0, 0.25]])
    assert annealing.unite(halves, 1.0).tolist() == [[0.0, 0.0, 0.75], [1.0, 0.0, 0.25]]


def test_the_curve_and_the_picture(source, built, stage, environment, run, tmp_path):
    pytest.importorskip("matplotlib")
    copied = tmp_path / "clustering"
    copied.mkdir()
    for name in ("job.toml", "master.py", "annealing.py", "points.py", "curve.py"):
        (copied / name).write_text((source / name).read_text())
    (copied / "build").symlink_to(built)
    text = (copied / "job.toml").read_text()
    text = text.replace('"python3"', f'"{sys.executable}"').replace("20000", "1000")
    (copied / "job.toml").write_text(text)
    command = [sys.executable, "curve.py", "--workers=2", "--points", "500", "750"]
    said = run([*command, "--repeats=1", f"--sidl={stage / 'bin' / 'sidl'}"], env=environment,
               cwd=copied).stdout  # fmt: skip
    rows = [line.split() for line in said.splitlines()]
    assert [row[:2] for row in rows[1:]] == [[p, w] for p in ("500", "750") for w in "12"]
    assert (copied / "speedup.png").read_bytes().startswith(b"\x89PNG")
    run([stage / "bin" / "sidl", "launch", "job.toml"], env=environment, cwd=copied)
    assert (copied / "clusters.png").read_bytes().startswith(b"\x89PNG")
