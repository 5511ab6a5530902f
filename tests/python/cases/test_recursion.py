"""Calls between languages where Python's stack ends."""

import copy
import pickle
import sys
import traceback

import numpy as np
import pytest
import scaly
import shinar
import snake
import ty
from conftest import Plain, make, relay_to


class limited:
    """Leaves so many levels of recursion to what is in it."""

    def __init__(self, levels):
        self._levels = levels

    def __enter__(self):
        self._before = sys.getrecursionlimit()
        depth = 0
        frame = sys._getframe()
        while frame:
            depth += 1
            frame = frame.f_back
        sys.setrecursionlimit(depth + self._levels)

    def __exit__(self, *_):
        sys.setrecursionlimit(self._before)


class Endless(Plain):
    """Asked for its number, it asks for the number of an object that asks it."""

    def __init__(self, ask):
        super().__init__()
        self._ask = ask

    def number(self):
        return self._ask(self)


WAYS = {
    "in C++": lambda self: relay_to(self).number(),
    "in Python": lambda self: make(snake.Worker).ask(self),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("levels", [70, 100, 101, 102, 103, 104, 300])
def test_recursion_without_end(way, levels):
    """The text of the RecursionError needed levels, too, and so did that of the next one."""
    endless = Endless(WAYS[way])
    with limited(levels), pytest.raises((RecursionError, shinar.Throwable)):
        endless.number()
    assert relay_to(Plain()).number() == 77


@pytest.mark.parametrize("limit", [1000, 2000])
def test_recursion_without_end_in_this_process(in_process, limit):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    try:
        with pytest.raises(RecursionError):
            Endless(WAYS["in C++"]).number()
    finally:
        sys.setrecursionlimit(before)


def test_each_call_adds_to_the_trace_what_is_new(in_process, monkeypatch):
    """The traceback was formatted anew for each call that an exception left: seconds in all."""
    made = []
    whole = traceback.TracebackException.__init__

    def counted(self, *args, **named):
        made.append(self)
        whole(self, *args, **named)

    monkeypatch.setattr(traceback.TracebackException, "__init__", counted)

    class Deep(Plain):
        depth = 0

        def number(self):
            self.depth += 1
            if self.depth == 50:
                raise ValueError("deep enough")
            return relay_to(self).number()

    with pytest.raises(ValueError, match="deep enough") as caught:
        relay_to(Deep()).number()
    assert len(made) == 1
    lines = [line.strip() for line in caught.value._sidl_told[0].splitlines()]
    assert lines.count("ValueError: deep enough") == 1
    assert lines.count("return relay_to(self).number()") == 49
    assert copy.copy(caught.value).args == pickle.loads(pickle.dumps(caught.value)).args


class Again(Plain):
    """Raises the same exception each time."""

    def __init__(self, thrown):
        super().__init__()
        self._thrown = thrown

    def number(self):
        raise self._thrown


@pytest.mark.parametrize("kind", [snake.Trouble, ValueError])
def test_an_exception_raised_again_and_again(in_process, kind):
    """Its trace, its notes and its traceback were told anew each time."""
    thrown = kind("again")
    for _ in range(1500):
        with pytest.raises(kind):
            relay_to(Again(thrown)).number()
    assert len(getattr(thrown, "__notes__", ())) < 110
    assert len(getattr(thrown, "trace", "")) < 70_000


def test_causes_keep_their_traces(in_process, worker):
    class Wrapping(Plain):
        def number(self):
            try:
                worker.stumble("snake")
            except snake.Trouble as trouble:
                raise snake.Trouble("on top") from trouble

    with pytest.raises(snake.Trouble, match="on top") as caught:
        relay_to(Wrapping()).number()
    behind = caught.value.trace.partition("caused by:")[2]
    assert "the trace of snake.Trouble:" in behind and "Worker_Impl.py" in behind


class NoText(Exception):
    def __str__(self):
        return self.endless()

    def endless(self):
        return self.endless()


class Failing(Plain):
    """Raises what it is given."""

    def __init__(self, error):
        super().__init__()
        self._error = error

    def number(self):
        raise self._error


def wrong_values():
    """Values that NumPy, Python and this library refuse, each in its own way."""
    worker = snake.Worker()
    yield lambda: worker.keep(object())
    yield lambda: worker.keep(["one"])
    yield lambda: worker.keep([2**70])
    yield lambda: worker.keep([[1.0], [1.0, 2.0]])
    yield lambda: worker.ask("one")
    yield lambda: worker.later(1, 2)
    yield lambda: worker.later(2**40)
    yield lambda: worker.flip(np.zeros((2, 2)))
    yield lambda: worker.swap(snake.Words(1, 2, 3), None)
    yield lambda: worker.stumble("value")
    yield lambda: worker.stumble("snake")
    yield lambda: ty.InCxx().total([object()])
    yield lambda: relay_to(Failing(ValueError("wrong"))).number()
    yield lambda: relay_to(Failing(NoText("wrong"))).number()
    yield lambda: scaly.Relay().me
    yield lambda: snake.Worker.create("nowhere://")


@pytest.mark.parametrize("wrong", list(wrong_values()))
def test_errors_where_the_stack_ends(in_process, wrong):
    """With any number of levels left, down to none, whichever error comes first."""

    def deeper(levels):
        return deeper(levels - 1) if levels else wrong()

    for levels in range(60):
        with limited(60), pytest.raises(Exception):  # noqa: B017
            deeper(levels)
    with pytest.raises(Exception) as caught:  # noqa: B017
        wrong()
    assert not isinstance(caught.value, RecursionError)


def test_an_exception_without_a_text(in_process):
    assert relay_to(Failing(NoText("wrong"))).stumbles()
    with pytest.raises(NoText):
        relay_to(Failing(NoText("wrong"))).number()
