"""Writes the seeds of fuzz_frames and fuzz_arguments: what well-behaved peers send, with the bytes
in front that tell the fuzzers what to do with it. To be run when the protocol changes."""

import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "protocols" / "independent"))
import simhandle  # noqa: E402
from simhandle import Array, Writer  # noqa: E402

ATTACH, ONEWAY, CANCEL, ABANDON = 3, 5, 6, 15
READER, SERVER, CLIENT, ASKING_SERVER, ASKING_CLIENT = 0, 1, 2, 3, 4


# ---- frames ------------------------------------------------------------------------------------


def frame(kind, body=None, call=0, method=0, flags=0, strand=0, deadline=0):
    body = body or Writer()
    sizes = [len(each) for each in body.segments]
    numbers = (kind, flags, len(sizes), len(body.body), call, sum(sizes))
    head = struct.pack("<BBHIQQHHI", *numbers, method, strand, deadline)
    table = struct.pack(f"<{len(sizes)}Q", *sizes)
    return b"".join([head, table, body.body, *body.segments])


def texts(*values):
    writer = Writer()
    for text in values:
        writer.put("string", text)
    return writer


def with_numbers(writer, form, *numbers):
    for letter, number in zip(form, numbers, strict=True):
        writer.pack(letter, number)
    return writer


def method(number, name):
    writer = Writer()
    writer.pack("Q", 7)
    writer.put("string", name)
    return frame(simhandle.METHOD, writer, method=number)


def request(name, writer, kind=simhandle.REQUEST, **header):
    return method(1, name) + frame(kind, writer, call=header.pop("call", 1), method=1, **header)


def doubles(count, bulk):
    writer = texts("a")
    writer.bulk = bulk
    writer.put("array<double>", Array((1,), (count,), [0.5] * count))
    return writer


def thrown():
    writer = Writer()
    writer.pack("I", 1)
    writer.put("string", "sidl.SIDLException")
    state = Writer()
    state.put("string", "note")
    state.put("string", "trace")
    writer.pack("Q", len(state.body))
    writer.body += state.body
    return writer


def error():
    writer = Writer()
    writer.pack("II", 2, 0)
    writer.put("string", "gone")
    return writer


def goodbye(failure):
    writer = Writer()
    writer.pack("I", failure)
    writer.put("string", "done")
    return writer


def parent(writer, call):
    writer.align(8)
    writer.pack("Q", call)
    return writer


def frames():
    reference = with_numbers(texts("a"), "I", 3)
    settled = with_numbers(Writer(), "QQ", 2, 56)
    part = with_numbers(texts("a"), "Qq", 8, 5)
    from_client = {
        "create": frame(simhandle.CREATE, texts("a"), call=1),
        "attach": frame(ATTACH, texts("b"), call=1, flags=1),
        "string": request("s", texts("a", "hello")),
        "long_string": request("s", texts("a", "x" * simhandle.BULK_STRING)),
        "array": request("d", doubles(20, 4096)),
        "bulk_array": request("d", doubles(20, 8)),
        "part": request("p", part),
        "two_calls": request("s", texts("a", "1")) + frame(4, texts("b", "2"), call=2, method=1),
        "call_back": request("c", texts("a")) + frame(simhandle.REPLY, texts("back"), call=1),
        "nested": request("c", texts("a"))
        + frame(4, parent(texts("a"), 1), call=2, method=1, flags=2)
        + frame(simhandle.REPLY, texts("back"), call=1),
        "oneway": request("s", texts("a", "on"), kind=ONEWAY, call=0, strand=3),
        "strands": request("s", texts("a", "1"), strand=3)
        + frame(4, texts("a", "2"), call=2, method=1, strand=3)
        + frame(CANCEL, call=2),
        "deadline": request("s", texts("a", "1"), deadline=1000),
        "references": frame(simhandle.SETTLE, settled) + frame(simhandle.RELEASE, reference),
        "ping": frame(simhandle.PING, call=9),
        "goodbye": frame(simhandle.GOODBYE, goodbye(0)),
        "abandon": frame(ABANDON, with_numbers(Writer(), "QQ", 1, 2)),
    }
    from_server = {
        "reply": frame(7, texts("x"), call=2) + frame(7, texts("y"), call=1),
        "exception": frame(8, thrown(), call=2) + frame(9, error(), call=1),
        "bulk_reply": frame(7, doubles(20, 8), call=2),
        "pings": frame(simhandle.PING, call=9) + frame(simhandle.PONG) + frame(7, texts("x"), 2),
        "goodbye": frame(simhandle.GOODBYE, goodbye(0)),
        "failure": frame(simhandle.GOODBYE, goodbye(1)),
        "calls": request("s", texts("a", "1")) + frame(7, texts("x"), call=2),
        "nested": request("s", parent(texts("a", "1"), 2), flags=2) + frame(7, texts("x"), call=2),
        "references": frame(simhandle.SETTLE, settled) + frame(7, texts("x"), call=2),
    }
    hello = simhandle.HELLO.pack(b"SHINAR\r\n", 2, 2, 0, bytes(16), 1 << 20, 0, 1 << 30, 0, 0, 1)
    welcome = struct.pack(
        "<8sHHI16sIIQIIHH4x", b"SHINAR\r\n", 2, 0, 0, bytes(16), 1 << 20, 20000, 1 << 30, 0, 0, 2, 2
    )
    for name, data in from_client.items():
        yield f"server_{name}", bytes([SERVER, 0]) + data
    for name in ("string", "bulk_array", "references"):
        yield f"reader_{name}", bytes([READER, 6]) + from_client[name]
    for name, data in from_server.items():
        yield f"client_{name}", bytes([CLIENT, 2]) + data
    yield "server_hello", bytes([SERVER, 1]) + hello + from_client["create"]
    yield "client_welcome", bytes([CLIENT, 1]) + welcome + from_server["reply"]
    offer, proved = bytes(range(32)) + b"easy", bytes([1]) * 4
    hello = simhandle.HELLO.pack(
        b"SHINAR\r\n", 2, 2, 2, bytes(16), 1 << 20, 0, 1 << 30, 0, len(offer), 1
    )
    size = 32 + len(proved)
    limits = (1 << 20, 20000, 1 << 30, 0, size, 2, 2)
    welcome = struct.pack("<8sHHI16sIIQIIHH4x", b"SHINAR\r\n", 2, 0, 2, bytes(16), *limits)
    proof = hello + offer + proved
    yield "asking_server_proof", bytes([ASKING_SERVER, 1]) + proof + from_client["create"]
    yield "asking_server_no_proof", bytes([ASKING_SERVER, 1]) + hello + offer + bytes(4)
    yield "asking_server_string", bytes([ASKING_SERVER, 0]) + from_client["string"]
    challenge = welcome + bytes(range(32)) + proved
    refused = struct.pack("<HHI", 5, 0, 2) + b"no"
    yield "asking_client", bytes([ASKING_CLIENT, 1]) + challenge + bytes(8) + from_server["reply"]
    yield "asking_client_refused", bytes([ASKING_CLIENT, 1]) + challenge + refused


# ---- arguments ---------------------------------------------------------------------------------

# As World::methods and `stubs` of fuzz_arguments.cpp have them: the order of the declarations.
METHODS = [
    "basics",
    "bools",
    "chars",
    "ints",
    "longs",
    "floats",
    "doubles",
    "fcomplexes",
    "dcomplexes",
    "strings",
    "colors",
    "ordered",
    "any",
    "item",
    "items",
    "value",
    "every",
    "mesh",
    "dot",
    "scale",
    "add",
    "three",
    "note",
    "structs",
]
STUBS = [
    "basics",
    "scale",
    "bools",
    "chars",
    "ints",
    "longs",
    "floats",
    "doubles",
    "fcomplexes",
    "dcomplexes",
    "strings",
    "colors",
    "ordered",
    "any",
    "item",
    "items",
    "value",
    "every",
    "mesh",
    "structs",
]
STUB = 128


# Each of these appends something to a body.


def array(element, dimensions, value, count=3):
    def put(writer):
        upper = (count,) + (1,) * (dimensions - 1)
        writer.put(f"array<{element}>", Array((1,) * dimensions, upper, [value] * count))

    return put


def values(**named):
    """Values by the names of their types, with _ for what a name cannot have."""

    def put(writer):
        for name, value in named.items():
            writer.put(name.rstrip("_"), value)

    return put


def basics(writer):
    values(bool=True, char=b"c", int=-1, long=1 << 40, float=0.5, double=0.25)(writer)
    values(fcomplex=1j, dcomplex=2j, string="text", long_=5)(writer)


def reference(tag):
    """No object, ours, the sender's, or one somewhere else."""

    def put(writer):
        writer.pack("B", tag)
        for text in {0: (), 1: ("item",), 2: ("far", "nonsense.Item"), 3: ("x://y/z", "t")}[tag]:
            writer.put("string", text)

    return put


def objects(tags, dimensions=1):
    """An array of objects: its bounds, then they."""

    def put(writer):
        bounds = [dimensions] + [0] * dimensions + [len(tags) - 1] + [0] * (dimensions - 1)
        writer.put("array<long>", Array((0,), (len(bounds) - 1,), bounds))
        for tag in tags:
            reference(tag)(writer)

    return put


def by_value(depth):
    """A Value in a Value in a Value, with pointers, other Values, and an array of any type."""

    def put(writer):
        writer.pack("I", min(depth, 1))
        if depth == 0:
            return
        writer.put("string", "nonsense.Value")
        writer.pack("Q", 0)
        begin = len(writer.body)
        values(int=depth)(writer)
        array("string", 1, "word")(writer)
        by_value(depth - 1)(writer)
        values(long=0)(writer)
        array("long", 2, 0)(writer)
        shape(2)(writer)
        by_value(depth - 1)(writer)
        by_value(0)(writer)
        anything = [generic(4, "double"), generic(9, "long", 0), flat_array, null_array]
        anything[depth % 4](writer)
        writer.body[begin - 8 : begin] = struct.pack("<Q", len(writer.body) - begin)

    return put


def full(writer):
    basics(writer)
    reference(1)(writer)
    array("double", 2, 0.5)(writer)
    array("string", 1, "word")(writer)
    array("long", 1, 5)(writer)
    objects([0, 1])(writer)
    objects([1], 2)(writer)
    generic(4, "double")(writer)
    values(string="inner")(writer)
    reference(0)(writer)


def mesh(writer):
    values(int=2)(writer)
    array("double", 1, 0.5, 2)(writer)
    cells = Array((0, 0), (1, 3), [1] * 8, "column")
    writer.put("array<int>", cells)
    values(string="label")(writer)


def shape(*lengths):
    """Of an array of objects or structs: its dimensions, lower and upper bounds."""

    def put(writer):
        bounds = [len(lengths)] + [0] * len(lengths) + [each - 1 for each in lengths]
        writer.put("array<long>", Array((0,), (len(bounds) - 1,), bounds))

    return put


FLAT = [(6, 0), (3, 8), (1, 12)]  # the members' kinds and offsets: a double, an int, a bool
FLAT_BYTES = 16


def digest(*numbers):
    """Of a struct's layout."""
    found = 0xCBF29CE484222325
    for number in numbers:
        for byte in number.to_bytes(8, "little"):
            found = ((found ^ byte) * 0x100000001B3) % (1 << 64)
    return found - (1 << 64) if found >> 63 else found


def flats(count):
    """Structs that own nothing: their layout, order and bytes."""

    def put(writer):
        shape(count)(writer)
        layout = [part for member in FLAT for part in member]
        values(long=digest(*layout, FLAT_BYTES), int=1)(writer)
        size = FLAT_BYTES * count
        writer.put("array<char>", Array((0,), (size - 1,), [b"\1"] * size, "column"))

    return put


def labels(*all_texts):
    """Strings of structs: a byte for each, then those that are not sent apart. None: null."""
    codes = [255 if text is None else min(len(text), 254) for text in all_texts]
    body = bytes(codes).ljust(len(codes) | 1, b"\0")
    for text in all_texts:
        if text is not None and len(text) <= 253:
            body += text.encode().ljust((len(text) + 2) // 2 * 2, b"\0")
    return body


def bytes_of(writer, data):
    each = [data[i : i + 1] for i in range(len(data))]
    writer.put("array<char>", Array((0,), (len(each) - 1,), each, "column"))


def rows(writer):
    """Structs that own something: numbers, texts, and the other members one by one."""
    shape(3, 1)(writer)
    values(long=digest(3, 9, 9, 8))(writer)
    bytes_of(writer, b"".join(struct.pack("<idd", 7 + i, 0.0, i) for i in range(3)))
    longer = "x" * 300
    bytes_of(writer, labels("one", "inner", "another", "", None, longer))
    for target in (1, 0, 1):
        reference(target)(writer)
    for number in (0.5, 1.5, 2.5):
        array("double", 1, number)(writer)
    for count in (1, 2, 1):
        flats(count)(writer)
    values(string=longer)(writer)


def generic(kind, element, value=1):
    """`kind`: of enum sidl_array_type."""

    def put(writer):
        writer.pack("i", kind)
        array(element, 1, value)(writer)

    return put


def flat_array(writer):
    values(int=12, string="nonsense.Flat")(writer)
    flats(2)(writer)


def null_array(writer):
    values(int=0)(writer)


def raw(element, upper):
    """What is called with a raw array."""

    def put(writer):
        count = 1
        for each in upper:
            count *= each + 1
        writer.put(f"array<{element}>", Array((0,) * len(upper), upper, [1] * count, "column"))

    return put


def pair(element, value, dimensions=2):
    return [array(element, 1, value), array(element, dimensions, value)]


BODIES = {
    "basics": [basics, basics],
    "bools": pair("bool", True),
    "chars": pair("char", b"x"),
    "ints": pair("int", 7),
    "longs": pair("long", 7),
    "floats": pair("float", 0.5),
    "doubles": pair("double", 0.5, 7),
    "fcomplexes": pair("fcomplex", 1j),
    "dcomplexes": pair("dcomplex", 1j),
    "strings": pair("string", "text"),
    "colors": pair("long", 5),
    "ordered": [array("double", 2, 0.5), array("string", 3, "text")],
    "any": [generic(4, "double"), generic(7, "int")],
    "item": [reference(1), reference(2)],
    "items": [objects([0, 1, 2]), objects([2, 1], 3)],
    "value": [by_value(3), by_value(1)],
    "every": [full, full],
    "mesh": [mesh, mesh, mesh],
    "dot": [raw("double", (2,)), raw("double", (2,)), values(int=3)],
    "scale": [raw("dcomplex", (3, 4)), values(long=3, int=3)],
    "add": [raw("float", (1, 0, 1)), values(int=2)],
    "three": [raw("int", (2,))],
    "note": [values(string="text"), array("int", 1, 7)],
    "structs": [flats(3), rows],
}
ANSWERS = {
    **BODIES,
    "basics": [values(string="result"), basics],
    "mesh": [values(double=0.5), mesh, mesh],
    "scale": [raw("dcomplex", (3, 4))],
}


def written(parts, bulk=4096):
    writer = Writer(bulk=bulk)
    for put in parts:
        put(writer)
    return writer


def call_of(choice, writer):
    sizes = [len(each) for each in writer.segments]
    head = bytes([choice, len(sizes)]) + struct.pack(f"<{len(sizes)}H", *sizes)
    return head + bytes(writer.body) + b"".join(writer.segments)


def arguments():
    for number, name in enumerate(METHODS):
        yield name, call_of(number, written(BODIES[name]))
        if name.endswith("s") and name not in ("basics", "items"):
            yield f"{name}_in_segments", call_of(number, written(BODIES[name], bulk=8))
    for number, name in enumerate(STUBS):
        yield f"answer_{name}", call_of(STUB + number, written(ANSWERS[name]))
    yield "elsewhere", call_of(METHODS.index("item"), written([reference(3), reference(0)]))
    yield "exception", call_of(STUB + 64, thrown())


def main():
    """Writes them all."""
    for target, all_of_them in (("frames", frames()), ("arguments", arguments())):
        folder = HERE / "corpus" / target
        folder.mkdir(exist_ok=True)
        for name, data in all_of_them:
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
