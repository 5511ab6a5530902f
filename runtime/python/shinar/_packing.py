"""Packs the state of exceptions implemented in Python, for other Python processes.

An exception class whose SIDL does not declare packObj has no say in what travels. Its attributes do
as far as they can: numbers, strings, arrays, objects of SIDL, and lists, tuples and dicts of such.
What is none of those stays behind. Each value is preceded by its kind, and all of them by a word
that implementations in other languages do not pack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_ARRAYS = {
    "b1": "Bool",
    "S1": "Char",
    "i4": "Int",
    "i8": "Long",
    "f4": "Float",
    "f8": "Double",
    "c8": "Fcomplex",
    "c16": "Dcomplex",
}
_DEEPEST = 32  # nesting of lists
_MARK = "attributes of Python"


def pack(implementation: Any, ser: Any) -> None:
    """Packs the attributes of an implementation."""
    packable = {
        name: value
        for name, value in vars(implementation).items()
        if not name.startswith("_sidl_") and _kind(value) is not None
    }
    ser.packString("attributes", _MARK)
    ser.packInt("count", len(packable))
    for name, value in packable.items():
        ser.packString("name", name)
        _pack_value(ser, value)


def unpack(implementation: Any, des: Any) -> None:
    """Sets the packed attributes; none if the sender was not Python."""
    try:
        if des.unpackString("attributes") != _MARK:
            return
    except Exception:  # the protocol's error if there is nothing to read, or something else
        return
    for _ in range(des.unpackInt("count")):
        name = des.unpackString("name")
        setattr(implementation, name, _unpack_value(des))


def _kind(value: Any, depth: int = 0) -> str | None:
    """The kind under which a value is packed; None if it cannot be."""
    import sidl

    if value is None or isinstance(value, bool):
        return "none" if value is None else "bool"
    if isinstance(value, np.generic):
        return _kind(value.item(), depth)
    for kind, of in (("int", int), ("float", float), ("complex", complex), ("str", str)):
        if type(value) is of:
            return kind
    if isinstance(value, np.ndarray):
        return _array_kind(value)
    if isinstance(value, sidl.BaseInterface):
        by_value = isinstance(value, sidl.BaseException) and value._isLocal()
        return "exception" if by_value else "object"
    if depth == _DEEPEST or type(value) not in (list, tuple, dict):
        return None
    items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    fit = all(_kind(item, depth + 1) is not None for item in items)
    return type(value).__name__ if fit else None


def _array_kind(array: np.ndarray[Any, Any]) -> str | None:
    if not 1 <= array.ndim <= 7:
        return None
    if array.dtype.kind in "OUT":
        fit = all(item is None or isinstance(item, str) for item in array.flat)
        return "StringArray" if fit else None
    name = _ARRAYS.get(array.dtype.str.lstrip("<|="))
    return f"{name}Array" if name else None


def _pack_value(ser: Any, value: Any) -> None:
    if isinstance(value, np.generic):
        value = value.item()
    kind = _kind(value)
    ser.packString("kind", kind)
    if kind == "bool":
        ser.packBool("value", value)
    elif kind == "int":  # of any size
        ser.packString("value", str(value))
    elif kind == "float":
        ser.packDouble("value", value)
    elif kind == "complex":
        ser.packDcomplex("value", value)
    elif kind == "str":
        ser.packString("value", value)
    elif kind == "exception":
        ser.packSerializable("value", value)
    elif kind == "object":
        ser.packObject("value", value)
    elif kind in ("list", "tuple", "dict"):
        items = [part for item in value.items() for part in item] if kind == "dict" else value
        ser.packInt("count", len(items))
        for item in items:
            _pack_value(ser, item)
    elif kind != "none":
        array = value.astype(object) if kind == "StringArray" else value
        ser.packInt("dimensions", array.ndim)
        getattr(ser, f"pack{kind}")("value", array, 0, array.ndim, False)


def _unpack_value(des: Any) -> Any:
    kind = des.unpackString("kind")
    simple = {
        "none": lambda: None,
        "bool": lambda: des.unpackBool("value"),
        "int": lambda: int(des.unpackString("value")),
        "float": lambda: des.unpackDouble("value"),
        "complex": lambda: des.unpackDcomplex("value"),
        "str": lambda: des.unpackString("value"),
        "exception": lambda: des.unpackSerializable("value"),
        "object": lambda: des.unpackObject("value"),
    }
    if kind in simple:
        return simple[kind]()
    if kind in ("list", "tuple", "dict"):
        items = [_unpack_value(des) for _ in range(des.unpackInt("count"))]
        if kind == "dict":
            return dict(zip(items[::2], items[1::2]))
        return items if kind == "list" else tuple(items)
    if kind not in {f"{name}Array" for name in (*_ARRAYS.values(), "String")}:
        raise ValueError(f"an attribute of unknown kind {kind!r}")
    dimensions = des.unpackInt("dimensions")
    return getattr(des, f"unpack{kind}")("value", 0, dimensions, False)
