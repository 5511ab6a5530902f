"""in_python.py URL MODE COUNT: as in_cxx.cpp, with NumPy arrays."""

import ctypes
import sys

import bulk
import numpy as np


def half(n):
    """Every other one of 2 n, backwards."""
    return np.arange(2 * n, dtype=float)[::-2]


def table(n):
    """Rows of 4096 out of some that are longer."""
    rows = n // 4096
    whole = np.empty((rows, 4100))
    whole[:] = 4096.0 * np.arange(rows)[:, None]
    whole += np.arange(4100)
    return whole[:, :4096]


def put(method, array):
    """A call that gives back the sum of the first and the last element."""
    wanted = array.flat[0] + array.flat[array.size - 1]

    def call():
        assert method(array) == wanted

    return call, lambda: None


def grow(method, array):
    """One that adds 1 to all of them, in place."""
    wanted = array.flat[0] + 1, array.flat[array.size - 1] + 1

    def check():
        assert (array.flat[0], array.flat[array.size - 1]) == wanted

    return lambda: method(array), check


def get(method, n, last):
    """One that gives back an array."""

    def call():
        array = method(n)
        assert (len(array), array[0], array[n - 1]) == (n, 0, last)

    return call, lambda: None


def tell(store, array):
    """One that is not answered."""

    def check():
        assert store.told() == array[0] + array[-1]

    return lambda: store.tell(array), check


MODES = {
    "in": lambda s, n: put(s.put, np.arange(n, dtype=float)),
    "in-slice": lambda s, n: put(s.put, half(n)),
    "in-rows": lambda s, n: put(s.putTable, table(n)),
    "in-raw": lambda s, n: put(lambda a: s.putRaw(a, n), np.arange(n, dtype=float)),
    "one-way": lambda s, n: tell(s, np.arange(n, dtype=float)),
    "inout": lambda s, n: grow(s.grow, np.arange(n, dtype=float)),
    "inout-slice": lambda s, n: grow(s.grow, half(n)),
    "inout-rows": lambda s, n: grow(s.growTable, table(n)),
    "inout-raw": lambda s, n: grow(lambda a: s.growRaw(a, n), np.arange(n, dtype=float)),
    "result": lambda s, n: get(s.make, n, n - 1),
    "result-slice": lambda s, n: get(s.half, n, 2 * (n - 1)),
    "out": lambda s, n: get(s.fill, n, n - 1),
}

url, mode, count = sys.argv[1:]
asked_for = ctypes.CDLL(None).bytes_asked_for
asked_for.restype = ctypes.c_uint64
store = bulk.Store._create(url)
call, check = MODES[mode](store, int(count))
asked_for()
store.bytes()
call()
mine = asked_for()
check()
print(mine, store.bytes())
