"""What structs are in Python."""

from __future__ import annotations

import dataclasses
import sys

_HAS_SLOTS = sys.version_info >= (3, 10)


def struct(cls: type) -> type:
    """A dataclass whose objects take the members that it declares and no others, so that a misspelt
    one is an error. Python 3.9 does not know how to do that: there it goes unnoticed."""
    options = {"slots": True} if _HAS_SLOTS else {}
    return dataclasses.dataclass(**options)(cls)
