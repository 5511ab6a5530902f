"""Calls that are not waited for, calls that wait together, and how long they may take.

Objects of this process run a nonblocking call at once: what is not on its way cannot be given up.
Of the calls that one thread makes to one object, each begins when the one before it has ended.
"""

import asyncio
import concurrent.futures
import subprocess
import sys
import threading

import numpy as np
import pytest
import shinar
import sidl.rmi
import snake
import ty
from conftest import make


@pytest.fixture
def place(request):
    return f"{request.node.name} {id(request)}"


def workers(count):
    return [make(snake.Worker) for _ in range(count)]


def test_a_future(callee):
    a = np.arange(6, dtype="i4").reshape(2, 3)
    pending = callee.rows_send(a, io=a.copy())
    assert isinstance(pending, shinar.Pending)
    assert isinstance(pending, concurrent.futures.Future)
    ok, o, io = pending.result()
    assert ok and np.array_equal(o, a) and np.array_equal(io, 2 * a)
    assert pending.result() is pending.result() and pending.done()


def test_futures_are_waited_for_together(place, on_server):
    first, *others = [each.meet_send(place, 5) for each in workers(4)]
    del first  # nobody has to wait for a call
    others.append(make(snake.Worker).meet_send(place, 5))
    done, left = concurrent.futures.wait(others)
    assert not left and [each.result() for each in done] == [5] * 4


def test_callbacks(worker, place):
    called = threading.Event()
    worker.meet_send(place, 1).add_done_callback(lambda future: called.set())
    assert called.wait(60)


def test_await(place, on_server):
    async def both():
        return await asyncio.gather(*(each.meet_send(place, 2) for each in workers(2)))

    assert asyncio.run(both()) == [2, 2]


def test_await_one(worker, place):
    async def one():
        return await worker.meet_send(place, 1)

    assert asyncio.run(one()) == 1


def test_exceptions_of_nonblocking_calls(callee):
    a = np.zeros(2, dtype="i4")
    with pytest.raises(sidl.SIDLException, match="on purpose"):
        callee.failRaw_send(a, 2).result()
    assert "on purpose" in str(callee.failRaw_send(a, 2).exception())


def test_static_methods_in_halves():
    assert ty.Item.last_send(np.arange(3, dtype="i4"), 3).result()[0] == 2


def test_an_answer_that_is_here_is_had_without_waiting(worker, place):
    """Another thread took it in, when it came to that."""
    for number in range(100):
        pending = worker.meet_send(f"{place} {number}", 1)
        while not pending.ticket.test():
            pass
        assert pending.result(timeout=0) == 1
        assert pending.done() and pending.exception(timeout=0) is None


def test_nobody_waits_with_a_timeout_of_nothing(worker, place, on_server):
    pending = worker.meet_send(place, 2)
    assert not pending.done()
    for ask in pending.result, pending.exception:
        with pytest.raises(concurrent.futures.TimeoutError):
            ask(timeout=0)
    assert make(snake.Worker).meet(place, 2) == 2 == pending.result()


def test_cancel(worker, place, on_server):
    pending = worker.meet_send(place, 2)
    assert pending.cancel() and pending.cancelled() and not pending.cancel()
    with pytest.raises(concurrent.futures.CancelledError):
        pending.result()


def test_eight_threads_wait_at_the_same_time(worker, place):
    """Only if none of them keeps the interpreter while it waits, they all come."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(worker.meet, [place] * 8, [8] * 8)) == [8] * 8


def test_deadlines(place, on_server):
    one, other = workers(2)
    with pytest.raises(sidl.rmi.TimeOutException):
        one.meet(place, 3, deadline=0.05)
    with pytest.raises(sidl.rmi.TimeOutException):
        one.meet_send(place, 3, deadline=0.05).result()
    with shinar.deadline(0.05), pytest.raises(sidl.rmi.TimeOutException):
        one.meet(place, 3)
    assert other.meet(place, 1, deadline=None) == 1


def test_a_deadline_ends_with_its_call(worker):
    assert worker.noted(deadline=30) == 0
    assert sidl.rmi.Deadline.getForThread() == -1


@pytest.mark.parametrize("wrong", [0, -1, float("nan")])
def test_deadlines_that_make_no_sense(worker, wrong):
    with pytest.raises(ValueError, match="positive number of seconds"):
        worker.noted(deadline=wrong)
    for other in ("1", np.arange(3.0)):
        with pytest.raises(TypeError, match="the deadline must be a number of seconds, not"):
            worker.noted(deadline=other)


def test_an_argument_may_be_called_so(worker):
    assert worker.later(deadline=1) == 2
    with pytest.raises(TypeError):
        worker.later(1, deadlines=2)


ENDING = """
import threading
from conftest import make
import snake

worker = make(snake.Worker)
left = worker.meet_send("nobody comes", 9)
thread = threading.Thread(target=make(snake.Worker).meet, args=["nobody comes", 9], daemon=True)
thread.start()
print("fine")
"""


def test_the_end_comes_while_calls_are_on_their_way(on_server):
    command = [sys.executable, "-c", ENDING]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")


def test_an_object_is_closed_while_it_is_called(worker, place):
    thread = threading.Thread(target=worker.meet, args=[place, 2])
    thread.start()
    while worker.come(place) < 1:
        pass
    worker.close()
    assert make(snake.Worker).meet(place, 2) == 2
    thread.join()


def test_pending_calls_of_a_closed_object(worker, place):
    pending = worker.meet_send(place, 1)
    worker.close()
    assert pending.result() == 1
