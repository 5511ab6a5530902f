"""The values of keys and the codes of values (values.py), as objects of Python; calls by tables.

tables.py has ENUMS, STRUCTS and METHODS of the package. Types are (kind, name, rank, order)."""

import ctypes
import gc
import threading

import mx
import numpy as np
import sidl

if __package__:
    from mx import tables, values
else:
    import tables
    import values

M, mix = values.M, values.mix
LOCK = threading.Lock()


def element(kind):
    """What values.py calls an array's elements, and their enumerators."""
    name = kind[1]
    if name in tables.ENUMS:
        return "enum", tables.ENUMS[name]
    return ("object" if name in ("Named", "Cell") else name), None


def make(kind, key, nulls=True):
    """The value of a type that a key stands for."""
    what, name, rank, _ = kind
    if what == "array" and nulls and values.is_null(key):
        return None
    if what == "array" and not name:
        name = values.ANY[mix(key, 6) % len(values.ANY)]
        return make(("array", name, 1 + mix(key, 7) % 3, ""), key, False)
    if what == "array":
        of, _ = element(kind)
        return arranged(items(kind, key, values.shape(of, rank, key)), key)
    if what == "string":
        return values.text(key)
    if what == "enum":
        return getattr(mx, name)(values.scalar("enum", key, tables.ENUMS[name]))
    if what == "struct":
        members = enumerate(tables.STRUCTS[name].items())
        return getattr(mx, name)(**{m: make(of, mix(key, 20 + j)) for j, (m, of) in members})
    if what == "object":
        return make_object(name, key)
    return values.scalar(what, key)


def make_object(name, key):
    """A new object, of a class that the type is of."""
    if key % 8 == 0:
        return None
    made = mx.Value() if name == "Value" else mx.Cell()
    made.setId(mix(key, 9))
    return made


def items(kind, key, shape):
    """An array of this shape with its elements."""
    of, choices = element(kind)
    keys = values.item_keys(key, int(np.prod(shape, dtype=np.int64)))
    if of in ("string", "object"):
        made = np.empty(len(keys), "O")
        for i, each in enumerate(keys.tolist()):
            made[i] = values.text(each, each % 7) if of == "string" else make_object("Cell", each)
    else:
        made = values.elements(of, keys, choices)
    return made.reshape(shape)


def arranged(array, key):
    """The same elements, otherwise in memory: in columns, or every other one of a larger array."""
    if key % 5 == 0:
        larger = np.empty(tuple(2 * length for length in array.shape), array.dtype)
        part = larger[tuple(slice(None, None, 2) for _ in array.shape)]
        part[...] = array
        return part
    return np.asfortranarray(array) if key % 2 else array


def code(kind, value):
    """What stands for a value."""
    what, name, _, _ = kind
    if what == "object":
        return 3 if value is None else value.id()
    if what == "array" and not name:
        return 5 if value is None else code_any(value)
    if what in ("array", "rarray"):
        if value is None:
            return 5
        return code_array(kind, value)
    if what == "struct":
        found = 11
        for member, of in tables.STRUCTS[name].items():
            found = mix(found, code(of, getattr(value, member)))
        return found
    return values.code(what, value)


def code_array(kind, value):
    """As code."""
    of, _ = element(kind)
    value = np.asarray(value)
    if of not in ("string", "object"):
        assert value.dtype == np.dtype(values.NUMPY[of]), value.dtype
        return values.array_code(value.shape, values.codes(of, value.ravel()))
    item = ("string", "", 1, "") if of == "string" else ("object", "Cell", 1, "")
    return values.array_code(value.shape, [code(item, each) for each in value.ravel()])


def code_any(value):
    """As code, of an array whose elements say what they are."""
    for number, name in enumerate(values.ANY):
        if value.dtype == np.dtype(values.NUMPY[name]):
            return mix(code_array(("array", name, value.ndim, ""), value), number)
    raise TypeError(value.dtype)


def raw_arguments(args, key):
    """x, y and n."""
    (_, x, _), (_, y, _), _ = args
    draw = mix(key, 102)
    n = values.FEW[draw % 5] if y[2] == 2 else values.LENGTHS[draw % 24]
    made = [
        np.asfortranarray(items(kind, mix(key, 100 + j), (n,) if kind[2] == 1 else (n, 2)))
        for j, kind in enumerate((x, y))
    ]
    return [*made, n]


def tell(number, target, key, given=(), out=None):
    """Makes the arguments of a key, calls, and gives the code of what came back; the objects that
    did are appended to `out`."""
    name, result, args, prefix, nulls = tables.METHODS[number]
    given = list(given)
    if any(kind[0] == "rarray" for _, kind, _ in args):
        passed = raw_arguments(args, key)
    else:
        passed = []
        for j, (mode, kind, _) in enumerate(args):
            if mode == "out":
                continue
            if kind[0] == "object" and kind[1] != "Value":
                passed.append(given.pop(0) if given else None)
            else:
                passed.append(make(kind, mix(key, 100 + j), nulls))
    if prefix == "nonblocking" and key % 2:
        seen = getattr(target, f"{name}_send")(*passed).result()
    else:
        seen = getattr(target, name)(*passed)
    places = [kind for mode, kind, _ in args if mode != "in"]
    if result[0] != "void":
        places.insert(0, result)
    total = 17
    for kind, value in zip(places, seen if len(places) > 1 else [seen]):
        total = mix(total, code(kind, value))
        if kind[0] == "object" and kind[1] != "Value" and out is not None:
            out.append(mx.Cell._cast(value) if value is not None else None)
    return total


def thrown(error):
    """The class and the note of an exception."""
    return f"{type(error).__module__}.{type(error).__name__}", str(error)


def relay(number, other, key):
    """A call of a method of somebody else, as the model does it."""
    if other is None:
        return 1
    try:
        return tell(number, other, key % M)
    except sidl.BaseException as error:
        return mix(*map(values.text_code, thrown(error)))


def add(implementation, h):
    """What implementations count."""
    with LOCK:
        implementation._total = (implementation._total + h) % M


ALIVE = [0]


def count(by):
    """Objects of this language in this process."""
    with LOCK:
        ALIVE[0] += by


class Mallinfo2(ctypes.Structure):
    """What the C library says of its heap."""

    _fields_ = [(f"n{i}", ctypes.c_size_t) for i in range(10)]


def used():
    """Bytes that are allocated in this process."""
    gc.collect()
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = Mallinfo2
    info = ask()
    return info.n4 + info.n7
