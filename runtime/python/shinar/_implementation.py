"""The base of Python classes that implement SIDL classes."""

from __future__ import annotations

from typing import Any

from shinar import _core


class Implementation:
    """The implementation of a SIDL class. Generated code makes one for each object."""

    _sidl_object: int
    _sidl_type: str

    @property
    def this(self) -> Any:
        """The SIDL object that this implements, to be passed to others.

        A new handle each time, as an implementation that kept its own object would keep it alive.
        """
        return _core.object_at(self._sidl_object)

    @property
    def super(self) -> Any:
        """The object with the methods of the parent class, in any language."""
        return _Super(self.this, self._sidl_type)


def implementation_of(obj: Any) -> Any:
    """The implementation of an object of this process, if its class is implemented in Python; else
    None.

    Lets related classes access each other's internals.
    """
    return _core.implementation_of(obj)


class _Super:
    def __init__(self, this: Any, type_name: str) -> None:
        self._this = this
        self._type_name = type_name

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **named: Any) -> Any:
            return _core.call_super(self._this, self._type_name, name, args, named)

        return call
