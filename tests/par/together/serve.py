"""A rank of the parallel object; until it is told to end."""

import os
import sys
import time

import sea
import seacxx
from sidl.par import Distribution, Group

ROWS, COLUMNS = 13, 8


def divided(kind, ranks):
    """The distribution of arrays of ROWS x COLUMNS among so many ranks."""
    upper = [ROWS - 1, COLUMNS - 1]
    if kind == "rows":
        return Distribution.blocks([0, 0], upper, [ranks, 1])
    if kind == "cyclic":
        return Distribution.blockCyclic([0, 0], upper, [1, ranks], [1, 1])
    cuts = [ROWS * each // ranks for each in range(ranks + 1)]
    lower = [[first, 0] for first in cuts[:-1]]
    return Distribution.rectangles(lower, [[last - 1, COLUMNS - 1] for last in cuts[1:]])


def line(ranks):
    """The same for arrays of one dimension."""
    return Distribution.blockCyclic([1], [ROWS], [ranks], [2])


#: The numbers of elements that are divided by lists.
NUMBERS = [37 * each * each + 5 * each - 100 for each in range(ROWS)]


def listed(rank, ranks, step, numbers=NUMBERS):
    """A list of some of the numbers; with `step`, another rank has them, in another order."""
    places = [each for each in range(ROWS) if each * step % ROWS % ranks == rank]
    return [numbers[each] for each in sorted(places, key=lambda each: each * 7 % ROWS)]


def line_listed(rank, ranks, step=1):
    """The indices of line() in a list."""
    return listed(rank, ranks, step, range(1, ROWS + 1))


if __name__ == "__main__":
    group = Group.ofJob()
    ocean = seacxx.Ocean()
    lists = {"listed": listed, "silent_listed": listed, "line_listed": line_listed}
    is_silent = sys.argv[1].startswith("silent") and group.getRank() == 1
    is_tardy = sys.argv[1] == "tardy" and group.getRank() > 0
    rows = divided(
        "rows" if sys.argv[1] in (*lists, "tardy", "silent") else sys.argv[1], group.getSize()
    )
    ocean.begin(group.getRank(), rows)
    if "SIDL_URLS_NEXT" in os.environ and os.environ["SIDL_PROGRAM"] == "ocean":
        ocean.setNext(sea.Ocean._cast(group.connect("ocean", os.environ["SIDL_URLS_NEXT"].split())))
    group.publish("ocean", ocean)
    group.publish("odd", sea.Storm() if group.getRank() % 2 else ocean)
    if is_tardy:
        time.sleep(1)  # clients are there already, and have heard from rank 0
    for argument in ("warm.t", "sum.t", "make.t"):
        Group.distribute(ocean, argument, rows)
    for argument in () if is_silent else ("mark.drops", "mark.places"):
        if sys.argv[1] in lists:
            own = lists[sys.argv[1]](group.getRank(), group.getSize(), 1)
            mine = Distribution.indices(own, group.getRank(), group.getSize())
        else:
            mine = line(group.getSize())
        Group.distribute(ocean, argument, mine)
    group.serve()
