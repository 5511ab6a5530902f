"""Arrays of structs from Python: of plain ones, and of those that own something."""

import dataclasses
import itertools
import os
import pickle

import numpy as np
import pytest
import rec
import shinar
import sidl
from conftest import make
from rec import Bag, Color, Door, Key, Page, Particle, Plain, Record, Room, Tree
from rec.InPython_Impl import InPython_Impl
from records import address, are_same, particle, particles, plain, record, records


def test_dtypes():
    dtype = Particle.dtype
    assert dtype.names == ("x", "y", "z", "id", "charge", "alive", "tag")
    assert [dtype.fields[name][1] for name in dtype.names] == [0, 8, 16, 24, 32, 36, 40]
    assert dtype.itemsize == 48 and dtype.isalignedstruct
    assert Particle.dtype is dtype is np.dtype(Particle) is Particle().dtype
    assert Plain.dtype["at"] is dtype and Plain.dtype["color"] == "i8"
    assert Record.dtype == object
    assert "dtype" not in [each.name for each in dataclasses.fields(Particle)]


def test_plain_ones_in_every_mode(store):
    a, io = particles(5), particles(3)
    before = io.copy()
    result, o, new = store.rotate(a, io)
    assert result.dtype == Particle.dtype and np.array_equal(result, before)
    assert np.array_equal(o, a)
    assert new.shape == (2,) and new["id"].tolist() == [0, 77]
    assert np.array_equal(io, before)


def test_structs_in_structs(store):
    objects = [plain(i) for i in range(4)]
    a = np.zeros(4, Plain.dtype)
    a["c"], a["w"], a["color"], a["f"] = list("ABCD"), 0.5 + 1j * np.arange(4), 5, 0.25
    a["z"], a["at"] = 1.5 * np.arange(4) - 2.5j, particles(4)
    a["v"] = [[i, -1, 0.5] for i in range(4)]
    a["m"] = [(i + np.arange(6).reshape(2, 3)).T for i in range(4)]
    for given in (a, objects, np.repeat(a, 2)[::2]):
        result, o, new = store.rotatePlain(given, a[1:])
        assert np.array_equal(o, a) and np.array_equal(result, a[1:])
        assert len(new) == 2


def test_arrays_in_structs(store):
    """They are in column order, which fields of NumPy's arrays do not have."""
    assert Plain.dtype["v"].shape == (3,) and Plain.dtype["m"].shape == (3, 2)
    zeros = store.rotatePlain([Plain()], None)[1]
    assert not zeros["v"].any() and not zeros["m"].any()
    given = np.zeros(2, [(name, Plain.dtype[name]) for name in Plain.dtype.names])
    given["m"] = np.arange(6).reshape(3, 2)
    packed = given.astype(given.dtype)
    assert packed.dtype != Plain.dtype
    assert np.array_equal(store.rotatePlain(packed, None)[1]["m"], given["m"])
    elements = store.rotatePlain([given[0]], None)[1]
    assert np.array_equal(elements["m"][0], given["m"][0])


def test_structs_as_large_as_a_method_may_have(store):
    a = Page(np.arange(4096.0), np.arange(4096).reshape(64, 64))
    result, out, new = store.rotatePages(a, Page(a.x + 1, a.n + 1))
    assert np.array_equal(out.x, a.x) and np.array_equal(out.n, a.n)
    assert np.array_equal(result.x, a.x + 1) and np.array_equal(result.n, a.n + 1)
    assert not new.x.any() and not new.n.any()


def test_characters_that_numpy_has_made(store):
    """Of a null character it makes nothing; and texts of bytes are arrays of characters."""
    given = np.zeros(2, Plain.dtype)
    objects = [dataclasses.replace(plain(0), c=each["c"]) for each in given]
    assert store.rotatePlain(objects, None)[1]["c"].tolist() == [b"", b""]
    made = shinar._arrays.convert(b"a\0c", np.dtype("S1"), 1, "'x'", "array<char,1>", False)
    assert made.tolist() == [b"a", b"", b"c"] and made.flags.writeable


@pytest.mark.parametrize(
    ("member", "given", "error"),
    [("v", [1.0, 2.0], "v"), ("m", np.zeros((2, 2)), "m"), ("v", np.zeros((3, 1)), "v")],
)
def test_arrays_in_structs_have_their_lengths(store, member, given, error):
    wrong = dataclasses.replace(plain(0), **{member: given})
    with pytest.raises((TypeError, ValueError, sidl.CastException), match=error):
        store.rotatePlain([wrong], None)
    kinds = [(name, Plain.dtype[name]) for name in Plain.dtype.names if name != member]
    kinds.append((member, "f8", np.shape(given)))
    with pytest.raises(TypeError, match=f"of .*, member '{member}' must have the shape"):
        store.rotatePlain(np.zeros(2, kinds), None)


def test_owners_in_every_mode(store):
    a, io = records(5), records(3, 2)
    result, o, new = store.rotateRecords(a, io)
    assert result.dtype == object and are_same(result, records(3, 2)) and are_same(o, a)
    assert [each.name for each in new] == ["", ""] or [each.name for each in new] == [None, None]
    assert are_same(io, records(3, 2))


def test_of_any_type_anywhere(store):
    assert np.array_equal(store.same(particles(3)), particles(3))
    assert are_same(store.same(records(2)), records(2))


def test_of_arrays(store):
    texts = np.array(["text", None], dtype=object)
    result, o, _ = store.rotateBags([Bag(), Bag(texts), Bag(np.array([], dtype=object))], None)
    assert result is None
    assert o[0].texts is None and len(o[2].texts) == 0
    assert o[1].texts[0] == "text" and o[1].texts[1] in (None, "")


def test_null_and_empty(store):
    assert store.rotate(None, None)[:2] == (None, None)
    for none in (particles(0), [], ()):
        result, o, _ = store.rotate(none, particles(0))
        assert result.shape == o.shape == (0,) and o.dtype == Particle.dtype
    for none in (records(0), []):
        _, o, _ = store.rotateRecords(none, records(0))
        assert o.shape == (0,) and o.dtype == object
    assert store.tables(np.empty((0, 3), dtype=object)).shape == (0, 3)
    assert store.tables([]).size == 0


def test_slices(store):
    a, io = particles(12)[::-2], particles(8)[1::2]
    result, o, _ = store.rotate(a, io)
    assert np.array_equal(o, a) and np.array_equal(result, io)
    result, o, _ = store.rotateRecords(records(6)[::2], records(4)[::-1])
    assert are_same(o, records(6)[::2]) and are_same(result, records(4)[::-1])


@pytest.mark.parametrize("order", ["C", "F"])
def test_ranks_and_orders(store, order):
    shape = (2, 1, 2, 1, 3, 1, 2)
    a = np.asarray(particles(24).reshape(shape), order=order)
    assert np.array_equal(store.ranks(a), a)
    assert np.array_equal(store.ranks(a[..., ::2, :, ::-1]), a[..., ::2, :, ::-1])
    table = np.asarray(records(6).reshape(2, 3), order=order)
    assert are_same(store.tables(table), table)
    assert are_same(store.tables(table.tolist()), table)
    matrix = np.asarray(particles(6).reshape(2, 3), order=order)
    rows, columns = store.rows(matrix), store.columns(matrix)
    assert np.array_equal(rows, matrix) and rows.flags.c_contiguous
    assert np.array_equal(columns, matrix) and columns.flags.f_contiguous


def test_lower_bounds(store):
    a = particles(3).view(shinar.Array)
    a.lower = (5_000_000_000,)
    result, o, _ = store.rotate(a, a.copy())
    assert o.lower == (5_000_000_000,) and np.array_equal(o, a)
    assert getattr(result, "lower", None) is None
    table = records(4).reshape(2, 2).view(shinar.Array)
    table.lower = (-1, 3)
    result = store.tables(table)
    assert result.lower == (-1, 3) and are_same(result, table)


def test_in_place(store):
    a = particles(4)
    assert store.shift(a) is a
    assert np.array_equal(a["x"], 0.5 * np.arange(4) + 1)
    every_other = particles(8)[::2]
    assert store.shift(every_other) is every_other
    assert store.sum(every_other) == 4 + 6 + 1
    assert store.sum(a) == 7 + 4


def test_memory_is_shared(store, in_process):
    a = particles(4)
    for part in (a, a[1:], a[::-1], a[1::2]):
        assert store.address(part) == address(part)
        with shinar.strict_arrays():
            assert store.address(part) == address(part)
    result, o, _ = store.rotate(a, particles(2))
    assert address(o) == address(a)
    del a, result
    assert np.array_equal(o, particles(4))


def test_a_view_keeps_its_memory():
    store = make(rec.InCxx)
    new = store.rotate(particles(1), particles(1))[2]
    del store
    part = new["id"]
    del new
    assert part.tolist() == [0, 77]


def packed(small="i2"):
    """The members in another order, and of other types."""
    fields = [("tag", "i1"), ("alive", "?"), ("charge", "i8"), ("id", small), ("z", "f8")]
    fields += [("y", "f4"), ("x", ">f8")]
    result = np.zeros(4, fields)
    for name in Particle.dtype.names:
        result[name] = particles(4)[name].view("i1") if name == "tag" else particles(4)[name]
    return result


def unaligned():
    memory = np.zeros(4 * 48 + 1, "u1")
    result = memory[1:].view(Particle.dtype)
    result[:] = particles(4)
    return result


def read_only():
    result = particles(4)
    result.flags.writeable = False
    return result


CONVERTED = {
    "packed": packed(),
    "unaligned": unaligned(),
    "read-only": read_only(),
    "list": [particle(i) for i in range(4)],
    "tuple of tuples": tuple(dataclasses.astuple(particle(i)) for i in range(4)),
    "dicts": [dataclasses.asdict(particle(i)) for i in range(4)],
    "elements": list(particles(4)),
    "objects": np.array([particle(i) for i in range(4)], dtype=object),
    "in a struct": np.array(list(zip(range(4), particles(4))), [("i", "i1"), ("p", Particle)])["p"],
}
SHARED = {
    "record": particles(4).view(np.recarray),
    "unpickled": pickle.loads(pickle.dumps(particles(4))),
    "memoryview": memoryview(particles(4)),
}


@pytest.mark.parametrize("given", {**CONVERTED, **SHARED}.values(), ids={**CONVERTED, **SHARED})
def test_other_arrays_are_converted(store, given):
    assert np.array_equal(store.rotate(given, particles(1))[1], particles(4))


@pytest.mark.parametrize("given", CONVERTED.values(), ids=CONVERTED)
def test_strict(store, given):
    with pytest.raises(TypeError, match="'a' of .* would have to be copied to be array<rec.Partic"):
        store.sum(given, strict=True)


@pytest.mark.parametrize("given", [each for each in SHARED.values()], ids=SHARED)
def test_strict_and_shared(store, given, in_process):
    assert store.address(given, strict=True) == address(np.asarray(given))


def changed(**members):
    return dataclasses.asdict(dataclasses.replace(particle(1), **members))


WRONG = {
    "dimensions": (particles(4).reshape(2, 2), TypeError, "must be array<rec.Particle,1>, not"),
    "numbers": (np.ones(3), TypeError, "must be array<rec.Particle,1>, not an array of float64"),
    "text": ("text", TypeError, "must be array<rec.Particle,1>, not str"),
    "None": ([particle(0), None], TypeError, r"argument 'a' of .*, element \[1\] must be rec.Pa"),
    "few": (
        [(1, 2)],
        TypeError,
        r"argument 'a' .*, element \[0\]: rec.Particle has 7 members, and 2",
    ),
    "name": (
        [{**changed(), "mass": 1}],
        TypeError,
        r"element \[0\]: rec.Particle has no member 'm",
    ),
    "lack": (
        [{"x": 1.0}],
        TypeError,
        r"element \[0\]: there is nothing for member 'y' of rec.Pa",
    ),
    "type": (
        [changed(), changed(x="1")],
        TypeError,
        r"element \[1\], member 'x' must be double, no",
    ),
    "array": (
        [particle(0), changed(id=np.arange(8))],
        TypeError,
        r"element \[1\], member 'id' must be long, not numpy.ndarray",
    ),
    "size": (
        [changed(charge=2**31)],
        OverflowError,
        r"element \[0\], member 'charge': 2147483648",
    ),
    "other": ([plain(0)], TypeError, r"element \[0\] must be rec.Particle, not Plain"),
    "fields": (
        np.zeros(2, [("x", "f8")]),
        TypeError,
        "there is nothing for member 'y' of rec.Partic",
    ),
    "field": (np.zeros(2, [("q", "f8")]), TypeError, "rec.Particle has no member 'q'"),
    "kind": (np.zeros(2, Plain), TypeError, "rec.Particle has no member 'c'"),
}


@pytest.mark.parametrize(("given", "error", "message"), WRONG.values(), ids=WRONG)
def test_wrong_ones_are_refused(store, given, error, message):
    with pytest.raises(error, match=message):
        store.sum(given)


def test_wrong_fields_are_refused(store):
    fields = {name: Particle.dtype[name] for name in Particle.dtype.names}
    large = particles(4).astype([*{**fields, "charge": "i8"}.items()])
    large["charge"][2] = 2**31
    with pytest.raises(OverflowError, match=r"element \[2\], member 'charge': 2147483648 is too"):
        store.sum(large)
    text = np.zeros(4, [*{**fields, "x": "U3"}.items()])
    with pytest.raises(TypeError, match="argument 'a' of .*, member 'x' must be double, not an ar"):
        store.sum(text)


def test_enums_have_values(store):
    a = np.zeros(3, Plain.dtype)
    a["color"] = [0, 5, 4]
    with pytest.raises(ValueError, match=r"element \[2\], member 'color': 4 is not a value of rec"):
        store.rotatePlain(a, a[:1])
    with pytest.raises(ValueError, match=r"element \[0\], member 'color': 4 is not a value of rec"):
        store.rotateRecords([Record(color=4)], None)


def test_inout_ones_that_are_converted(store):
    given = packed("i8")
    assert store.shift(given) is given and given["x"].tolist() == [1, 1.5, 2, 2.5]
    assert given["alive"].dtype == bool and given["alive"].tolist() == [False, True] * 2
    objects = [particle(i) for i in range(3)]
    assert store.shift(objects) is objects
    expected = [dataclasses.replace(particle(i), x=0.5 * i + 1) for i in range(3)]
    assert objects == expected
    array = np.array([particle(i) for i in range(3)], dtype=object)
    assert store.shift(array) is array and array.tolist() == expected
    inside = CONVERTED["in a struct"].copy()
    assert store.shift(inside) is inside and inside["x"].tolist() == [1, 1.5, 2, 2.5]
    names = records(2)
    assert store.later_send(particles(1), names).result()[1] is names
    assert [each.name for each in names] == ["later", "name 1"]


def test_unchangeable_ones_are_refused(store):
    with pytest.raises(ValueError, match="'a' of .* is inout, and the array is read-only"):
        store.shift(read_only())
    with pytest.raises(TypeError, match="it must be an array or a list to be changed, not tuple"):
        store.shift((particle(0),))
    small = np.zeros(2, [(name, "S1" if name == "tag" else "i1") for name in Particle.dtype.names])
    with pytest.raises(TypeError, match="cannot hold all that array<rec.Particle,1> can"):
        store.shift(small)
    more = [(name, Particle.dtype[name]) for name in Particle.dtype.names]
    with pytest.raises(TypeError, match="rec.Particle has no member 'extra'"):
        store.shift(np.zeros(2, [*more, ("extra", "i4")]))
    nested = [(name, Plain.dtype[name]) for name in Plain.dtype.names if name != "at"]
    nested.append(("at", [("x", "f8")]))
    with pytest.raises(TypeError, match="member 'at': .*nothing for member 'y' of rec.Particle"):
        store.rotatePlain(None, np.zeros(2, nested))
    with pytest.raises(TypeError, match="cannot hold all that array<rec.Record,1> can"):
        store.rotateRecords(None, particles(2))


def test_overlapping_ones(store):
    memory = particles(4)
    result, o, new = store.rotate(memory, memory[:2])
    assert np.array_equal(result, particles(2)) and np.array_equal(o, particles(4))


def test_of_any_type(in_process, store):
    a = particles(3)
    assert address(store.same(a)) == address(a) and store.same(a).dtype is Particle.dtype
    assert are_same(store.same(records(3)), records(3))
    assert store.same([[particle(0)], [particle(1)]])["id"].tolist() == [[0], [1]]
    with pytest.raises(
        TypeError, match="'a' of .*: which struct this is an array of can only be kn"
    ):
        store.same(np.zeros(2, [("x", "f8")]))


def test_later(store):
    a, names = particles(6)[::2], records(2)
    pending = store.later_send(a, names)
    result, both = pending.result(timeout=60)
    assert np.array_equal(result, a) and both is names and names[0].name == "later"
    store.tell(a)
    assert store.told() == 3.0 + 1


def test_in_copies(store):
    """In an object that travels by value."""
    crate = rec.Crate()
    crate.put(particles(6)[::2], records(3))
    back = store.unchanged(crate)
    assert np.array_equal(back.particles(), particles(6)[::2])
    assert are_same(back.records(), records(3))


def test_relayed(store):
    """Through an object of this process, which is called back."""
    other = rec.InPython()
    assert are_same(store.relay(other, records(4)), records(4))


def test_structs_that_are_kept(store):
    """Members that are arrays share their memory with the results that they came in."""
    (first,) = store.rotateRecords([record(3)], None)[1]
    assert first.parts.dtype is Particle.dtype and np.array_equal(first.parts, particles(3))
    assert first == dataclasses.replace(first) and first.color is Color.green


def test_all_pairs_of_languages(in_process):
    stores = [rec.InC(), rec.InCxx(), rec.InPython()]
    for one, other in itertools.product(stores, stores):
        assert are_same(one.relay(other, records(3)), records(3))


def test_a_message_names_the_users_field(store):
    """Not what NumPy makes of the gaps between members."""
    dtype = np.dtype([*Plain.dtype.descr, ("extra", "f8")])
    assert any(name not in Plain.dtype.names and name != "extra" for name in dtype.names)
    with pytest.raises(TypeError, match="Plain has no member 'extra'"):
        store.rotatePlain(np.zeros(2, dtype), None)
    with pytest.raises(TypeError, match="Plain has no member 'extra'"):
        store.rotatePlain([np.zeros(2, dtype)[0]], None)


def test_arrays_in_structs_of_an_inout_array(in_process, monkeypatch):
    """The caller's, in one process: a change in place is seen in what was given. Raw arrays are
    copied, and what a nonblocking call takes is a copy."""

    def later(self, a, r):
        r[0].values *= 2
        r[0].parts["x"] = 9
        r[0].raw *= 2
        return a, r

    monkeypatch.setattr(InPython_Impl, "later", later)
    given = [record(3)]
    before = given[0]
    assert rec.InPython().later(particles(1), given)[1] is given
    after = given[0]
    assert after is not before and after.values.tolist() == [0, 2, 4] and after.raw[1] == 20
    assert before.values.tolist() == [0, 2, 4] and before.parts["x"].tolist() == [9, 9, 9]
    assert before.raw[1] == 10
    rec.InPython().later_send(particles(1), given).result()
    assert after.values.tolist() == [0, 2, 4] and given[0].values.tolist() == [0, 4, 8]


def tree(depth, wide=1):
    """Each has as many branches, one within the other."""
    branches = None if depth == 0 else [tree(depth - 1) for _ in range(wide)]
    return Tree(f"level {depth}", branches)


def levels(node):
    return 0 if node.branches is None else 1 + levels(node.branches[0])


def test_arrays_of_the_struct_itself(store):
    wide = tree(2, wide=3)
    result, o, io = store.forest([tree(3), Tree(), wide], tree(4), wide)
    assert [levels(each) for each in result] == [3, 0, 2] and len(result[2].branches) == 3
    assert levels(o) == 4 and (io.name, levels(io)) == ("level 1", 1)
    assert levels(store.forest(None, tree(64), Tree())[1]) == 64


def corridor(depth):
    """Rooms with a door to the next one, which its key opens, too."""
    if depth == 0:
        return Room("last")
    behind = corridor(depth - 1)
    return Room(f"room {depth}", [Door(depth, [behind], Key([[Room(), behind]]))])


def doors_to_last(room):
    return 0 if room.doors is None else 1 + doors_to_last(room.doors[0].rooms[0])


def test_arrays_of_structs_that_contain_arrays_of_these(store):
    doors = corridor(2).doors
    result, o, io = store.house(doors, corridor(3).doors[0], corridor(4))
    assert [each.number for each in result] == [2]
    assert (o.number, o.key.opens[0, 1].name, doors_to_last(o.rooms[0])) == (3, "room 2", 2)
    assert (io.name, doors_to_last(io)) == ("room 3", 3)
    assert store.same(np.array(doors))[0].rooms[0].name == "room 1"


def test_how_deep_those_may_be(store):
    """Each door leads two arrays deeper."""
    long = corridor(0)
    for number in range(40):
        long = Room("", [Door(number, [long], Key())])
    if isinstance(os.environ.get("REC_SERVER"), str):
        with pytest.raises(sidl.rmi.ProtocolException, match="nested more than 64 deep"):
            store.house(None, Door(), long)
    else:
        assert doors_to_last(store.house(None, Door(), long)[2]) == 39
    endless = Room("endless", [Door(1)])
    endless.doors[0].rooms = [endless]
    with pytest.raises(
        RecursionError, match=r"struct.* nested too deeply .*, or it contains itself"
    ):
        store.house(None, Door(), endless)


def test_how_deep_they_may_be(store):
    """In one process as deep as there is stack, and to another as said, also if it has no end."""
    if isinstance(os.environ.get("REC_SERVER"), str):
        with pytest.raises(sidl.rmi.ProtocolException, match="nested more than 64 deep"):
            store.forest(None, tree(65), Tree())
    else:
        assert levels(store.forest(None, tree(70), Tree())[1]) == 70
    endless = Tree("endless")
    endless.branches = [endless]
    text = "argument 't' of rec.*: structs are nested too deeply in this rec.Tree, or it contains"
    with pytest.raises(RecursionError, match=text):
        store.forest(None, endless, Tree())
    with pytest.raises(
        RecursionError, match="argument 'a' of .*, element .* or it contains itself"
    ):
        store.forest([endless], Tree(), Tree())
