"""Ranks of an object in Python, one of which raises what no SIDL file declares, and its callers."""

import os
import sys
import traceback

import sea
import sidl
from sidl.par import Group

group = Group.ofJob()
rank, size = group.getRank(), group.getSize()


class Mesh(sea.Mesh):
    def stumble(self, which, why):
        if which == rank:
            raise ValueError(why)

    divided = give = take = wrong = None


own = Mesh()
group.publish("mesh", own)
mesh = sea.Mesh._cast(group.connect("mesh", os.environ["SIDL_URLS_CALLERS"].split()))
for which in range(size):
    try:
        mesh.stumble(which, "too rough")
        raise AssertionError("it has not failed")
    except ValueError as failure:  # raised in this process
        assert which == rank
        trace = "".join(traceback.format_exception(failure))
    except sidl.LangSpecificException as failure:
        assert which != rank and failure.getNote() == "ValueError: too rough", failure.getNote()
        trace = failure.getTrace()
    if sys.version_info >= (3, 11) or which != rank:
        assert trace.count(f"on rank {which} of 'mesh'") == 1, trace
    assert "in stumble" in trace, trace
group.barrier()  # whoever ends first ends its server
print("well")
