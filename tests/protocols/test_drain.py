"""SIGTERM in the midst of a chain of calls that comes by the server again: it still passes, however
it comes, and everybody else is refused.

The tests of graceful ends had calls in work that needed nobody else.
"""

import contextlib
import re
import signal
import socket

import pytest
from serving import eventually, running

REFUSED = "the server is shutting down; the method was not run"
CHAIN = ["back", "round", "to and fro", "one way", "create"]


@pytest.fixture
def pair(server):
    """pair(*options) → the server that will be asked to stop, which has these, and another one."""
    return lambda *options: (server(*options), server())


@pytest.fixture
def in_work(wire):
    """in_work(first, other, how): as running(), when the chain is at its end."""

    def start(first, other, how="known"):
        return running(wire, first.url, other.url, how, program="wire_drain")

    return start


def ask_to_stop(server, *signals):
    for each in signals or (signal.SIGTERM,):
        server.process.send_signal(each)
    assert server.logged("shutting down: waiting")


@pytest.mark.parametrize("threads", [2, 32])
@pytest.mark.parametrize("how", ["known", "fresh"])
def test_a_chain_in_work_passes(pair, in_work, how, threads):
    first, other = pair("--threads", threads)
    with in_work(first, other, how) as program:
        assert program.stdout.readline() == "in work\n"
        ask_to_stop(first)
        out, _ = program.communicate("go on\n", timeout=60)
    assert out.splitlines() == [*(f"{each}: right" for each in CHAIN), "the end", "all: right"]
    assert first.process.wait(timeout=20) == 0, first.log
    with socket.socket() as successor:
        successor.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        successor.bind(("127.0.0.1", first.port))


def test_others_are_refused(pair, in_work, client, run, sidl_tool):
    first, other = pair()
    with in_work(first, other) as program:
        assert program.stdout.readline() == "in work\n"
        ask_to_stop(first)
        for command in ["alive", "all"]:
            done = client(first.url, command)
            assert done.returncode == 1
            assert done.stdout.startswith("sidl.rmi.UnexpectedCloseException: "), done.stdout
            assert REFUSED in done.stdout
        errors = run([sidl_tool, "inspect", first.url], status=1).stderr
        assert errors.endswith("the server is shutting down\n"), errors
        out, _ = program.communicate("go on\n", timeout=60)
    assert "all: right" in out
    assert first.process.wait(timeout=20) == 0, first.log


def test_those_who_try_again_and_again_do_not_hold_it_up(pair, in_work, wire):
    first, other = pair("--drain", 60)
    with contextlib.ExitStack() as crowd, in_work(first, other) as program:
        assert program.stdout.readline() == "in work\n"
        ask_to_stop(first)
        for _ in range(3):
            again = [wire, first.url, first.url, 4, 3, 0]
            crowd.enter_context(running(*again, program="wire_circle"))
        program.communicate("go on\n", timeout=60)
        assert first.process.wait(timeout=30) == 0, first.log


def test_a_chain_that_does_not_end_is_cut(pair, in_work):
    first, other = pair("--drain", 0.3)
    with in_work(first, other) as program:
        assert program.stdout.readline() == "in work\n"
        ask_to_stop(first)
        assert first.process.wait(timeout=20) == 1, first.log
        out, _ = program.communicate("go on\n", timeout=60)
    assert re.search(r"^all: .*; the method may have been run$", out, re.MULTILINE), out
    assert "all: right" not in out


def test_signals_at_once_are_one_wish(pair, in_work):
    first, other = pair()
    with in_work(first, other) as program:
        assert program.stdout.readline() == "in work\n"
        ask_to_stop(first, signal.SIGTERM, signal.SIGINT)
        out, _ = program.communicate("go on\n", timeout=60)
    assert "all: right" in out
    assert first.process.wait(timeout=20) == 0, first.log
    assert "again" not in first.log


def test_a_second_wish_ends_it_at_once(pair, in_work):
    first, other = pair("--drain", 60)
    with in_work(first, other) as program:
        assert program.stdout.readline() == "in work\n"
        ask_to_stop(first)

        def ask_again():
            first.process.send_signal(signal.SIGTERM)
            return first.process.poll() is not None

        assert eventually(ask_again)
        assert first.process.returncode == 1
        program.communicate("go on\n", timeout=60)
    assert "second signal" in first.log
