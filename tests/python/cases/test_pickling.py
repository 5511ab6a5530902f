"""What travels by value does so by pickle, too, with the state that it packs, or is refused. Of
exceptions Python kept their note, and said nothing of the rest."""

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import scaly
import shinar
import sidl.io
import sidl.rmi
import snake
import ty
from shinar import _packing, _pickling


def again(value):
    return pickle.loads(pickle.dumps(value))


class Mine(snake.Trouble):
    """A class of a user's, with more arguments than its note."""

    def __init__(self, text, number):
        self.number = number


def trouble(note="why"):
    made = snake.Trouble(note)
    made.addLine("a line")
    made.add("a file", 3, "a method")
    return made


def loss(seed, shared=None, kind=snake.Loss):
    made = kind("lost")
    made.fill(seed, shared)
    return made


def throw(how):
    """What a process of its own does."""
    if how == "mine":
        raise Mine("text", 3)
    if how == "error":
        raise ZeroDivisionError("no SIDL")
    if how == "item":
        raise loss(4, ty.Item())
    snake.Worker().lose(3, None)


@pytest.fixture(scope="module")
def pool():
    start = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=start) as pool:
        yield pool


def test_notes_and_traces():
    first = trouble()
    second = again(first)
    assert type(second) is snake.Trouble and second != first
    assert str(second) == second.getNote() == "why" and second.args == ("why",)
    assert second.trace == first.trace and "in a method at a file:3" in second.trace
    first.setNote("grüße")
    assert str(again(first)) == "grüße"
    assert again(snake.Trouble()).getNote() == ""
    assert again(snake.Trouble("x\udcff")).getNote() == "x\udcff"


def test_state():
    first = loss(3, kind=snake.Disaster)
    first.setSize(7)
    second = again(again(first))
    assert type(second) is snake.Disaster and second.size() == 7
    text, shared, cause = second.contents()
    assert text == copy.copy(first).contents()[0] and shared is None
    assert type(cause) is snake.Trouble and str(cause) == "why"


def test_state_of_classes_in_c():
    first = sidl.rmi.TimeOutException("late")
    first.setErrno(5)
    first.setFate(sidl.rmi.RequestFate.mayHaveExecuted)
    second = again(first)
    assert (second.getErrno(), second.getFate()) == (5, sidl.rmi.RequestFate.mayHaveExecuted)
    assert type(second) is sidl.rmi.TimeOutException and str(second) == "late"


def test_state_of_classes_in_cxx():
    """As they pack it: their parent's part, which is in Python, and their own."""
    first = scaly.Slump("low")
    for points in (np.arange(3.0), None, np.arange(4.0)[::2]):
        first.setPoints(points)
        second = again(first)
        assert type(second) is scaly.Slump and str(second) == "low"
        assert np.array_equal(second.points(), points)


def test_attributes_of_python():
    first = Mine("text", 3)
    first.more = first
    second = again(first)
    assert type(second) is Mine and (str(second), second.number) == ("text", 3)
    assert second.more is second


def test_between_processes(pool):
    with pytest.raises(snake.Disaster, match="^lost$") as caught:
        pool.submit(throw, "disaster").result(60)
    assert caught.value.size() == 9 and "3.5" not in caught.value.contents()[0]
    assert "in lose (Python)" in caught.value.trace
    with pytest.raises(Mine) as caught:
        pool.submit(throw, "mine").result(60)
    assert caught.value.number == 3
    with pytest.raises(ZeroDivisionError, match="no SIDL"):
        pool.submit(throw, "error").result(60)
    assert pool.submit(str, trouble()).result(60) == "why"


REFERS = "cannot be pickled: it refers to an object in this process, by 'value' .*Item"


def test_what_stays_in_its_process(pool):
    with pytest.raises(TypeError, match=f"snake.Loss {REFERS}"):
        pickle.dumps(loss(3, ty.Item()))
    with pytest.raises(TypeError, match=f"snake.Loss {REFERS}"):
        pool.submit(throw, "item").result(60)
    with pytest.raises(TypeError, match="cannot pickle 'Item' object"):
        pickle.dumps(ty.Inner("name", ty.Item()))
    assert pool.submit(abs, -1).result(60) == 1, "it goes on"


def test_values():
    """Those that are no exceptions, in each other."""
    inside = ty.Value()
    inside.set(3)
    first, outside = snake.Suitcase(), snake.Suitcase()
    first.fill(5, None, inside)
    outside.fill(6, None, first)
    second = again(outside).contents()[2]
    assert type(second) is snake.Suitcase and second != first
    assert second.contents()[0] == first.contents()[0]
    assert second.contents()[2].get() == 3
    first.fill(1, ty.Item(), None)
    with pytest.raises(TypeError, match="snake.Suitcase cannot be pickled: it refers to an object"):
        pickle.dumps(outside)


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("kind", "'wrong' is unpacked as Long, but was packed as Int"),
        ("more", "there is no value 'wrong': unpackObj unpacks more than packObj has packed"),
        ("elements", "'wrong' is unpacked as DoubleArray, but was packed as IntArray"),
    ],
)
def test_values_that_fail(how, why):
    case = snake.Suitcase()
    case.confuse(how)
    packed = pickle.dumps(case)
    with pytest.raises(sidl.io.IOException, match=why):
        pickle.loads(packed)


def test_bounds_and_orders():
    state = _pickling._State([])
    array = np.arange(6, dtype="i4").reshape(2, 3).view(shinar.Array)
    array.lower = (1, -2)
    for ordering in range(3):
        state.packIntArray("array", array, 0, 2, False)
        array = again(state).unpackIntArray("array", ordering, 2, False)
        assert array.lower == (1, -2) and array.tolist() == [[0, 1, 2], [3, 4, 5]]
        assert array.flags.f_contiguous == (ordering == 1)
        state = _pickling._State([])


def packed(kind, value):
    """What comes out of a pickled state of one array."""
    state = _pickling._State([])
    more = (0, 1, False) if kind != "GenericArray" else (False,)
    getattr(state, f"pack{kind}")("value", value, *more)
    more = (0, 1, False) if kind != "GenericArray" else ()
    return getattr(again(state), f"unpack{kind}")("value", *more)


def test_arrays_of_any_type():
    for value in (None, np.array(["a", None], object), np.ones((2, 3), "f4", "F")):
        after = packed("GenericArray", value)
        assert np.array_equal(after, value) if value is not None else after is None
    assert after.flags.f_contiguous and after.dtype == "f4"
    plain = np.zeros(2, snake.Spot.dtype)
    plain["id"] = 7, 8
    after = packed("GenericArray", plain)
    assert after.dtype is snake.Spot.dtype, "it still says which struct it is"
    assert after.tolist() == plain.tolist()
    bounded = plain.view(shinar.Array)
    bounded.lower = (5,)
    after = packed("GenericArray", bounded)
    assert after.dtype is snake.Spot.dtype and after.lower == (5,)
    with pytest.raises(
        TypeError, match=r"it refers to an object in this process, by 'value' \(Item"
    ):
        packed("GenericArray", np.array([None, ty.Item()]))


def test_arrays_of_objects_by_value():
    value = ty.Value()
    value.set(3)
    first, nothing, second = packed("SerializableArray", np.array([value, None, value]))
    assert nothing is None and first != value and first.get() == second.get() == 3
    assert packed("SerializableArray", None) is None


def test_pointers():
    state = _pickling._State([])
    state.packOpaque("value", None)
    assert again(state).unpackOpaque("value") is None
    assert packed("OpaqueArray", np.zeros(2, "u8")).tolist() == [0, 0]
    with pytest.raises(TypeError, match="it has a pointer, 'value', which has no meaning"):
        state.packOpaque("value", 1)
    for kind in ("OpaqueArray", "GenericArray"):
        with pytest.raises(TypeError, match="it has a pointer, 'value', which has no meaning"):
            packed(kind, np.ones(2, "u8"))
    with pytest.raises(TypeError, match="it has a pointer"):  # which nothing could unpack
        packed("GenericArray", np.zeros(2, "u8"))


class Foreign:
    """An implementation that gets a state which one in another language has packed."""


@pytest.mark.parametrize("kind, value", [("Int", 17), ("String", "code"), ("Double", 0.5)])
def test_attributes_are_python_s(kind, value):
    state = _pickling._State([])
    getattr(state, f"pack{kind}")("code", value)
    made = Foreign()
    _packing.unpack(made, again(state))
    assert vars(made) == {}
    _packing.unpack(made, _pickling._State([]))
    assert vars(made) == {}


class Plain(sidl.io.Serializable):
    """It is Python's alone."""

    def packObj(self, ser):
        raise NotImplementedError

    unpackObj = packObj


def test_plain_objects_are_python_s():
    plain = Plain()
    plain.value = [1]
    assert again(plain).value == [1]


# Where there is no implementation of the class.
ELSEWHERE = """
import pickle, sys
import scaly
from shinar import _core

made = _core.new_exception(scaly.Slump, ("low",))
made.setNote("low")
made.addLine("a line")
assert _core.is_stand_in(made)
packed = pickle.dumps(made)
again = pickle.loads(packed)
assert _core.is_stand_in(again) and (str(again), again.trace) == ("low", made.trace)
sys.stdout.buffer.write(packed)
"""


def test_exceptions_without_an_implementation():
    """A client catches what a server throws, and has no more of it than its note and its trace."""
    command = [sys.executable, "-c", ELSEWHERE]
    environment = {**os.environ, "SIDL_DLL_PATH": ""}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert (done.stderr, done.returncode) == (b"", 0)
    here = pickle.loads(done.stdout)
    assert type(here) is scaly.Slump and str(here) == "low" and here.points() is None
    assert "a line" in here.trace
