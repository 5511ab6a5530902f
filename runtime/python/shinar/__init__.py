"""What SIDL objects in Python have in common: see the packages that sidlc makes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from shinar import _environment  # noqa: F401

# isort: split
from shinar import _core
from shinar._arrays import Array
from shinar._core import Object, Throwable
from shinar._implementation import Implementation, implementation_of
from shinar._pending import Pending
from shinar._structs import struct

__all__ = [
    "Array",
    "Implementation",
    "Object",
    "Pending",
    "Throwable",
    "deadline",
    "implementation_of",
    "strict_arrays",
    "struct",
]


@contextlib.contextmanager
def strict_arrays() -> Iterator[None]:
    """Arrays are shared or refused: in this block none is copied on its way into a call."""
    before = _core.set_strict(True)
    try:
        yield
    finally:
        _core.set_strict(before)


@contextlib.contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Calls that this thread begins in the block may take so long; then they are given up."""
    from sidl.rmi import Deadline

    before = Deadline.getForThread()
    Deadline.setForThread(max(1, round(1000 * seconds)))
    try:
        yield
    finally:
        Deadline.setForThread(before)


os.register_at_fork(before=_core.await_loading)
