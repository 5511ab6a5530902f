"""What groups and parallel objects refuse, in one process, by notes that say what it is."""

import sys

import numpy as np
import sea
import seacxx
import sidl
from sidl.par import Attachment, CallValues, Distribution, Group, Member, Servant
from sidl.rmi import Deadline

URL = f"simhandle+unix://{sys.argv[1]}/a"


def refused(what, call, *arguments):
    try:
        call(*arguments)
    except sidl.BaseException as failure:
        assert what in failure.getNote(), failure.getNote()
    else:
        raise AssertionError(f"not refused: {what}")


def square(*upper):
    return Distribution.blocks([0] * len(upper), list(upper), [1] * len(upper))


refused("'urls' is empty", Group.ofURLs, [], 0)
refused("rank 1 is none of a group with 1 URLs", Group.ofURLs, [URL], 1)
refused("rank -1 is none of", Group.ofURLs, [URL], -1)
refused("ranks 0 and 1 have the same URL", Group.ofURLs, [URL, URL], 0)
refused('"nonsense" is not a URL', Group.ofURLs, ["nonsense"], 0)
refused("the environment has no SIDL_PROGRAM", Group.ofJob)
refused("the group has no ranks", Group().barrier)
Deadline.setForThread(300)
refused("rank 1 of the group", Group.ofURLs, [URL, URL + "b"], 0)
refused("has not come within the time", Group.ofURLs, [URL + "b", URL], 1)
Deadline.setForThread(-1)
refused("the server of this process does not listen at", Group.ofURLs, [URL + "c"], 0)

group, alone = Group.ofURLs([URL], 0), Group.alone()
own = seacxx.Ocean()
own.begin(0, square(3))
refused("'object' is null", group.publish, "x", None)
for name in ("", "a b", "\u00e4", "a\nb", "x" * 5000):
    refused("'name' is the end of a URL", group.publish, name, own)
group.publish("x", own)
refused("has published 'x' before: another object", group.publish, "x", seacxx.Ocean())
refused("has published 'x' before: this object", group.publish, "x", own)
refused("already used", group.publish, "sidl.server", own)

Deadline.setForThread(300)
refused("rank 0 of 'y' (", alone.connect, "y", [URL])
refused("has not been published within", alone.connect, "y", [URL])
refused("'urls' is empty", alone.connect, "x", [])
refused(
    "is rank 0 of 1; its place among the URLs makes it rank 0 of 2", alone.connect, "x", [URL] * 2
)
Deadline.setForThread(-1)
refused("'mark.places' has 1 dimension; its", Group.distribute, own, "mark.places", square(3, 3))
found = alone.connect("x", [URL])
ocean = sea.Ocean._cast(found)
assert sea.Ear._cast(found) is None and ocean.where() == 0

refused("'distribution' is null", Group.distribute, ocean, "sum.t", None)
refused("'object' is null", Group.distribute, None, "sum.t", square(3, 3))
refused(
    "neither one that this process has published", Group.distribute, sea.Storm(), "a.b", square(3)
)
refused("rank 2 is none of 2", Distribution.indices, [1], 2, 2)
mesh = Distribution.indices([5, 3, 7], 0, 1)
assert mesh.getLengths(0) == [3] and mesh.getIndex(0, [1]) == [3] and mesh.getRanks() == 1
assert mesh.describe() == "lists of indices of 1 ranks"
refused("the list of rank 1 is not known here", mesh.getLengths, 1)
refused("[3] is no position of rank 0, which has 3", mesh.getIndex, 0, [3])
refused("each rank knows only its own list", mesh.getOwner, [5])
refused("each rank knows only its own list", mesh.columnMajor)
twice = Distribution.indices([4, 5, 4], 0, 1)
refused("index 4 is in the list of rank 0 twice", Group.distribute, own, "mark.drops", twice)
refused(
    "is on no rank of the object",
    lambda: (
        Group.distribute(own, "mark.places", square(3)),
        Group.distribute(ocean, "mark.places", mesh),
    ),
)
Group.distribute(own, "warm.t", mesh)
Group.distribute(ocean, "warm.t", mesh)
refused("'warm.t' has 2 dimensions; lists of indices", ocean.warm, np.zeros((3, 1)), 1.0)
own = seacxx.Ocean()
own.begin(0, square(3))
group.publish("z", own)
found = alone.connect("z", [URL])
ocean = sea.Ocean._cast(found)
refused("has no 'sum.by' with %attrib{distributed}", Group.distribute, own, "sum.by", square(3, 3))
refused("has no 'nonsense' with", Group.distribute, own, "nonsense", square(3, 3))
refused("has not said how 'sum.t' is divided", ocean.sum, np.zeros((2, 2)))
refused("has no 'nonsense' with", Group.distribute, ocean, "nonsense", square(3, 3))
refused("'sum.t' has 2 dimensions; its", Group.distribute, own, "sum.t", square(3))
Group.distribute(own, "sum.t", square(3, 3))
Group.distribute(ocean, "sum.t", square(3))
for each in (own, ocean):
    Group.distribute(each, "warm.t", square(3, 3))
Group.distribute(own, "make.t", square(3, 4))
Group.distribute(ocean, "make.t", square(3, 3))
refused("'sum.t' has 2 dimensions; its distribution is of [0..3]", ocean.sum, np.zeros((2, 2)))
refused("'make.t' is an array [0..3, 0..3] on this side, and [0..3, 0..4] on the other", ocean.make)
refused("'warm.t' is null; the piece of rank 0 has", ocean.warm, None, 1.0)
refused("'warm.t' has 2 x 2 elements", ocean.warm, np.zeros((2, 2)), 1.0)
refused("'warm.t' is in use", Group.distribute, own, "warm.t", square(3, 3))

# What only a peer that is not ours would do.
servant = Servant._connect(URL + "#x")
refused("rank -1 is none of a group of 2", servant.attach, "c", -1, 2)
refused("a group of 2147483647 ranks; at most", servant.attach, "c", 0, 2**31 - 1)
attached = servant.attach("c", 0, 1)
refused("has no method say with the signature", attached.run, 1, "say", 0, True, None, None)
refused("has no method say with the signature", attached.run, 2, "say", 5, True, CallValues(), None)
refused("has no method nix with the signature", attached.call, "nix", 5, CallValues())
refused("'distribution' is null", attached.prepare, "sum.t", None)
refused("has 2 ranks; the group has 1", attached.prepare, "x", Distribution.blocks([0], [3], [2]))
refused("has no 'q.q' with %attrib{distributed}", attached.getDistribution, "q.q")
refused("belongs to no parallel object", Attachment().giveUp, 1, "why", True)
refused("belongs to no parallel object", Servant().getRank)
refused("has left the group", Member().check)

ocean.say("still", 0)
assert (
    ocean.words().tolist() == ["(still", "still)"] and ocean.warm(np.zeros((4, 4)), 1.0).sum() == 16
)
print("well")
