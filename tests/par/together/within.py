"""A program whose ranks call an object of their own ranks, together."""

import os

import sea
import seacxx
import sidl
from call import pieces
from serve import divided
from sidl.par import Group

group = Group.ofJob()
rank, size = group.getRank(), group.getSize()
own = seacxx.Ocean()
own.begin(rank, divided("rows", size))
group.publish("ocean", own)
for argument in ("warm.t", "make.t"):
    Group.distribute(own, argument, divided("rows", size))

ocean = sea.Ocean._cast(group.connect("ocean", os.environ["SIDL_URLS_CALLERS"].split()))
mine = divided("cyclic", size)
for argument in ("warm.t", "make.t"):
    Group.distribute(ocean, argument, mine)
piece = pieces(mine, rank)
for _ in range(3):
    assert (ocean.warm(piece.copy(), 2.0) == piece + 2).all()
    assert (ocean.make()[1] == piece).all()
    assert ocean.where() == rank
try:
    ocean.fail(size - 1, "here")
    raise AssertionError("it has not failed")
except sea.Storm as storm:
    assert storm.getNote() == "here"
again = sea.Ocean._cast(group.connect("ocean", os.environ["SIDL_URLS_CALLERS"].split()))


class Ear(sea.Ear):
    def hear(self, rank):
        again.say("nested", 0)


try:
    ocean.ask(Ear())
    raise AssertionError("it has not failed")
except sidl.BaseException as refusal:
    assert "is called within a collective method of the same ranks" in refusal.getNote()
ocean.say("after", 0)
assert ocean.words()[-1] == "after)" and again.getClassInfo().getName() == "seacxx.Ocean"
group.barrier()  # whoever ends first ends its server
print("well")
