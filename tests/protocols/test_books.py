"""What a server keeps for its clients: their counts, and names that they choose."""

import os
import sys
from pathlib import Path

import pytest
from serving import eventually, resident

sys.path.insert(0, str(Path(__file__).parent / "independent"))
import simhandle  # noqa: E402

NAMES = 10000


@pytest.mark.skipif("SHINAR_SANITIZED" in os.environ, reason="ASan keeps what is freed")
@pytest.mark.parametrize("name", ["pub\0{}", "invented-{}"], ids=["behind a zero", "invented"])
def test_names_that_nobody_has_given_are_not_booked(server, name):
    """The public name, a zero, and anything: each was a name of its own in the books, for an object
    that was found by what is before the zero. Names in the tests had been text."""
    shared = server()
    client = simhandle.Connection("127.0.0.1", shared.port)
    client.attach("pub")

    def attach_all(begin, count):
        for i in range(begin, begin + count):
            with pytest.raises(simhandle.Failed, match="there is no object"):
                client.attach(name.format(str(i).zfill(4000)))

    attach_all(0, 500)
    before = resident(shared.process.pid)
    attach_all(500, NAMES)
    assert resident(shared.process.pid) - before < 8192
    client.goodbye()


def test_who_attaches_while_the_last_reference_goes(server):
    """Either the object is there and stays, or it is said to be gone: it went after the answer."""
    shared = server()
    first, other = (simhandle.Connection("127.0.0.1", shared.port) for _ in range(2))
    outcomes = {"had": 0, "gone": 0}
    for turn in range(300):
        box = first.create("wire.Box")
        if turn % 2:
            box.release()
        body = simhandle.Writer()
        body.put("string", box.id)
        other.calls += 1
        other.send(simhandle.ATTACH, body, call=other.calls, flags=1)
        if not turn % 2:
            box.release()
        try:
            same = other.answer(other.calls).get_reference()
        except simhandle.Failed as error:
            assert "there is no object" in str(error)
            outcomes["gone"] += 1
            continue
        assert same.call("int add(in int a, in int b)", 2, 3) == 5
        same.release()
        outcomes["had"] += 1
    assert outcomes["had"], outcomes


@pytest.mark.skipif("SHINAR_SANITIZED" in os.environ, reason="ASan keeps what is freed")
def test_an_idle_server_gives_back_the_memory_of_large_calls(server):
    """It kept hundreds of MB for calls like those of its busiest time."""
    shared = server()
    values = simhandle.Array((0,), ((1 << 20) - 1,), [0.5] * (1 << 20))
    connections = [simhandle.Connection("127.0.0.1", shared.port) for _ in range(4)]
    before = resident(shared.process.pid)
    begun = []
    for each in connections:
        box = each.create("wire.Box")
        begun.append((each, box.begin("array<double> doubles(in array<double> a)", values)))
    for each, call in begun:
        each.finish(call)
    assert eventually(lambda: resident(shared.process.pid) - before < 16 << 10, 20)
