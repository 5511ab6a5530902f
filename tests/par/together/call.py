"""A rank of the callers: runs one of the cases below, or of failures.py."""

import contextlib
import os
import sys
import time
from pathlib import Path

import failures
import numpy as np
import sea
import sidl
from common import failing, pieces, said
from serve import COLUMNS, ROWS, divided, line, line_listed, listed
from sidl.par import Distribution, Group
from sidl.rmi import Deadline


def values(group, ocean):
    drops = np.array([(1, 0.5), (2, 0.25)], dtype=[("rank", "i4"), ("warmth", "f8")])
    for turn in range(3):
        arguments = (True, "\x02", 3, 4, 5.0, 6.0 + turn, 7 + 8j, [9, 10], ["so", None, "much"])
        total, answer, said, table, back = ocean.add(
            *arguments, sea.Drop(1, 2.0), 100.0, drops.copy()
        )
        assert total == 1 + 2 + 3 + 4 + 5 + 6 + turn + 15 + 19 + 3 + 3.75, total
        assert answer == 100 + total and said == "somuch"
        assert table.tolist() == [[0, 1, 2], [3, 4, 5]]
        assert back["warmth"].tolist() == [-0.5, -0.25] and back["rank"].tolist() == [1, 2]


def arrays(group, ocean):
    rank, size = group.getRank(), group.getSize()
    for kind in ("cyclic", "rows", "parts"):
        mine = divided(kind, size)
        for argument in ("warm.t", "sum.t", "make.t"):
            Group.distribute(ocean, argument, mine)
        piece = pieces(mine, rank)
        for _ in range(2):
            warm = ocean.warm(np.array(piece, order="F"), 0.5)
            assert (warm == piece + 0.5).all(), (kind, rank)
            where, made = ocean.make()
            assert (made == piece).all() and made.shape == piece.shape, (kind, rank, made)
            assert where == rank % len(os.environ["SIDL_URLS_OCEAN"].split())
    theirs = divided(sys.argv[2], len(os.environ["SIDL_URLS_OCEAN"].split()))
    assert ocean.sum(pieces(mine, rank)) == pieces(theirs, ocean.where()).sum()


def structs(group, ocean):
    rank, size = group.getRank(), group.getSize()
    ranks = len(os.environ["SIDL_URLS_OCEAN"].split())
    theirs = line(ranks)
    cuts = [ROWS * each // size for each in range(size + 1)]
    mine = Distribution.rectangles(
        [[each + 1] for each in cuts[:-1]], [[each] for each in cuts[1:]]
    )
    for argument in ("mark.drops", "mark.places"):
        Group.distribute(ocean, argument, mine)
    length = int(mine.getLengths(rank)[0])
    drops = np.zeros(length, dtype=[("rank", "i4"), ("warmth", "f8")])
    drops["warmth"] = rank
    back, places = ocean.mark(drops)
    for place in range(length):
        owner, at = theirs.getOwner(mine.getIndex(rank, [place]))
        assert (back["rank"][place], places[place]) == (owner, at[0]), (rank, place)
        assert back["warmth"][place] == rank + 1


def marked(ocean, own, owners):
    """What has been passed, and the places; `owners` has rank and place of each number."""
    drops = np.zeros(len(own), dtype=[("rank", "i4"), ("warmth", "f8")])
    drops["warmth"] = own
    back, places = ocean.mark(drops)
    assert back["warmth"].tolist() == [number + 1 for number in own]
    assert list(zip(back["rank"], places)) == [owners[number] for number in own]
    return drops, places


def lists(group, ocean):
    """Elements of a mesh: each rank knows the numbers of its own."""
    rank, size = group.getRank(), group.getSize()
    ranks = len(os.environ["SIDL_URLS_OCEAN"].split())
    owners = {
        number: (owner, place)
        for owner in range(ranks)
        for place, number in enumerate(listed(owner, ranks, 1))
    }
    for step in (5, 3):
        own = listed(rank, size, step)
        mine = Distribution.indices(own, rank, size)
        for argument in ("mark.drops", "mark.places"):
            Group.distribute(ocean, argument, mine)
        for _ in range(2):
            drops, places = marked(ocean, own, owners)
    wrong = {
        "both have index": [*own, listed((rank + 1) % size, size, 3)[0]],
        "is on no rank of the object": [*own, 10**12 + rank],
        "is on no rank of the callers": own[1:],
    }
    for what, numbers in wrong.items():
        bad = Distribution.indices(numbers, rank, size)
        failing(lambda: Group.distribute(ocean, "mark.drops", bad), what)  # noqa: B023
    other = Distribution.indices(own, (rank + 1) % size, size)
    failing(lambda: Group.distribute(ocean, "mark.drops", other), "the list of another rank")
    Group.distribute(ocean, "mark.drops", mine)
    for turn in range(2):
        assert ocean.mark(np.zeros_like(drops))[1].tolist() == places.tolist()
        failing(
            (lambda: Group.distribute(ocean, "mark.drops", mine))
            if rank == turn
            else (lambda: ocean.mark(np.zeros_like(drops))),
            "all ranks have to call the same",
            disagree=True,
        )
    assert ocean.mark(np.zeros_like(drops))[1].tolist() == places.tolist()
    Group.distribute(ocean, "mark.drops", line(size))
    failing(lambda: ocean.mark(drops), "is on no rank of the object")
    rows = divided("rows", size)
    Group.distribute(ocean, "mark.drops", rows)
    failing(lambda: ocean.mark(drops), "lists divide arrays of one dimension")
    Group.distribute(ocean, "mark.drops", mine)
    ocean.mark(drops)


def lists_on_one_side(group, ocean):
    """Elements of a line on one side, of a mesh on the other; the callers have both in turn."""
    rank, size = group.getRank(), group.getSize()
    ranks = len(os.environ["SIDL_URLS_OCEAN"].split())

    def of_line(owner, ranks):
        length = int(line(ranks).getLengths(owner)[0])
        return [int(line(ranks).getIndex(owner, [place])[0]) for place in range(length)]

    theirs = line_listed if sys.argv[2] == "line_listed" else of_line
    owners = {
        number: (owner, place)
        for owner in range(ranks)
        for place, number in enumerate(theirs(owner, ranks))
    }
    for turn in range(4):
        own = line_listed(rank, size, 3) if turn % 2 == 0 else of_line(rank, size)
        mine = Distribution.indices(own, rank, size) if turn % 2 == 0 else line(size)
        for argument in ("mark.drops", "mark.places"):
            Group.distribute(ocean, argument, mine)
        for _ in range(2):
            drops, places = marked(ocean, own, owners)
    short = Distribution.indices(line_listed(rank, size, 3)[1:], rank, size)
    failing(
        lambda: Group.distribute(ocean, "mark.drops", short),
        "'mark.drops': index 1 of the object is on no rank of the callers",
        "'mark.drops': index ",
    )
    Group.distribute(ocean, "mark.drops", line(size))
    assert len(ocean.mark(drops)[1]) == len(drops)
    for odd in range(size if size > 1 else 0):  # one rank has a list, the others come to the call
        Group.distribute(ocean, "mark.drops", line(size))
        listed_here = Distribution.indices(of_line(rank, size), rank, size)
        failing(
            (lambda: Group.distribute(ocean, "mark.drops", listed_here))  # noqa: B023
            if rank == odd
            else (lambda: ocean.mark(drops)),
            "all ranks have to call the same",
            disagree=True,
        )
        group.barrier()
        assert len(ocean.mark(drops)[1]) == len(drops)


def alone(group, ocean):
    ranks = len(os.environ["SIDL_URLS_OCEAN"].split())
    assert ocean.where() == group.getRank() % ranks
    assert ocean.isType("sea.Ocean") and not ocean.isType("sea.Storm")
    ocean.say("yes", 0)
    assert "yes)" in ocean.words().tolist()


def exceptions(group, ocean):
    ranks = len(os.environ["SIDL_URLS_OCEAN"].split())
    for turn in range(2 * ranks):
        try:
            ocean.fail(turn % ranks, f"a storm {turn}")
            raise AssertionError("it has not failed")
        except sea.Storm as storm:
            assert storm.getNote() == f"a storm {turn}", storm.getNote()
            assert f"on rank {turn % ranks} of 'ocean'" in storm.getTrace(), storm.getTrace()
    ocean.fail(ranks, "nowhere")


def many(group, ocean):
    """Calls of several groups; each rank's words are compared outside."""
    for turn in range(10):
        ocean.say(f"{os.environ['SIDL_PROGRAM']}{turn}", turn % 3)
    print("said", ocean.where(), *ocean.words().tolist())


def crowded(group, ocean):
    """While one group calls without a pause, others come and go."""
    if os.environ["SIDL_PROGRAM"] == "one":
        for turn in range(400):
            ocean.say(f"one{turn}", 0)
    else:
        for turn in range(12):
            other = group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split())
            sea.Ocean._cast(other).say(f"{os.environ['SIDL_PROGRAM']}{turn}", 0)
            del other
            time.sleep(0.01)
    print("said", ocean.where(), *ocean.words().tolist())


def hasty(group, ocean):
    """While one group calls, another one has too little time to connect, again and again."""
    if os.environ["SIDL_PROGRAM"] == "one":
        for turn in range(300):
            ocean.say(str(turn), 0)
    else:
        for turn in range(60):
            Deadline.setForThread(1 + turn % 6)
            alone = Group.alone()
            with contextlib.suppress(sidl.BaseException):
                alone.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split())
        Deadline.setForThread(-1)
    ocean.say("well", 0)


def callbacks(group, ocean):
    ranks = len(os.environ["SIDL_URLS_OCEAN"].split())
    heard = []

    class Ear(sea.Ear):
        def hear(self, rank):
            heard.append(rank)
            if rank == group.getRank() % ranks:
                assert ocean.where() == rank  # a call within the call back, of the rank that waits
            return rank

    for _ in range(3):
        assert ocean.ask(Ear()) == group.getRank() % ranks
    group.barrier()
    mine = [rank for rank in range(ranks) if rank % group.getSize() == group.getRank()]
    assert sorted(heard) == sorted(3 * mine), (heard, mine)


def flags(group, ocean):
    """Ranks that may use the same memory do."""
    ocean.say("x", 0)
    shares = "memfd:sidl.par" in Path("/proc/self/maps").read_text()
    assert shares == (os.environ["ROUTE"] == "shm"), os.environ["ROUTE"]


def reconnects(group, ocean):
    for _ in range(20):
        again = sea.Ocean._cast(group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split()))
        again.say("again", 0)
        del again
    ocean.say("still", 0)


def silent(group, ocean):
    """Rank 1 of the object does not say how an argument is divided; the others do."""
    rank, size = group.getRank(), group.getSize()
    is_listed = sys.argv[2] == "silent_listed"
    own = listed(rank, size, 5)
    mine = Distribution.indices(own, rank, size) if is_listed else line(size)

    def call():
        for argument in ("mark.drops", "mark.places"):
            Group.distribute(ocean, argument, mine)
        ocean.mark(np.zeros(mine.getLengths(rank), dtype=[("rank", "i4"), ("warmth", "f8")]))

    failing(call, "rank 1 of 'ocean' has not said how 'mark.drops' is divided: it has to call")
    ocean.say("x", 0)


def empty_pieces(group, ocean):
    """What a rank without elements passes must have none."""
    rank = group.getRank()
    mine = Distribution.rectangles(
        [[0, 0]] + (group.getSize() - 1) * [[1, 1]],
        [[ROWS - 1, COLUMNS - 1]] + (group.getSize() - 1) * [[0, 0]],
    )
    Group.distribute(ocean, "sum.t", mine)
    theirs = divided(sys.argv[2], len(os.environ["SIDL_URLS_OCEAN"].split()))
    whole = pieces(theirs, ocean.where()).sum()
    assert ocean.sum(pieces(mine, rank)) == whole
    assert ocean.sum(np.zeros((3, 0)) if rank else pieces(mine, 0)) == whole
    failing(
        lambda: ocean.sum(np.zeros((3, 2)) if rank else pieces(mine, 0)),
        "has 3 x 2 elements; the piece of rank 1 has 0 x 0",
    )
    assert ocean.sum(pieces(mine, rank)) == whole


def other_methods(group, ocean):
    """Where each rank has one of the object to itself, methods run before ranks compare them."""
    rank = group.getRank()
    others = ", ".join(map(str, range(1, group.getSize())))
    who = f"'fail' by rank 0; 'say' by rank{'s' * (group.getSize() > 2)} {others}; all"
    for _ in range(5):  # who is asked what it has called may be at its next call
        note = failing(
            (lambda: ocean.say("x", 0)) if rank else (lambda: ocean.fail(99, "x")),
            "have called different methods",
        )
        ocean.say("next", 0)
        assert who in note, note
    for turn in range(3):
        ocean.say(f"together{turn}", 0)
    words = ocean.words().tolist()
    assert words[-6:] == [each for turn in range(3) for each in said(f"together{turn}")], words


def disagreements(group, ocean):
    rank = group.getRank()
    failing(
        (lambda: ocean.say("x", 0)) if rank else (lambda: ocean.fail(0, "x")),
        "all ranks have to call the same",
        disagree=True,
    )
    ocean.say("x", 0)
    mine = divided("rows", group.getSize())
    Group.distribute(ocean, "sum.t", mine)
    piece = pieces(mine, rank)
    failing(lambda: ocean.sum(piece if rank != 1 else piece[1:]), "the piece of rank 1 has")
    ocean.sum(piece)
    other = divided("rows" if rank else "cyclic", group.getSize())
    Group.distribute(ocean, "warm.t", other)
    blocks = "[0..12, 0..7] in blocks of"
    size = group.getSize()
    note = failing(lambda: ocean.warm(pieces(other, rank), 1), "have different distributions for")
    assert note.endswith(
        "rank 1 and rank 0 have different distributions for 'warm.t': "
        f"rank 1 has {blocks} {-(-ROWS // size)} x 8 on a grid of {size} x 1, {size} ranks; "
        f"rank 0 has {blocks} 1 x 1 on a grid of 1 x {size}, {size} ranks"
    ), note
    cuts = [ROWS * each // size + (rank > 0) * (0 < each < size) for each in range(size + 1)]
    other = Distribution.rectangles(
        [[first, 0] for first in cuts[:-1]], [[last - 1, COLUMNS - 1] for last in cuts[1:]]
    )
    Group.distribute(ocean, "warm.t", other)
    failing(
        lambda: ocean.warm(pieces(other, rank), 1),
        f"'warm.t': both [0..12, 0..7] in rectangles, {size} ranks, with other bounds of ranks",
    )
    wrong = divided("rows", group.getSize() + 1)
    failing(lambda: Group.distribute(ocean, "sum.t", wrong), f"has {group.getSize() + 1} ranks")
    failing(lambda: ocean.make(), "has not said how 'make.t' is divided")
    ocean.say("x", 0)
    os.environ["SIDL_PAR_CHECKS"] = "1"
    ocean.say("the same", 0)
    failing(
        lambda: ocean.say("ours", 5 if rank == 1 else 0),
        "rank 1 and rank 0 have different values of 'milliseconds' in a call of 'say'",
    )
    Group.distribute(ocean, "sum.t", mine)
    ocean.sum(piece)
    if rank == 1:
        Group.distribute(ocean, "sum.t", mine)
    failing(
        lambda: ocean.sum(piece),
        "have come to a call of 'sum', and only one of them has called Group.distribute before",
        "rank 1 has come to a call of 'sum', and rank 0 to a call of 'sum'",
    )
    Group.distribute(ocean, "sum.t", mine)
    ocean.sum(piece)
    other = sea.Ocean._cast(group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split()))
    failing(lambda: (other if rank else ocean).say("x", 0), "call different methods, or other")
    failing(lambda: ocean.say("x", 0) if rank else ocean.ask(None), "call different methods")
    ocean.say("x", 0)


def connecting(group, ocean):
    """What the ranks of both sides have to have alike when they connect."""
    rank, urls = group.getRank(), os.environ["SIDL_URLS_OCEAN"].split()
    size = len(urls)
    if size > 1:
        note = failing(lambda: group.connect("odd", urls), "ranks publish objects of one class")
        assert "of class sea.Storm, and rank 0 of 'odd' (" in note, note
        assert note.count(") one of seacxx.Ocean:") == 1, note
    if group.getSize() > 1:
        name = "odd" if rank == 1 else "ocean"
        note = failing(lambda: group.connect(name, urls), "connect with different objects")
        assert "rank 1 and rank 0 connect with different objects, 'odd' and 'ocean'" in note, note
        name = "ocean" if rank == 1 else "there is no such name"
        failing(lambda: group.connect(name, urls), "connect with different objects")
        others = urls * 2 if rank else urls
        failing(lambda: group.connect("ocean", others), "different URLs of the ranks of 'ocean'")
    again = sea.Ocean._cast(group.connect("ocean", urls))
    again.say("x", 0)
    ocean.say("y", 0)


CASES = {
    case.__name__: case
    for case in (
        values,
        arrays,
        structs,
        lists,
        lists_on_one_side,
        alone,
        exceptions,
        many,
        crowded,
        hasty,
        callbacks,
        flags,
        reconnects,
        silent,
        empty_pieces,
        other_methods,
        disagreements,
        connecting,
        *failures.CASES,
    )
}

if __name__ == "__main__":
    group = Group.ofJob()
    found = group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split())
    CASES[sys.argv[1]](group, sea.Ocean._cast(found))
    print("well")
