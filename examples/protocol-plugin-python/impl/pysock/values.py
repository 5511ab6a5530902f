"""Values as JSON, exactly.

bool, int, long, string  as they are; bytes of a string that are no UTF-8 as surrogates
char                     a string
float, double            numbers; NaN, Infinity, -Infinity
fcomplex, dcomplex       [real, imaginary]
array                    {"shape": [...], "lower": [...], "order": "C" or "F"} and the elements in
                         this order: "at", where they begin in the frame's data, or "strings";
                         null
"""

import math

import numpy as np
import shinar
from shinar.protocol import fail
from sidl.rmi import ProtocolException

ALIGNMENT = 16
ORDERS = {1: "F", 2: "C"}  # enum sidl_array_ordering; 0: as it is


def malformed(value, wanted):
    """Refuses what came in."""
    fail(ProtocolException, f"malformed message: {str(value)[:80]} is no {wanted}")


def check(value, *types):
    """The value, which must be of one of these types."""
    if type(value) not in types:
        malformed(value, types[0].__name__)
    return value


def encode_complex(value):
    """A complex number."""
    return [value.real, value.imag]


def decode_complex(value):
    """A complex number."""
    if not isinstance(value, list) or len(value) != 2:
        malformed(value, "complex number")
    return complex(*(check(part, float, int) for part in value))


def encode_array(array, ordering, data):
    """An array; its elements go to the end of `data`."""
    if array is None:
        return None
    in_columns = array.flags.f_contiguous and not array.flags.c_contiguous
    order = ORDERS.get(ordering, "F" if in_columns else "C")
    lower = getattr(array, "lower", None) or [0] * array.ndim
    result = {"shape": array.shape, "lower": lower, "order": order}
    if array.dtype.kind == "O":
        return {**result, "strings": array.flatten(order).tolist()}
    data += bytes(-len(data) % ALIGNMENT)
    result["at"] = len(data)
    data += array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes(order)
    return result


def decode_array(value, dtype, ordering, data):
    """An array with elements of `dtype`: where they are in `data`, if possible."""
    if value is None:
        return None
    shape = [check(length, int) for length in value["shape"]]
    lower = [check(bound, int) for bound in value["lower"]]
    order = value["order"]
    is_sound = 1 <= len(shape) <= 7 and len(lower) == len(shape) and min(shape) >= 0
    if not is_sound or order not in ("C", "F"):
        malformed(value, "array")
    array = _elements(value, np.dtype(dtype), math.prod(shape), data)
    array = array.reshape(shape, order=order)
    array = np.asarray(array, order=ORDERS.get(ordering, "K")).view(shinar.Array)
    array.lower = tuple(lower)
    return array


def _elements(value, dtype, count, data):
    if dtype.kind == "O":
        strings = value["strings"]
        if len(strings) != count:
            malformed(value, f"array of {count} strings")
        array = np.empty(count, object)
        array[:] = [check(each, str, type(None)) for each in strings]
        return array
    at = check(value["at"], int)
    if not 0 <= at <= len(data) or count * dtype.itemsize > len(data) - at:
        malformed(value, f"array whose {count} elements came with it")
    if dtype.kind == "b":
        return np.frombuffer(bytes(data[at : at + count]), np.uint8) != 0
    return np.ndarray(count, dtype.newbyteorder("<"), data if count else None, at if count else 0)
