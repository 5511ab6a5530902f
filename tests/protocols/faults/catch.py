"""catch.py URL: catches what the server throws by all of its types; asks what its class knows."""

import sys

import faults
import sidl

solver = faults.Solver.create(sys.argv[1])
for kind in [
    faults.Unstable,
    faults.Fault,
    faults.Explained,
    sidl.RuntimeException,
    sidl.SIDLException,
]:
    try:
        solver.run(7)
    except kind as thrown:
        assert type(thrown) is faults.Unstable
        assert str(thrown) == "diverged" and "faults.Solver.run" in thrown.trace
        caught = thrown
try:
    caught.getStep()
except sidl.NotImplementedException as error:
    assert str(error).startswith("faults.Unstable.getStep")
    print("ok")
