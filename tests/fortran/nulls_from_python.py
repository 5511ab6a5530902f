"""Null, empty and other arrays through classes in Fortran that pass them on. Usage: ... [URL]"""

import sys
import time

import nul
import numpy
import pynul
import relays

url = sys.argv[1] if len(sys.argv) > 1 else None


def new(cls):
    return cls.create(url) if url else cls()


def relay_to(sink):
    relay = new(relays.Relay)
    relay.setNext(sink)
    return relay


def count(array):
    return 0 if array is None else numpy.size(array) + 1


def samples(item):
    """By method: null, no elements, two elements."""
    flat = {
        "bools": [True, False],
        "chars": [b"a", b"b"],
        "ints": [1, 2],
        "longs": [1, 2],
        "shades": [nul.Shade.dark, nul.Shade.light],
        "floats": [1.0, 2.0],
        "doubles": [1.0, 2.0],
        "singles": [1j, 2j],
        "words": ["one", ""],
        "sinks": [item, None],
    }
    grids = {"waves": [[1j], [2j]], "rows": [[1], [2]], "pages": [["one"], [""]]}
    for method, elements in flat.items():
        yield method, (None, [], elements)
    for method, elements in grids.items():
        yield method, (None, elements)


def check_all(sink, counts=None):
    """Two rounds: the memory of an empty array is not taken for one that is null, and back."""
    for _ in range(2):
        for method, arrays in samples(sink):
            if counts and method not in counts:
                continue
            for i, x in enumerate(arrays):
                for j, io in enumerate(arrays):
                    sizes = (0, 1, 3) if len(arrays) == 3 else (0, 3)
                    total, o, back = getattr(sink, method)(x, io)
                    assert total == 100 * sizes[i] + sizes[j], (method, x, io, total)
                    assert count(o) == sizes[i], (method, x, o)
                    assert count(back) == sizes[j], (method, io, back)
    for method, two in ("same", [1.0, 2.0]), ("sameWords", ["a", "b"]), ("sameSinks", [sink] * 2):
        for x in two, [], None, [], None:
            assert count(getattr(sink, method)(x)) == (0 if x is None else len(x) + 1), method


def check_rest(sink, is_fortran):
    for x in None, [5.0], None:
        total, o, io = sink.others(x, None)
        assert total == (200 if x else 0) and (o is None) == (x is None) and io is None
        sink.note(x)
        deadline = time.monotonic() + 20  # one-way calls of several threads have no order
        while sink.noted() != (2 if x else 0):
            assert time.monotonic() < deadline, x
            time.sleep(0.01)
    for words in None, [["a", "b"]]:
        box = nul.Box()
        box.words = words
        total, back = sink.box(box)
        assert total == (30 if words and not is_fortran else 0)
        assert back.numbers is None and back.sinks is None and (back.words is None) == (not words)


ends = [new(nul.InCxx), new(pynul.InPython), new(relays.Heir)]
if url:
    ends += [nul.InCxx(), pynul.InPython()]  # that the server calls
for end in [None, *ends]:
    relay = relay_to(end)
    for sink in relay, relay_to(relay):
        check_all(sink)
        check_rest(sink, end is None)
    assert numpy.size((end or relay).turn(None)) == 2
    assert (end or relay).turn([1.0]) is None
for end in ends:
    check_all(end)
