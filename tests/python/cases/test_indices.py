"""Index arguments of raw arrays, which the arrays know: left out, by position and by name."""

import inspect

import numpy as np
import pytest
import sidl
import ty

X = np.arange(3.0)


@pytest.mark.parametrize("rest", [(), (3,), (None,)])
def test_at_the_end(callee, rest):
    assert callee.dot(X, X, *rest) == 5.0
    assert callee.dot(y=X, x=[0, 1, 2]) == 5.0
    assert callee.kindRaw(np.ones(2, dtype="c8")) == "raw"


def test_two_of_them(callee):
    start = np.arange(6, dtype="i4").reshape(2, 3)
    wanted = callee.fill(start.copy(), 2, 3)
    assert np.array_equal(callee.fill(start.copy()), wanted)
    assert np.array_equal(callee.fill(start.copy(), 2), wanted)
    assert np.array_equal(callee.fill(start.copy(), n=3), wanted)
    assert np.array_equal(callee.fill(start.copy(), None, 3), wanted)
    changed = start.copy()
    assert callee.fill(changed) is changed and np.array_equal(changed, wanted)


def test_in_front_of_others(callee):
    """a(n + 1, 2 * m - 1), m, n, factor: by position all of them, or none but the rest."""
    doubled = np.full((3, 5), 2j)
    z = np.ones((3, 5), dtype=complex)
    assert np.array_equal(callee.scale(z.copy(), 3, 2, 2j), doubled)
    assert np.array_equal(callee.scale(z.copy(), 2j), doubled)
    assert np.array_equal(callee.scale(z.copy(), factor=2j), doubled)
    assert np.array_equal(callee.scale(z.copy(), 2j, m=3), doubled)
    assert np.array_equal(callee.scale(z.copy(), 3, factor=2j), doubled)
    assert np.array_equal(callee.scale(z.copy(), 2j, n=2, m=3), doubled)


def test_one_of_several_extents(callee):
    """a(2, n / 2, n): n is the last, for the one before it belongs to two numbers."""
    total, count = callee.add(np.ones((2, 2, 5), dtype="f4"))
    assert (total, count) == (20.0, 20)


def test_what_cannot_be_told(callee):
    assert callee.halves([1, 2], 5) == 3
    with pytest.raises(TypeError, match=r"halves\(\) needs the argument 'n'"):
        callee.halves([1, 2])


def test_no_array_has_no_elements(callee):
    assert callee.dot(np.zeros(0), []) == 0.0
    if isinstance(callee, (ty.InC, ty.InCxx)):  # which take memory
        assert callee.dot(None, None) == 0.0
    with pytest.raises(ValueError, match="'x' of .*dot is None, but must have 2 elem|'y' .* not 0"):
        callee.dot(None, [1.0, 2.0])


def test_halves(callee):
    assert callee.dot_send(X, X).result() == 5.0
    a = np.ones((2, 3), dtype="i4")
    callee.fill_send(a).result()
    assert a.tolist() == [[10, 9, 8], [11, 10, 9]]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda to: to.dot(X, [1.0, 2.0]),
            r"argument 'y' of \S+\.dot has 2 elements in dimension 1, not 3: "
            "'n', which is left out, is 3 by 'x'",
        ),
        (
            lambda to: to.fill(np.ones((2, 3), "i4"), m=3),
            r"argument 'a' of \S+\.fill has 2 elements in dimension 1, not 3$",
        ),
        (
            lambda to: to.scale(np.ones((3, 4), complex), 2j),
            r"argument 'a' of \S+\.scale has 4 elements in dimension 2, which no 'm' gives",
        ),
        (
            lambda to: to.add(np.ones((2, 2, 8), "f4")),
            r"argument 'a' of \S+\.add has 2 elements in dimension 2, not 4: "
            "'n', which is left out, is 8 by 'a'",
        ),
    ],
)
def test_lengths_that_do_not_agree(callee, call, text):
    with pytest.raises(ValueError, match=text):
        call(callee)


def test_what_is_given_is_checked(callee):
    with pytest.raises(
        sidl.RuntimeException, match=r"\.dot: x has 3 elements in dimension 1, not 2"
    ):
        callee.dot(X, X, 2)
    text = r"\.fill: a is null, but must have 3 elements in dimension 1$"
    with pytest.raises(sidl.RuntimeException, match=text):
        callee.fill(None, m=3, n=2)


def test_arguments_that_are_none(callee):
    with pytest.raises(TypeError, match=r"dot\(\) needs the argument 'y'"):
        callee.dot(X)
    with pytest.raises(TypeError, match=r"dot\(\) got the argument 'n' twice"):
        callee.dot(X, X, 3, n=3)
    with pytest.raises(TypeError, match=r"dot\(\) got the argument 'x' twice"):
        callee.dot(X, X, x=X)
    with pytest.raises(TypeError, match=r"dot\(\) has no argument 'm'"):
        callee.dot(X, X, m=3)
    with pytest.raises(TypeError, match="argument 'n' of .*dot must be int, not str"):
        callee.dot(X, X, "3")


def test_signatures():
    assert str(inspect.signature(ty.InC.dot)) == "(self, /, x, y, n=None)"
    assert str(inspect.signature(ty.InC.scale)) == "(self, /, a, factor, *, m=None, n=None)"
    assert ty.Raws.scale.__doc__.endswith("scale(a, m, n, factor).")
    assert str(inspect.signature(ty.InC.halves)) == "(self, /, a, n)"
