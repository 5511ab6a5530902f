"""A brief method in this process is called with the interpreter's lock, all others without."""

import sys
import threading
import time

import pytest
import scaly
from conftest import make

MS = 300
EDGE = 0.02  # seconds in which the other thread may still run, or run already


@pytest.fixture
def ticks():
    """When another thread ran, all the time."""
    seen, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            seen.append(time.monotonic())
            time.sleep(0.001)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    thread = threading.Thread(target=tick)
    thread.start()
    yield seen
    stop.set()
    thread.join()
    sys.setswitchinterval(interval)


def runs_beside(call, ticks):
    """Whether the other thread runs in the midst of the call."""
    begin = time.monotonic()
    call()
    end = time.monotonic()
    return any(begin + EDGE < each < end - EDGE for each in ticks)


BRIEF = {
    "numbers": lambda timer: timer.count(MS),
    "by its interface": lambda timer: scaly.Timed.count(timer, MS),
    "text": lambda timer: timer.tell(MS, "ms"),
}


@pytest.mark.parametrize("what", BRIEF)
def test_brief_methods_keep_the_lock(what, ticks, in_process):
    timer = make(scaly.Timer)
    assert not runs_beside(lambda: BRIEF[what](timer), ticks)


def test_brief_static_methods_keep_the_lock(ticks, in_process):
    assert not runs_beside(lambda: scaly.Timer.countAlone(MS), ticks)


@pytest.mark.parametrize("what", BRIEF)
def test_not_if_they_are_elsewhere(what, ticks, on_server):
    timer = make(scaly.Timer)
    assert runs_beside(lambda: BRIEF[what](timer), ticks)


def test_others_give_it_up(ticks):
    timer = make(scaly.Timer)
    assert runs_beside(lambda: timer.countAtLeisure(MS), ticks)


def test_brief_methods_do_what_others_do():
    timer = make(scaly.Timer)
    assert timer.count(1) == 1
    assert timer.tell(2, unit="ms") == "2 ms"
    with pytest.raises(TypeError, match="needs the argument 'unit'"):
        timer.tell(2)
