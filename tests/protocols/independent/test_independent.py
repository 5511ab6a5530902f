"""The page that describes simhandle is enough: a client that was written from it alone."""

import math
import os
import socket
import struct
import time
from pathlib import Path

import pytest
import simhandle
from simhandle import Array, Connection, Writer

pytestmark = pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)

TYPES = {
    "wire.Color": {"red": 1, "green": 2, "blue": 4},
    "wire.Point": {"x": "double", "y": "double", "label": "string", "weight": "int"},
}
BIG = 5000  # elements: more than travel inline


@pytest.fixture
def server(start_server, protocol, build_dir):
    """A server of wire.Box, with a published one."""
    library = build_dir / "tests" / "wire" / "libwire.so"
    offer = ["--export", f"wire.Box={library}", "--publish", "pub=wire.Box", "--lease", 0.5]
    return start_server(protocol, *offer)


@pytest.fixture
def connect(server):
    """connect(…) → a new connection to the server."""

    def make(**options):
        host, port = server.url.removeprefix("simhandle://").split(":")
        return Connection(host, int(port), TYPES, **options)

    return make


def alive(connect):
    """Boxes in the server, but for the published one."""
    return connect().attach("pub").call("int alive()") - 1


def eventually(condition):
    """Whether the condition becomes true."""
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


# ---- calls ---------------------------------------------------------------------------------------


def test_create_and_attach(connect):
    server = connect()
    box = server.create("wire.Box")
    assert (len(box.id), box.type) == (32, "wire.Box")
    assert server.attach(box.id).type == "wire.Box"
    published = server.attach("pub")
    assert published.call("string getName()") == "box"


def test_every_basic_type_in_every_mode(connect):
    box = connect().create("wire.Box")
    assert box.call("int add(in int a, in int b)", 2, 40) == 42
    assert box.call("void noop()") is None
    basics = (
        "void basics(inout bool b, inout char c, inout int i, inout long l, inout float f, "
        "inout double d, inout fcomplex fc, inout dcomplex dc, inout string s, inout wire.Color e)"
    )
    before = (True, b"a", -5, 1 << 40, 0.5, 2.25, 1 + 2j, 3 + 4j, "text", 1)
    after = (False, b"b", -4, (1 << 40) + 1, 1.5, 3.25, 2 + 4j, 4 + 6j, "text!", 4)
    assert box.call(basics, *before) == after
    move = "wire.Point move(in wire.Point p, in double dx, inout wire.Point last, out string log)"
    moved, last, log = box.call(move, (1.5, 0.0, "here", 1), 2.0, (0.0, 0.0, "there", 2))
    assert (moved[0], moved[2]) == (3.5, "here")
    assert last[0] == 1.5
    assert log == "moved here from there"


def test_strings(connect):
    box = connect().create("wire.Box")
    for text in ("", "é", "x" * (simhandle.BULK_STRING - 1), "x" * simhandle.BULK_STRING):
        box.call("void setName(in string name)", text)
        assert box.call("string getName()") == text
    box.call("void setName(in string name)", None)
    assert box.call("string getName()") == ""


ELEMENTS = {
    "bool": lambda i: i % 3 == 0,
    "char": lambda i: bytes([97 + i % 26]),
    "int": lambda i: i - 2**31,
    "long": lambda i: i - 2**63,
    "float": lambda i: i * 0.5,
    "double": lambda i: i / 3 if i else -math.inf,
    "fcomplex": lambda i: complex(i, 1),
    "dcomplex": lambda i: complex(i, -1 / 3),
    "string": lambda i: f"s{i}".encode(),
}
METHODS = {"fcomplex": "fcomplexes", "dcomplex": "dcomplexes"}


@pytest.mark.parametrize("bulk", [1, simhandle.BULK_ARRAY, 1 << 30])
@pytest.mark.parametrize("element", ELEMENTS)
def test_arrays_by_segments_and_inline(connect, element, bulk):
    box = connect().create("wire.Box")
    method = METHODS.get(element, element + "s")
    echo = f"array<{element}> {method}(in array<{element}> a)"
    assert box.call(echo, None) is None
    for size in (0, 1, 5, BIG):
        sent = Array((-3,), (size - 4,), [ELEMENTS[element](i) for i in range(size)])
        got = box.call(echo, sent, bulk=bulk)
        assert (got.lower, got.upper, got.elements) == (sent.lower, sent.upper, sent.elements)


@pytest.mark.parametrize("order", ["row", "column"])
def test_bounds_and_order_survive(connect, order):
    box = connect().create("wire.Box")
    sent = Array((1, -2), (30, 17), [float(i) for i in range(600)], order)
    assert box.call("array<double,2> matrix(in array<double,2> a)", sent) == sent


def test_objects(connect):
    box = connect().create("wire.Box")
    made = box.call("wire.Named make(in string name)", "made")
    assert made.type == "wire.Box"
    assert made.call("string getName()") == "made"
    assert box.call("bool isMe(in wire.Named other)", box.call("wire.Named itself()"))
    assert not box.call("bool isMe(in wire.Named other)", None)
    assert box.call("wire.Named back(in wire.Named other)", made).id == made.id
    assert box.call("wire.Named back(in wire.Named other)", None) is None


def test_exception_with_its_trace(connect):
    box = connect().create("wire.Box")
    with pytest.raises(simhandle.Thrown) as caught:
        box.call("void fail(in int code)", 7)
    assert caught.value.classes[:2] == ["wire.Sorry", "sidl.SIDLException"]
    assert caught.value.note == "sorry about this"
    assert "in wire.Box.fail at " in caught.value.trace
    assert caught.value.state.get("int") == 7
    assert box.call("int add(in int a, in int b)", 1, 2) == 3


def test_refusals(connect):
    server = connect()
    with pytest.raises(simhandle.Thrown, match="does not export class 'wire.Secret'"):
        server.create("wire.Secret")
    with pytest.raises(simhandle.Failed, match="nobody") as caught:
        server.attach("nobody")
    assert (caught.value.number, caught.value.fate) == (2, 0)
    box = server.create("wire.Box")
    with pytest.raises(simhandle.Thrown, match="a different signature"):
        box.call("long add(in int a, in int b)", 1, 2)
    with pytest.raises(simhandle.Thrown, match="no method"):
        box.call("void dance()")


# ---- calls without answers, calls that are given up ---------------------------------------------


def test_one_way_calls_of_a_lane_keep_their_order(connect):
    box = connect().create("wire.Box")
    for i in range(30):
        pause = 10 if i % 6 == 0 else 0
        box.send("oneway void note(in int milliseconds, in int number)", pause, i, strand=3)
    notes = box.begin("array<int> notes()", strand=3)
    assert box.connection.finish(notes).elements == list(range(30))


def test_answers_come_in_any_order(connect):
    server = connect()
    box, other = server.create("wire.Box"), server.create("wire.Box")
    slow = box.begin("void wait(in int milliseconds)", 300)
    quick = other.begin("int add(in int a, in int b)", 1, 2)
    assert server.finish(quick) == 3
    assert slow[0] not in server.answers
    assert server.finish(slow) is None


def test_cancel(connect):
    """A call that has not begun never does; one that has is answered as always."""
    server = connect()
    box = server.create("wire.Box")
    running = box.begin("void wait(in int milliseconds)", 300, strand=1)
    queued = box.begin("void setName(in string name)", "never", strand=1)
    server.cancel(queued)
    server.cancel(running)
    with pytest.raises(simhandle.Failed) as caught:
        server.finish(queued)
    assert (caught.value.number, caught.value.fate) == (11, 0)
    assert server.finish(running) is None
    assert box.call("string getName()") != "never"


# ---- objects of the client -----------------------------------------------------------------------

NEST = "int nest(in wire.Box other, in int depth)"


@pytest.fixture
def mine():
    """A box of ours, as far as the server asks for it."""

    def nest(other, depth):
        return 1 + other.call(NEST, box, depth - 1) if depth else 0

    def name():
        if box.name is None:
            raise ValueError("it has no name")
        return box.name

    box = simhandle.Local("wire.Box", {"string getName()": name, NEST: nest})
    box.name = "mine"
    return box


def test_the_server_calls_back(connect, mine):
    box = connect().create("wire.Box")
    name_of = "string nameOf(in wire.Named other)"
    assert box.call(name_of, mine) == "mine"
    assert [box.call(NEST, mine, depth) for depth in (0, 1, 2, 7, 20)] == [0, 1, 2, 7, 20]
    mine.name = None
    with pytest.raises(simhandle.Thrown, match="it has no name") as caught:
        box.call(name_of, mine)
    assert "in a client in Python" in caught.value.trace
    with pytest.raises(simhandle.Thrown, match="no such method: bounce"):
        mine.methods.clear()
        box.call("int bounce(in wire.Box other, in int depth)", mine, 1)


def test_references_to_objects_of_the_client(connect, mine):
    """They come home as what they are, and all of them are given back."""
    server = connect()
    box = server.create("wire.Box")
    assert box.call("wire.Named back(in wire.Named other)", mine) is mine
    assert not box.call("bool isMe(in wire.Named other)", mine)
    box.call("void keep(in wire.Named other)", mine)
    assert box.call("wire.Named kept()") is mine
    assert mine.count > 0
    assert box.call("wire.Named back(in wire.Named other)", box) is not None
    box.call("void keep(in wire.Named other)", None)

    def all_back():
        server.ping()
        return mine.count == 0

    assert eventually(all_back)


def test_a_server_goes_on_over_another_connection(connect):
    """With its one-way calls, when the one breaks over which it has made some. It told the client
    that it had left that, which is for clients to say: they ended the other one, too."""
    session = os.urandom(16)
    first, second = (connect(session=session, number=number) for number in (1, 2))
    box = first.create("wire.Box")
    second.ping()
    first.post(
        simhandle.REQUEST,
        box,
        simhandle.Method.parse("void tellBack(in wire.Box listener, in int count)"),
        (simhandle.Local("wire.Box", {}), 1_000_000),
    )
    while first.read_frame().kind != simhandle.ONE_WAY:
        pass
    first.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    first.socket.close()
    kinds = [second.read_frame().kind for _ in range(10)]
    assert simhandle.ONE_WAY in kinds
    assert set(kinds) <= {simhandle.METHOD, simhandle.ONE_WAY, simhandle.SETTLE}
    second.socket.close()


# ---- references and sessions ---------------------------------------------------------------------


def test_release_destroys(connect):
    server = connect()
    box = server.create("wire.Box")
    for _ in range(2):
        server.attach(box.id)
    assert alive(connect) == 1
    box.release(2)
    assert box.call("int add(in int a, in int b)", 1, 2) == 3
    box.release()
    assert eventually(lambda: alive(connect) == 0)
    with pytest.raises(simhandle.Failed, match=box.id):
        box.call("void noop()")


def test_a_release_waits_for_what_was_sent_before(connect):
    """It comes over another connection than a call that was sent before it: the call is run."""
    session = os.urandom(16)
    first, second = (connect(session=session, number=number) for number in (1, 2))
    watch = connect().create("wire.Box")
    box = first.create("wire.Box")
    box.connection = second
    box.release(after=[(first, first.sent + 1)])
    second.ping()
    assert alive(connect) == 2
    box.connection = first
    box.send("oneway void note(in int milliseconds, in int number)", 0, 1)
    first.ping()
    assert eventually(lambda: watch.call("int ran()") == 1)
    assert eventually(lambda: alive(connect) == 1)


def test_a_release_does_not_wait_for_what_is_lost(connect):
    """The connection over which it was to come has ended."""
    session = os.urandom(16)
    first, second = (connect(session=session, number=number) for number in (1, 2))
    box = first.create("wire.Box")
    box.connection = second
    box.release(after=[(first, first.sent + 1)])
    second.ping()
    assert alive(connect) == 1
    first.socket.close()
    assert eventually(lambda: alive(connect) == 0)


def test_what_was_lost_is_settled(connect):
    """An object whose answer the client has not read ends when the client says so; those that it
    has read stay."""
    session = os.urandom(16)
    first, second = (connect(session=session, number=number) for number in (1, 2))
    first.create("wire.Box")
    read = first.got
    first.create("wire.Box")
    first.create("wire.Box")
    assert alive(connect) == 3
    second.settle(first.number, read)
    assert eventually(lambda: alive(connect) == 1)
    with pytest.raises(simhandle.Broken):
        first.ping()
    second.settle(first.number, read)  # once more, of a connection that is known no more
    second.ping()
    assert alive(connect) == 1


def test_goodbye_gives_all_back(connect):
    server = connect()
    boxes = [server.create("wire.Box") for _ in range(10)]
    assert alive(connect) == len(boxes)
    server.goodbye()
    assert eventually(lambda: alive(connect) == 0)


def test_lease(connect):
    """A session outlives its connection, for the time of its lease."""
    first = connect(lease=400)
    assert first.welcome[8] == 400
    box = first.create("wire.Box")
    first.socket.close()
    second = connect(session=first.session, lease=400)
    again = simhandle.Object(second, box.id, box.type)
    assert again.call("int add(in int a, in int b)", 1, 2) == 3
    second.socket.close()
    assert eventually(lambda: alive(connect) == 0)


def test_ping(connect):
    server = connect()
    for _ in range(3):
        server.ping()


# ---- what no client should send ------------------------------------------------------------------


@pytest.fixture
def survives(server, connect):
    """After the test the server serves, and its memory has grown by less than 1 MiB."""
    connect().create("wire.Box").call("int add(in int a, in int b)", 1, 2)
    before = resident(server.process)
    yield
    assert connect().create("wire.Box").call("int add(in int a, in int b)", 1, 2) == 3
    # Frames that are looked after once they have returned take memory, too (KiB).
    most = 8192 if os.environ.get("SHINAR_SANITIZED") else 1024
    assert resident(server.process) - before < most


def resident(process):
    """Resident memory in KiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_wrong_magic(survives, connect):
    with pytest.raises(simhandle.Refused) as caught:
        connect(magic=b"SHINAR\n\n")
    assert caught.value.args[0] == 1


def test_unknown_version(survives, connect):
    with pytest.raises(simhandle.Refused, match="versions 2 to 2, the client 7 to 9") as caught:
        connect(versions=(7, 9))
    assert caught.value.args[0] == 2


@pytest.mark.parametrize("kept", [1, 31, 32, 40, -1])
def test_truncated_frame(survives, connect, kept):
    server = connect()
    box = server.create("wire.Box")
    number = server.number_of(simhandle.Method.parse("array<int> ints(in array<int> a)"))
    body = Writer()
    body.put("string", box.id)
    body.put("array<int>", Array((0,), (9,), list(range(10))))
    head = simhandle.HEADER.pack(simhandle.REQUEST, 0, 0, len(body.body), 9, 0, number, 0, 0)
    server.socket.sendall((head + body.body)[:kept])
    server.socket.close()


def request_array(server, box, bounds, behind):
    """Asks with an array that claims bounds and has other data behind them."""
    body = Writer()
    body.put("string", box.id)
    body.align(8)
    body.pack("BBBBI", simhandle.KINDS.index("double"), len(bounds), 2, 0, 0)
    for lower, upper in bounds:
        body.pack("qq", lower, upper)
    body.body += behind
    method = simhandle.Method.parse("array<double> doubles(in array<double> a)")
    server.ask(simhandle.REQUEST, body, method=server.number_of(method))


HALF = (-(2**30), 2**30 - 1)  # 2^31 indices
CLAIMS = {
    "2^31": [HALF],
    "2^40": [(0, 2**20 - 1)] * 2,
    "2^63": [HALF, HALF, (0, 1)],
    "2^93": [HALF] * 3,
    "negative": [(5, 0)],
    "no index": [(2**62 + 1, 2**62 + 2)],
    "wraps": [(-(2**63), 2**63 - 1)],
    "wraps to one": [(2**63 - 1, -(2**63))],
    "2^124": [(-(2**61), 2**61 - 1)] * 2,
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_elements_that_are_not_there(survives, connect, claim):
    """The call fails; the connection goes on."""
    server = connect()
    box = server.create("wire.Box")
    with pytest.raises((simhandle.Thrown, simhandle.Failed)):
        request_array(server, box, CLAIMS[claim], bytes(16))
    assert box.call("int add(in int a, in int b)", 1, 2) == 3


@pytest.mark.parametrize("claim", [1 << 31, 1 << 40, 1 << 63])
def test_segments_that_are_not_there(survives, connect, claim):
    server = connect()
    table = struct.pack("<Q", claim)
    head = simhandle.HEADER.pack(simhandle.REQUEST, 0, 1, 16, 1, claim, 1, 0, 0)
    server.socket.sendall(head + table + bytes(16))
    if claim > server.welcome[7]:
        with pytest.raises(simhandle.Broken):
            server.answer(1)


@pytest.mark.parametrize("frame_type", [0, 99, 255])
def test_frames_of_unknown_types(survives, connect, frame_type):
    server = connect()
    server.send(frame_type, call=1)
    with pytest.raises((simhandle.Broken, ConnectionResetError)):
        server.answer(1)
