"""What the suite in Python makes values with, in its program and in its implementations."""

import mx
import numpy as np
import shinar


def new_object(python_class, number):
    """A new object with a number."""
    made = mx.Cell() if python_class is mx.Named else python_class()
    made.set(number)
    return made


def element(value, dtype):
    """What is stored in an array: of structs that own nothing, their members."""
    if dtype.names is None:
        return value
    # An array in the struct has its dimensions in the order of memory.
    members = [getattr(value, name) for name in dtype.names]
    return tuple(each.T if isinstance(each, np.ndarray) else each for each in members)


def make_array(shape, values, dtype, order, lower):
    """An array with elements in row order, from 0 if `lower` is empty."""
    array = np.empty(len(values), dtype)
    for i, value in enumerate(values):
        array[i] = element(value, array.dtype)
    array = np.asarray(array.reshape(shape), order=order)
    if lower:
        array = array.view(shinar.Array)
        array.lower = lower
    return array
