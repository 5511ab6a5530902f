"""Values that are made of keys, and numbers that stand for values: the same in every language.

A key is an integer below M. What a type has for a key is written down once here and once in the
support of each language (writers/), so that programs need not be given values, only keys, and need
not say what they got, only its code. This file is the model's, and that of programs in Python.
"""

import numpy as np

M = 2147483647

NUMPY = {
    "bool": "?",
    "char": "S1",
    "int": "i4",
    "long": "i8",
    "float": "f4",
    "double": "f8",
    "fcomplex": "c8",
    "dcomplex": "c16",
    "enum": "i8",
    "string": "O",
    "object": "O",
}
# Lengths of arrays of one dimension: 4,096 bytes, 16 KiB and 64 KiB, at eight bytes an element, and
# what lies beside them. An array of more dimensions has lengths of DIMS by its rank.
LENGTHS = [0, 1, 2, 3, 7, 16, 64, 65, 127, 128, 129, 434, 511, 512, 513, 1024, 2047, 2048, 2049,
           3472, 5000, 8191, 8192, 8193]  # fmt: skip
FEW = [0, 1, 2, 3, 5]
DIMS = {
    2: [0, 1, 2, 3, 16, 33, 64],
    3: [0, 1, 2, 3, 8, 9],
    4: [1, 2, 3, 4],
    5: [1, 2, 3],
    6: [1, 2, 3],
    7: [1, 2],
}
TEXTS = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100, 127, 128, 129, 255, 256, 511, 512, 513, 4096,
         16383, 16384, 65536]  # fmt: skip
ANY = ["bool", "char", "int", "long", "float", "double", "fcomplex", "dcomplex", "string"]

EDGES = {
    "int": np.array([-(2**31), 2**31 - 1, 0, -1, 1], np.int32),
    "long": np.array([-(2**63), 2**63 - 1, 0, -1, 1], np.int64),
    # 0, -0, NaN, infinities, the largest, the smallest, one
    "float": np.array([0, 0x80000000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 1,
                       0x3F800000], np.uint32).view(np.float32),
    "double": np.array([0, 1 << 63, 0x7FF8 << 48, 0x7FF0 << 48, 0xFFF0 << 48,
                        0x7FEFFFFFFFFFFFFF, 1, 0x3FF0 << 48], np.uint64).view(np.float64),
}  # fmt: skip


def mix(a, b):
    """A key of two numbers that are not negative; of arrays of them, too."""
    return (a * 48271 + b) % M * 16807 % M


# ---- what a key stands for -----------------------------------------------------------------------


def elements(kind, keys, choices=None):
    """Numbers, truth values, characters or enumerators (one of `choices`) for an array of keys."""
    e = np.asarray(keys, np.int64)
    if kind == "bool":
        return e % 2 == 1
    if kind == "char":
        return (33 + e % 94).astype(np.uint8).view("S1")
    if kind == "enum":
        return np.array(choices, np.int64)[e % len(choices)]
    if "complex" in kind:
        part = "float" if kind == "fcomplex" else "double"
        made = np.empty(len(e), NUMPY[kind])
        made.real, made.imag = elements(part, mix(e, 1)), elements(part, mix(e, 2))
        return made
    edges = EDGES[kind]
    edge = edges[e // 8 % len(edges)]
    usual = {
        "int": lambda: (e - 2**30).astype(np.int32),
        "long": lambda: (e - 2**30) * 2**31 + mix(e, 1),
        "float": lambda: ((e % 2**23 - 2**22) / 256).astype(np.float32),
        "double": lambda: (e - 2**30) / 1024,
    }[kind]()
    return np.where(e % 8 == 0, edge, usual)


def scalar(kind, key, choices=None):
    """As elements, of one key; as Python has it."""
    made = elements(kind, [key], choices)[0]
    return made.decode() if kind == "char" else made.item()


def text(key, length=None):
    """A string; one key in five makes one that is not ASCII."""
    length = TEXTS[key % len(TEXTS)] if length is None else length
    made = (33 + (key + 7 * np.arange(length, dtype=np.int64)) % 94).astype(np.uint8).tobytes()
    if key % 5 == 0 and length >= 2:
        made = "ü".encode() + made[2:]
    return made.decode()


def is_null(key):
    """Whether an array that may be null is."""
    return mix(key, 1) % 8 == 0


def shape(kind, rank, key):
    """The lengths of an array of such elements."""
    if rank == 1:
        lengths = FEW if kind in ("string", "object") else LENGTHS
        return (lengths[mix(key, 2) % len(lengths)],)
    lengths = FEW if kind in ("string", "object") and rank == 2 else DIMS[rank]
    return tuple(lengths[mix(key, 2 + d) % len(lengths)] for d in range(rank))


def item_keys(key, count):
    """The keys of the elements of an array, in row order."""
    return mix(np.int64(key), 1000 + np.arange(count, dtype=np.int64))


# ---- what stands for a value ---------------------------------------------------------------------


def codes(kind, values):
    """Of an array of elements as they come from `elements`."""
    values = np.ascontiguousarray(values)
    if kind == "bool":
        return values.astype(np.int64)
    if kind == "char":
        return values.view(np.uint8).astype(np.int64)
    if kind == "int":
        return (values.astype(np.int64) + 2**31) % M
    if kind in ("long", "enum"):
        values = values.astype(np.int64)
        return ((values >> 32) + 2**31 + 3 * (values & 0xFFFFFFFF)) % M
    if kind == "float":
        return np.where(np.isnan(values), 7, values.view(np.uint32).astype(np.int64) % M)
    if kind == "double":
        return np.where(np.isnan(values), 7, codes("long", values.view(np.int64)))
    part = "float" if kind == "fcomplex" else "double"
    return mix(codes(part, values.real), codes(part, values.imag))


def code(kind, value):
    """Of one value that is no array, struct or object."""
    if kind == "string":
        return text_code(value)
    return int(codes(kind, np.array([value], NUMPY[kind]))[0])


def weights(count):
    """What the elements of an array count."""
    return 1 + np.arange(count, dtype=np.int64) * 40503 % 65521


def text_code(value):
    """Of a string; null is as good as empty."""
    data = np.frombuffer((value or "").encode(), np.uint8).astype(np.int64)
    return mix(int((data * weights(len(data))).sum()) % M, len(data))


def array_code(lengths, item_codes):
    """Of an array with these lengths and these codes of its elements, in row order."""
    item_codes = np.asarray(item_codes, np.int64)
    found = len(lengths)
    for length in lengths:
        found = mix(found, length)
    products = item_codes * weights(len(item_codes)) % M
    return int(mix(found, int(products.sum()) % M))


NULL_ARRAY = 5
NULL_OBJECT = 3
