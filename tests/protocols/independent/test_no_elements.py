"""Arrays without elements, whose bounds may still be such as no array can have.

Nothing has to be allocated for them: what is refused is not said to be for want of memory.
"""

import pytest
from simhandle import REQUEST, Array, Connection, Method, Thrown, Writer

pytestmark = pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)

TYPES = {"wire.Point": {"x": "double", "y": "double", "label": "string", "weight": "int"}}
COLUMNS = Method.parse("array<double,3,column-major> columns(in array<double,3,column-major> a)")
SAME = Method.parse("array<> same(in array<> a)")
DOUBLES, OBJECTS, STRUCTS = 4, 11, 12
LONG = 1 << 61
LAST = 1 << 62  # the last index that an array may have
FLAT, DEEP = ((0, -1), (0, LONG), (0, LONG)), ((0, LONG), (0, LONG), (0, -1))
TOO_MANY = ((-LAST, LAST), (0, -1))
NO_INDICES = [((LAST + 1, LAST),), ((-LAST, -LAST - 1),), ((0, -1), (-LAST - 1, 0))]


@pytest.fixture
def connection(start_server, protocol, build_dir):
    server = start_server(
        protocol, "--export", f"wire.Box={build_dir / 'tests' / 'wire' / 'libwire.so'}"
    )
    host, port = server.url.removeprefix("simhandle://").split(":")
    return Connection(host, int(port), TYPES)


def nothing(bounds, order):
    """An array of no doubles."""
    return Array(*zip(*bounds, strict=True), [], order)


def answer(connection, method, write):
    """What comes of a call with the argument that write(body) puts."""
    body = Writer(TYPES)
    body.put("string", connection.create("wire.Box").id)
    write(body)
    number = connection.number_of(method)
    connection.calls += 1
    connection.send(REQUEST, body, call=connection.calls, method=number)
    return connection.answer(connection.calls)


def refusal(*arguments):
    with pytest.raises(Thrown) as caught:
        answer(*arguments)
    assert caught.value.classes[0] == "sidl.rmi.ProtocolException"
    return str(caught.value)


def numbers(bounds, order):
    def write(body):
        body.put("int", DOUBLES)
        body.put("array<double>", nothing(bounds, order))

    return write


def others(element, bounds):
    """Of objects or structs: a shape, and nothing more."""

    def write(body):
        body.put("int", element)
        if element == STRUCTS:
            body.put("string", "wire.Point")
        lower, upper = zip(*bounds, strict=True)
        shape = [len(bounds), *lower, *upper]
        body.put("array<long>", Array((0,), (len(shape) - 1,), shape))

    return write


@pytest.mark.parametrize(("bounds", "order"), [(FLAT, "column"), (DEEP, "row")], ids=str)
def test_what_an_array_can_be(connection, bounds, order):
    answer(connection, SAME, numbers(bounds, order))


@pytest.mark.parametrize(("bounds", "order"), [(FLAT, "row"), (DEEP, "column")], ids=str)
def test_strides_that_no_array_has(connection, bounds, order):
    assert "too large for its strides" in refusal(connection, SAME, numbers(bounds, order))


def test_strides_of_the_order_that_is_demanded(connection):
    def write(body):
        body.put("array<double>", nothing(DEEP, "row"))

    assert "too large for strides of the order" in refusal(connection, COLUMNS, write)


@pytest.mark.parametrize("bounds", [TOO_MANY, *NO_INDICES], ids=str)
def test_bounds_that_no_array_has(connection, bounds):
    assert "an array has bounds" in refusal(connection, SAME, numbers(bounds, "row"))


@pytest.mark.parametrize("element", [OBJECTS, STRUCTS])
@pytest.mark.parametrize("bounds", [FLAT, DEEP, TOO_MANY, *NO_INDICES], ids=str)
def test_shapes_that_no_array_has(connection, element, bounds):
    assert "invalid shape" in refusal(connection, SAME, others(element, bounds))
