"""Identity, types, exceptions and threads."""

import copy
import dataclasses
import math
import pickle
import threading

import numpy as np
import pytest
import scaly
import shinar
import sidl.io
import sidl.rmi
import snake
import snake.Candle_Impl
import ty


def test_identity():
    worker = snake.Worker()
    again = worker.me()
    assert again == worker and hash(again) == hash(worker) and again is not worker
    assert worker != snake.Worker() and worker != 1
    assert worker.isSame(again) and worker.isType("ty.Orders")
    assert repr(worker).startswith("<snake.Worker at ")


def test_most_derived_type():
    assert type(snake.Worker().me()) is snake.Worker
    odd = snake.Odd()
    odd.setNumber(1)
    items = ty.InCxx().through([[[odd]]], [odd], None)[2]
    assert type(items[0]) is snake.Odd and items[0] == odd
    assert type(items[1]) is ty.Item


def test_constructors_call_methods():
    assert shinar.implementation_of(snake.Odd()).at_first == 1000


def test_types_that_are_not_to_be_made():
    with pytest.raises(TypeError, match="interface"):
        ty.Numbered()
    with pytest.raises(
        TypeError, match=r"takes no arguments \(Item.create\(url\) creates one on a server"
    ):
        ty.Item(1)
    for make in (ty.Item._create, ty.Item.create):
        with pytest.raises(TypeError, match=r"0 arguments .*; Item\(\) creates one here"):
            make()


def test_a_class_of_the_user():
    class Mine(ty.Item):
        def __init__(self, number):
            self.setNumber(number)

    assert Mine(3).number() == 3


def test_python_exceptions_come_back():
    with pytest.raises(ValueError, match="no such value"):
        snake.Worker().stumble("value")
    with pytest.raises(NotImplementedError):
        snake.Worker().stumble("other")


def test_python_exceptions_come_back_through_another_language():
    odd = snake.Odd()
    odd.setNumber(-13)
    with pytest.raises(ZeroDivisionError) as caught:
        ty.InCxx().total([odd])  # in C++, which asks for the number
    names = [frame.name for frame in caught.traceback]
    assert "number" in names


def test_structs_and_enums_can_be_kept():
    words = snake.Words(1, "one", snake.Mood.angry)
    for again in (pickle.loads(pickle.dumps(words)), copy.copy(words), copy.deepcopy(words)):
        assert again == words and type(again.mood) is snake.Mood


def test_structs_are_compared():
    """Those with arrays were not to be compared: "the truth value of an array is ambiguous"."""

    def mesh(edges=(1.0, 2.0), **changes):
        return dataclasses.replace(ty.Mesh(3, np.array(edges), label="m"), **changes)

    assert mesh() == mesh() and (mesh() != mesh()) is False
    assert mesh() == mesh(edges=[1.0, 2.0])
    assert mesh() not in [mesh((1.0, 3.0)), mesh((1.0,)), mesh(label="n"), mesh([[1.0, 2.0]])]
    empty = dataclasses.replace(mesh(), edges=None)
    assert mesh() != empty and empty != mesh() and empty == copy.deepcopy(empty)
    assert mesh((1.0, math.nan)) != mesh((1.0, math.nan))
    assert mesh() != 1 and mesh() != snake.Words()
    assert scaly.Stall(goods=np.ones(2)) == scaly.Stall(goods=np.ones(2)) != scaly.Stall()
    with pytest.raises(TypeError, match="unhashable"):
        hash(mesh())


def test_copies():
    """Values and arrays of every kind, objects by reference and by value."""
    item, inside = ty.Item(), ty.Value()
    inside.set(3)
    case = snake.Suitcase()
    case.fill(5, item, inside)
    for again in (copy.copy(case), copy.deepcopy(case)):
        assert type(again) is snake.Suitcase and again != case
        text, shared, own = again.contents()
        assert text == case.contents()[0]
        assert shared == item, "by reference"
        assert own != inside and own.get() == 3, "by value"
        again.fill(6, None, None)
    assert case.contents()[1:] == (item, inside)
    nested = snake.Suitcase()
    nested.fill(1, None, case)
    assert copy.copy(nested).contents()[2].contents()[2].get() == 3


def test_copies_of_exceptions():
    trouble = snake.Trouble("mine")
    trouble.addLine("a line")
    again = copy.copy(trouble)
    assert type(again) is snake.Trouble and again is not trouble
    assert str(again) == "mine" and again.trace == trouble.trace


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("kind", "'wrong' is unpacked as long, but was packed as int"),
        ("more", "there is no value 'wrong': unpackObj unpacks more than packObj has packed"),
        ("elements", "'wrong' is unpacked as an array of a different element type"),
    ],
)
def test_copies_that_fail(how, why):
    case = snake.Suitcase()
    case.confuse(how)
    with pytest.raises(sidl.io.IOException, match=why):
        copy.copy(case)


def test_what_cannot_be_copied():
    with pytest.raises(TypeError):
        copy.copy(ty.Item())
    case = snake.Suitcase()
    case.fill(1, None, case)
    with pytest.raises(sidl.io.IOException, match="objects by value are nested more than 64 deep"):
        copy.copy(case)


def test_exception_classes():
    assert issubclass(snake.Trouble, Exception) and issubclass(snake.Trouble, sidl.SIDLException)
    assert issubclass(sidl.CastException, sidl.RuntimeException)
    trouble = snake.Trouble("mine")
    assert str(trouble) == "mine" and trouble.getNote() == "mine"
    trouble.addLine("a line")
    assert "a line" in trouble.trace
    assert str(sidl.LangSpecificException()) == ""
    nothing = snake.Trouble(None)  # which was "None" until it had been elsewhere
    assert str(nothing) == "" and nothing.getNote() == ""


def test_arguments_that_are_no_objects():
    with pytest.raises(TypeError, match="argument 'other' of snake.Worker.ask must be ty.Numbered"):
        snake.Worker().ask(1)
    with pytest.raises(TypeError, match="must be ty.Numbered, not snake.Worker"):
        snake.Worker().ask(snake.Worker())
    implementation = shinar.implementation_of(snake.Worker())
    with pytest.raises(
        TypeError, match="not Worker_Impl, which implements one: pass on its `this`"
    ):
        snake.Worker().ask(implementation)


def test_documentation():
    assert ty.Item.setNumber.__text_signature__ == "($self, number)"
    assert "Items that are alive" in ty.Item.alive.__doc__
    assert ty.Numbered.__doc__ == "An object with a number."
    assert ty.Item.__module__ == "ty"


def test_threads():
    worker = snake.Worker()
    wrong = []

    def ask(number):
        item = snake.Odd()
        for i in range(50):
            item.setNumber(number + i)
            if worker.ask(item) != number + i + 1001:
                wrong.append(i)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


class Told(snake.Counter):
    def __init__(self):
        self.steps = []

    def read(self, step):
        self.steps.append(step)
        return 0


def use_kept():
    """Uses what has been kept of an object that is no more: its implementation, and a reference."""
    kept, this = snake.Candle_Impl.KEPT[-2:]
    snake.Candle_Impl.KEPT.clear()
    for call in (
        lambda: this.read(1),
        lambda: snake.Reader().count(this),
        lambda: snake.Counter._cast(this).read(1),
    ):
        with pytest.raises(sidl.rmi.ObjectDoesNotExistException, match="destroyed"):
            call()
    for get in lambda: kept.this, lambda: kept.super.isType("snake.Candle"):
        with pytest.raises(ValueError, match="destroyed"):
            get()
    assert this.isType("snake.Candle")
    this.close()


def test_destructors_use_their_objects():
    """The object's methods were refused in its destructor, and what it kept was freed memory."""
    told = Told()
    candle = snake.Candle()
    candle.atEnd(told)
    del candle
    assert told.steps == [11 + 11]
    use_kept()


def test_constructors_that_fail_keep_nothing():
    snake.Candle.fail(True)
    try:
        with pytest.raises(ValueError, match="no light"):
            snake.Candle()
    finally:
        snake.Candle.fail(False)
    use_kept()
