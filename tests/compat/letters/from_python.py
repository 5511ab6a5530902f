"""from_python.py [URL]: calls both classes, here or on a server."""

import sys

import letters
import numpy as np

for kind in letters.F, letters.P:
    flipper = kind.create(sys.argv[1]) if len(sys.argv) > 1 else kind()
    a, b = np.array([b"x", b"y", b"z"]), np.array([b"1", b"2", b"3"])
    count, given = flipper.flip(a, b)
    assert count == 3 and list(given) == [b"z", b"y", b"x"]
    assert list(b) == [b"z", b"y", b"x"]
print("ok")
