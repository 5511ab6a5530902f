"""A rank of the callers: runs one of the cases below."""

import contextlib
import os
import random
import re
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import sea
import sidl
from serve import COLUMNS, ROWS, divided, line, line_listed, listed
from sidl.par import Distribution, DistributionException, Group
from sidl.rmi import Deadline


def pieces(distribution, rank):
    """The piece of an array in which each element is ten times its row, and its column."""
    lengths = distribution.getLengths(rank)
    result = np.zeros(lengths)
    for place in np.ndindex(*lengths):
        row, column = distribution.getIndex(rank, list(place))
        result[place] = 10 * row + column
    return result


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
            drops = np.zeros(len(own), dtype=[("rank", "i4"), ("warmth", "f8")])
            drops["warmth"] = own
            back, places = ocean.mark(drops)
            assert back["warmth"].tolist() == [number + 1 for number in own]
            assert list(zip(back["rank"], places)) == [owners[number] for number in own]
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
            drops = np.zeros(len(own), dtype=[("rank", "i4"), ("warmth", "f8")])
            drops["warmth"] = own
            back, places = ocean.mark(drops)
            assert back["warmth"].tolist() == [number + 1 for number in own]
            assert list(zip(back["rank"], places)) == [owners[number] for number in own]
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


def failing(call, *texts, disagree=False):
    """The note of the exception, which has one of these texts."""
    try:
        call()
    except sidl.BaseException as failure:
        note = failure.getNote()
        assert any(text in note for text in texts), note
        assert not disagree or isinstance(failure, DistributionException), type(failure)
        return note
    raise AssertionError("it has not failed")


def death_of_callee(group, ocean):
    failing(lambda: ocean.die(1), "rank 1 of 'ocean'", "rank 1 of the group")
    failing(lambda: ocean.say("x", 0), "rank 1 of 'ocean'", "rank 1 of the group")
    if group.getRank() % len(os.environ["SIDL_URLS_OCEAN"].split()) == 1:
        failing(ocean.where, "'where' on rank 1 of 'ocean'")


def death_of_caller(group, ocean):
    ocean.say("before", 0)
    if group.getRank() == 1:
        os._exit(0)
    failing(lambda: ocean.say("without", 0), "rank 1 of the ")
    one = Group.alone()
    other = sea.Ocean._cast(one.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split()))
    other.say("after", 0)
    assert "(after" in other.words().tolist()


def death_within_call(group, ocean):
    """The last rank ends while the method runs: the call is over for the others as well."""
    if group.getRank() == group.getSize() - 1:
        threading.Timer(0.3, lambda: os._exit(0)).start()
    ocean_fails = failing(
        lambda: [ocean.say(str(turn), 100) for turn in range(100)], "gone", "does not answer"
    )
    assert f"rank {group.getSize() - 1} of " in ocean_fails, ocean_fails
    one = Group.alone()
    sea.Ocean._cast(one.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split())).say("after", 0)


def death_beside_long_call(group, ocean):
    """Who needs the rank that dies hears of it while the method still runs on another one."""
    rank, size = group.getRank(), group.getSize()
    if rank == 0:
        victim = process_of("ocean", 1)
        threading.Timer(0.5, lambda: os.kill(victim, signal.SIGKILL)).start()
    begin = time.monotonic()
    failing(lambda: ocean.say("long", 8000), "rank 1 of 'ocean'")
    assert rank != size - 1 or time.monotonic() - begin < 6
    group.barrier()


def process_of(program, rank):
    """Of the same job."""
    wanted = {f"SIDL_PROGRAM={program}", f"SIDL_RANK={rank}"}
    wanted.add(f"SIDL_URLS_OCEAN={os.environ['SIDL_URLS_OCEAN']}")
    for folder in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{folder}/environ") as environ:
            if wanted <= set(environ.read().split("\0")):
                return int(folder)
    raise AssertionError(f"no rank {rank} of {program}")


def call_until_two_does(ocean):
    """Group "one" looks at what was said before its last word, which all its ranks see alike."""
    said = []
    while "two)" not in said:
        ocean.say("one", 0)
        calls = said.count("one)") + 1
        words = ocean.words().tolist()
        ends = [place for place, word in enumerate(words) if word == "one)"]
        said = words[: ends[calls - 1] + 1]


def death_of_first(group, ocean):
    """Rank 0 of the object, which makes the order of calls, ends while two groups call."""
    own = os.environ["SIDL_PROGRAM"]
    if own == "one":
        call_until_two_does(ocean)
        failing(lambda: ocean.die(0), "rank 0 of ")

    def calls():
        while True:
            ocean.say(own, 0)

    failing(calls, "rank 0 of ")


def bereaved(group, ocean):
    """A group that has lost a rank does not keep others from calling, whatever it does."""
    own, rank = os.environ["SIDL_PROGRAM"], group.getRank()
    for turn in range(20):
        ocean.say(f"{own}{turn}", 0)
    if own == "one":
        if rank == 1:
            os._exit(0)
        for _ in range(5):
            failing(lambda: ocean.say("without", 0), "rank 1 of the ")
        print("well", flush=True)
        os._exit(0)
    for turn in range(500):
        ocean.say(f"{own}{turn}", 0)


def chained(group, ocean):
    """Deadlines that pass on some ranks of an object that calls another one: all go on."""
    for turn in range(4):
        Deadline.setForThread(40)
        with contextlib.suppress(sidl.BaseException):
            ocean.relay(f"late {turn}", 200)
        Deadline.setForThread(-1)
        ocean.relay(f"in time {turn}", 0)
    for turn in range(60):
        Deadline.setForThread(1 + turn % 4)
        with contextlib.suppress(sidl.BaseException):
            ocean.relay(f"perhaps {turn}", 0)
        Deadline.setForThread(-1)
        ocean.relay(str(turn), 0)


def absent(group, ocean):
    """A rank does not take part, and comes too late."""
    if group.getRank() == 1:
        time.sleep(1.5)
        failing(lambda: ocean.say("late", 0), "deadline", "within the time", "over")
    else:
        Deadline.setForThread(500)
        failing(lambda: ocean.say("early", 0), "deadline", "within the time", "in time", "passed")
        Deadline.setForThread(-1)
    for turn in range(3):
        ocean.say(str(turn), 0)


def late(group, ocean):
    """All others say which rank is late, although they wait for different ones."""
    missing = group.getSize() - 2
    if group.getRank() == missing:
        group.barrier()
        failing(lambda: ocean.say("late", 0), "deadline", "within the time", "over")
    else:
        Deadline.setForThread(700)
        note = failing(lambda: ocean.say("early", 0), "within the time", "deadline")
        Deadline.setForThread(-1)
        # On a busy machine, what the object has said may come too late, or others have given up
        # before and are named as well.
        told = rf"rank {missing} of the group|ranks ([0-9]+, )*{missing}\b|has not heard how"
        assert re.search(told, note), note
        group.barrier()
    ocean.say("x", 0)


def frozen_callee(group, ocean):
    """A rank of the object that stops keeps callers no longer than their deadline, about."""
    Deadline.setForThread(1000)
    begin = time.monotonic()
    failing(lambda: ocean.freeze(1, 8000), "rank 1 of 'ocean'")
    assert time.monotonic() - begin < 5
    failing(lambda: ocean.say("early", 0), "rank 1 of 'ocean'", "waits for its turn")
    assert time.monotonic() - begin < 8
    Deadline.setForThread(-1)
    ocean.say("after", 0)  # when it goes on


def frozen_caller(group, ocean):
    """The same of a rank of the callers; the others can end."""
    Deadline.setForThread(1000)
    begin = time.monotonic()
    if group.getRank() != 1:
        ocean.say("x", 0)
        failing(lambda: ocean.say("without", 0), "rank 1 of the group", "callers' ranks 1")
        assert time.monotonic() - begin < 5
        return
    ocean.say("x", 0)
    stop_for(6)
    failing(lambda: ocean.say("late", 0), "gone", "over", "deadline", "take part", "answer")


def stalled_callee(group, ocean):
    """A rank of the object stops for longer than keepalives allow; then all groups go on."""
    if os.environ["SIDL_PROGRAM"] == "two":
        Deadline.setForThread(1500)
        for _ in range(20):
            with contextlib.suppress(sidl.rmi.NetworkException):
                ocean.say("two", 0)
            time.sleep(0.4)
    else:
        call_until_two_does(ocean)
        Deadline.setForThread(1500)
        calls = [lambda: ocean.freeze(1, 8000), *[lambda: ocean.say("early", 0)] * 3]
        for call in calls:
            begin = time.monotonic()
            failing(call, "of 'ocean'", "waits for its turn", "of the group")
            assert time.monotonic() - begin < 5
        time.sleep(8)  # without a call that would tell the rank that it has missed others
    Deadline.setForThread(-1)
    ocean.say("after", 0)


def stalled_caller(group, ocean):
    """A rank of the callers stops for as long: the others hear of it, and another group goes on."""
    if os.environ["SIDL_PROGRAM"] == "two":
        for _ in range(40):
            begin = time.monotonic()
            ocean.say("two", 0)
            assert time.monotonic() - begin < 7
            time.sleep(0.2)
    elif group.getRank() != 1:
        ocean.say("one", 0)
        begin = time.monotonic()
        failing(lambda: ocean.say("without", 0), "rank 1 of the group")
        assert time.monotonic() - begin < 7
    else:
        ocean.say("one", 0)
        stop_for(9)
        failing(lambda: ocean.say("late", 0), "rank ")


def stop_for(seconds):
    """This process; it goes on afterwards."""
    if os.fork() == 0:
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(os.getppid(), signal.SIGCONT)
        os._exit(0)
    time.sleep(0.5)


def interrupted(group, ocean):
    """Signals' handlers end the call on some ranks; the others hear of it, and all go on."""
    rank, size = group.getRank(), group.getSize()
    for turn, those in enumerate([[size - 1], [0], list(range(size))]):
        group.barrier()
        if rank in those:
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            try:
                ocean.say("long", 2000)
                raise AssertionError("it was not interrupted")
            except KeyboardInterrupt:
                pass
        else:
            failing(lambda: ocean.say("long", 2000), f"called by rank {those[0]}")
        for after in range(2):
            ocean.say(f"after {turn} {after}", 0)
            assert ocean.words().tolist()[-2:] == said(f"after {turn} {after}")


def interrupt_in(milliseconds, call, *arguments):
    """The call, or what comes before or after it, is interrupted; it is made in any case."""
    timer = threading.Timer(milliseconds / 1000, lambda: os.kill(os.getpid(), signal.SIGINT))
    has_begun = False
    try:
        timer.start()
        with contextlib.suppress(sidl.BaseException):
            has_begun = True  # handlers do not run between this and the call
            call(*arguments)
        timer.join()
        time.sleep(5)
        raise AssertionError("no signal has come")
    except KeyboardInterrupt:
        if not has_begun:
            call(*arguments)


def mixture(group, ocean):
    """Calls that end well, later on one rank, too late for one, or are interrupted, in any order:
    the next one finds all ranks in step."""
    rank, size = group.getRank(), group.getSize()
    ranks = len(os.environ["SIDL_URLS_OCEAN"].split())
    mine = divided("rows", size)
    Group.distribute(ocean, "warm.t", mine)
    piece = pieces(mine, rank)
    dice = random.Random(100 * ranks + size)
    for turn in range(60):
        what = dice.choice(["well", "storm", "slow", "late", "interrupted"])
        caller, callee, moment = dice.randrange(size), dice.randrange(ranks), dice.randrange(1, 40)
        if what == "storm":
            failing(lambda: ocean.fail(callee, f"storm {turn}"), f"storm {turn}")  # noqa: B023
        elif what == "slow":
            ocean.freeze(callee, moment)
        elif what == "late":
            Deadline.setForThread(moment if rank == caller else -1)
            with contextlib.suppress(sidl.BaseException):
                ocean.say("late", 20)
            Deadline.setForThread(-1)
        elif what == "interrupted" and rank == caller:
            interrupt_in(moment, ocean.say, "interrupted", 20)
        elif what == "interrupted":
            with contextlib.suppress(sidl.BaseException):
                ocean.say("interrupted", 20)
        assert (ocean.warm(piece.copy(), turn) == piece + turn).all(), (what, turn)


def out_of_step(group, ocean):
    """Some ranks divide arrays anew, or call another method: all are told, and go on."""
    rank = group.getRank()
    mine = divided("rows", group.getSize())
    piece = pieces(mine, rank)
    Group.distribute(ocean, "sum.t", mine)
    total = ocean.sum(piece)
    for turn in range(3):
        if rank == turn % group.getSize():
            Group.distribute(ocean, "sum.t", mine)
        failing(lambda: ocean.sum(piece), "all ranks have to call the same", disagree=True)
        Group.distribute(ocean, "sum.t", mine)
        assert ocean.sum(piece) == total
    listed = Distribution.indices([rank], rank, group.getSize())
    for turn in range(2):
        failing(
            (lambda: Group.distribute(ocean, "sum.t", listed))
            if rank == turn
            else (lambda: ocean.sum(piece)),
            "lists divide arrays of one dimension",
            "all ranks have to call the same",
            disagree=True,
        )
        assert ocean.sum(piece) == total
    Group.distribute(ocean, "warm.t", mine)
    failing(
        (lambda: ocean.warm(piece, 1)) if rank else (lambda: ocean.say("x", 0)),
        "all ranks have to call the same",
        disagree=True,
    )
    assert ocean.sum(piece) == total
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
    failing(
        (lambda: ocean.say("x", 0)) if rank else (lambda: ocean.fail(99, "x")),
        "have called different methods",
    )
    for turn in range(3):
        ocean.say(f"together{turn}", 0)
    words = ocean.words().tolist()
    assert words[-6:] == [each for turn in range(3) for each in said(f"together{turn}")], words


def said(word):
    return [f"({word}", f"{word})"]


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
    failing(lambda: ocean.warm(pieces(other, rank), 1), "have different distributions for warm")
    wrong = divided("rows", group.getSize() + 1)
    failing(lambda: Group.distribute(ocean, "sum.t", wrong), f"has {group.getSize() + 1} ranks")
    failing(lambda: ocean.make(), "has not said how 'make.t' is divided")
    ocean.say("x", 0)
    os.environ["SIDL_PAR_CHECKS"] = "1"
    ocean.say("the same", 0)
    failing(
        lambda: ocean.say("mine" if rank == 1 else "ours", 0), "rank 1 and rank 0 have different"
    )
    other = sea.Ocean._cast(group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split()))
    failing(lambda: (other if rank else ocean).say("x", 0), "call different methods, or other")
    failing(lambda: ocean.say("x", 0) if rank else ocean.ask(None), "call different methods")
    ocean.say("x", 0)


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
        death_of_callee,
        death_of_caller,
        death_within_call,
        death_beside_long_call,
        death_of_first,
        bereaved,
        chained,
        absent,
        late,
        frozen_callee,
        frozen_caller,
        stalled_callee,
        stalled_caller,
        interrupted,
        mixture,
        out_of_step,
        empty_pieces,
        other_methods,
        disagreements,
    )
}

if __name__ == "__main__":
    group = Group.ofJob()
    found = group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split())
    CASES[sys.argv[1]](group, sea.Ocean._cast(found))
    print("well")
