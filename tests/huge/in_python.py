"""in_python.py URL: as in_c.c."""

import sys

import huge
import numpy as np

COUNT = 2**31 + 5
HALF = COUNT // 2

ends = huge.Ends.connect(sys.argv[1])
a = np.zeros(COUNT, dtype="S1")
a[-1], a[HALF - 1] = b"z", b"h"
assert ends.last(a) == "z"
assert ends.last(a[:HALF]) == "h"
assert ends.last(a[HALF:]) == "z"
ends.mark(a)
assert a[-1] == b"m"
del a
made = ends.make(COUNT)
assert len(made) == COUNT
assert made[-1] == b"r"
