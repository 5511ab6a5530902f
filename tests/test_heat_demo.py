"""The heat demo: the main job on real input, and that it fails when a result is wrong."""

import importlib.util
import subprocess
import sys

import pytest

# Of languages that Shinar can be built without.
LANGUAGE_LIBRARIES = ["libsidl_fortran.so", "libsidl_python.so", "libsidl_java.so"]


@pytest.fixture(scope="module")
def demo(root):
    spec = importlib.util.spec_from_file_location("demo", root / "examples" / "heat" / "demo.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_demo(root, stage, build_dir):
    # The demo's own build folder, so that a run after `make demo` builds nothing.
    work = build_dir / "demo"
    done = subprocess.run(
        [sys.executable, root / "examples" / "heat" / "demo.py", "--stage", stage, "--work", work],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "remote = local" in done.stdout
    # five clients, four solvers
    missing = sum(not (stage / "lib" / each).exists() for each in LANGUAGE_LIBRARIES)
    assert done.stdout.count("65x65") == (5 - missing) * (4 - missing)
    assert (work / "heat.png").read_bytes().startswith(b"\x89PNG")


def rows(*errors, refuses=True):
    return [
        {"grid": grid, "steps": 1, "error": error, "us_per_step": 1.0, "refuses": refuses}
        for grid, error in zip((17, 33, 65), errors)
    ]


def test_good_results_pass(demo):
    assert demo.judge(rows(1.66e-3, 4.14e-4, 1.03e-4), "here") == []


def test_an_error_above_its_bound_fails(demo):
    (complaint,) = demo.judge(rows(2.0e-3, 5.0e-4, 1.25e-4), "here")[:1]
    assert "above its bound" in complaint


def test_not_a_number_fails(demo):
    assert any(
        "above its bound" in each for each in demo.judge(rows(1e-3, float("nan"), 1), "here")
    )


def test_a_method_of_first_order_fails(demo):
    assert any("second order" in each for each in demo.judge(rows(2e-4, 1e-4, 5e-5), "here"))


def test_an_unstable_step_that_is_taken_fails(demo):
    complaints = demo.judge(rows(1.66e-3, 4.14e-4, 1.03e-4, refuses=False), "here")
    assert any("was not refused" in each for each in complaints)


def test_missing_results_fail(demo):
    assert demo.judge([], "here")
