"""Arrays whose elements are in the memory of a device."""

from __future__ import annotations

import math
import operator
from typing import Any, NoReturn

import numpy as np

from shinar import _core

_HOST = (1, 0)
# DLPack's types of devices whose memory is the host's, too: as libsidl has it.
_ON_HOST = frozenset({1, 3, 11, 13})


class DeviceArray:
    """A SIDL array whose elements are not in host memory: it can be passed on, copied and given to
    whoever knows the device.

    `device` is DLPack's name of it, its type and its number. `strides` are in bytes. The dtype is
    that of what `to_host` returns (a bool has 32 bits on the device, as in SIDL).
    """

    __slots__ = ("__weakref__", "_handle", "_where", "device", "dtype", "lower", "shape", "strides")

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]
    lower: tuple[int, ...]
    device: tuple[int, int]
    _handle: Any  # a capsule with the SIDL array
    _where: str  # the name of the device

    def __init__(self) -> None:
        raise TypeError("shinar.to_device makes arrays on a device")

    @classmethod
    def _of(cls, handle: Any, *values: Any) -> DeviceArray:
        """For the core."""
        made = cls.__new__(cls)
        made._handle = handle
        made.shape, made.dtype, made.strides, made.lower, made.device, made._where = values
        return made

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        lower = f", lower={self.lower}" if any(self.lower) else ""
        return (
            f"<shinar.DeviceArray in {self._where}, shape={self.shape}, dtype={self.dtype}{lower}>"
        )

    def to_host(self) -> Any:
        """A copy as a NumPy array. A sidl.MemorySpaceException if that is impossible."""
        return _core.to_host(self._handle)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The elements for another library.

        `stream` has no meaning: libsidl's own copies are finished when it returns from them.
        """
        wanted = self.device if dl_device is None else (int(dl_device[0]), int(dl_device[1]))
        is_copied = bool(copy) or wanted != self.device
        if is_copied and copy is False:
            raise BufferError(f"elements in {self._where} are elsewhere only as a copy")
        if wanted[0] in _ON_HOST and wanted != _HOST:
            raise BufferError(f"no copy is made for device {wanted}")
        handle = self._handle
        if is_copied:
            handle = _core.copy_array(handle, *wanted)
            if handle is None:
                raise BufferError(f"elements in {self._where} cannot be copied to device {wanted}")
        versioned = max_version is not None and max_version[0] >= 1
        return _core.to_dlpack(handle, versioned, is_copied)

    def __array__(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("they are not copied unless asked: to_host() makes a NumPy array")

    def __getitem__(self, index: Any) -> NoReturn:
        self._refuse("to_host() makes a NumPy array")

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        self._refuse("change them there, or a copy that to_host() makes")

    def __iter__(self) -> NoReturn:
        self._refuse("to_host() makes a NumPy array")

    def __copy__(self) -> DeviceArray:
        """Of the same elements' copy, as copies of NumPy's arrays."""
        handle = _core.copy_array(self._handle, *self.device)
        if handle is None:
            raise MemoryError(f"elements in {self._where} cannot be copied there")
        copied: DeviceArray = _core.wrap_array(handle)
        return copied

    def __deepcopy__(self, memo: Any) -> DeviceArray:
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"elements in {self._where} cannot be pickled; what to_host() returns can be"
        )

    def _refuse(self, instead: str) -> NoReturn:
        raise TypeError(f"the elements are in {self._where}; {instead}")


def to_device(array: Any, device: tuple[int, int]) -> Any:
    """A copy of the array on a device, which is named by DLPack's type and number: a DeviceArray.

    The array itself if it is there already; a NumPy array if the device is the host. A
    sidl.MemorySpaceException if no library has registered how to copy there.
    """
    try:
        device_type, device_id = map(operator.index, device)
    except (TypeError, ValueError):
        wanted = "DLPack's type and number of it, as in (2, 0)"
        raise TypeError(f"the device must be {wanted}, not {device!r}") from None
    if not all(-(2**31) <= each < 2**31 for each in (device_type, device_id)):
        raise ValueError(f"no device can be {device!r}: its type and number have 32 bits")
    return _core.to_device(array, device_type, device_id)


def is_elsewhere(given: Any) -> bool:
    """True if it is an array that is not in host memory."""
    if isinstance(given, DeviceArray):
        return True
    if isinstance(given, type) or not hasattr(given, "__dlpack__"):
        return False
    ask = getattr(given, "__dlpack_device__", None)
    return ask is not None and int(ask()[0]) not in _ON_HOST


def request(given: Any, what: str) -> Any:
    """The tensor of another library's array, as a capsule.

    No stream is named. Then the producer makes its data safe for the device's default stream.
    """
    try:
        try:
            return given.__dlpack__(max_version=(1, 0))
        except TypeError:  # from before there were versions
            return given.__dlpack__()
    except BufferError as error:
        raise BufferError(f"{what}: {error}") from error
