"""Servers whose memory ends: the call that wants too much fails with an error that says so."""

import os
import resource
import sys
from pathlib import Path

import pytest
from serving import resident

sys.path.insert(0, str(Path(__file__).parent / "independent"))
import simhandle  # noqa: E402

pytestmark = pytest.mark.skipif(
    "SHINAR_SANITIZED" in os.environ, reason="sanitizers take all addresses there are"
)
DOUBLES = simhandle.Method.parse("array<double> doubles(in array<double> a)")
STRINGS = simhandle.Method.parse("array<string> strings(in array<string> a)")
ADD = "int add(in int a, in int b)"


@pytest.fixture
def scarce(server):
    """A server that may have 40 MiB of addresses more than it has when it starts."""
    shared = server()
    warm = simhandle.Connection("127.0.0.1", shared.port)
    warm.attach("pub").call(ADD, 1, 2)
    warm.goodbye()
    pages = int(Path(f"/proc/{shared.process.pid}/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (40 << 20)
    resource.prlimit(shared.process.pid, resource.RLIMIT_AS, (limit, limit))
    return shared


def doubles(count):
    """The body of a call with an array, without making its elements one by one."""
    body = simhandle.Writer()
    body.put("string", "pub")
    body.align(8)
    body.pack("BBBBI", simhandle.KINDS.index("double"), 1, 2, 1, 0)
    body.pack("qq", 0, count - 1)
    body.segments.append(bytes(8 * count))
    return body


def strings(count):
    """The body of a call with an array of empty strings."""
    body = simhandle.Writer()
    body.put("string", "pub")
    body.align(8)
    body.pack("BBBBI", simhandle.KINDS.index("string"), 1, 2, 0, 0)
    body.pack("qq", 0, count - 1)
    body.body += bytes(4 * count)
    return body


def ask(connection, method, body):
    """Makes the call; what the answer is."""
    return connection.ask(simhandle.REQUEST, body, method=connection.number_of(method))


def test_array_for_which_there_is_no_memory(scarce):
    """Its connection ends, with the reason; others go on, and so does the server."""
    good = simhandle.Connection("127.0.0.1", scarce.port)
    for _ in range(5):
        bad = simhandle.Connection("127.0.0.1", scarce.port)
        with pytest.raises((simhandle.Broken, BrokenPipeError, ConnectionResetError)) as caught:
            ask(bad, DOUBLES, doubles(16 << 20))
        if caught.type is not simhandle.Broken:
            with pytest.raises(simhandle.Broken) as caught:
                bad.answer(0)
        assert caught.value.args == (1, "out of memory")
        assert good.attach("pub").call(ADD, 1, 2) == 3
    small = 1 << 17
    assert len(ask(good, DOUBLES, doubles(small)).get_array().elements) == small
    assert resident(scarce.process.pid) < 100_000


def test_values_for_which_there_is_no_memory(scarce):
    """What fails while a call is taken apart ends the call."""
    good = simhandle.Connection("127.0.0.1", scarce.port)
    for _ in range(5):
        with pytest.raises((simhandle.Thrown, simhandle.Failed)) as caught:
            ask(good, STRINGS, strings(3 << 20))
        assert "MemAllocException" in str(caught.value)
        assert good.attach("pub").call(ADD, 1, 2) == 3
    assert len(ask(good, STRINGS, strings(1000)).get_array().elements) == 1000
