"""Memory that nobody may touch (tests/memory/test_space.c), and other libraries' arrays in it."""

import ctypes
import os
from pathlib import Path

DEVICE = (12, 0)
_folder = Path(os.environ["SIDL_DLL_PATH"].split(";")[0]).parent
_library = ctypes.CDLL(str(_folder / "libtest_space.so"))
_library.test_space.restype = ctypes.c_void_p
_library.test_space_memory.restype = ctypes.c_void_p
_library.test_space_memory.argtypes = [ctypes.c_void_p]
assert _library.test_space()

blocks = _library.test_space_blocks
copies = _library.test_space_copies
fail = _library.test_space_fail

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype = ctypes.c_char_p
_name.argtypes = [ctypes.py_object]


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("dimen", ctypes.c_int32),
        ("type", Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("owner", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


def name_of(capsule):
    return _name(capsule).decode()


def contents(capsule):
    """The tensor in a capsule: a Versioned, or a Tensor."""
    kind = Versioned if "versioned" in name_of(capsule) else Tensor
    return kind.from_address(_pointer(capsule, _name(capsule)))


def tensor_of(capsule):
    found = contents(capsule)
    return found.tensor if isinstance(found, Versioned) else found


def address(array):
    """Where the elements of a DeviceArray are."""
    capsule = array.__dlpack__()
    return tensor_of(capsule).data + tensor_of(capsule).byte_offset


class Other:
    """An array of another library, which has versions; `change` gets the tensor that it makes."""

    def __init__(self, array, change=None):
        self.array = array
        self.change = change
        self.capsules = []

    def __dlpack_device__(self):
        return DEVICE

    def __dlpack__(self, *, stream=None, max_version=None):
        assert stream is None and max_version == (1, 0)
        return self._made(self.array.__dlpack__(max_version=max_version))

    def _made(self, capsule):
        if self.change:
            self.change(contents(capsule))
        self.capsules.append(capsule)
        return capsule


class Old(Other):
    """One of a library from before there were versions."""

    def __dlpack__(self, stream=None):
        return self._made(self.array.__dlpack__())


class Raising(Other):
    def __dlpack__(self, **options):
        raise BufferError("this one is not for others")
