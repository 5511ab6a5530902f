"""Ranks of two programs exchange elements that lists of indices divide, on one side or both.

mesh.py KIND M N: program `ocean` of M ranks serves, `callers` of N ranks get its elements, multiply
them by ten, and give them back.
"""

import os
import random
import sys
import time

import numpy as np
import sea
import sidl
from common import failing
from sidl.par import Distribution, Group, Redistribution
from sidl.rmi import InstanceRegistry

KIND, M, N = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
LENGTH = 200


def numbers():
    """Of all elements: those of lists on both sides are anywhere."""
    dice = random.Random(f"{M} {N}")
    both = KIND == "both"
    return [dice.randrange(-(2**60), 2**60) if both else 1 + each for each in range(LENGTH)]


def lists(program, ranks):
    """The numbers of each rank, as if by chance; some have none."""
    dice = random.Random(f"{program} {M} {N}")
    result = [[] for _ in range(ranks)]
    for number in dice.sample(numbers(), LENGTH):
        result[dice.randrange(ranks) if dice.random() < 0.7 else 0].append(number)
    return result


def own_of(program, ranks, rank):
    """The numbers of a rank, in the order of its piece."""
    if KIND in ("both", program):
        return lists(program, ranks)[rank]
    line = Distribution.blockCyclic([1], [LENGTH], [ranks], [3])
    return [int(line.getIndex(rank, [at])[0]) for at in range(line.getLengths(rank)[0])]


def divided(program, group, own):
    if KIND in ("both", program):
        return group.indices(own)
    return Distribution.blockCyclic([1], [LENGTH], [group.getSize()], [3])


class Mesh(sea.Mesh):
    def __init__(self, group):
        super().__init__()
        self.rank = group.getRank()
        self.own = own_of("ocean", M, self.rank)
        self.all = divided("ocean", group, self.own)
        self.piece = np.array(self.own, dtype=float)

    def divided(self):
        return self.all

    def give(self, wanted, rank):
        return Redistribution.createSender(self.all, wanted, self.rank).pack(rank, self.piece)

    def take(self, given, rank, elements):
        receiver = Redistribution.createReceiver(given, self.all, self.rank)
        receiver.unpack(rank, elements, self.piece)

    def wrong(self):
        return int((self.piece != 10 * np.array(self.own, dtype=float)).sum())

    stumble = keep = kept = None


def serve(group):
    InstanceRegistry.registerInstanceByString(Mesh(group), "mesh")
    group.serve()


def connected(group):
    """The ranks of the other program; those that are not there yet are waited for."""
    urls = os.environ["SIDL_URLS_OCEAN"].split()
    for url in urls:
        for _ in range(1000):
            try:
                mesh = sea.Mesh._connect(url + "#mesh" if "///" in url else url + "/mesh")
                break
            except sidl.rmi.NetworkException:
                time.sleep(0.02)
        yield mesh


def exchange(group, there):
    rank = group.getRank()
    own = own_of("callers", N, rank)
    theirs, mine = there[-1].divided(), divided("callers", group, own)
    owners = {number: each for each in range(M) for number in own_of("ocean", M, each)}
    piece = np.zeros(len(own))
    receiver = Redistribution.createReceiver(theirs, mine, rank)
    assert receiver.getPeers().tolist() == sorted({owners[number] for number in own})
    for _ in range(2):
        piece[:] = 0
        for peer in receiver.getPeers():
            elements = there[peer].give(mine, rank)
            assert len(elements) == receiver.getSize(peer)
            assert elements.tolist() == [
                float(number) for number in sorted(own) if owners[number] == peer
            ]
            receiver.unpack(peer, elements, piece)
        assert piece.tolist() == [float(number) for number in own]
    group.barrier()
    sender = Redistribution.createSender(mine, theirs, rank)
    for peer in sender.getPeers():
        there[peer].take(mine, rank, sender.pack(peer, 10 * piece))
    group.barrier()
    assert [each.wrong() for each in there] == [0] * M
    return own, mine, theirs


def refusals(group, there, own, mine, theirs):
    rank, size = group.getRank(), group.getSize()
    if KIND != "ocean":
        first = lists("callers", N)[0][0]
        failing(
            lambda: group.indices([*own, own[0]] if rank == 0 else own), "the list of rank 0 twice"
        )
        if size > 1:
            failing(
                lambda: group.indices([*own, first] if rank == 1 else own),
                f"ranks 0 and 1 of the group both have index {first}",
                f"ranks 1 and 0 of the group both have index {first}",
            )
        outside = group.indices([*own, 2**61 + rank])
        failing(
            lambda: Redistribution.createReceiver(theirs, outside, rank),
            f"index {2**61 + rank} of rank {rank} of 'target' is on no rank of 'source'",
        )
        hole = group.indices(own[1:] if rank == 0 else own)
        peer = next(each for each in range(M) if first in own_of("ocean", M, each))
        failing(
            lambda: there[peer].give(hole, rank),
            f"index {first} of rank {peer} of 'source' is on no rank of 'target'",
        )
        failing(lambda: Redistribution.createSender(mine, theirs, size), f"not that of rank {size}")
        alone = Distribution.indices(own, rank, size)
        failing(
            lambda: there[peer].give(alone, rank), "nobody can be asked who has what of 'target'"
        )
        failing(lambda: group.indices(None), "'own' is null")
    else:
        failing(
            lambda: Redistribution.createReceiver(theirs, mine, size), f"there is no rank {size}"
        )
        failing(
            lambda: Redistribution.createReceiver(mine, theirs, 0),
            "'target' has the list of another process, not that of rank 0",
        )
    if KIND != "callers":
        square = Distribution.blocks([0, 0], [3, 3], [size, 1])
        failing(
            lambda: Redistribution.createReceiver(theirs, square, rank), "arrays of one dimension"
        )


if __name__ == "__main__":
    group = Group.ofJob()
    if os.environ["SIDL_PROGRAM"] == "ocean":
        serve(group)
    else:
        there = list(connected(group))
        refusals(group, there, *exchange(group, there))
        group.barrier()  # whoever ends first ends its server
        print("well")
