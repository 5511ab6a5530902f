"""The memory of CUDA devices: with a stand-in for CUDA everywhere, and with CUDA where it is."""

import pytest


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    return cmake_build(root / "tests" / "cuda", tmp_path_factory.mktemp("cuda"))


def test_without_cuda(programs, run):
    run([programs / "fake_cuda_tests"])


def test_with_cuda(programs, run):
    if not (programs / "cuda_tests").exists():
        pytest.skip("no CUDA toolkit here")
    if "no CUDA device" in run([programs / "cuda_tests"]).stdout:
        pytest.skip("no CUDA device here")
