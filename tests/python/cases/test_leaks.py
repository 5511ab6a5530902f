"""Nothing is left of calls: neither memory nor references, after a million of them."""

import gc
import sys

import numpy as np
import pytest
import snake
import ty

MILLION = 1_000_000
SLACK = 4 << 20  # bytes; a leak of one word in each call is twice that


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def grown(call, calls):
    """Bytes that the process grew by, once it has what it needs for the first calls. A leak grows
    each time; what one more thread needs, for its stack and its heap, it needs once."""
    for _ in range(calls // 10):
        call()
    gc.collect()
    least = None
    for _ in range(3):
        before = resident()
        for _ in range(calls):
            call()
        gc.collect()
        growth = resident() - before
        least = growth if least is None else min(least, growth)
        if least < SLACK:
            break
    return least


def test_a_million_calls():
    item = ty.Item()
    assert grown(lambda: item.setNumber(70000), MILLION) < SLACK
    assert grown(item.number, MILLION) < SLACK


A = np.ones((2, 3))
WORKER = snake.Worker()
C, CXX = ty.InC(), ty.InCxx()
CALLS = {
    "text": lambda: C.text("a text that needs memory of its own", "another one, as long"),
    "array": lambda: C.columns(A, A),
    "copied": lambda: CXX.rows([[1, 2], [3, 4]], [[1, 2], [3, 4]]),
    "strings": lambda: C.strings(np.array([["a", "b"]], dtype=object)),
    "objects": lambda: CXX.items(3),
    "created": ty.Item,
    "python": lambda: WORKER.swap(snake.Words(1, "one"), snake.Words()),
    "python array": lambda: WORKER.flip(np.array([True])),
    "refused": lambda: pytest.raises(TypeError, WORKER.later, "x"),
    "thrown": lambda: pytest.raises(snake.Trouble, WORKER.stumble, "snake"),
    "thrown by Python": lambda: pytest.raises(ValueError, WORKER.stumble, "value"),
    "sent": lambda: WORKER.meet_send("leaks", 1).result(),
}


@pytest.mark.parametrize("what", CALLS)
def test_calls_leave_nothing(what):
    items = ty.Item.alive()
    CALLS[what]()
    counted = [A, WORKER, C, CXX, snake.Words, snake.Trouble]
    before = [sys.getrefcount(each) for each in counted]
    assert grown(CALLS[what], 2000) < SLACK
    assert [sys.getrefcount(each) for each in counted] == before
    assert ty.Item.alive() == items
