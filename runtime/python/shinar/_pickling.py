"""Pickling of SIDL objects passed by value, mainly exceptions: the state of packObj and
unpackObj, and attributes kept by Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sidl
import sidl.io

from shinar import _core
from shinar._arrays import Array
from shinar._struct_arrays import find_layout

_KINDS = ("Bool", "Char", "Int", "Long", "Float", "Double", "Fcomplex", "Dcomplex", "String")
_ORDERS = ("K", "F", "C")  # enum sidl_array_ordering


def reduce(obj: Any) -> tuple[Any, ...]:
    """The result of __reduce__. A TypeError if the object cannot be pickled."""
    name = f"{type(obj).__module__}.{type(obj).__qualname__}"
    if obj._isRemote():
        raise TypeError(f"{name} cannot be pickled: the object lives in another process")
    state = _State([])
    try:
        sidl.io.Serializable.packObj(obj, state)
    except Exception as error:
        raise TypeError(f"{name} cannot be pickled: {error}") from error
    cls = type(obj).__dict__.get("_view_of", type(obj))
    made_of = (cls, getattr(obj, "args", ()), state.items, _core.is_stand_in(obj))
    return _restore, made_of, getattr(obj, "__dict__", None) or None


def _restore(
    cls: Any, args: tuple[Any, ...], items: list[tuple[str, str, Any]], of_stand_in: bool
) -> Any:
    is_exception = issubclass(cls, sidl.BaseException)
    made = _core.new_exception(cls, args) if is_exception else cls.__new__(cls)
    if of_stand_in and not _core.is_stand_in(made):  # its implementation would lack its part
        values = {key: value for _, key, value in items}
        made.setNote(values["note"])
        for line in values["trace"].splitlines():
            made.addLine(line)
    else:
        sidl.io.Serializable.unpackObj(made, _State(items))
    return made


def _packing(kind: str) -> Callable[..., None]:
    return lambda self, key, value: self.put(kind, key, value)


def _unpacking(kind: str) -> Callable[..., Any]:
    return lambda self, key: self.take(kind, key)


def _array_packing(kind: str) -> Callable[..., None]:
    def pack(self: Any, key: str, value: Any, ordering: int, dimen: int, reuse: bool) -> None:
        self.put_array(kind, key, value)

    return pack


def _array_unpacking(kind: str) -> Callable[..., Any]:
    def unpack(self: Any, key: str, ordering: int, dimen: int, is_rarray: bool) -> Any:
        return self.take_array(kind, key, ordering)

    return unpack


def _refuse_pointer(key: str) -> None:
    raise TypeError(f"it has a pointer, '{key}', which has no meaning in another process")


def _refuse_object(key: str, value: Any) -> None:
    name = type(value).__name__
    raise TypeError(f"it refers to an object in this process, by '{key}' ({name})")


class _State(sidl.io.Serializer, sidl.io.Deserializer):
    """Packed values in order: kind, key and value."""

    for _kind in _KINDS:
        vars()[f"pack{_kind}"] = _packing(_kind)
        vars()[f"unpack{_kind}"] = _unpacking(_kind)
    for _kind in (*_KINDS, "Serializable"):
        vars()[f"pack{_kind}Array"] = _array_packing(f"{_kind}Array")
        vars()[f"unpack{_kind}Array"] = _array_unpacking(f"{_kind}Array")
    packSerializable = _packing("Serializable")
    unpackSerializable = _unpacking("Serializable")
    unpackObject = _unpacking("Object")
    unpackOpaque = _unpacking("Opaque")
    unpackOpaqueArray = _array_unpacking("OpaqueArray")

    def __init__(self, items: list[tuple[str, str, Any]]) -> None:
        self.items = items
        self._next = 0

    def packObject(self, key: str, value: Any) -> None:
        if value is not None:
            _refuse_object(key, value)
        self.put("Object", key, value)

    def packOpaque(self, key: str, value: int | None) -> None:
        if value:
            _refuse_pointer(key)
        self.put("Opaque", key, None)

    def packOpaqueArray(self, key: str, value: Any, ordering: int, dimen: int, reuse: bool) -> None:
        if value is not None and np.any(value):
            _refuse_pointer(key)
        self.put_array("OpaqueArray", key, value)

    def packGenericArray(self, key: str, value: Any, reuse: bool) -> None:
        array = np.empty(0) if value is None else np.asanyarray(value)
        if array.dtype.kind == "u":  # even if all are null: Python has no such generic arrays
            _refuse_pointer(key)
        for each in array.flat if array.dtype == object else ():
            if isinstance(each, sidl.BaseInterface):
                _refuse_object(key, each)
        # a dtype that has been pickled is equal, but no longer says of which struct it is
        layout = find_layout(array) if array.dtype.names else None
        self.put("GenericArray", key, layout.cls if layout else None)
        self.put_array("elements", key, value)

    def unpackGenericArray(self, key: str) -> Any:
        struct = self.take("GenericArray", key)
        array = self.take_array("elements", key, 0)
        if struct is None:
            return array
        result = array.view(struct.dtype)
        if isinstance(array, Array):
            result.lower = array.lower
        return result

    def put_array(self, kind: str, key: str, value: Any) -> None:
        lower = value.lower if isinstance(value, Array) else None
        self.put(kind, key, None if value is None else (np.array(value), lower))

    def take_array(self, kind: str, key: str, ordering: int) -> Any:
        taken = self.take(kind, key)
        if taken is None:
            return None
        array = np.asarray(taken[0], order=_ORDERS[ordering])  # type: ignore[call-overload]
        if taken[1] is None:
            return array
        result = array.view(Array)
        result.lower = taken[1]
        return result

    def put(self, kind: str, key: str, value: Any) -> None:
        self.items.append((kind, key, value))

    def take(self, kind: str, key: str) -> Any:
        if self._next == len(self.items):
            raise sidl.io.IOException(
                f"there is no value '{key}': unpackObj unpacks more than packObj has packed"
            )
        own_kind, _, value = self.items[self._next]
        if own_kind != kind:
            raise sidl.io.IOException(
                f"'{key}' is unpacked as {kind}, but was packed as {own_kind}"
            )
        self._next += 1
        return value
