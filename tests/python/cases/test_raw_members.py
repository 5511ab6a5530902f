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
    total, pair = callee.mesh(mesh(), ty.Pair(ty.Mesh(), mesh()))
    assert total == 1.0
    assert np.array_equal(pair.second.edges, [1.0, 2.0])
    assert np.array_equal(pair.second.cells, np.full((2, 4), -1))


WRONG = [
    (mesh(4), "'edges' has 2 elements in dimension 1, not 4"),
    (mesh(100_000_000), "'edges' has 2 elements in dimension 1, not 100000000"),
    (mesh(1), "'edges' has 2 elements in dimension 1, not 1"),
    (mesh(-1), "'edges' has 2 elements in dimension 1, not -1"),
    (mesh(-1, None, None), "'edges': no array can have -1 elements in dimension 1"),
    (mesh(edges=None), "'edges' is null, and should have 2 elements"),
    (mesh(cells=3), "'cells' has 3 elements in dimension 2, not 4"),
    (mesh(cells=None), "'cells' is null, and should have 8 elements"),
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


@pytest.mark.parametrize("n", [1, 2, 3])
def test_what_python_gives_back(worker, n):
    io = worker.remesh(mesh(), n, n)
    assert (io.n, io.label, io.cells.shape) == (n, "label+", (2, 2 * n))
    assert np.array_equal(io.edges, np.zeros(n))


def test_what_python_gives_back_does_not_fit(worker):
    with pytest.raises(sidl.CastException, match="'edges' has 2 elements in dimension 1, not 3"):
        worker.remesh(mesh(), 3, 2)
