"""The core of the simhandle protocol: unit tests in C++, one pytest case for each suite."""

import subprocess

import pytest

SUITES = [
    "Callback",
    "Codec",
    "Connection",
    "Frame",
    "Hostile",
    "Ledger",
    "Limit",
    "Nonblocking",
    "Pipelined",
    "SlowReader",
    "All/SlowReaders",
    "Url",
    "All/MalformedUrl",
    "Vector",
]


@pytest.mark.parametrize("suite", SUITES)
def test_core(build_dir, suite):
    """Runs one suite of the GoogleTest binary."""
    binary = build_dir / "bin" / "simhandle_tests"
    if not binary.exists():
        pytest.skip("built without GoogleTest")
    command = [str(binary), f"--gtest_filter={suite}.*", "--gtest_brief=1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "] 0 tests" not in done.stdout
