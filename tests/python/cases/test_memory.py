"""What is the same memory, who owns it, and how long."""

import array
import gc
import weakref

import numpy as np
import pytest
import shinar
import snake
import ty


def address(a):
    return a.__array_interface__["data"][0]


@pytest.mark.parametrize("maker", [ty.InC, ty.InCxx, snake.Worker])
@pytest.mark.parametrize("order", ["C", "F", "stride", "offset", "reverse"])
def test_nothing_is_copied(maker, order):
    a = np.arange(24.0).reshape(4, 6)
    view = {
        "C": a,
        "F": np.asfortranarray(a),
        "stride": a[::2, ::3],
        "offset": a[1:, 2:],
        "reverse": a[::-1, ::-1],
    }[order]
    same = maker().same(view)
    assert address(same) == address(view)
    assert same.strides == view.strides and same.shape == view.shape


def test_in_place():
    a = np.ones((2, 2), order="F")
    ok, o, io = ty.InCxx().columns(a, a)
    assert io is a
    assert address(o) == address(a)
    assert np.array_equal(a, np.full((2, 2), 2.0))


def test_a_view_keeps_its_memory():
    worker = snake.Worker()
    kept = worker.keep(np.arange(1000.0))
    del worker
    gc.collect()
    assert kept[999] == 999.0 and kept.sum() == 499500.0


def test_the_callee_keeps_its_argument():
    worker = snake.Worker()
    a = np.arange(5.0)
    worker.keep(a)
    where = address(a)
    gone = weakref.ref(a)
    del a
    gc.collect()
    assert address(worker.kept()) == where and list(worker.kept()) == [0, 1, 2, 3, 4]
    del worker
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    "given",
    [
        np.frombuffer(np.arange(4.0).tobytes()),
        np.arange(4.0, dtype=">f8"),
        np.arange(4, dtype="f4"),
        np.arange(4),
        np.zeros(4, dtype=[("a", "i1"), ("x", "f8")])["x"] + 0 * 1j.real,
        [0, 1, 2, 3],
        array.array("d", [0, 1, 2, 3]),
        memoryview(array.array("d", [0, 1, 2, 3])),
    ],
    ids=["read-only", "byte order", "float", "long", "record", "list", "array", "memoryview"],
)
def test_other_arrays_are_copied_if_they_must(given):
    result = ty.InCxx().columns(np.reshape(given, (2, 2), order="F"), np.zeros((2, 2)))[1]
    assert np.array_equal(result, np.reshape(given, (2, 2), order="F"))


def test_the_buffer_protocol_shares():
    given = array.array("d", [1, 2, 3])
    assert snake.Worker().keep(given)[0] == 1.0
    worker = snake.Worker()
    worker.keep(given)
    given[0] = 7.0
    assert worker.kept()[0] == 7.0


class OnlyDlpack:
    def __init__(self, a):
        self._a = a

    def __dlpack__(self, **options):
        return self._a.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._a.__dlpack_device__()


def test_dlpack():
    assert list(snake.Worker().keep(OnlyDlpack(np.arange(3.0)))) == [0, 1, 2]


def test_strict():
    worker = snake.Worker()
    with shinar.strict_arrays():
        assert list(worker.keep(np.arange(3.0))) == [0, 1, 2]
        with pytest.raises(TypeError, match="would have to be copied"):
            worker.keep([1.0])
        with pytest.raises(TypeError, match="would have to be copied"):
            worker.keep(np.frombuffer(np.arange(4.0).tobytes()))
    assert list(worker.keep([1.0])) == [1.0]
    assert list(worker.keep(np.arange(3.0), strict=True)) == [0, 1, 2]
    with pytest.raises(TypeError, match="would have to be copied"):
        worker.keep([1.0], strict=True)
    with shinar.strict_arrays():
        assert list(worker.keep([1.0], strict=False)) == [1.0]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (np.ones((2, 2)), "must be array<double,1>, not an array of 2 dimensions"),
        (np.array([1j]), "must be array<double,1>, not an array of complex128"),
        ("text", "must be array<double,1>, not str"),
        (1.0, "must be array<double,1>, not float"),
        ({1: 2.0}, "must be array<double,1>, not dict"),
        ([1.0, [2.0]], "argument 'a' of .* must be array<double,1>: .*inhomogeneous"),
    ],
)
def test_wrong_arrays_are_refused(given, error):
    with pytest.raises((TypeError, ValueError), match=error):
        snake.Worker().keep(given)


def test_elements_do_not_overflow():
    with pytest.raises(OverflowError, match="'a' of ty.Raws.three|'a' of ty.InC.three"):
        ty.InC().three(np.array([1, 2, 2**31]))


def test_objects_are_given_back():
    before = ty.Item.alive()
    items, square = ty.InCxx().items(5)
    kept = items[3]
    assert ty.Item.alive() == before + 5
    del items, square
    gc.collect()
    assert ty.Item.alive() == before + 1
    assert kept.number() == 3
    with kept:
        pass
    assert ty.Item.alive() == before
    with pytest.raises(ValueError, match="closed"):
        kept.number()
