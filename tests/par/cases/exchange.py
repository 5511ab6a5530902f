"""Ranks of this program, a thread each, exchange arrays with the ranks of another one.

exchange.py LANGUAGE ORDER M N URL...: the M ranks there are objects at the servers in turn. An
array comes from there to N ranks here, is multiplied by ten, and goes back.
"""

import importlib
import sys
import threading

import numpy as np
from sidl.par import Distribution, Redistribution

LOWER, UPPER = [-1, 3], [21, 19]


def grid(ranks):
    """Ranks in two dimensions."""
    rows = next(n for n in (2, 3, 1) if ranks % n == 0)
    return [rows, ranks // rows]


def distributions(ranks):
    """Different ones of one array."""
    yield Distribution.blocks(LOWER, UPPER, [ranks, 1])
    yield Distribution.blockCyclic(LOWER, UPPER, grid(ranks), [3, 2])
    cuts = np.linspace(LOWER[1], UPPER[1] + 1, ranks + 1).astype(int)
    lower = [[LOWER[0], cut] for cut in cuts[:-1]][::-1]
    yield Distribution.rectangles(lower, [[UPPER[0], cut - 1] for cut in cuts[1:]][::-1])


def numbers(all_, rank):
    """A rank's piece: each element is its own number."""
    lengths = all_.getLengths(rank)
    piece = np.empty(lengths)
    for position in np.ndindex(*lengths):
        index = all_.getIndex(rank, list(position)) - LOWER
        piece[position] = index[0] * (UPPER[1] - LOWER[1] + 1) + index[1]
    return piece


class Rank(threading.Thread):
    """One of this program's."""

    def __init__(self, number, there, mine, theirs):
        super().__init__()
        self.number, self.there, self.mine, self.theirs = number, there, mine, theirs
        self.failure = None

    def run(self):
        try:
            self.exchange()
        except BaseException as failure:
            self.failure = failure

    def exchange(self):
        """What is said above."""
        halo = np.full(np.array(self.mine.getLengths(self.number)) + 2, -1.0)
        piece = halo[1:-1, 1:-1]
        receiver = Redistribution.createReceiver(self.theirs, self.mine, self.number)
        for peer in receiver.getPeers():
            elements = self.there[peer].give(self.mine, self.number)
            assert len(elements) == receiver.getSize(peer)
            receiver.unpack(peer, elements, piece)
        assert (piece == numbers(self.mine, self.number)).all()
        assert halo.sum() == piece.sum() - (halo.size - piece.size)
        piece *= 10
        sender = Redistribution.createSender(self.mine, self.theirs, self.number)
        for peer in sender.getPeers():
            self.there[peer].take(self.mine, self.number, sender.pack(peer, piece))


def main(language, order, m, n, *urls):
    field = importlib.import_module(f"mxn{language}").Field
    there = [field.create(urls[rank % len(urls)]) for rank in range(int(m))]
    for theirs in distributions(int(m)):
        for mine in distributions(int(n)):
            if order == "columns":
                theirs, mine = theirs.columnMajor(), mine.columnMajor()
            for rank, each in enumerate(there):
                each.fill(theirs, rank)
            ranks = [Rank(rank, there, mine, theirs) for rank in range(int(n))]
            for each in ranks:
                each.start()
            for each in ranks:
                each.join()
            for each in ranks:
                if each.failure is not None:
                    raise each.failure
            assert [each.wrong() for each in there] == [0] * int(m)
    print("all arrived")


if __name__ == "__main__":
    main(*sys.argv[1:])
