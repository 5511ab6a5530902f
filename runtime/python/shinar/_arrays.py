"""Converts arrays passed to calls whose memory cannot be used directly."""

from __future__ import annotations

from typing import Any

import numpy as np

from shinar._device_arrays import DeviceArray, is_elsewhere

_WORK = 1000  # NumPy's work limit: if it cannot decide within it, arrays may overlap


class Array(np.ndarray[Any, Any]):
    """A SIDL array with lower bounds other than 0, which are in `lower`.

    NumPy itself counts from 0. Arrays derived from such an array, slices and NumPy's copies
    included, have no lower bounds; `np.ndarray.view(shinar.Array)` and an assignment to `lower` set
    them. The modules copy and pickle keep them.
    """

    lower: tuple[int, ...] | None

    def __array_finalize__(self, made_of: Any) -> None:
        self.lower = None

    def __copy__(self) -> Array:
        made = super().__copy__()
        made.lower = self.lower
        return made

    def __deepcopy__(self, memo: dict[int, Any] | None, /) -> Array:
        made = super().__deepcopy__(memo)
        made.lower = self.lower
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        reduced: Any = super().__reduce__()
        make, arguments, state = reduced
        return make, arguments, (state, self.lower)

    def __setstate__(self, state: Any) -> None:
        of_numpy, lower = state
        super().__setstate__(of_numpy)
        self.lower = lower


def convert(
    given: Any, dtype: np.dtype[Any], dimension: int, what: str, wanted: str, strict: bool
) -> np.ndarray[Any, Any]:
    """`given` as an array of the type, writable and aligned, with `dimension` dimensions (0: any).

    Its own memory if that is possible; otherwise a copy, or, if `strict`, a TypeError.
    """
    array = _as_array(given, dtype, what, wanted)
    if strict and isinstance(given, (list, tuple)) and dtype.kind != "O":
        raise TypeError(
            f"{what} would have to be copied to be {wanted}, which strict does not allow"
        )
    if dimension and array.ndim != dimension:
        raise TypeError(f"{what} must be {wanted}, not {array_of(array.ndim)}")
    result = _with_type(array, dtype, what, wanted)
    strides_fit = all(stride % result.itemsize == 0 for stride in result.strides)
    if not (result.flags.writeable and result.flags.aligned and strides_fit):
        result = result.copy(order="K")
    if strict and dtype.kind not in "O?" and not np.may_share_memory(result, array):
        raise TypeError(
            f"{what} would have to be copied to be {wanted}, which strict does not allow"
        )
    return result


def check_changeable(given: Any, dtype: np.dtype[Any] | None, what: str, wanted: str) -> None:
    """Raises an error if an inout argument could not be changed in place.

    `dtype` is None where the array's own elements say what they are.
    """
    if isinstance(given, list):
        return
    if isinstance(given, (tuple, str, bytes)) or not _is_array(given):
        kind = type(given).__name__
        raise TypeError(f"{what} is inout: it must be an array or a list to be changed, not {kind}")
    array = _as_array(given, np.dtype("f8"), what, wanted)
    if not array.flags.writeable:
        raise ValueError(f"{what} is inout, and the array is read-only")
    if dtype is None or array.dtype == dtype or array.dtype.kind in "OT":
        return
    if not _takes_back(array.dtype, dtype):
        raise TypeError(
            f"{what} is inout: an array of {array.dtype} cannot hold all that {wanted} can"
        )


def _is_array(given: Any) -> bool:
    return isinstance(given, np.ndarray) or hasattr(given, "__len__")


def _takes_back(own: np.dtype[Any], from_sidl: np.dtype[Any]) -> bool:
    if from_sidl.kind == "S":
        return own.itemsize == 1 and own.kind in "iuS"
    if from_sidl.kind in "fc":  # less precision is allowed
        return own.kind in "fc" and np.can_cast(from_sidl, own, "same_kind")
    return np.can_cast(from_sidl, own, "safe")


def write_back(
    given: Any, position: int, results: list[Any], may_have_any_type: bool, what: str
) -> None:
    """Copies results[position], returned for an inout argument, into the given array or list, which
    then replaces it in the results.

    A result of another shape, or of another type where any is allowed, or that is no array any
    more, is left in the results, and the caller's array is not changed.

    Raises an OverflowError, before anything is changed, if numbers are too large for the given
    array.
    """
    value = results[position]
    if value is None:
        return
    array = _as_array(given, value.dtype, "", "")
    if array.shape != value.shape:
        return
    value = on_host(value)
    own_type = array.dtype.newbyteorder("=")
    if may_have_any_type and own_type != value.dtype:
        return
    if _is_same_memory(array, value):  # it was changed in place, if at all
        results[position] = given
        return
    if value.dtype.kind in "fc" and not isinstance(given, list):
        came = f"what came back for {what}"
        value = _rounded(value, array.dtype, came, f"the array of {array.dtype} that was given")
    _keep_others(given, array, position, results)
    results[position] = given
    if isinstance(given, list):
        _fill(given, value)
    elif value.dtype.kind == "S" and array.dtype.kind in "iu":
        array[...] = value.view(array.dtype)
    else:
        array[...] = value


def on_host(value: Any) -> np.ndarray[Any, Any]:
    """What a call returned, for its elements to be written into memory of the host."""
    array: np.ndarray[Any, Any] = value.to_host() if isinstance(value, DeviceArray) else value
    return array


def _keep_others(
    given: Any, array: np.ndarray[Any, Any], position: int, results: list[Any]
) -> None:
    """Copies other results that are parts of the caller's array, which is about to be changed."""
    for i, other in enumerate(results):
        if i != position and _is_part_of(other, given, array):
            results[i] = _copy(other)


def _is_same_memory(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    layouts = [(each.ctypes.data, each.itemsize, each.shape, each.strides) for each in (a, b)]
    return layouts[0] == layouts[1]


def _is_part_of(other: Any, given: Any, array: np.ndarray[Any, Any]) -> bool:
    """True if changing `given`, a list or an array, may change `other`."""
    if isinstance(given, list):
        return not _lists(other).isdisjoint(_lists(given))
    if not isinstance(other, np.ndarray):
        if is_elsewhere(other) or not _has_buffer(other):
            return False
        other = _as_array(other, array.dtype, "", "")
    return np.may_share_memory(other, array, max_work=_WORK)


def _lists(value: Any) -> set[int]:
    """The list and all lists nested in it."""
    if not isinstance(value, list):
        return set()
    return {id(value)}.union(*map(_lists, value))


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def _copy(value: Any) -> Any:
    """With the SIDL bounds, which NumPy's copies lose."""
    if isinstance(value, list):
        return [_copy(each) if isinstance(each, list) else each for each in value]
    if not isinstance(value, np.ndarray):
        return _as_array(value, np.dtype("f8"), "", "").copy()
    array = value
    made = array.copy(order="K")
    if isinstance(array, Array) and isinstance(made, Array):
        made.lower = array.lower
    return made


def _fill(given: list[Any], value: np.ndarray[Any, Any]) -> None:
    if value.ndim > 1:
        for i, row in enumerate(value):
            if isinstance(given[i], list):
                _fill(given[i], row)
            else:
                given[i] = row
    else:
        given[:] = value.tolist()


def of_tensor(given: Any, what: str, wanted: str) -> np.ndarray[Any, Any]:
    """What another library has in host memory, over the same memory."""
    try:
        return np.from_dlpack(given)
    except (BufferError, RuntimeError) as error:
        raise TypeError(f"{what} must be {wanted}: {error}") from error


def _as_array(given: Any, dtype: np.dtype[Any], what: str, wanted: str) -> np.ndarray[Any, Any]:
    if isinstance(given, np.ndarray):
        return given
    if isinstance(given, bytes) and dtype.kind == "S":
        return np.frombuffer(given, dtype)
    if isinstance(given, (str, bytes)) or not hasattr(given, "__len__"):
        raise TypeError(f"{what} must be {wanted}, not {type(given).__name__}")
    try:
        array = np.array(given, dtype=object) if dtype.kind == "O" else np.asarray(given)
    except ValueError as error:  # NumPy's, of nested lists that differ in length
        raise ValueError(f"{what} must be {wanted}: {error}") from error
    if array.ndim == 0:
        raise TypeError(f"{what} must be {wanted}, not {type(given).__name__}")
    return array


def array_of(dimensions: int) -> str:
    """For messages."""
    return f"an array of {dimensions} dimension{'s' * (dimensions != 1)}"


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
    if dtype.kind == "S" and (array.dtype.kind != "S" or np.char.str_len(array).max() > 1):
        raise TypeError(f"{what} must be {wanted} of one byte each, not an array of {array.dtype}")
    if dtype.kind in "fc":
        return _rounded(array, dtype, what, wanted)
    return array.astype(dtype)


def _rounded(
    array: np.ndarray[Any, Any], dtype: np.dtype[Any], what: str, wanted: str
) -> np.ndarray[Any, Any]:
    """Fractions may lose precision; integers may not, and finite numbers must stay finite."""
    if np.can_cast(array.dtype, dtype, "safe") and array.dtype.itemsize < 8:
        return array.astype(dtype)
    if array.dtype.kind in "iu":
        if not _are_held(array, np.finfo(dtype).nmant + 1):
            raise OverflowError(f"{what}: an element has more digits than {wanted} can hold")
        return array.astype(dtype)
    with np.errstate(over="ignore"):
        result = array.astype(dtype)
    finite = np.isfinite(result)
    if not finite.all() and np.isfinite(array[~finite]).any():
        raise OverflowError(f"{what}: an element is too large for {wanted}")
    return result


def _are_held(array: np.ndarray[Any, Any], bits: int) -> bool:
    """True if that many bits suffice for each of the integers."""
    limit = 2**bits
    if -limit <= int(array.min()) and int(array.max()) <= limit:
        return True
    size = array.astype(np.uint64)
    size = np.where(array < 0, ~size + np.uint64(1), size)
    lowest = np.maximum(size & (~size + np.uint64(1)), np.uint64(1))
    return bool((size // lowest < limit).all())
