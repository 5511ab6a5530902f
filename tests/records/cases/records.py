"""Structs with other values in each, and arrays of them."""

import numpy as np
from rec import Color, Item, Particle, Plain, Record


def address(a):
    return a.__array_interface__["data"][0]


def particle(i):
    return Particle(0.5 * i, -1.0, 1e300, i, -7, i % 2 == 1, chr(ord("a") + i % 26))


def particles(count):
    """As a structured array, made by NumPy alone."""
    result = np.zeros(count, Particle.dtype)
    i = np.arange(count)
    result["x"], result["y"], result["z"], result["id"] = 0.5 * i, -1, 1e300, i
    result["charge"], result["alive"] = -7, i % 2
    result["tag"] = [chr(ord("a") + each % 26) for each in i]
    return result


def plain(i):
    result = Plain(chr(ord("A") + i), 1.5 * i - 2.5j, particle(i), 0.5 + 1j * i, Color.green, 0.25)
    result.v = [i, -1, 0.5]
    result.m = i + np.arange(6.0).reshape(2, 3)
    return result


def item(name):
    result = Item()
    result.rename(name)
    return result


def record(i):
    """Each owns other things, and some nothing."""
    result = Record(i, f"name {i}", float(i), 0.5 + 1j * i, Color.green, particle(i))
    if i % 2 == 1:
        result.values = np.arange(float(i))
        result.parts = particles(i)
        result.companion = item(f"item {i}")
    result.raw = 10.0 * np.arange(i)
    result.ids = np.array([i, -i])
    return result


def records(count, start=0):
    result = np.empty(count, Record.dtype)
    result[:] = [record(i) for i in range(start, start + count)]
    return result


def is_same(a, b):
    """True if the records are the same, companions by name."""
    names = [each.companion and each.companion.name() for each in (a, b)]
    numbers = [(each.n, each.name, each.a, each.z, each.color, each.at) for each in (a, b)]
    arrays = [(each.values, each.parts, each.raw, each.ids) for each in (a, b)]
    return (
        names[0] == names[1]
        and numbers[0] == numbers[1]
        and all(
            (x is None and y is None) or (x is not None and np.array_equal(x, y))
            for x, y in zip(*arrays)
        )
    )


def are_same(a, b):
    return a.shape == b.shape and all(map(is_same, a.flat, b.flat))
