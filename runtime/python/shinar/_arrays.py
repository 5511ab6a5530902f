"""What arrays become on their way into a call when their memory cannot be handed over as it is."""

from __future__ import annotations

from typing import Any

import numpy as np


class Array(np.ndarray[Any, Any]):
    """An array of SIDL whose first indices are not all 0: `lower` has them.

    NumPy counts from 0 all the same. What is made of such an array, slices and copies included, has
    no bounds of its own; `np.ndarray.view(shinar.Array)` and an assignment to `lower` give it some.
    """

    lower: tuple[int, ...] | None

    def __array_finalize__(self, made_of: Any) -> None:
        self.lower = None


def convert(
    given: Any, dtype: np.dtype[Any], dimension: int, what: str, wanted: str, strict: bool
) -> np.ndarray[Any, Any]:
    """`given` as an array of the type, writable and aligned, with `dimension` dimensions (0: any).

    Its own memory if that is possible; otherwise a copy, or, if `strict`, a TypeError.
    """
    array = _as_array(given, dtype, what, wanted)
    if strict and isinstance(given, (list, tuple)) and dtype.kind != "O":
        raise TypeError(f"{what} would have to be copied to be {wanted}, and strict says no")
    if dimension and array.ndim != dimension:
        raise TypeError(f"{what} must be {wanted}, not an array of {array.ndim} dimensions")
    result = _with_type(array, dtype, what, wanted)
    strides_fit = all(stride % result.itemsize == 0 for stride in result.strides)
    if not (result.flags.writeable and result.flags.aligned and strides_fit):
        result = result.copy(order="K")
    if strict and dtype.kind not in "O?" and not np.may_share_memory(result, array):
        raise TypeError(f"{what} would have to be copied to be {wanted}, and strict says no")
    return result


def _as_array(given: Any, dtype: np.dtype[Any], what: str, wanted: str) -> np.ndarray[Any, Any]:
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__dlpack__"):
        return np.from_dlpack(given)
    if isinstance(given, (str, bytes)) or not hasattr(given, "__len__"):
        raise TypeError(f"{what} must be {wanted}, not {type(given).__name__}")
    if dtype.kind == "O":
        return np.array(given, dtype=object)
    return np.asarray(given)


def _with_type(
    array: np.ndarray[Any, Any], dtype: np.dtype[Any], what: str, wanted: str
) -> np.ndarray[Any, Any]:
    if array.dtype == dtype:
        return array
    if array.size == 0 or dtype.kind == "O":
        return array.astype(dtype)
    if array.dtype.itemsize == dtype.itemsize and dtype.kind == "S" and array.dtype.kind in "iu":
        return array.view(dtype)
    if array.dtype.kind in "iu" and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            raise OverflowError(f"{what}: an element is too large for {wanted}")
        return array.astype(dtype)
    if not np.can_cast(array.dtype, dtype, "same_kind") or array.dtype.kind == "b":
        raise TypeError(f"{what} must be {wanted}, not an array of {array.dtype}")
    return array.astype(dtype)
