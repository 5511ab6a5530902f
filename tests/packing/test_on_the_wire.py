"""What packObj packs, as a client writes and reads it that knows the page about simhandle alone;
and what a client cannot make a server believe."""

import struct
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "protocols" / "independent"))
import simhandle  # noqa: E402
from simhandle import Array, Connection, Method  # noqa: E402

OPAQUE, STRUCT = 9, 12  # of enum sidl_array_type
THROUGH = Method("through", "copy pk.Bag", (("in", "copy pk.Bag"),))
HUGE = 1 << 60


def longs(*values):
    return Array((0,), (len(values) - 1,), list(values))


def nothing(writer):
    writer.put("array<long>", None)


def no_array(writer):
    writer.put("int", 0)


def generic(kind, name, array):
    def put(writer):
        writer.put("int", kind)
        writer.put(name, array)

    return put


def parts(*bags, announced=None):
    def put(writer):
        count = len(bags) if announced is None else announced
        writer.put("array<long>", longs(1, 0, count - 1))
        for each in bags:
            each(writer)

    return put


def null(writer):
    writer.pack("I", 0)


def bag(number=1, pointer=0, pointers=(0, 0, 0), inside=nothing, any_array=no_array):
    """A Bag by value."""

    def put(writer):
        writer.pack("I", 1)
        writer.put("string", "pkcxx.Bag")
        writer.pack("Q", 0)
        begin = len(writer.body)
        writer.put("int", number)
        writer.put("long", pointer)
        writer.put("array<long>", longs(*pointers))
        inside(writer)
        any_array(writer)
        writer.body[begin - 8 : begin] = struct.pack("<Q", len(writer.body) - begin)

    return put


@pytest.fixture(scope="module")
def built(cmake_build, tmp_path_factory):
    return cmake_build(Path(__file__).parent, tmp_path_factory.mktemp("wire"), unity=True)


@pytest.fixture
def carrier(built, serve):
    exports = [f"pk.Carrier={built}/libpk.so", f"pkcxx.Bag={built}/libin_cxx.so"]
    with serve(*exports) as url:
        host, port = url.removeprefix("simhandle://").split(":")
        yield Connection(host, int(port)).create("pk.Carrier")


def through(carrier, value):
    connection = carrier.connection
    return connection.call(carrier, THROUGH, [value])


def test_it_comes_back_as_it_went(carrier):
    matrix = Array((1, -1), (2, 0), [0.5, 1.5, 2.5, 3.5], "column")
    inner = bag(2, any_array=generic(OPAQUE, "array<long>", longs(0, 0)))
    value = bag(7, inside=parts(inner, null), any_array=generic(4, "array<double>", matrix))
    names, state = through(carrier, value)
    assert names[0] == "pkcxx.Bag"
    assert (state.get("int"), state.get("long")) == (7, 0)
    assert state.get("array<long>").elements == [0, 0, 0]
    assert state.get("array<long>").elements == [1, 0, 1]
    _, other = state.get_by_value()
    assert (other.get("int"), other.get("long")) == (2, 0)
    assert other.get("array<long>").elements == [0, 0, 0]
    assert other.get("array<long>") is None
    assert (other.get("int"), other.get("array<long>").elements) == (OPAQUE, [0, 0])
    assert state.unpack("I") == (0,)
    assert (state.get("int"), state.get("array<double>")) == (4, matrix)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (bag(pointer=1), "pointer is malformed: a pointer came from another process"),
        (bag(pointers=(0, 0, 8)), "pointers is malformed: a pointer came from another process"),
        (bag(any_array=generic(OPAQUE, "array<long>", longs(5))), "any is malformed: a pointer"),
        (bag(any_array=generic(OPAQUE, "array<int>", longs(0))), ""),
        (bag(any_array=generic(99, "array<int>", longs(0))), "any: unknown array type 99"),
        (bag(any_array=generic(STRUCT, "string", "pk.None")), "structs called 'pk.None'"),
        (bag(inside=parts(null, announced=HUGE)), ""),
        (bag(inside=parts(bag(pointer=3))), "pointer is malformed"),
        (bag(inside=lambda w: w.put("array<long>", longs(8, 0))), "parts: invalid shape"),
        (bag(inside=lambda w: w.put("array<long>", longs(1, HUGE, 0))), "parts: invalid shape"),
    ],
)
def test_lies_are_refused(carrier, value, why):
    with pytest.raises((simhandle.Thrown, simhandle.Failed)) as caught:
        through(carrier, value)
    assert why in str(caught.value)
    assert carrier.call("int calls()") == 0, "nothing was run, and it goes on"
