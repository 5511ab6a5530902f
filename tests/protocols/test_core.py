"""The core of the simhandle protocol: unit tests in C++, one pytest case for each suite."""

import subprocess

import pytest

SUITES = [
    "Ahead",
    "Callback",
    "Chain",
    "Codec",
    "Connection",
    "Crowded",
    "Frame",
    "Hostile",
    "Ledger",
    "Lifetime",
    "Limit",
    "Locks",
    "LocksDeathTest",
    "Nesting",
    "Nonblocking",
    "Pipelined",
    "SlowReader",
    "All/SlowReaders",
    "Strand",
    "Turn",
    "All/Turns",
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
    if any(each in binary.read_bytes() for each in (b"__asan_init", b"__tsan_init")):
        # A thousand calls within each other: instrumented frames are several times as large.
        command = ["sh", "-c", 'ulimit -s 131072 2>/dev/null; exec "$@"', "sh", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "=] 0 tests" not in done.stdout
