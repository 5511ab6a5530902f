"""Identity, types, exceptions and threads."""

import copy
import pickle
import threading

import pytest
import sidl
import snake
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


def test_types_that_are_not_to_be_made():
    with pytest.raises(TypeError, match="interface"):
        ty.Numbered()
    with pytest.raises(TypeError, match="takes no arguments"):
        ty.Item(1)


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


def test_exception_classes():
    assert issubclass(snake.Trouble, Exception) and issubclass(snake.Trouble, sidl.SIDLException)
    assert issubclass(sidl.CastException, sidl.RuntimeException)
    trouble = snake.Trouble("mine")
    assert str(trouble) == "mine" and trouble.getNote() == "mine"
    trouble.addLine("a line")
    assert "a line" in trouble.trace
    assert str(sidl.LangSpecificException()) == ""


def test_arguments_that_are_no_objects():
    with pytest.raises(TypeError, match="argument 'other' of snake.Worker.ask must be ty.Numbered"):
        snake.Worker().ask(1)
    with pytest.raises(TypeError, match="must be ty.Numbered, not Worker"):
        snake.Worker().ask(snake.Worker())


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
