"""Arrays of structs that own something, as the page describes them; and lies about them."""

import struct

import pytest
from simhandle import REQUEST, Array, Connection, Method, Thrown, Writer, fnv1a

pytestmark = pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)

TYPES = {
    "draw.Color": {"red": 1, "green": 2, "blue": 4},
    "draw.Point": {"x": "double", "y": "double"},
    "draw.Line": {
        "label": "string",
        "color": "draw.Color",
        "first": "draw.Point",
        "last": "draw.Point",
        "dashes": "array<int,1>",
    },
}
MIRROR = Method.parse(
    "array<draw.Point,2> mirror(in array<draw.Point,2> points, inout array<draw.Line> lines)"
)
DOUBLE = 6
STRING = 9
ENUM = 11
APART = 254
NULL = 255


def digest(*numbers):
    found = fnv1a(b"".join(number.to_bytes(8, "little") for number in numbers).decode())
    return found - (1 << 64) if found >> 63 else found


LAYOUT = digest(STRING, ENUM, DOUBLE, DOUBLE, DOUBLE, DOUBLE)


@pytest.fixture
def connection(start_server, protocol, build_dir):
    library = build_dir / "tests" / "draw" / "libdraw.so"
    server = start_server(protocol, "--export", f"draw.Board={library}")
    host, port = server.url.removeprefix("simhandle://").split(":")
    return Connection(host, int(port), TYPES)


def shape(writer, *lengths):
    numbers = [len(lengths)] + [0] * len(lengths) + [each - 1 for each in lengths]
    writer.put("array<long>", Array((0,), (len(numbers) - 1,), numbers))


def chars(writer, data):
    each = [data[i : i + 1] for i in range(len(data))]
    writer.put("array<char>", Array((0,), (len(each) - 1,), each))


def row(i):
    return struct.pack("<qdddd", 4, i, 0.5, -1.0, 2.0)


def texts(*labels):
    """Each None, or bytes."""
    codes = [NULL if each is None else min(len(each), APART) for each in labels]
    data = bytes(codes).ljust(len(codes) | 1, b"\0")
    for each in labels:
        if each is not None and len(each) < APART:
            data += each.ljust((len(each) + 2) // 2 * 2, b"\0")
    return data


def mirror(connection, *, count, rows, labels, layout=LAYOUT, apart=()):
    """The board's answer to no points and these lines, without dashes."""
    body = Writer(TYPES)
    body.put("string", connection.create("draw.Board").id)
    shape(body, 2, 0)
    shape(body, count)
    body.put("long", layout)
    chars(body, rows)
    chars(body, labels)
    for _ in range(min(count, 3000)):
        body.put("array<int>", None)
    for each in apart:
        body.put("string", each)
    number = connection.number_of(MIRROR)
    connection.calls += 1
    connection.send(REQUEST, body, call=connection.calls, method=number)
    return connection.answer(connection.calls)


def test_each_gets_the_label_of_the_next(connection):
    longer = b"x" * 254
    labels = [b"", b"odd", b"even", None, longer, b"y" * 253]
    rows = b"".join(row(i) for i in range(6))
    got = mirror(connection, count=6, rows=rows, labels=texts(*labels), apart=[longer])
    assert got.get("array<long>").elements == [2, 0, 0, 1, -1]
    assert got.get("array<long>").elements == [1, 0, 5]
    assert got.get("long") == LAYOUT
    assert b"".join(got.get("array<char>").elements) == rows
    after = labels[1:3] + [b""] + labels[4:] + labels[:1]  # a text of C++ is never null
    assert b"".join(got.get("array<char>").elements) == texts(*after)
    assert [got.get("array<int>") for _ in range(6)] == [None] * 6
    assert got.get("string").encode() == longer


def test_many_of_all_lengths(connection):
    """What the server makes for their texts has to grow, and all travels as segments."""
    count = 3000
    labels = [b"%d" % i + b"z" * (i % 260) for i in range(count)]
    rows = b"".join(row(i) for i in range(count))
    apart = [each for each in labels if len(each) >= APART]
    got = mirror(connection, count=count, rows=rows, labels=texts(*labels), apart=apart)
    for _ in range(2):
        got.get("array<long>")
    assert got.get("long") == LAYOUT
    assert b"".join(got.get("array<char>").elements) == rows
    after = labels[1:] + labels[:1]
    assert b"".join(got.get("array<char>").elements) == texts(*after)
    for _ in range(count):
        got.get("array<int>")
    assert [got.get("string").encode() for _ in apart] == [a for a in after if len(a) >= APART]


GOOD = {"count": 2, "rows": row(0) + row(1), "labels": texts(b"one", b"other")}


@pytest.mark.parametrize(
    ("lie", "message"),
    [
        ({"layout": LAYOUT + 1}, "another layout"),
        ({"layout": digest(ENUM, STRING, DOUBLE, DOUBLE, DOUBLE, DOUBLE)}, "another layout"),
        ({"count": 3}, "not those of 3 structs"),
        ({"count": 1 << 40}, "not those of"),
        ({"count": 1 << 61}, "not those of"),
        ({"rows": row(0)}, "not those of"),
        ({"rows": row(0) + row(1) + b"\0"}, "not those of"),
        ({"labels": texts(b"one")}, "not those of"),
        ({"labels": texts(b"one", b"other", b"third")}, "not those of"),
        ({"labels": bytes([253, 253]) + GOOD["labels"][2:]}, "not those of"),
        ({"labels": bytes([NULL, NULL]) + GOOD["labels"][2:]}, "not those of"),
        ({"labels": b"\3"}, "not those of"),
        ({"labels": GOOD["labels"].replace(b"one\0", b"ones")}, "no end"),
        ({"labels": GOOD["labels"][:-2] + b"xx"}, "no end"),
        ({"labels": GOOD["labels"][:2] + b"x" + GOOD["labels"][3:]}, "no end"),
        ({"labels": texts(b"four", b"other").replace(b"four\0\0", b"four\0x")}, "no end"),
    ],
)
def test_lies_are_refused(connection, lie, message):
    with pytest.raises(Thrown) as caught:
        mirror(connection, **{**GOOD, **lie})
    assert message in str(caught.value)
    assert mirror(connection, **GOOD).get("array<long>").elements == [2, 0, 0, 1, -1]


SAME = Method.parse("array<> same(in array<> a, inout array<> io)")


def test_any_array_of_structs_nobody_knows(connection):
    body = Writer(TYPES)
    body.put("string", connection.create("draw.Board").id)
    body.put("int", 12)
    body.put("string", "draw.Nothin" + "g" * 200)
    shape(body, 0)
    body.put("int", 0)
    number = connection.number_of(SAME)
    connection.calls += 1
    connection.send(REQUEST, body, call=connection.calls, method=number)
    with pytest.raises(Thrown, match="'draw.Nothing+', which no method here knows"):
        connection.answer(connection.calls)
