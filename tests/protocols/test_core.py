"""The core of the simhandle protocol: unit tests in C++, one pytest case for each suite."""

import os
import re
import subprocess

import pytest

SUITES = [
    "Ahead",
    "Audit",
    "Blocks",
    "Books",
    "Callback",
    "All/CallsWithinCalls",
    "Chain",
    "All/Channels",
    "Codec",
    "Connecting",
    "Connection",
    "Crowded",
    "All/Doors",
    "All/EndedConnections",
    "Errands",
    "Fairness",
    "Fifo",
    "Flood",
    "Frame",
    "Hostile",
    "All/LargeMessage",
    "Ledger",
    "Lifetime",
    "Limit",
    "Locks",
    "LocksDeathTest",
    "Nesting",
    "NoSegment",
    "Nonblocking",
    "Observed",
    "All/ObservedOver",
    "PeerLog",
    "Pipelined",
    "Policy",
    "PolicyFile",
    "Quota",
    "ReadyQueue",
    "Rough",
    "Routes",
    "Secret",
    "Shm",
    "SlowReader",
    "All/SlowReaders",
    "Spin",
    "Strand",
    "StreamChannel",
    "Strided",
    "Tenant",
    "Tls",
    "Turn",
    "All/Turns",
    "Ucx",
    "UcxStreams",
    "UnixSocketDeathTest",
    "Unconfirmed",
    "All/UnsentAnswers",
    "Url",
    "All/MalformedUrl",
    "Vector",
]


# Many threads meet in them: `make test` runs these with TSan, `make races` all.
THREADED = {
    "Callback",
    "All/CallsWithinCalls",
    "All/Channels",
    "Connecting",
    "Connection",
    "Crowded",
    "All/EndedConnections",
    "Lifetime",
    "Nesting",
    "Observed",
    "All/ObservedOver",
    "Quota",
    "Shm",
    "Strand",
    "Turn",
    "All/Turns",
}
# Not there in a build without UCX, or with TSan.
OF_UCX = {"Ucx", "UcxStreams"}
# Not there in a build without OpenSSL.
OF_OPENSSL = {"Secret", "Tls"}
# Not there in a build without toml++.
OF_TOML = {"PolicyFile"}
OPTIONAL = OF_UCX | OF_OPENSSL | OF_TOML


def suites_of(binary):
    """The names of the suites that the program has."""
    command = [str(binary), "--gtest_list_tests"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^(\S+)\.$", text, re.MULTILINE))


@pytest.fixture
def binary(unit_tests):
    """The program of all suites."""
    return unit_tests("protocols_tests")


def test_all_suites_are_run(binary):
    """Four of them had never been."""
    assert sorted(suites_of(binary) | OPTIONAL) == sorted(SUITES)


# Suites of clients that move to shared memory, but for what is about TCP itself.
MOVED = {
    "Ahead": "AClientEndsWhenAllHasBeenTaken WhatIsReadAheadKeepsTheLimitOfMemory",
    "Callback": "",
    "All/CallsWithinCalls": "",
    "Chain": "",
    "Limit": "ConnectionsOfAClient ConnectionsOfAServer ConnectionsThatCannotBeHad",
    "Nesting": "",
    "Nonblocking": "OneWayFailsOnlyIfItCannotBeSent ABusyServerDoesNotRunWhatIsTooLate",
    "Observed": "",
    "Strand": "",
    "Turn": "",
    "All/Turns": "",
    "All/UnsentAnswers": "",
}


def run_suite(binary, chosen, environment):
    command = [str(binary), f"--gtest_filter={chosen}", "--gtest_brief=1"]
    if any(each in binary.read_bytes() for each in (b"__asan_init", b"__tsan_init")):
        # A thousand calls within each other: instrumented frames are several times as large.
        command = ["sh", "-c", 'ulimit -s 131072 2>/dev/null; exec "$@"', "sh", *command]
    environment = {**os.environ, **environment}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "=] 0 tests" not in done.stdout


def marked(suites):
    """The suites as parameters."""
    marks = {True: [pytest.mark.threads], False: []}
    return [pytest.param(suite, marks=marks[suite in THREADED]) for suite in suites]


@pytest.mark.parametrize("suite", marked(SUITES))
def test_core(binary, suite):
    """Runs one suite of the GoogleTest binary."""
    if suite in OPTIONAL - suites_of(binary):
        pytest.skip("built without UCX" if suite in OF_UCX else "built without OpenSSL")
    run_suite(binary, f"{suite}.*", {})


@pytest.mark.parametrize("suite", marked(MOVED))
def test_core_through_shared_memory(binary, suite):
    """The same, where clients do by themselves what these do."""
    left_out = ":".join(f"{suite}.{each}" for each in MOVED[suite].split())
    run_suite(binary, f"{suite}.*-{left_out}", {"SIDL_RMI_SHM": "on"})


@pytest.mark.parametrize("networks", ["tcp", "posix,cma,self", "sysv,self"])
def test_core_over_networks_of_ucx(binary, networks):
    """What users may choose instead of what is chosen for them."""
    if not suites_of(binary) >= OF_UCX:
        pytest.skip("built without UCX")
    chosen = ":".join(f"{each}.*" for each in sorted(OF_UCX))
    # Over TCP, UCX leaks endpoints that have failed.
    run_suite(binary, chosen, {"UCX_TLS": networks, "LSAN_OPTIONS": "detect_leaks=0"})
