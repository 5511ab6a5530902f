"""Raw arrays in structs: the other members say how long they must be, and calls make sure."""

import numpy as np
import pytest
import sidl
import ty
from conftest import make


@pytest.fixture(params=[ty.InC, ty.InCxx])
def callee(request):
    return make(request.param)


def mesh(n=2, edges=2, cells=4):
    return ty.Mesh(
        n,
        None if edges is None else np.arange(float(edges)),
        None if cells is None else np.full((2, cells), 7, dtype="i4", order="F"),
        "label",
    )


def test_what_fits(callee):
    given = ty.Pair(ty.Mesh(), mesh())
    total, pair = callee.mesh(mesh(), given)
    assert total == 1.0
    for each in given, pair:
        assert np.array_equal(each.second.edges, [1.0, 2.0])
        assert np.array_equal(each.second.cells, np.full((2, 4), -1))


def test_nonblocking_calls(callee):
    given = ty.Pair(mesh(0, None, None), mesh())
    total, pair = callee.mesh_send(mesh(), given).result()
    assert total == 1.0
    for each in given, pair:
        assert np.array_equal(each.second.edges, [1.0, 2.0])
        assert np.array_equal(each.second.cells, np.full((2, 4), -1))


WRONG = [
    (mesh(4), "'edges' has 2 elements in dimension 1, not 4"),
    (mesh(100_000_000), "'edges' has 2 elements in dimension 1, not 100000000"),
    (mesh(1), "'edges' has 2 elements in dimension 1, not 1"),
    (mesh(-1), "'edges' has 2 elements in dimension 1, not -1"),
    (mesh(-1, None, None), "'edges': invalid extent: -1 elements in dimension 1"),
    (mesh(edges=None), "'edges' is null, but must have 2 elements"),
    (mesh(cells=3), "'cells' has 3 elements in dimension 2, not 4"),
    (mesh(cells=None), "'cells' is null, but must have 8 elements"),
]


@pytest.mark.parametrize(("wrong", "text"), WRONG)
@pytest.mark.parametrize("inner", [False, True], ids=["itself", "inner"])
def test_what_does_not_fit(callee, wrong, text, inner):
    given, pair = (mesh(), ty.Pair(mesh(), wrong)) if inner else (wrong, ty.Pair(mesh(), mesh()))
    place = "'io' of .*, member 'second'" if inner else "'a' of .*"
    with pytest.raises(sidl.CastException, match=f"argument {place}, member {text}"):
        callee.mesh(given, pair)


@pytest.mark.parametrize("n", [3, 100_000_000, -1])
def test_what_comes_back_does_not_fit(callee, n):
    with pytest.raises(sidl.CastException, match="edges"):
        callee.grow(mesh(), n)


def test_what_python_gives_back(worker):
    """It was written into the caller's memory where the method was another process's, or of another
    language; here the struct got memory of its own."""
    given = mesh()
    io = worker.remesh(given, 2, 2)
    assert (io.n, io.label, io.cells.shape) == (2, "label+", (2, 4))
    for each in io, given:
        assert np.array_equal(each.edges, np.zeros(2))
        assert np.array_equal(each.cells, np.zeros((2, 4)))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_the_memory_is_the_callers(worker, n):
    given = mesh()
    with pytest.raises(
        sidl.CastException, match=f"'?edges'? has {n} element.* in dimension 1, not 2"
    ):
        worker.remesh(given, n, n)
    assert np.array_equal(given.edges, [0.0, 1.0])


def test_there_is_none(worker):
    given = mesh(0, None, None)
    io = worker.remesh(given, 0, 0)
    assert (io.n, io.edges.shape, io.cells.shape) == (0, (0,), (2, 0))


def test_what_python_gives_back_does_not_fit(worker):
    with pytest.raises(sidl.CastException, match="'edges' has 2 elements in dimension 1, not 3"):
        worker.remesh(mesh(), 3, 2)
