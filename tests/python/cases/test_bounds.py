"""Lower bounds of arrays: what keeps them, and which an array cannot have."""

import copy
import pickle

import numpy as np
import pytest
import shinar

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {protocol}": lambda a, protocol=protocol: pickle.loads(pickle.dumps(a, protocol))
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


def bounded(lower, shape=(2, 3), order="C"):
    array = np.zeros(shape, order=order).view(shinar.Array)
    array[...] = np.arange(array.size).reshape(shape)
    array.lower = lower
    return array


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("way", WAYS)
def test_copies_keep_them(way, order):
    array = bounded((3, -4), order=order)
    made = WAYS[way](array)
    assert type(made) is shinar.Array and made.lower == (3, -4) and made.tolist() == array.tolist()
    made[0, 0] = 7
    assert array[0, 0] == 0


def test_copies_of_parts():
    holder = {"a": bounded((1,), (3,))}
    for made in copy.deepcopy(holder), pickle.loads(pickle.dumps(holder)):
        assert made["a"].lower == (1,)
    none = pickle.loads(pickle.dumps(bounded(None)))
    assert none.lower is None and none.shape == (2, 3)


def test_there_may_not_be_more_than_dimensions(callee):
    array = np.zeros(3, "c8").view(shinar.Array)
    array.lower = (1, 2)
    with pytest.raises(
        ValueError, match="'a' of .*kind has 2 lower bounds, .* array of 1 dimension$"
    ):
        callee.kind(array)
    array.lower = (1,)
    assert isinstance(callee.kind(array), str)


@pytest.mark.parametrize("lower", [5, (1.5,), np.zeros((1, 2), int)], ids=repr)
def test_they_are_ints(callee, lower):
    array = np.zeros(3).view(shinar.Array)
    array.lower = lower
    with pytest.raises(TypeError, match="'a' of .*kind: lower must be a sequence of ints, not"):
        callee.kind(array)
