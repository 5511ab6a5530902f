"""Forks: what a parent has used, what its child uses, and that the parent does not notice.

Nothing had tried a fork but after plain calls, of the core alone: neither the sanitizers nor the
fuzzers make one. This is a table, so that what is new in it gets all its combinations.
"""

import os

import pytest

SANITIZED = "SHINAR_SANITIZED" in os.environ

# A child never frees what belongs to its parent's threads, which is no leak of the program's.
NO_LEAKS = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

BEFORE = [
    "nothing",
    "call",
    "oneway",
    "awaited",
    "pending",
    "book",
    "lent",
    "served",
    "server",
    "served_by_server",
]


@pytest.mark.parametrize("others", ["alone", "busy"])
@pytest.mark.parametrize("before", BEFORE)
def test_forks(server, client, before, others):
    if SANITIZED and others == "busy":
        pytest.skip("a child may find the locks of ASan's allocator taken, for ever")
    started = server()
    done = client(started.url, before, others, program="wire_fork", timeout=120, env=NO_LEAKS)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr + started.log
