"""Every type in every mode; the callees are in C, in C++ and in Python, here or elsewhere."""

import copy
import decimal
import gc
import math
import os
import pickle
import sys
import time
import weakref

import numpy as np
import pytest
import scaly as scaly_package
import shinar
import sidl
import snake
import ty
from conftest import Plain, make, relay_to


def test_basic_types(worker):
    given = (True, "a", -5, 2**40, 1.5, 2.5, 1 + 2j, 3 - 4j, "grüße", snake.Mood.calm)
    result = worker.basics(*given)
    assert result == (False, "b", -4, 2**40 + 1, 3.0, 5.0, -2 + 1j, 4 + 3j, "grüße!", 7)
    assert type(result[-1]) is snake.Mood
    assert worker.basics(*result)[-1] is snake.Mood.calm


@pytest.mark.parametrize(
    ("position", "value", "error", "text"),
    [
        (0, 1, TypeError, "argument 'b' of snake.Worker.basics must be bool, not int"),
        (1, "ab", ValueError, "'c' of snake.Worker.basics must be one character"),
        (2, 2**31, OverflowError, "'i' of snake.Worker.basics: 2147483648 is too large for int"),
        (2, 1.0, TypeError, "'i' of snake.Worker.basics must be int, not float"),
        (3, -(2**63) - 1, OverflowError, "too large for long"),
        (4, 1e300, OverflowError, "too large for float"),
        (5, "1", TypeError, "'d' of snake.Worker.basics must be double, not str"),
        (7, "1", TypeError, "must be dcomplex, not str"),
        (8, b"bytes", TypeError, "must be string, not bytes"),
        (8, "a\0b", ValueError, "must not contain a null character"),
        (4, 2**24 + 1, OverflowError, "'f' of .*: 16777217 has more digits than float can hold"),
        (4, np.int64(-(2**24) - 1), OverflowError, "more digits than float can hold"),
        (4, 10**60, OverflowError, "too large for float"),
        (5, 2**53 + 1, OverflowError, "more digits than double can hold"),
        (5, np.uint64(2**64 - 1), OverflowError, "more digits than double can hold"),
        (5, 10**400, OverflowError, "too large for double"),
        (5, decimal.Decimal("1e400"), OverflowError, "too large for double"),
        (7, 2**53 + 1, OverflowError, "more digits than dcomplex can hold"),
        (5, 1j, TypeError, "'d' of snake.Worker.basics must be double, not complex"),
        (4, np.complex64(1 + 2j), TypeError, "'f' of snake.Worker.basics must be float, not"),
        (5, np.complex128(1 + 2j), TypeError, "'d' of snake.Worker.basics must be double, not"),
        (5, np.array(1 + 2j), TypeError, "'d' of snake.Worker.basics must be double, not"),
        (5, np.array("1"), TypeError, "'d' of snake.Worker.basics must be double, not"),
        (9, 5, ValueError, "'m' of snake.Worker.basics: 5 is not a value of snake.Mood"),
    ],
)
def test_wrong_scalars_are_refused(worker, position, value, error, text):
    given = [True, "a", -5, 2**40, 1.5, 2.5, 1 + 2j, 3 - 4j, "text", snake.Mood.calm]
    given[position] = value
    with pytest.raises(error, match=text.replace("(", r"\(")):
        worker.basics(*given)


class Refusing:
    """Has the methods of a number, and raises something in each."""

    def __init__(self, error):
        self.error = error

    def __index__(self):
        raise self.error

    __float__ = __complex__ = __index__


NUMBERS = {2: "int", 3: "long", 4: "float", 5: "double", 6: "fcomplex", 7: "dcomplex"}


@pytest.mark.parametrize(("position", "kind"), [*NUMBERS.items(), (9, "snake.Mood")])
def test_what_only_looks_like_a_number(worker, position, kind):
    """A TypeError of its own says nothing of the call: it is the cause of one that does."""
    mine = TypeError("no number after all")
    for value in (np.arange(8), np.zeros((2, 2)), np.array(["1", "2"]), Refusing(mine)):
        given = [True, "a", -5, 2**40, 1.5, 2.5, 1 + 2j, 3 - 4j, "text", snake.Mood.calm]
        given[position] = value
        with pytest.raises(
            TypeError, match=f"of snake.Worker.basics must be {kind}, not"
        ) as caught:
            worker.basics(*given)
    assert caught.value.__cause__ is mine
    given[position] = Refusing(KeyError("not known yet"))
    with pytest.raises(KeyError, match="not known yet"):
        worker.basics(*given)


@pytest.mark.parametrize(
    "value",
    [2**53, np.int64(2**60), np.float32(0.5), np.array(7), np.array(0.5), decimal.Decimal("0.5")],
)
def test_what_a_double_holds(worker, value):
    given = [True, "a", -5, 2**40, 1.5, value, 1 + 2j, 3 - 4j, "text", snake.Mood.calm]
    assert worker.basics(*given)[5] == 2 * float(value)


def test_arguments_by_name(callee):
    x = np.arange(3.0)
    assert callee.dot(y=x, x=x, n=3) == 5.0
    assert callee.dot(x, n=3, y=x) == 5.0
    with pytest.raises(TypeError, match="needs the argument 'y'"):
        callee.dot(x, n=3)
    with pytest.raises(TypeError, match=r"dot\(\) takes 3 arguments; 4 were given"):
        callee.dot(x, x, 3, 4)
    with pytest.raises(TypeError, match=r"dot\(\) got the argument 'x' twice"):
        callee.dot(x, x, 3, x=x)


def test_misspelt_names(callee):
    x = np.arange(3.0)
    with pytest.raises(TypeError, match=r"fill\(\) has no argument 'mm': did you mean 'm'\?"):
        callee.fill(np.ones((2, 3), np.int32), mm=2, n=3)
    with pytest.raises(TypeError, match=r"dot\(\) has no argument 'length'$"):
        callee.dot(x, x, length=3)
    with pytest.raises(TypeError, match="has no argument 'dedline': did you mean 'deadline'"):
        callee.dot(x, x, 3, dedline=1)


def test_exceptions_bring_their_attributes(worker, item):
    """Without a word in SIDL about how: those of a class in Python, and of its parent."""
    item.setNumber(5)
    with pytest.raises(snake.Disaster, match="lost") as caught:
        worker.lose(7, item)
    text, shared, cause = caught.value.contents()
    same = snake.Loss()
    same.fill(7, item)
    assert text == same.contents()[0]
    assert "[0, 'one', (2.5, None, {'z': 1j})]" in text and str(2**80 + 7) in text
    assert shared.number() == 5
    assert type(cause) is snake.Trouble and str(cause) == "why"
    assert caught.value.size() == 49


def test_exceptions_as_objects(item):
    """By reference, like all results: what they say is asked of the process that has them."""
    loss = make(snake.Loss)
    loss.fill(7, item)
    cause = loss.contents()[2]
    assert str(cause) == "why" and isinstance(cause.trace, str)
    assert isinstance(cause, snake.Trouble)


@pytest.fixture
def no_collector():
    """It would find circles that stay for ever in a process that only waits."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Local:
    pass


def are_gone(refs):
    """What another thread has sent off it gives up a moment later."""
    for _ in range(1000):
        if not any(each() for each in refs):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("times", [1, 40])
def test_nobody_keeps_what_others_have_dealt_with(times, no_collector):
    """Python remembers what it raised, in case that it comes back; with all local variables. It
    noticed when the next exception came, or the next call, that this one had gone elsewhere."""

    class Stumbling(Plain):
        def number(self):
            local = Local()
            locals_of_frames.append(weakref.ref(local))
            raise ValueError("nobody hears of it")

    locals_of_frames = []
    relay = relay_to(Stumbling())
    assert all(relay.stumbles() for _ in range(times))
    assert len(locals_of_frames) == times and are_gone(locals_of_frames)


X = np.ones(1)
WAYS = {
    "called": lambda relay: relay.number(),
    "sent": lambda relay: relay.dot_send(X, X, 1).result(60),
    "one way": lambda relay: relay.note(1),
    "sent and given up": lambda relay: relay.dot_send(X, X, 1).cancel(),
}


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("way", WAYS)
def test_what_was_raised_goes_with_its_catcher(way, kind, no_collector):
    """Whichever way it went, in this process or to a server that called back."""

    class Stumbling(Plain):
        def number(self):
            local = Local()
            locals_of_frames.append(weakref.ref(local))
            raise kind("on purpose")

        def dot(self, x, y, n):
            return self.number()

        def note(self, number):
            self.number()

    locals_of_frames = []
    relay = relay_to(Stumbling())
    try:
        WAYS[way](relay)
    except (kind, sidl.LangSpecificException) as why:
        assert "on purpose" in str(why)
    relay.greet("you")  # after what goes one way; what the relay calls so may come after that
    end = time.monotonic() + 20
    while not locals_of_frames and "given up" not in way and time.monotonic() < end:
        time.sleep(0.01)
    assert are_gone(locals_of_frames)
    assert len(locals_of_frames) == 1 or "given up" in way


def test_structs(worker):
    one, two = snake.Words(1, "one", snake.Mood.angry), snake.Words(2, "two")
    result, o, io = worker.swap(one, two)
    assert (result, o, io) == (two, one, snake.Words(2, "one+", snake.Mood.angry))
    with pytest.raises(TypeError, match="argument 'w' of snake.Worker.swap must be snake.Words"):
        worker.swap(1, two)
    with pytest.raises(TypeError, match="argument 'w' .*, member 'count' must be int, not str"):
        worker.swap(snake.Words("1"), two)
    with pytest.raises(TypeError, match="'io' .*, member 'mood' must be snake.Mood, not numpy.nd"):
        worker.swap(one, snake.Words(1, "one", np.arange(8)))


def test_names_that_are_others_in_python(worker):
    given, io = worker.rename(1, 2, snake.Names(3, 4, 5, snake.Name.None__))
    assert (given.None_, given.None__, given.async_, given.await_) == (1, 2, 4, snake.Name.None__)
    assert (io.None_, io.None__, io.async_, io.await_) == (4, 3, 5, snake.Name.mro__)
    assert worker.rename(None__=2, None_=1, async_=snake.Names())[0] == snake.Names(1, 2, 0, 3)
    assert list(snake.Name) == [3, 4, 5, 6]
    with pytest.raises(TypeError, match=r"needs the argument 'None_'"):
        worker.rename(None__=2, async_=snake.Names())
    with pytest.raises(TypeError, match=r"has no argument 'None': did you mean 'None_'\?"):
        worker.rename(**{"None": 1}, None__=2, async_=snake.Names())


def test_arguments_have_the_names_that_they_have_in_python():
    """An underscore more was taken for the name without it."""
    near = snake.Worker.near
    assert near(a=1, a_=2) == near(a_=2, a=1) == near(1, a_=2) == near(1, 2) == 12
    for given in ({"a_": 1}, {"a": 1}, {"a": 1, "a__": 2}):
        with pytest.raises(TypeError, match="needs the argument|has no argument"):
            near(**given)
    with pytest.raises(TypeError, match=r"got the argument 'a' twice"):
        near(1, a=2)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="goes unnoticed")
def test_a_misspelt_member_is_an_error():
    words = snake.Words(1, "one")
    with pytest.raises(AttributeError, match="cuont"):
        words.cuont = 2
    assert pickle.loads(pickle.dumps(words)) == copy.deepcopy(words) == words


def test_objects_in_structs(worker, item):
    item.setNumber(3)
    inner = worker.inner(ty.Inner("name", item))
    assert inner.name == "name+"
    assert inner.item.number() == 4


def test_orders(callee):
    a = np.arange(6, dtype="i4").reshape(2, 3)
    for given in (a, np.asfortranarray(a), a.T.copy().T, a[::-1][::-1]):
        ok, o, io = callee.rows(given, given.copy(order="K"))
        assert ok
        assert np.array_equal(o, a) and np.array_equal(io, 2 * a)
    b = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    ok, o, io = callee.columns(b, b.copy(order="F"))
    assert ok
    assert np.array_equal(o, b) and np.array_equal(io, b + 1)


def test_arrays_of_strings_and_enums(callee):
    words = np.array([["a", "b"], ["c", "ü"]], dtype=object)
    assert np.array_equal(callee.strings(words), words)
    assert np.array_equal(callee.strings([["a"], [None]]), np.array([["a"], [None]], dtype=object))
    colors = np.array([[ty.Color.red, ty.Color.blue]])
    result, o, c = callee.colors(colors, ty.Color.red)
    assert np.array_equal(result, colors) and np.array_equal(o, colors)
    assert c is ty.Color.green


@pytest.mark.parametrize(
    "colors",
    [
        [[7]],
        np.array([[0, 5, 7]]),
        np.array([[0], [2**40]]),
        np.array([[0, 7, 5, 7]])[:, ::3],
        np.array([[-1]], "i1"),
        np.asfortranarray([[0, 5], [5, 4]]),
    ],
)
def test_what_is_no_value_of_the_enum(callee, colors):
    with pytest.raises(
        ValueError, match="an element of argument 'a' .* is not a value of ty.Color"
    ):
        callee.colors(colors, ty.Color.red)


@pytest.mark.parametrize(
    "colors",
    [[[5, 0]], np.array([[5]], "u1"), np.array([[0, 7, 5]])[:, ::2], np.ones((0, 2), "i8")],
)
def test_values_of_the_enum(callee, colors):
    assert np.array_equal(callee.colors(colors, ty.Color.red)[0], colors)


@pytest.mark.usefixtures("in_process")
def test_arrays_of_enums_in_structs():
    with pytest.raises(
        ValueError, match="element of .*member 'colors': 9 is not a value of ty.Color"
    ):
        ty.InC().every(ty.Full(colors=np.array([0, 9])), ty.Full())


@pytest.mark.skipif("TY_SERVER" in os.environ, reason="the method is local")
def test_a_struct_that_was_given_stays_as_it_was():
    """What comes back is another one, as it is from another process; that goes for its arrays."""
    io = ty.Full(matrix=np.ones((2, 2)), words=np.array(["word"], dtype=object), color=ty.Color.red)
    matrix = io.matrix
    _, _, changed = ty.InC().every(ty.Full(color=ty.Color.red), io)
    assert io.matrix is matrix and matrix.tolist() == [[1, 1], [1, 1]]
    assert changed.matrix.tolist() == [[2, 1], [1, 1]]


def test_characters_are_not_cut(callee):
    with pytest.raises(TypeError, match=r"array<> of one byte each, not an array of \|S5"):
        callee.same(np.array([b"a", b"hello"]))
    assert callee.same(np.array([b"a", b""], "S5")).tolist() == [b"a", b""]
    assert callee.same(np.array([b"a", b"b"])).tolist() == [b"a", b"b"]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        (np.array([2**53 + 1]), "more digits than array<double,1> can hold"),
        (np.array([-(2**63) + 1, 0]), "more digits"),
        (np.array([2**64 - 1], "u8"), "more digits"),
        ([0, 2**53 + 1], "more digits"),
        pytest.param(
            np.array([np.finfo(np.longdouble).max]),
            "an element is too large for array<double,1>",
            marks=pytest.mark.skipif(
                np.finfo(np.longdouble).max == np.finfo(float).max, reason="long double is double"
            ),
        ),
    ],
)
def test_numbers_that_double_does_not_hold(worker, numbers, text):
    with pytest.raises(OverflowError, match=f"argument 'a' of snake.Worker.keep: .*{text}"):
        worker.keep(numbers)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        (np.array([0.5, 1e300]), "an element is too large for array<float,3>"),
        (np.array([2**24 + 1], "i4"), "more digits than array<float,3> can hold"),
        (np.array([np.inf, -1e40]), "too large"),
    ],
)
def test_numbers_that_float_does_not_hold(callee, numbers, text):
    with pytest.raises(OverflowError, match=text):
        callee.add(np.resize(numbers, (2, 1, 2)), 2)


@pytest.mark.parametrize("given", [np.array([1, 2], "u8"), np.ones((2, 2), ">u8")])
def test_unsigned_numbers_are_no_addresses(callee, given):
    """They were taken for opaque values."""
    with pytest.raises(TypeError, match=r"'a' of .*: SIDL has no arrays of unsigned numbers; pass"):
        callee.same(given)
    assert callee.same(given.astype("int64")).tolist() == given.tolist()


def test_masks_are_not_lost(callee):
    """Masked elements were passed on as if they were none."""
    masked = np.ma.masked_array(np.ones((2, 2)), [[True, False], [False, False]])
    text = "is a masked array, and arrays of SIDL have no masks: pass what its filled\\(\\) makes"
    with pytest.raises(TypeError, match=f"'a' of .*{text}"):
        callee.same(masked)
    with pytest.raises(TypeError, match=f"'a' of .*{text}"):
        callee.columns(masked, np.ones((2, 2)))
    with pytest.raises(TypeError, match=f"'io' of .*{text}"):
        callee.columns(np.ones((2, 2)), masked)
    assert callee.same(masked.filled(7)).tolist() == [[7, 1], [1, 1]]
    assert callee.same(masked.data).tolist() == np.ones((2, 2)).tolist()


def test_complex_numbers_that_fcomplex_does_not_hold(callee):
    with pytest.raises(OverflowError, match="an element is too large for array<fcomplex,1>"):
        callee.kind(np.array([1, 1e300j]))


@pytest.mark.parametrize(
    "numbers",
    [
        np.array([2**53, -(2**62)]),
        np.array([2**64 - 2**11], "u8"),
        np.array([0.1], "f4"),
        np.array([0.5, np.inf], ">f8"),
    ],
)
def test_numbers_that_double_holds(worker, numbers):
    assert np.array_equal(worker.keep(numbers), numbers.astype(float))


def test_fractions_are_rounded(callee):
    total, _ = callee.add(np.full((2, 1, 2), 0.1), 2)
    assert abs(total - 0.4) < 1e-6


def test_generic_arrays(callee):
    kind, o, io = callee.anyKind(np.ones((2, 2)), np.array(["a"], dtype=object))
    assert kind == 204
    assert np.array_equal(o, np.ones((2, 2)))
    assert io.dtype == np.int64 and list(io) == [1, 2, 3]
    assert callee.sum(np.arange(4.0)) == 6.0
    assert callee.sum(np.arange(4)) == -1.0
    assert callee.same(None) is None


@pytest.mark.parametrize(
    ("elements", "kind"),
    [
        (["x", None], 110),
        ([None, "x"], 110),
        ([[None, None], [None, "x"]], 210),
        ([None, ty.Item], 111),
        ([None, None], 111),
        ([], 110),
    ],
)
def test_the_first_element_that_is_there_says_what_an_array_holds(callee, elements, kind):
    made = [each() if each is ty.Item else each for each in elements]
    found, o, _ = callee.anyKind(np.array(made, dtype=object), None)
    assert found == kind
    assert o.tolist() == made
    assert callee.anyKind(o, None)[0] == kind, "what SIDL gave can be handed on"


def test_arrays_of_objects(callee):
    items, square = callee.items(3)
    assert [each.number() for each in items] == [0, 1, 2]
    assert square.shape == (3, 3) and square[2, 1].number() == 2
    assert callee.total(items) == 3
    assert callee.total([None, items[2]]) == 2
    with pytest.raises(TypeError, match="an element of argument 'a' .* must be ty.Numbered"):
        callee.total([1])
    cube = np.array(items, dtype=object).reshape(3, 1, 1)
    result, o, io = callee.through(cube, [], items[2])
    assert [each.number() for each in result.flat] == [0, 1, 2]
    assert o.shape == (3, 1, 1)
    assert [each.number() for each in io] == [3]


def test_raw_arrays_begin_at_zero(callee):
    a = np.ones((2, 3), dtype="i4", order="F").view(shinar.Array)
    a.lower = (1, -2)
    assert callee.fill(a, 2, 3) is a
    assert a.tolist() == [[10, 9, 8], [11, 10, 9]] and a.lower == (1, -2)


def test_raw_arrays(callee):
    x = np.arange(4.0)
    assert callee.dot(x, x, 4) == 14.0
    assert callee.dot(x[::2], x[::2], 2) == 4.0
    a = np.arange(6, dtype="i4").reshape(2, 3)
    i, j = np.indices(a.shape)
    assert np.array_equal(callee.fill(a, 2, 3), 10 * np.arange(6).reshape(2, 3) + i - j)
    z = np.ones((3, 3), dtype=complex)
    assert np.array_equal(callee.scale(z, 2, 2, 2j), np.full((3, 3), 2j))
    total, count = callee.add(np.ones((2, 1, 2), dtype="f4"), 2)
    assert (total, count) == (4.0, 4)
    assert callee.kind(np.ones(2, dtype="c8")) == "array"
    assert callee.kindRaw(np.ones(2, dtype="c8"), 2) == "raw"
    with pytest.raises(sidl.RuntimeException, match="x|y"):
        callee.dot(x, x, 5)


def test_strings(callee):
    assert callee.text("text", "io")[0] == "text"
    assert callee.text("", "")[0] == ""


def test_bytes_that_are_no_text(callee):
    """What came in as bytes goes out as the same bytes, whoever keeps it."""
    odd = b"caf\xe9".decode(errors="surrogateescape")
    assert callee.text(odd, odd)[0] == odd
    with pytest.raises(ValueError, match="argument 'a' of .*text contains a surrogate"):
        callee.text("\ud800", "")


def test_bounds(callee):
    """They come and go with arrays; what NumPy makes of an array has none."""
    for given in (np.arange(4.0), np.array([True, False]), np.array(["a", "b"], dtype=object)):
        bounded = given.view(shinar.Array)
        bounded.lower = (-1,)
        same = callee.same(bounded)
        assert same.lower == (-1,) and np.array_equal(same, given)
        assert same[1:].lower is None and (same == same).lower is None
        assert type(callee.same(same[:])) is np.ndarray
    with pytest.raises(ValueError, match="argument 'a' of .* must have 1 to 7 dimensions, not 8"):
        callee.same(np.zeros(8 * (1,)))


@pytest.mark.parametrize("elements", [[1, 2, 3, 4], [True, False, True, False], []])
def test_bounds_that_sidl_does_not_have(callee, elements):
    """Indices of SIDL are between -2^62 and 2^62, the highest ones as well, and those of no
    elements, whose upper bound is below the lower one."""
    bounded = np.array(elements, dtype=bool if elements[:1] == [True] else np.int32)
    bounded = bounded.view(shinar.Array)
    lowest, highest = -(2**62) + (not elements), 2**62 - max(len(elements) - 1, 0)
    for fits in (lowest, highest, np.int64(7)):
        bounded.lower = (fits,)
        assert callee.same(bounded).lower == (fits,)
    for outside in (lowest - 1, highest + 1, 2**64, -(2**63)):
        bounded.lower = (outside,)
        with pytest.raises(OverflowError, match=rf"argument 'a' .* cannot begin at {outside}"):
            callee.same(bounded)
    for nonsense in (("a",), (1.5,), 3, (None,)):
        bounded.lower = nonsense
        with pytest.raises(TypeError, match="lower must be a sequence of ints, not "):
            callee.same(bounded)
    with pytest.raises(IndexError, match="out of bounds"):
        bounded[len(elements)]


def test_order_of_what_is_converted(callee):
    for order in "CF":
        words = np.array([["a", "b"], ["c", "d"]], dtype=object, order=order)
        same = callee.same(words)
        assert np.array_equal(same, words)
        assert same.flags.c_contiguous == words.flags.c_contiguous


def test_objects_by_value(callee):
    v, io = ty.Value(), ty.Value()
    v.set(4)
    io.set(10)
    result, io = callee.twice(v, io)
    assert (result.get(), io.get()) == (8, 11)


def test_oneway(callee):
    callee.note(3)
    callee.note(4)
    for _ in range(500):  # a server that relays has a thread for each call: they have no order
        if callee.noted() == 7:
            break
        time.sleep(0.02)
    assert callee.noted() == 7


def test_exceptions(callee):
    a = np.zeros((1, 1), dtype="i4")
    with pytest.raises(sidl.SIDLException) as caught:
        callee.fail(a, a)
    assert str(caught.value) == "on purpose"
    assert caught.value.args == ("on purpose",)
    assert isinstance(caught.value.trace, str)


def test_exceptions_of_python(worker):
    with pytest.raises(snake.Trouble, match="on purpose") as caught:
        worker.stumble("snake")
    assert "snake.py" in caught.value.trace or "stumble" in caught.value.trace


def test_exceptions_say_where_and_why(worker):
    """Those of SIDL that are raised in Python, too."""
    with pytest.raises(snake.Trouble) as caught:
        worker.stumble("for a reason")
    lines = caught.value.trace.splitlines()
    assert "Worker_Impl.py" in lines[0] and "stumble" in lines[0]
    cause = lines.index("caused by:")
    assert "KeyError: 'nowhere'" in lines[cause:] and "Traceback" in lines[cause + 1]
    assert "in snake.Worker.stumble (Python)" in lines or "in stumble (Python)" in lines


def test_exceptions_of_python_for_others(worker, on_server):
    """What is no SIDL type arrives with Python's own trace."""
    with pytest.raises(sidl.LangSpecificException, match="ValueError: no such value") as caught:
        worker.stumble("value")
    assert "Worker_Impl.py" in caught.value.trace and "Traceback" in caught.value.trace


def test_objects_here_and_there(worker, item):
    item.setNumber(41)
    assert worker.ask(item) == 42


def test_calls_back(worker, in_process):
    here = ty.Item()
    here.setNumber(1)
    assert worker.ask(here) == 2


def test_extending_another_language():
    from conftest import make

    odd = make(snake.Odd)
    odd.setNumber(5)
    assert odd.number() == 1005
    assert isinstance(odd, ty.Item) and isinstance(odd, ty.Numbered)


def test_extending_python_in_cxx():
    """C++ overrides what Python implements, and calls it; Python sees what C++ did."""
    from conftest import make

    scaly = make(scaly_package.Scaly)
    assert isinstance(scaly, snake.Worker)
    assert scaly.later(deadline=1) == 102
    item = make(ty.Item)
    item.setNumber(20)
    assert scaly.ask(item) == 42
    assert type(scaly.me()) is scaly_package.Scaly and scaly.me() == scaly
    with pytest.raises(snake.Trouble, match="on purpose"):
        scaly.stumble("snake")


def test_bools(worker):
    a = np.array([True, False])
    assert list(worker.flip(a)) == [False, True]
    assert math.isclose(worker.keep([1, 2.5])[1], 2.5)


def test_static_methods():
    assert snake.Worker.answer() == 42
