"""Inout arrays of one call that share memory: each is changed as if it were alone, here and on a
server. Where that makes them differ, what the last one becomes is there in the end."""

import array

import numpy as np
import pytest
import scaly
import shinar
from conftest import make
from shinar import _arrays
from test_inout import Dealer


@pytest.fixture(params=["cxx", "plain"])
def trader(request):
    trader = make(scaly.Trader)
    if request.param == "plain":
        trader.to(Dealer())
    return trader


def memory():
    return np.arange(1.0, 13)


def same_list(base):
    x = base[:4].tolist()
    return x, x, [21.0, 22, 23, 24]


def same_buffer(base):
    x = array.array("d", base[:4])
    return x, x, array.array("d", [21.0, 22, 23, 24])


ARGUMENTS = {
    "one twice": lambda b: (b[:4],) * 2 + (b[6:10],),
    "one thrice": lambda b: (b[:4],) * 3,
    "the last again": lambda b: (b[:4], b[6:10], b[:4]),
    "two views of one": lambda b: (b[:4], b[:4], b[6:10]),
    "shifted": lambda b: (b[:4], b[1:5], b[2:6]),
    "shifted back": lambda b: (b[2:6], b[1:5], b[:4]),
    "a chain": lambda b: (b[:4], b[3:7], b[6:10]),
    "reversed": lambda b: (b[:4], b[3::-1], b[6:10]),
    "interleaved": lambda b: (b[:8:2], b[1:8:2], b[8:]),
    "across": lambda b: (b[::3], b[:4], b[1::3]),
    "other bytes": lambda b: (b.view(">f8")[:4], b[:4], b[2:6]),
    "other bytes later": lambda b: (b[:4], b.view(">f8")[:4], b[2:6]),
    "a list twice": same_list,
    "a buffer twice": same_buffer,
}


def expected(x, y, z):
    """The rotated values are written one after the other; a value that the next write changes is
    returned as it was."""
    values = [np.array(each, float) for each in (y, z, x)]
    returned = [each.tolist() for each in values]
    for to, value in zip((x, y, z), values):
        to[:] = value if isinstance(to, np.ndarray) else type(to)(*TYPE.get(type(to), ()), value)
    return returned


TYPE = {array.array: ("d",)}


@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "by arrays"])
@pytest.mark.parametrize("kind", ARGUMENTS)
def test_each_is_changed_alone(trader, kind, in_place):
    model, base = memory(), memory()
    wanted = ARGUMENTS[kind](model)
    values = expected(*wanted)
    for call in (trader.rotate, lambda *all: trader.rotate_send(*all).result(60)):
        base[:] = memory()
        given = ARGUMENTS[kind](base)
        returned = call(*given, in_place)
        assert base.tolist() == model.tolist()
        assert [list(each) for each in given] == [list(each) for each in wanted]
        assert [list(each) for each in returned] == values
        assert returned[2] is given[2]
        if kind == "interleaved":  # they share no element
            assert all(came is went for came, went in zip(returned, given))


def test_lists_in_two_lists():
    """What is returned for the first is not what becomes of the second."""
    row = [1.0, 2.0]
    first, second = [row, [3.0, 4.0]], [row, [5.0, 6.0]]
    results = ["other", first, second + 10 * np.ones((2, 2))]
    _arrays.write_back(second, 2, results, False, "it")
    assert results == ["other", [[1.0, 2.0], [3.0, 4.0]], second]
    assert results[2] is second and second == [[11.0, 12.0], [15.0, 16.0]]
    assert first[0] is row and row == [11.0, 12.0]


def test_strict_refuses_the_copy(trader):
    base = memory()
    with pytest.raises(
        TypeError, match="'b' of .*rotate would have to be copied, because it shares"
    ):
        trader.rotate(base[:4], base[1:5], base[6:10], True, strict=True)
    assert base.tolist() == memory().tolist()
    matrix = memory().reshape(4, 3)  # whose columns share none
    with shinar.strict_arrays():
        trader.rotate(*matrix.T, False)
    assert matrix.T.tolist() == memory().reshape(4, 3).T[[1, 2, 0]].tolist()
