"""Arrays of structs: NumPy's structured arrays, and arrays of the structs' Python objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from shinar import _arrays, _core


class Member(NamedTuple):
    """A member of a struct."""

    name: str  # in Python
    kind: str  # the SIDL type
    format: str  # of NumPy's, unless it is a struct; that of the elements of an array
    shape: tuple[
        int, ...
    ]  # of an array that lies in the struct, from the last dimension to the first
    offset: int
    layout: Layout | None  # of a struct
    enum: type | None  # the Python class
    values: tuple[int, ...] | None  # of an enum


class Layout:
    """How a struct looks in NumPy: `dtype` is that of its arrays, of objects if the struct owns
    something."""

    def __init__(
        self,
        name: str,
        cls: type | None,
        size: int,
        is_plain: bool,
        members: tuple[Member, ...],
        info: int,
    ) -> None:
        self.name = name
        self.cls = cls
        self.members = members
        self.is_plain = is_plain
        self.info = info  # address of the description
        self.names = [each.name for each in members]
        self.has_enums: bool = any(
            each.layout.has_enums if each.layout else each.values is not None for each in members
        )
        self.dtype: Any = self._make_dtype(size) if is_plain else np.dtype(object)

    def _make_dtype(self, size: int) -> np.dtype[Any]:
        formats = [
            each.layout.dtype if each.layout else (each.format, each.shape) for each in self.members
        ]
        offsets = [each.offset for each in self.members]
        spec = {"names": self.names, "formats": formats, "offsets": offsets, "itemsize": size}
        # Aligned, so that NumPy tells of memory whether it is, and keeps this layout in
        # concatenations.
        return np.dtype(spec, align=True)  # type: ignore[call-overload, no-any-return]

    def new(self, values: list[Any], what: str) -> Any:
        """A Python object of the struct."""
        if self.cls is None:
            raise TypeError(f"{what}: there is no Python class for {self.name}")
        return self.cls(*values)

    def object_of(self, given: Any, what: str) -> Any:
        """A Python object of the struct, of such an object, a tuple, a dict or an element of a
        structured array."""
        if self.cls is not None and isinstance(given, self.cls):
            return given
        if isinstance(given, np.void) and given.dtype.names is not None:
            members: Mapping[Any, Any] = {name: given[name] for name in given.dtype.names}
        elif isinstance(given, Mapping):
            members = given
        elif isinstance(given, tuple):
            if len(given) != len(self.names):
                count = f"{len(self.names)} members, and {len(given)} values are given"
                raise TypeError(f"{what}: {self.name} has {count}")
            members = dict(zip(self.names, given))
        else:
            raise TypeError(f"{what} must be {self.name}, not {type(given).__name__}")
        is_element = isinstance(given, np.void)
        self.check_names(list(members), f"{what}:", given.dtype if is_element else None)
        values = [
            _value(each, members[each.name], what)
            if is_element
            # what is in a dict is checked where it is converted
            else _given_value(each, members[each.name], what)
            for each in self.members
        ]
        return self.new(values, what)

    def check_names(self, names: list[Any], what: str, given: np.dtype[Any] | None = None) -> None:
        """Raises a TypeError unless these are the names of the members; those of the dtype `given`
        if there is one."""
        others = [name for name in names if name not in self.names]
        if others:
            name = next((each for each in others if not _is_filler(given, each)), others[0])
            raise TypeError(f"{what} {self.name} has no member '{name}'")
        for name in self.names:
            if name not in names:
                raise TypeError(f"{what} there is nothing for member '{name}' of {self.name}")


def _is_filler(dtype: np.dtype[Any] | None, name: Any) -> bool:
    """True if NumPy made the field, of the gaps that `dtype.descr` lists without a name: a message
    had better not speak of it."""
    if dtype is None or dtype.names is None:
        return False
    field = dtype[name]
    is_gap = field.kind == "V" and field.names is None and field.subdtype is None
    return bool(is_gap and name == f"f{dtype.names.index(name)}")


def _value(member: Member, value: Any, what: str) -> Any:
    """What a member of a structured array's element is in the struct's Python object."""
    if member.layout is not None:
        return member.layout.object_of(value, f"{what}, member '{member.name}'")
    if member.shape:
        return value.T
    if isinstance(value, np.generic):
        value = value.item()
    if member.kind == "bool":
        return bool(value)
    if member.kind == "char" and isinstance(value, bytes):  # NumPy drops null characters
        return (value or b"\0").decode("latin-1")
    if member.kind == "opaque":
        return value or None
    if member.enum is not None and value in (member.values or ()):
        return member.enum(value)
    return value


def _given_value(member: Member, value: Any, what: str) -> Any:
    if member.layout is None:
        return value
    return member.layout.object_of(value, f"{what}, member '{member.name}'")


_made: dict[Any, Layout] = {}
_by_dtype: dict[int, Layout] = {}


def make_layout(
    name: str,
    cls: type | None,
    size: int,
    is_plain: bool,
    members: tuple[tuple[Any, ...], ...],
    info: int,
) -> Layout:
    """The layout of a struct. Libraries may have descriptions of their own of one struct."""
    described = tuple(Member(*each) for each in members)
    key = (name, cls, size, described)
    if key not in _made:
        _made[key] = Layout(name, cls, size, is_plain, described, info)
        if is_plain:
            _by_dtype[id(_made[key].dtype)] = _made[key]
    return _made[key]


def find_layout(given: Any) -> Layout | None:
    """The layout of the elements of what is given as a generic array; None if they are no structs,
    or it cannot be known of which struct they are."""
    if isinstance(given, np.ndarray):
        if given.dtype.names is not None:
            return _by_dtype.get(id(given.dtype))
        first = next((each for each in given.flat if each is not None), None)
    else:
        first = given
        while isinstance(first, (list, tuple)) and first:
            first = first[0]
        if isinstance(first, np.void):
            return _by_dtype.get(id(first.dtype))
    layout: Layout | None = _core.layout_of_class(type(first))
    return layout


def convert(
    given: Any, layout: Layout, dimension: int, what: str, wanted: str, strict: bool
) -> np.ndarray[Any, Any]:
    """`given` as an array of the layout's dtype, writable and aligned, or, where elements have to
    be converted one by one, as an array of the struct's Python objects; with `dimension` dimensions
    (0: any).

    A TypeError, if `strict`, instead of a copy of what could be shared.
    """
    if isinstance(given, memoryview):
        given = np.asarray(given)
    is_array = isinstance(given, np.ndarray)
    if not is_array and (isinstance(given, (str, bytes)) or not isinstance(given, Sequence)):
        raise TypeError(f"{what} must be {wanted}, not {type(given).__name__}")
    if is_array and dimension and given.ndim != dimension:
        raise TypeError(f"{what} must be {wanted}, not {_arrays.array_of(given.ndim)}")
    if layout.is_plain and is_array and given.dtype.names is not None:
        result = _with_layout(given, layout, what)
        strides_fit = all(stride % result.itemsize == 0 for stride in result.strides)
        if not (result.flags.writeable and result.flags.aligned and strides_fit):
            result = result.copy(order="K")
    else:
        result = _objects(given, layout, dimension, what, wanted)
    if strict and layout.is_plain and not (is_array and np.may_share_memory(result, given)):
        raise TypeError(
            f"{what} would have to be copied to be {wanted}, which strict does not allow"
        )
    return result


def _objects(
    given: Any, layout: Layout, dimension: int, what: str, wanted: str
) -> np.ndarray[Any, Any]:
    """An array of the struct's Python objects."""
    if isinstance(given, np.ndarray):
        if given.size != 0 and given.dtype.kind != "O" and given.dtype.names is None:
            raise TypeError(f"{what} must be {wanted}, not an array of {given.dtype}")
        is_columns = given.flags.f_contiguous and not given.flags.c_contiguous
        result = np.empty(given.shape, dtype=object, order="F" if is_columns else "C")
        elements = zip(np.ndindex(given.shape), given.flat)
    else:
        result = np.empty(_shape(given, dimension or _depth(given), what), dtype=object)
        elements = zip(np.ndindex(result.shape), _flat(given, result.ndim))
    for index, element in elements:
        result[index] = layout.object_of(element, _element(index, what))
    return result


def _element(index: tuple[int, ...], what: str) -> str:
    return f"{what}, element {list(index)}"


def _is_level(given: Any) -> bool:
    return isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, (str, bytes))


def _depth(given: Any) -> int:
    depth = 0
    while isinstance(given, (list, tuple, np.ndarray)):
        depth += 1
        if len(given) == 0:
            break
        given = given[0]
    return depth


def _shape(given: Any, dimension: int, what: str) -> tuple[int, ...]:
    """The lengths of nested lists."""
    if not _is_level(given):
        raise TypeError(f"{what} must have {dimension} more dimensions where it has none")
    if dimension == 1:
        return (len(given),)
    inner = {_shape(each, dimension - 1, what) for each in given}
    if len(inner) > 1:
        raise ValueError(f"{what}: lists in it differ in length")
    return (len(given), *(inner.pop() if inner else (0,) * (dimension - 1)))


def _flat(given: Any, dimension: int) -> Iterator[Any]:
    for each in given:
        if dimension > 1:
            yield from _flat(each, dimension - 1)
        else:
            yield each


def _is_same(a: np.dtype[Any], b: np.dtype[Any]) -> bool:
    """True if elements of both are the same bytes; names and offsets included."""
    if a.names is None or b.names is None:
        return bool(a == b)
    if a.names != b.names or a.itemsize != b.itemsize or a.fields is None or b.fields is None:
        return False
    return all(
        a.fields[name][1] == b.fields[name][1] and _is_same(a.fields[name][0], b.fields[name][0])
        for name in a.names
    )


def _with_layout(array: np.ndarray[Any, Any], layout: Layout, what: str) -> np.ndarray[Any, Any]:
    """A structured array as one of the layout: the same memory if it has that."""
    if _is_same(array.dtype, layout.dtype):
        return array if array.dtype is layout.dtype else array.view(layout.dtype, np.ndarray)
    layout.check_names(list(array.dtype.names or ()), f"{what}:", array.dtype)
    result = np.zeros_like(array, dtype=layout.dtype, subok=False)
    for member in layout.members:
        column = array[member.name]
        shape = column.shape[array.ndim :]
        if not member.shape and shape:
            raise TypeError(f"{what}, member '{member.name}' must be {member.kind}, not an array")
        if shape != member.shape:
            wanted = f"must have the shape {member.shape}, not {shape}"
            raise TypeError(f"{what}, member '{member.name}' {wanted}")
        result[member.name] = _column(column, member, layout.dtype[member.name].base, what)
    return result


def _column(
    column: np.ndarray[Any, Any], member: Member, dtype: np.dtype[Any], what: str
) -> np.ndarray[Any, Any]:
    """The values of a member of all elements, converted."""
    inside = f"{what}, member '{member.name}'"
    if member.layout is not None:
        if column.dtype.names is None:
            raise TypeError(f"{inside} must be {member.kind}, not {column.dtype}")
        return _with_layout(column, member.layout, inside)
    if member.kind == "bool" and column.dtype.kind == "b":
        return column.astype(dtype)
    try:
        return _arrays._with_type(column, dtype, inside, member.kind)
    except OverflowError:
        for index in np.ndindex(column.shape):
            try:
                _arrays._with_type(column[index].reshape(1), dtype, inside, member.kind)
            except OverflowError:
                place = f"{_element(index, what)}, member '{member.name}'"
                raise OverflowError(
                    f"{place}: {column[index]} is too large for {member.kind}"
                ) from None
        raise


def check_enums(array: np.ndarray[Any, Any], layout: Layout, what: str) -> None:
    """Raises a ValueError if a member is not a value of its enum."""
    for member in layout.members:
        column = array[member.name]
        if member.layout is not None and member.layout.has_enums:
            check_enums(column, member.layout, what)
        elif member.values is not None:
            wrong = np.argwhere(~np.isin(column, member.values))
            if len(wrong) != 0:
                index = tuple(wrong[0].tolist())
                raise ValueError(
                    f"{_element(index, what)}, member '{member.name}': {column[index]} is not a "
                    f"value of {member.kind}"
                )


def check_changeable(given: Any, layout: Layout, what: str, wanted: str) -> None:
    """Raises an error if an inout argument could not be changed in place."""
    if isinstance(given, list):
        return
    if not isinstance(given, np.ndarray):
        kind = type(given).__name__
        raise TypeError(f"{what} is inout: it must be an array or a list to be changed, not {kind}")
    if not given.flags.writeable:
        raise ValueError(f"{what} is inout, and the array is read-only")
    if given.dtype.kind == "O":
        return
    if layout.is_plain:
        _check_all_names(given.dtype, layout, what)
    if not layout.is_plain or not _holds(given.dtype, layout):
        raise TypeError(
            f"{what} is inout: an array of {given.dtype} cannot hold all that {wanted} can"
        )


def _check_all_names(own: np.dtype[Any], layout: Layout, what: str) -> None:
    """As check_names, for the structs in it as well."""
    if own.names is None:
        return
    layout.check_names(list(own.names), f"{what}:", own)
    for member in layout.members:
        if member.layout is not None:
            _check_all_names(own[member.name], member.layout, f"{what}, member '{member.name}'")


def _holds(own: np.dtype[Any], layout: Layout) -> bool:
    """True if a structured array whose names are right can hold all values of the layout's."""
    if own.names is None:
        return False
    for member in layout.members:
        field = own[member.name]
        if member.layout is not None:
            holds = _holds(field, member.layout)
        elif member.kind == "bool" and field.kind == "b":
            holds = True
        else:
            wanted = layout.dtype[member.name]
            holds = field.shape == wanted.shape and field.base.kind != "O"
            holds = holds and _arrays._takes_back(field.base, wanted.base)
        if not holds:
            return False
    return True


def write_back(given: Any, layout: Layout, position: int, results: list[Any], what: str) -> None:
    """As _arrays.write_back, for arrays of structs."""
    value = results[position]
    if value is None:
        return
    if isinstance(given, list):
        try:
            shape = _shape(given, value.ndim, what)
        except (TypeError, ValueError):  # it is not what was given any more
            return
        array = value
    else:
        shape = given.shape
        array = given
    if shape != value.shape:
        return
    value = _arrays.on_host(value)
    if array is given and _arrays._is_same_memory(given, value):
        results[position] = given
        return
    if array is given and given.dtype.names is not None:
        value = _returned(value, layout, given.dtype, what)
    elif value.dtype.kind != "O":
        value = _objects(value, layout, value.ndim, what, layout.name)
    _arrays._keep_others(given, array, position, results)
    results[position] = given
    if array is given:
        given[...] = value
    else:
        _fill(given, value)


def _returned(
    value: np.ndarray[Any, Any], layout: Layout, own: np.dtype[Any], what: str
) -> np.ndarray[Any, Any]:
    """An array of the layout as one of the dtype that was given."""
    if value.dtype.kind == "O" or _is_same(own, layout.dtype):
        return value
    result = np.zeros(value.shape, own)
    for member in layout.members:
        column, field = value[member.name], own[member.name].base
        if member.layout is not None:
            column = _returned(column, member.layout, field, what)
        elif member.kind == "bool" and field.kind == "b":
            column = column != 0
        elif field.kind in "fc":
            came = f"what came back for {what}, member '{member.name}'"
            column = _arrays._rounded(column, field, came, f"the field of {field}")
        elif field.kind in "iu" and column.dtype.kind == "S":
            column = column.copy().view(field)
        result[member.name] = column
    return result


def _fill(given: list[Any], value: np.ndarray[Any, Any]) -> None:
    for i in range(len(value)):
        if value.ndim > 1 and isinstance(given[i], list):
            _fill(given[i], value[i])
        else:
            given[i] = value[i]
