"""What a forked child does with what its parent used, in `multiprocessing` and by os.fork.

What was used before × who else is at it × what is used after, in the child and in the parent.
"""

import asyncio
import gc
import itertools
import multiprocessing
import os
import signal
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest
import sidl.rmi
import snake
import ty
from conftest import CLASSES, make

PATIENCE = 30  # seconds, for what takes a few milliseconds


def awaited(worker):
    async def one():
        return await worker.meet_send(f"awaited {os.getpid()}", 1)

    return asyncio.run(one())


def basic(worker):
    array = np.arange(4, dtype="i4").reshape(2, 2)
    ok, _, io = worker.rows(array, io=array.copy())
    assert ok and np.array_equal(io, 2 * array)


def lend(worker):
    """The worker calls an object of this process."""
    assert worker.ask(ty.Item()) == ty.Item().number() + 1


places = (f"waiting {os.getpid()} {number}" for number in itertools.count())


def waiting(worker):
    """A call that is answered when the parent says so, after the fork; and how it does."""
    place = next(places)
    return worker.meet_send(place, 2), lambda: make(snake.Worker).meet(place, 2)


BEFORE = {
    "nothing": lambda worker: None,
    "call": basic,
    "nonblocking": lambda worker: worker.meet_send(f"before {os.getpid()}", 1).result(),
    "awaited": awaited,
    "lend": lend,
    "pending": waiting,
}


def inherited(worker):
    basic(worker)
    basic(worker)


def fresh(worker):
    basic(make(type(worker)))


def local(worker):
    mine = snake.Worker()
    basic(mine)
    assert mine.meet_send(f"local {os.getpid()}", 1).result() == 1
    assert awaited(mine) == 1


def nonblocking(worker):
    assert worker.meet_send(f"after {os.getpid()}", 1).result() == 1
    assert awaited(worker) == 1


def again(worker):
    basic(worker)
    child = start(worker, inherited)
    child.join(PATIENCE)
    assert child.exitcode == 0
    basic(worker)


def dropped(worker):
    worker.close()


AFTER = [inherited, fresh, local, nonblocking, lend, again, dropped]


def in_child(worker, use):
    signal.alarm(PATIENCE)
    use(worker)


def start(worker, use):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
        child = multiprocessing.get_context("fork").Process(target=in_child, args=(worker, use))
        child.start()
    return child


class Crowd:
    """Other threads, which call all the time."""

    def __init__(self, count):
        self._ends = False
        self._failures = []
        self._threads = [threading.Thread(target=self._work) for _ in range(count)]

    def _work(self):
        try:
            worker = make(snake.Worker)
            while not self._ends:
                basic(worker)
                if os.environ.get("TY_SERVER"):  # here its own lock would stay taken in the child
                    assert worker.meet_send(f"crowd {threading.get_ident()}", 1).result() > 0
        except BaseException as error:
            self._failures.append(error)

    def __enter__(self):
        for each in self._threads:
            each.start()

    def __exit__(self, *_):
        self._ends = True
        for each in self._threads:
            each.join()
        assert self._failures == []


@pytest.mark.parametrize("others", [0, 2])
@pytest.mark.parametrize("before", BEFORE)
def test_forks(worker, before, others):
    if before == "pending" and not os.environ.get("TY_SERVER"):
        pytest.skip("no call in this process is pending")
    left = BEFORE[before](worker)
    with Crowd(others):
        for use in AFTER:
            child = start(worker, use)
            child.join(2 * PATIENCE)
            assert (use.__name__, child.exitcode) == (use.__name__, 0)
            if before != "pending":  # which the next call to the same object would wait for
                basic(worker)
    if before == "pending":
        pending, release = left
        assert release() == 2 and pending.result() == 2
    basic(worker)


def test_a_pending_call_is_the_parents(worker, on_server):
    left, release = waiting(worker)

    def take(_):
        with pytest.raises(sidl.rmi.NetworkException, match="the parent process"):
            left.result()
        assert left.done()

        async def both():
            await left

        with pytest.raises(sidl.rmi.NetworkException):
            asyncio.run(both())

    child = start(make(snake.Worker), take)
    child.join(PATIENCE)
    assert child.exitcode == 0
    assert release() == 2 and left.result() == 2


def test_a_child_is_not_told_what_the_parent_asked_to_be(worker, on_server):
    """It was, within fork: where a lock is needed for that, another thread may have had it."""
    left, release = waiting(worker)
    told, lock = [], threading.Lock()

    def tell(pending):
        with lock:
            told.append(pending)

    left.add_done_callback(tell)

    def look(_):
        assert left.done() and told == []

    with lock:
        child = start(make(snake.Worker), look)
        child.join(PATIENCE)
    assert child.exitcode == 0
    assert release() == 2 and left.result() == 2
    assert told == [left]


def test_a_child_keeps_no_pending_call(worker, on_server):
    """What became of it there had a trace that led to it, over the frames of those that saw to it:
    the objects of the call stayed."""
    left, release = waiting(worker)
    given, gone = [left], weakref.ref(left)
    del left

    def take(_):
        given.clear()
        assert gone() is None

    gc.disable()
    child = start(make(snake.Worker), take)
    gc.enable()
    child.join(PATIENCE)
    assert child.exitcode == 0
    assert release() == 2 and given[0].result() == 2


@pytest.mark.parametrize("end", [os._exit, sys.exit])
def test_the_end_of_a_child(worker, end):
    """Exit handlers run in the child, too."""
    assert awaited(worker) == 1
    child = start(worker, lambda _: end(0))
    child.join(PATIENCE)
    assert child.exitcode == 0
    pid = os.fork() if sys.version_info < (3, 12) else None
    if pid == 0:
        signal.alarm(PATIENCE)
        try:
            basic(worker)
            end(7)
        finally:
            os._exit(8)
    if pid:
        status = os.waitpid(pid, 0)[1]
        assert os.waitstatus_to_exitcode(status) in (7, 8)
    basic(worker)


def test_all_callees(callee):
    array = np.arange(4, dtype="i4").reshape(2, 2)
    child = start(callee, lambda it: it.rows(array, io=array))
    child.join(PATIENCE)
    assert child.exitcode == 0 and len(CLASSES) == 4
