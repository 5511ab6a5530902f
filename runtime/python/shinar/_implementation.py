"""What classes that implement SIDL classes are derived from."""

from __future__ import annotations

from typing import Any

from shinar import _core


class Implementation:
    """The implementation of a SIDL class. Generated code makes one for each object."""

    _sidl_object: int
    _sidl_type: str

    @property
    def this(self) -> Any:
        """The SIDL object that this is the implementation of, to be passed on.

        It is made anew each time: an implementation that kept its own object would keep it alive.
        """
        return _core.object_at(self._sidl_object)

    @property
    def super(self) -> Any:
        """The object with the methods of the parent class, in whatever language they are."""
        return _Super(self.this, self._sidl_type)


def implementation_of(obj: Any) -> Any:
    """What implements an object of this process, if its class is implemented in Python; else None.

    Classes that belong together see each other's insides by it.
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
