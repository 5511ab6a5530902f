"""Makes the calls of the suite."""

import ctypes
import dataclasses
import os

import mx
import numpy as np
import shinar
import suite

from languages.python import NUMPY_TYPES
from languages.support import make_array, new_object

URL = sys.argv[1] if len(sys.argv) > 1 else None  # noqa: F821


DEVICE = (12, 0)
SPACE = ctypes.CDLL(os.environ["MX_SPACE"])
SPACE.mx_space()
SPACE.mx_part.restype = ctypes.c_void_p
SPACE.mx_part.argtypes = [ctypes.c_void_p, ctypes.c_int64]


class Part:
    """A part of an array on the device, which is another library's."""

    def __init__(self, array):
        self.tensor = SPACE.mx_part(array.ctypes.data, len(array))

    def __dlpack_device__(self):
        return DEVICE

    def __dlpack__(self):
        wrap = ctypes.pythonapi.PyCapsule_New
        wrap.restype = ctypes.py_object
        wrap.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return wrap(self.tensor, b"dltensor", None)


def dtype_of(kind):
    """That of an array."""
    is_struct = kind.element.kind == "struct"
    return np.dtype(getattr(mx, kind.name).dtype if is_struct else NUMPY_TYPES[kind.name])


def make(kind, value):
    """A value."""
    if kind.kind == "enum":
        return mx.Color[value]
    if value is None or kind.kind in [*suite.BASIC, "string", "opaque"]:
        return value
    if kind.kind == "struct":
        members = suite.STRUCTS[kind.name].items()
        return getattr(mx, kind.name)(**{name: make(of, value[name]) for name, of in members})
    if kind.kind == "object":
        return new_object(getattr(mx, kind.name), value.number)
    kind = value.kind or kind
    values = [make(kind.element, each) for each in value.values]
    order = "F" if kind.order == "column-major" else "C"
    made = make_array(value.shape, values, dtype_of(kind), order, value.lower)
    if value.where == "part":
        return Part(made)
    return shinar.to_device(made, DEVICE) if value.where else made


def is_same(kind, seen, value):
    """Whether a value is what it has to be, its type included."""
    if value is None or seen is None:
        return seen is value
    if kind.kind == "struct":
        members = suite.STRUCTS[kind.name].items()
        is_one = type(seen) is getattr(mx, kind.name)
        return is_one and all(is_same(of, getattr(seen, n), value[n]) for n, of in members)
    if kind.kind == "object":
        return seen.number() == value.number
    if kind.kind not in ("array", "rarray", "inline"):
        wanted = make(kind, value)
        return type(seen) is type(wanted) and seen == wanted
    kind = value.kind or kind
    if value.where and isinstance(seen, shinar.DeviceArray) != (URL is None):
        return False
    if isinstance(seen, shinar.DeviceArray):
        seen = seen.to_host()
    value = dataclasses.replace(value, where="")
    if seen.shape != value.shape or seen.dtype != dtype_of(kind):
        return False
    if getattr(seen, "lower", None) != (value.lower if any(value.lower) else None):
        return False
    if seen.dtype == object:
        return all(is_same(kind.element, *pair) for pair in zip(seen.flat, value.values))
    return np.array_equal(seen, make(kind, value))


def is_changed_in_place(given, returned):
    """Whether an inout array is the one that was given, unless it has another shape or type now."""
    if not isinstance(given, np.ndarray) or not isinstance(returned, np.ndarray):
        return True
    is_alike = returned.shape == given.shape and returned.dtype == given.dtype
    return (returned is given) == is_alike


def target(on):
    """What the call is made on."""
    python_class = mx.Child if on.startswith("child") else mx.Cell
    made = python_class.create(URL) if URL else python_class()
    seen = {"named": mx.Named, "child as cell": mx.Cell}.get(on)
    return seen._cast(made) if seen else made


def thrown(call, expect):
    """Complains unless exactly this is thrown."""
    try:
        call()
    except Exception as error:
        name = f"{type(error).__module__}.{type(error).__name__}"
        right = name == expect.name and expect.note in ("", str(error))
        return None if right else f"threw {name}: {error}"
    return "threw nothing"


def complaint(case):
    """What is wrong; None if nothing is."""
    if isinstance(case, suite.Cast):
        seen = getattr(mx, case.type)._cast(target(case.on))
        return None if (seen is not None) == case.expect else "the cast"
    method = case.method
    on = mx.Cell if method.prefix == "static" else target(case.on)
    kinds = [kind for mode, kind, _ in method.args if mode != "out"]
    given = [make(kind, value) for kind, value in zip(kinds, case.args)]
    by_name = dict(zip([name for mode, _, name in method.args if mode != "out"], given))
    function = getattr(on, method.long_name)
    if method.prefix == "nonblocking":
        pending = getattr(on, f"{method.long_name}_send")(*given)
        function, given = pending.result, [60]
    if isinstance(case.expect, suite.Raises):
        return thrown(lambda: function(*given), case.expect)
    seen = function(*given)
    wanted = [(kind, name) for mode, kind, name in method.args if mode != "in"]
    if method.result.kind != "void":
        wanted.insert(0, (method.result, "result"))
    values = seen if len(wanted) > 1 else [seen]
    for (kind, name), value, expected in zip(wanted, values, case.expect):
        if not is_same(kind, value, expected):
            return f"{name} is {value!r}"
        if not is_changed_in_place(by_name.get(name), value):
            return f"{name} is not the caller's array"
    if case.then is not None and on.number() != case.then:
        return f"then it is {on.number()}"
    return None


for each in suite.CASES:
    try:
        said = complaint(each) or "ok"
    except Exception as error:
        said = f"raised {type(error).__name__}: {error}"
    print(each.group, each.name, " ".join(said.split()), sep="\t", flush=True)
