"""The Python classes of structs."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import numpy as np

from shinar import _core

_HAS_SLOTS = sys.version_info >= (3, 10)


class _Dtype:
    """The attribute `dtype` of a struct's class: that of NumPy's arrays of the struct."""

    def __get__(self, instance: Any, owner: type) -> np.dtype[Any]:
        layout = _core.layout_of_class(owner)
        if layout is None:
            raise AttributeError(f"{owner.__name__} is no struct of SIDL's")
        return layout.dtype  # type: ignore[no-any-return]


def struct(cls: type) -> type:
    """A dataclass whose objects have only the declared members, so that a misspelt one is an
    error. Python 3.9 does not support that: there it goes unnoticed."""
    setattr(cls, "__eq__", _equals)  # noqa: B010
    if not hasattr(cls, "dtype"):  # else it is a member
        setattr(cls, "dtype", _Dtype())  # noqa: B010
    options = {"slots": True} if _HAS_SLOTS else {}
    return dataclasses.dataclass(**options)(cls)


def _equals(self: Any, other: Any) -> bool:
    """As for a dataclass; arrays are compared by shape and elements."""
    if other.__class__ is not self.__class__:
        return NotImplemented
    names = [each.name for each in dataclasses.fields(self)]
    return all(_is_equal(getattr(self, name), getattr(other, name)) for name in names)


def _is_equal(a: Any, b: Any) -> bool:
    if a is b or a is None or b is None:
        return a is b
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    return bool(a == b)
