"""Support for SIDL_REPORT_LEAKS=1: objects held by variables are not leaks.

Variables of modules and classes hold objects until Python ends, which an embedded Python never
does; and what an implementation holds stays if Python ends first. So if a report is requested,
variables that lead to SIDL objects are set to None at the end of Python.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from shinar._core import Object, Throwable
from shinar._implementation import Implementation

# What refers to all that there is; modules and classes have variables of their own.
_ELSEWHERE = (types.ModuleType, type, types.FrameType)


def release_variables() -> None:
    """To be called when no more calls enter Python; it may cause destructors to run."""
    owners = [each for each in gc.get_objects() if issubclass(type(each), (types.ModuleType, type))]
    search = _Search(owners)
    variables = _variables(owners)
    found = [(owner, name) for owner, name, value in variables if search.leads_to_objects(value)]
    for owner, name in found:
        with contextlib.suppress(AttributeError, TypeError):  # for immutable classes
            setattr(owner, name, None)
    gc.collect()


def _variables(owners: list[Any]) -> Iterator[tuple[Any, str, Any]]:
    """Variables of modules and classes, with their values."""
    for owner in owners:
        if _is_of_users(getattr(owner, "__module__", None) or getattr(owner, "__name__", "")):
            for name, value in list(vars(owner).items()):
                yield owner, name, value


def _is_of_users(module: Any) -> bool:
    """The standard library's modules are skipped, as they need their variables to the end."""
    top = str(module).split(".")[0]
    return top not in ("shinar", "sidl") and top not in _OF_PYTHON


_OF_PYTHON = getattr(sys, "stdlib_module_names", None) or {  # which 3.9 does not know
    Path(each).stem for each in os.listdir(os.path.dirname(os.__file__))
}


class _Search:
    def __init__(self, owners: list[Any]) -> None:
        import sidl

        self._objects = (Object, Throwable, Implementation, sidl.BaseInterface)
        modules = [each for each in owners if issubclass(type(each), types.ModuleType)]
        self._fruitless = {id(vars(each)) for each in modules}  # and all that was searched in vain

    def leads_to_objects(self, value: Any) -> bool:
        seen: set[int] = set()
        layer = [value]
        while layer:
            layer = [each for each in layer if self._is_new(each, seen)]
            if any(issubclass(type(each), self._objects) for each in layer):
                return True
            layer = _referents(layer)
        self._fruitless |= seen
        return False

    def _is_new(self, value: Any, seen: set[int]) -> bool:
        if issubclass(type(value), _ELSEWHERE) or id(value) in seen or id(value) in self._fruitless:
            return False
        seen.add(id(value))
        return True


def _referents(values: list[Any]) -> list[Any]:
    arrays = [each for each in values if issubclass(type(each), np.ndarray)]
    elements = [each for array in arrays if array.dtype.hasobject for each in array.flat]
    return gc.get_referents(*values) + elements
