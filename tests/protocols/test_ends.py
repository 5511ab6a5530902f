"""Ends: of threads in the midst of calls, and calls in the midst of the end of the process.

No test had a thread end but by returning, nor called from an exit handler: the sanitizers see what
is used after its end only where somebody uses it.
"""

import os
import time

import pytest

# A thread that ends in a callback leaves what its frames in C had allocated, about 2 KB.
NO_LEAKS = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

LATE = [
    "a call",
    "thread_local, after the first call",
    "thread_local, before the first call",
    "a key, before the first call",
    "a key, after the first call",
    "a call",
    "thread_local, after the first call",
    "thread_local, before the first call",
    "an exit handler, after the first call",
    "an exit handler, before the first call",
    "a static object",
]


@pytest.fixture
def exporting(server, wire):
    """A server that has wire.Hook, too."""
    return server("--export", f"wire.Hook={wire}/libwire.so")


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("valgrind", [False, True])
def test_late_calls(server, wire, run, run_in_valgrind, remote, valgrind):
    """The main thread's values of keys are not destroyed: there is no end of it."""
    program = [wire / "wire_late", *([server().url] if remote else [])]
    done = (run_in_valgrind if valgrind else run)(program)
    assert sorted(done.stdout.splitlines()) == sorted(f"{each}: right" for each in LATE)


def test_the_end_of_a_thread_in_process(client):
    done = client("in_process", program="wire_ends")
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr


@pytest.mark.parametrize("way", ["on_server", "in_callback", "cancelled_waiting"])
def test_the_end_of_a_thread_in_a_call(exporting, client, way):
    done = client(way, exporting.url, program="wire_ends", timeout=100, env=NO_LEAKS)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr + exporting.log
    assert client(exporting.url, "all").returncode == 0


@pytest.mark.parametrize("serves", [False, True], ids=["a client", "a server"])
def test_quick_exit_in_the_midst_of_calls(server, wire, run, serves):
    """While four threads call, at various times; what others do then is theirs."""
    url = server().url
    for microseconds in range(0, 40000, 1600):
        command = [wire / "wire_quick", url, microseconds, *(["serves"] if serves else [])]
        done = run(command, status=None, timeout=30)
        while "have sent this process to" in done.stderr:  # the one before, which has gone since
            time.sleep(0.1)
            done = run(command, status=None, timeout=30)
        assert done.returncode == 0, done.stderr
