"""Inout arrays: what the caller gave is changed, wherever the object is and whatever is converted
on the way. (That of every type, language and place: tests/matrix/languages/from_python.py.)"""

import array

import numpy as np
import pytest
import scaly
import shinar
import snake
import ty
from conftest import Plain, make, relay_to


def columns(callee, io):
    """Adds 1 to each element of `io`, or multiplies it."""
    ok, _, returned = callee.columns(np.ones((2, 2), order="F"), io)
    assert ok
    return returned


def start(dtype=float, order="F"):
    return np.array([[1, 2], [3, 4]], dtype, order=order)


@pytest.fixture
def wanted(callee):
    """What becomes of start()."""
    return columns(callee, start()).tolist()


def strided():
    backing = np.zeros((4, 6))
    backing[::2, ::3] = start()
    return backing[::2, ::3]


def unaligned():
    raw = np.zeros(33, np.uint8)[1:].view(float).reshape(2, 2)
    raw[...] = start()
    assert not raw.flags.aligned
    return raw


ARRAYS = {
    "columns": start,
    "rows": lambda: start(order="C"),
    "strided": strided,
    "reversed": lambda: np.ascontiguousarray(start()[::-1, ::-1])[::-1, ::-1],
    "float32": lambda: start(np.float32),
    "other bytes": lambda: start(">f8"),
    "unaligned": unaligned,
    "a list": lambda: [[1.0, 2.0], [3.0, 4.0]],
    "a list of rows": lambda: [np.array([1.0, 2.0]), [3.0, 4.0]],
}


@pytest.mark.parametrize("kind", ARRAYS)
def test_it_is_changed_and_returned(callee, wanted, kind):
    io = ARRAYS[kind]()
    assert columns(callee, io) is io
    assert np.array(io, float).tolist() == wanted
    assert wanted != start().tolist()


def test_by_parts(callee):
    """Given in halves it is changed when the answer is taken in."""
    io = np.arange(6, dtype=np.int32).reshape(2, 3, order="F")
    pending = callee.fill_send(io, 2, 3)
    assert pending.result(60) is io
    once = io.copy()
    assert callee.fill(io, 2, 3) is io
    assert not np.array_equal(once, np.arange(6).reshape(2, 3, order="F"))


def test_other_integers(callee):
    io = np.arange(6, dtype=np.int64).reshape(2, 3)
    same = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert callee.fill(io, 2, 3) is io
    assert callee.fill(same, 2, 3).tolist() == io.tolist()


def test_other_buffers(callee):
    """What is no array of NumPy, and gives its memory."""
    plain = array.array("d", [1, 2, 3, 4])
    io = memoryview(plain).cast("B").cast("d", (2, 2))
    assert columns(callee, io) is io
    assert plain.tolist() == np.ravel(columns(callee, start(order="C"))).tolist()


def test_what_cannot_be_changed(callee):
    """It is refused before anything is called."""
    fixed = start()
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="'io' of .*columns is inout, and the array is read-only"):
        columns(callee, fixed)
    with pytest.raises(TypeError, match="must be an array or a list to be changed, not tuple"):
        columns(callee, ((1.0, 2.0), (3.0, 4.0)))
    with pytest.raises(TypeError, match="an array of int64 cannot hold all that array<double,2>"):
        columns(callee, start(np.int64))
    with pytest.raises(TypeError, match="an array of int8 cannot hold all that array<int,2>"):
        callee.fill(np.zeros((2, 3), np.int8), 2, 3)


def test_replaced_by_another_array(callee):
    """The implementation makes a new one of the same shape: that comes back in the caller's."""
    io = np.array([[1, 2], [3, 4]], np.int32)
    assert callee.rows(np.ones((2, 2), np.int32), io)[2] is io
    assert io.tolist() == [[2, 4], [6, 8]]


def test_what_else_came_back_stays():
    """The caller's array may come back as another value than that which it is changed to."""
    x = np.arange(4.0)
    before, after = relay_to(Plain()).turn(x)
    assert before.tolist() == [0, 1, 2, 3]
    assert after is x and x.tolist() == [3, 2, 1, 0]


class Huge(Plain):
    def columns(self, a, io):
        return True, a, io * 1e300


def test_numbers_that_are_too_large_for_it():
    """They are known only when the method has run; then nothing is changed."""
    relay = relay_to(Huge())
    io = start(np.float32)
    with pytest.raises(
        OverflowError, match="came back for argument 'io' of .* too large for .* float32"
    ):
        columns(relay, io)
    assert io.tolist() == start().tolist()
    infinite = start(np.float32) * np.float32(np.inf)
    assert np.isinf(columns(relay, infinite)).all()
    assert columns(relay, start()).tolist() == (start() * 1e300).tolist()


@pytest.mark.parametrize("given", [start(), np.zeros(3), [[1.0, 2.0], [3.0, 4.0]]])
def test_replaced_by_something_else(callee, given):
    """What has another shape or type is returned; the caller's stays as it was."""
    before = np.array(given).tolist()
    returned = callee.anyKind(np.ones(2), given)[2]
    assert returned.shape == (3,) and returned.dtype == np.int64
    assert returned is not given and np.array(given).tolist() == before


class Echo(Plain):
    """Gives back what it got for the inout argument, for the out argument as well."""

    def turn(self, x):
        return x, x

    def columns(self, a, io):
        return True, io, io

    def anyKind(self, a, io):
        return io.ndim, io, io


class Replacing(Plain):
    """Gives back what it got as another value, and a new array for it."""

    def anyKind(self, a, io):
        new = io[::-1].copy().view(shinar.Array)
        new.lower = getattr(io, "lower", None)
        return io.ndim, io, new


def with_bounds(made, first=-3):
    result = made.view(shinar.Array)
    result.lower = tuple(range(first, first + made.ndim))
    return result


def elements(dtype, shape):
    if dtype is ty.Item:
        made = np.empty(shape, object)
        made.flat[:] = [ty.Item() for _ in range(made.size)]
        return made
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [">f8", ">f4", ">i4", ">i8", ">c16", ">c8", "list"])
def test_any_type_in_other_bytes(dtype):
    """It was taken for an array of another type, and not changed."""
    values = ["a", "b", "c"] if dtype == "list" else [1, 2, 3]
    io = values[:] if dtype == "list" else np.array(values, dtype)
    assert relay_to(Replacing()).anyKind(np.ones(1), io)[2] is io
    assert list(io) == values[::-1]


TYPES = ["?", "S1", "c16", "f8", "c8", "f4", "i4", "i8", "str", ty.Item]
LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "slice": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "reversed": lambda array: array[::-1],
}


@pytest.mark.parametrize("kind", [Echo, Replacing])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_bounds_of_what_comes_back_twice(dtype, layout, kind):
    """That which is not the caller's array lost them: bounds were only tested with methods whose
    values are different arrays."""
    relay = relay_to(kind())
    for dimension in range(1, 8):
        made = elements(dtype, (2,) * dimension)
        io = with_bounds(LAYOUTS[layout](made.astype(object) if dtype == "str" else made))
        before = io.tolist()
        _, o, returned = relay.anyKind(np.ones(1), io)
        assert returned is io and io.lower == o.lower == tuple(range(-3, dimension - 3))
        assert o.tolist() == before
        assert io.tolist() == (before if kind is Echo else before[::-1])


CALLEES = {
    "in Python": snake.Worker,
    "in C": ty.InC,
    "in C++, over Python": scaly.Scaly,
    "plain": lambda: relay_to(Echo()),
}


@pytest.mark.parametrize("callee", CALLEES)
@pytest.mark.parametrize("order", "CF")
def test_the_same_array_for_two_arguments(callee, order):
    """It is one, and what is given back of it is, too."""
    x = with_bounds(start(order=order))
    ok, o, io = CALLEES[callee]().columns(x, x)
    assert ok and io is x and x.lower == o.lower == (-3, -2)
    assert x.tolist() == ([[2, 3], [4, 5]] if callee != "plain" else start().tolist())


@pytest.mark.parametrize("callee", CALLEES)
def test_bounds_through_another_order(callee):
    """The method sees a copy in the order that it wants."""
    x = with_bounds(start(np.int32))
    pending = CALLEES[callee]().rows_send(x, x)
    for o, io in pending.result(60)[1:], CALLEES[callee]().rows(x, x)[1:]:
        assert io is x and x.lower == (-3, -2)
        assert not np.may_share_memory(o, io)


def test_what_comes_back_twice():
    """The array that was given is the caller's, and nobody else's."""
    x = np.arange(4.0)
    before, after = relay_to(Echo()).turn(x)
    assert after is x and before.tolist() == x.tolist()
    assert not np.shares_memory(before, x)


class Dealer(scaly.Trades):
    """As scaly.Trader in C++, without a copy where one would not expect to need one."""

    kept_one = None

    def trade(self, a):
        before, self.kept_one = self.kept_one, a
        return a if before is None else before

    def kept(self):
        return self.kept_one

    def swap(self, stall, a):
        goods = stall.goods
        stall.goods = a
        return stall, goods

    def stock(self, a, b):
        return b.copy(), scaly.Stall(goods=a)

    def tradePart(self, a):
        self.kept_one = a[1:]
        return a[::-1].copy()

    def fail(self, a):
        self.kept_one = a
        raise ValueError("no trade")

    def rotate(self, a, b, c, inPlace):
        if not inPlace:
            return b, c, a
        a[:], b[:], c[:] = b.copy(), c.copy(), a.copy()
        return a, b, c


@pytest.fixture(params=["cxx", "plain"])
def trader(request):
    """Keeps what it gets and gives back another array, which is written into the caller's: into
    memory that it would still have had if that were not lent."""
    trader = make(scaly.Trader)
    if request.param == "plain":
        trader.to(Dealer())
    return trader


def goods(first, count=3, dtype=float):
    return np.arange(first, first + count).astype(dtype)


def test_what_is_kept_is_not_written_to(trader):
    for first in (1, 21, 41):
        a = goods(first)
        assert trader.trade(a) is a
        assert a.tolist() == goods(max(1, first - 20)).tolist()
        assert trader.kept().tolist() == goods(first).tolist()
        a[...] = 0
        assert trader.kept().tolist() == goods(first).tolist(), "it is the callee's own"


@pytest.mark.parametrize(
    "given",
    [
        lambda: np.arange(1.0, 7)[::2],
        lambda: goods(1, dtype="f4"),
        lambda: goods(1, dtype=">f8"),
        lambda: goods(1).tolist(),
        lambda: array.array("d", goods(1)),
    ],
    ids=["strided", "float32", "other bytes", "a list", "a buffer"],
)
def test_what_is_kept_of_any_kind(trader, given):
    trader.trade(goods(21))
    a = given()
    first = np.array(a, float).tolist()
    assert trader.trade(a) is a
    assert np.array(a, float).tolist() == goods(21).tolist()
    assert trader.kept().tolist() == first


def test_what_is_kept_in_a_struct(trader):
    a = goods(1)
    stall, back = trader.swap(scaly.Stall(goods=goods(21)), a)
    assert back is a and a.tolist() == goods(21).tolist()
    assert stall.goods.tolist() == goods(1).tolist()


def test_what_becomes_an_out_value(trader):
    a, b = goods(1), goods(21)
    back, stall = trader.stock(a, b)
    assert back is a and a.tolist() == b.tolist()
    assert stall.goods.tolist() == goods(1).tolist()


def test_what_is_kept_of_a_part(trader):
    a = goods(1)
    assert trader.tradePart(a) is a
    assert a.tolist() == [3, 2, 1]
    assert trader.kept().tolist() == [2, 3]


def test_what_is_kept_by_a_call_that_fails(trader):
    a = goods(1)
    with pytest.raises(Exception, match="no trade"):
        trader.fail(a)
    assert a.tolist() == goods(1).tolist()
    a[...] = 0
    assert trader.kept().tolist() == goods(1).tolist()
