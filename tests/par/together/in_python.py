"""An object in Python on each rank of a program, and its callers, which are the same ranks."""

import os
import sys
import traceback

import sea
import sidl
from common import failing
from sidl.par import Group


class Mesh(sea.Mesh):
    def __init__(self, rank):
        super().__init__()
        self.rank = rank
        self.first = None

    def stumble(self, which, why):
        if which == self.rank:
            raise ValueError(why)

    def keep(self, thing, more):
        raise AssertionError("it has been passed")

    def kept(self):
        return self.first

    divided = give = take = wrong = None


def raises(group, mesh, own):
    """What no SIDL file declares, on one rank."""
    rank = group.getRank()
    for which in range(group.getSize()):
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


def passes(group, mesh, own):
    """A parallel object as an argument and as a result."""
    refusal = "is 'mesh', which cannot be passed to other processes: it is a parallel object;"
    failing(lambda: mesh.keep(mesh, None), f"object {refusal}")
    failing(lambda: mesh.keep(None, [None, mesh]), f"more {refusal}")
    own.first = mesh
    failing(mesh.kept, f"_retval {refusal}")
    if group.getSize() > 1:
        other = sea.Mesh._connect(other_url(group))
        failing(lambda: other.keep(mesh, None), f"object {refusal}")
    assert own.kept().getClassInfo().getName() == mesh.getClassInfo().getName()  # in this process
    own.first = None


def other_url(group):
    """Of the object of the next rank alone."""
    url = os.environ["SIDL_URLS_CALLERS"].split()[(group.getRank() + 1) % group.getSize()]
    return url + "#one"


if __name__ == "__main__":
    group = Group.ofJob()
    own = Mesh(group.getRank())
    group.publish("mesh", own)
    sidl.rmi.InstanceRegistry.registerInstanceByString(own, "one")
    mesh = sea.Mesh._cast(group.connect("mesh", os.environ["SIDL_URLS_CALLERS"].split()))
    group.barrier()
    {"raises": raises, "passes": passes}[sys.argv[1]](group, mesh, own)
    group.barrier()  # whoever ends first ends its server
    print("well")
