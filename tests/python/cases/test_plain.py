"""Objects of classes that are derived from SIDL interfaces in Python, without generated code: who
calls them is C++ (scaly.Relay), here or on a server. (Of every type: the callee "plain" of the
other files.)"""

import functools
import gc
import threading
import time
import weakref

import numpy as np
import pytest
import scaly
import shinar
import sidl
import snake
import ty
from conftest import Plain, make, relay_to


class Seven(ty.Numbered):
    def __init__(self, number=7):
        self.asked = 0
        self._number = number

    def number(self):
        self.asked += 1
        return self._number


def test_it_is_called(worker):
    seven = Seven()
    assert worker.ask(seven) == 8 and seven.asked == 1
    assert make(ty.InCxx).total([seven, Seven(10), None]) == 17
    assert seven.asked == 2


def test_results_of_several_values():
    assert relay_to(Plain()).greet("Ada") == ("Hello, Ada", "Python")


def test_it_comes_back_as_itself():
    plain = Plain()
    relay = relay_to(plain)
    assert relay.where() is plain
    assert ty.Numbered._cast(plain) is plain
    assert ty.Item._cast(plain) is None
    assert relay.where().greet("you")[1] == "Python"


def test_nonblocking_calls_of_ones_own():
    """They wanted a generated class."""
    plain = Plain()
    for each in plain, ty.Orders._cast(plain), relay_to(plain).where():
        a = np.arange(6, dtype="i4").reshape(2, 3)
        ok, o, io = each.rows_send(a, io=a.copy()).result()
        assert ok and np.array_equal(o, a) and np.array_equal(io, 2 * a)


def test_what_every_object_can_do(in_process):
    plain, other = Plain(), Plain()
    assert plain.isSame(plain) and not plain.isSame(other)
    assert plain.isType("ty.Orders") and plain.isType("sidl.BaseInterface")
    assert not plain.isType("ty.Item")
    assert plain.getClassInfo().getName() == "conftest.Plain (Python)"
    assert plain._isLocal() and not plain._isRemote()


def test_exceptions():
    """Those of SIDL are what they are; Python's own are themselves again where they began."""
    relay = relay_to(Plain())
    with pytest.raises((ValueError, sidl.LangSpecificException), match="no such value"):
        relay.stumble("value")
    with pytest.raises(snake.Trouble, match="on purpose"):
        relay.stumble("snake")


def test_a_raw_array_comes_back():
    class Forgetful(Plain):
        def fill(self, a, m, n):
            a[...] = 7

    a = np.ones((2, 2), "i4", order="F")
    with pytest.raises((TypeError, sidl.LangSpecificException)) as caught:
        relay_to(Forgetful()).fill(a)
    assert "'a' of ty.Raws.fill is a raw array" in str(caught.value)
    assert "must be returned, changed or not, instead of None" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "text"), [((1, 2, 3), "3"), ([], "0"), ("ab", "an object of type str")]
)
def test_values_that_are_too_few_or_too_many(given, text):
    class Generous(Plain):
        def greet(self, who):
            return given

    with pytest.raises((TypeError, sidl.LangSpecificException)) as caught:
        relay_to(Generous()).greet("you")
    assert f"greet must return 2 values (the result, 'language'), not {text}" in str(caught.value)


def test_what_is_no_such_object(worker):
    class Silent(ty.Calls):
        def twice(self, v, io):
            return v, io

        def note(self, number): ...

        def noted(self):
            return 0

        def text(self, a, io):
            return a, a, io

    with pytest.raises(TypeError, match="'other' of .*ask must be ty.Numbered, not Silent"):
        worker.ask(Silent())
    with pytest.raises(TypeError, match="must be ty.Item, not Seven"):
        ty.InCxx().through([[[None]]], [None], Seven())


def test_methods_that_are_missing():
    class Half(snake.All):
        def greet(self, who):
            return who, "Python"

        def turn(self, x):
            return x, x

    with pytest.raises(
        TypeError, match="a .*Half cannot be created: its class lacks .*'stumble' of"
    ):
        Half()
    with pytest.raises(TypeError, match="ty.Numbered is an interface: .*derive a class from it"):
        ty.Numbered()
    with pytest.raises(TypeError, match="sidl.BaseClass is what all classes of SIDL derive from"):
        sidl.BaseClass()


def decorated(function):
    @functools.wraps(function)
    def call(*args):
        return function(*args)

    return call


class Higher(Seven):
    def number(self):
        return super().number()


class Without(ty.Numbered):
    def number(self):
        return super().number()


class Wrapped(ty.Numbered):
    @decorated
    def number(self):
        return super().number()


class WrappedInItself(ty.Numbered):
    def number(self):
        return super().number()

    number.__wrapped__ = number


class Below(Without):
    def number(self):
        return super().number() + 1


@pytest.mark.parametrize("python_class", [Seven, Higher])
def test_methods_of_an_interface(python_class, item):
    """They were said to have no code, though those of objects of SIDL classes were called."""
    assert ty.Numbered.number(python_class()) == 7
    assert ty.Numbered.number(item) == item.number()


@pytest.mark.parametrize("python_class", [Without, Wrapped, WrappedInItself, Below])
def test_an_interface_has_no_code_of_its_own(python_class):
    for number in (python_class.number, ty.Numbered.number):
        with pytest.raises(
            NotImplementedError, match="ty.Numbered.number: an interface has no code"
        ):
            number(python_class())


def test_constructors(worker):
    class Base:
        def __new__(cls, number):
            made = super().__new__(cls)
            made.seen = number
            return made

    class Made(ty.Numbered, Base):
        def __init__(self, number):
            self.own = number + 1

        def number(self):
            return self.seen + self.own

    assert worker.ask(Made(3)) == 8
    assert worker.ask(type("Short", (Seven,), {})(3)) == 4

    class Slots(ty.Numbered):
        __slots__ = ("value",)

        def number(self):
            return self.value

    slots = Slots()
    slots.value = 12
    assert worker.ask(slots) == 13


def test_it_lives_as_long_as_it_is_known():
    plain = Plain()
    relay = relay_to(plain)
    gone = weakref.ref(plain)
    del plain
    gc.collect()
    assert gone() is not None and relay.greet("still")[0] == "Hello, still"
    relay.to(None)
    for _ in range(100):
        if gone() is None:
            break
        threading.Event().wait(0.05)  # a server gives back when it gets round to it
    assert gone() is None


def test_nothing_is_left(in_process):
    """Neither by calls, nor by what they return, nor by those that fail."""
    worker, cxx = snake.Worker(), ty.InCxx()
    known = []
    for _ in range(50):
        seven = Seven()
        known.append(weakref.ref(seven))
        worker.ask(seven)
        cxx.total([seven, seven])
        relay = relay_to(Plain())
        known.append(weakref.ref(relay.where()))
        with pytest.raises(ValueError):
            relay.stumble("value")
        seven.isType("ty.Numbered")
        del seven, relay
    gc.collect()
    assert [each() for each in known if each() is not None] == []


def test_many_threads():
    relay = relay_to(Plain())
    seven = Seven()
    workers = [make(snake.Worker) for _ in range(4)]
    wrong = []

    def work(worker):
        for i in range(50):
            if worker.ask(seven) != 8 or relay.greet(str(i))[0] != f"Hello, {i}":
                wrong.append(i)
            if relay.where().number() != 77:
                wrong.append(-i)

    threads = [threading.Thread(target=work, args=[worker]) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert seven.asked == 200


def test_it_is_no_implementation():
    assert shinar.implementation_of(Seven()) is None


def test_what_only_python_would_see():
    """Who overrides a method of a class that is implemented elsewhere is told."""

    class Louder(ty.Item):
        def number(self):
            return 1

    with pytest.warns(RuntimeWarning, match="Louder.number is seen by Python only"):
        Louder()
    Louder()  # and once is enough


RUDE = "rude: \udcff"  # the byte 0xff, which is no UTF-8


@pytest.mark.parametrize("made", [lambda: snake.Trouble(RUDE), lambda: ValueError(RUDE)])
def test_notes_that_are_no_text(made):
    class Rude(Plain):
        def stumble(self, how):
            raise made()

    other = snake.Trouble("")
    other.setNote(RUDE)
    assert (other.getNote(), str(other)) == (RUDE, RUDE)
    with pytest.raises((snake.Trouble, ValueError)) as caught:
        relay_to(Rude()).stumble("")
    assert str(caught.value) == RUDE


def test_a_note_from_elsewhere_that_is_no_text():
    """It comes back as an exception of SIDL: Python does not know it."""
    trouble = snake.Trouble("")
    trouble.setNote(RUDE)

    class Rude(Plain):
        def stumble(self, how):
            raise trouble

    with pytest.raises(snake.Trouble) as caught:
        relay_to(Rude()).stumble("")
    assert caught.value.args == (RUDE,)


def test_a_class_loads_that_calls_python():
    """Its load function waited for the GIL, with a lock for which a thread waited that had it: all
    that tests had loaded was there at once."""
    worker = snake.Worker()
    loading = threading.Thread(target=scaly.Tardy)
    loading.start()
    time.sleep(0.1)

    class New(ty.Numbered):
        def number(self):
            return 3

    assert worker.ask(New()) == 4
    loading.join()
