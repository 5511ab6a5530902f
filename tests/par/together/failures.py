"""Cases of call.py in which ranks end, stop, are late or are interrupted."""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import sea
import sidl
from common import failing, pieces, said
from serve import divided
from sidl.par import Distribution, Group
from sidl.rmi import Deadline


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


def restarted(group, ocean):
    """Who has connected with a server that was started anew is told to connect again."""
    ocean.say("before", 0)
    environment = {**os.environ, "SIDL_PROGRAM": "ocean", "SIDL_RANK": "0"}
    victim = process_of("ocean", 0)
    os.kill(victim, signal.SIGKILL)
    failing(lambda: [ocean.where() for _ in range(1000)], "rank 0 of 'ocean'")  # it is gone
    command = [sys.executable, Path(__file__).parent / "serve.py", "cyclic"]
    nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, **nowhere) as anew:
        try:
            other = group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split())
            for call in (lambda: ocean.say("after", 0), ocean.where):
                note = failing(call, "on rank 0 of 'ocean' (")
                assert "started anew, or out of reach for too long: connect again" in note, note
            sea.Ocean._cast(other).say("after", 0)
        finally:
            anew.kill()


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
    """A rank of the callers stops for as long: the others hear of it, and another group goes on. So
    does the rank when it goes on, also if they have called several times."""
    if os.environ["SIDL_PROGRAM"] == "two":
        for _ in range(40):
            begin = time.monotonic()
            ocean.say("two", 0)
            assert time.monotonic() - begin < 7
            time.sleep(0.2)
    elif group.getRank() != 1:
        ocean.say("one", 0)
        begin = time.monotonic()
        notes = [failing(lambda: ocean.say("without", 0), "rank 1 of the group")]
        assert time.monotonic() - begin < 7
        for _ in range(5):
            notes.append(failing(lambda: ocean.say("without", 0), "rank 1 of the group"))
        # It lives, and nobody has set a deadline.
        assert not any("deadline" in each or "closed" in each for each in notes), notes
    else:
        ocean.say("one", 0)
        stop_for(12)
        failing(lambda: ocean.say("late", 0), "rank ", kind=sidl.rmi.NetworkException)


def tardy_caller(group, ocean):
    """A rank comes later than keepalives allow silence, but is alive: nobody gives the call up."""
    ocean.say("x", 0)
    if os.environ["SIDL_PROGRAM"] == "one" and group.getRank() == 1:
        time.sleep(3)
    ocean.say("late", 0)
    assert ocean.words().tolist().count("late)") >= 1


@contextlib.contextmanager
def behind_a_proxy(group, what):
    """The object, whose rank 1 gets what this process sends when the proxy lets it through, and the
    function after which it does not."""
    urls = os.environ["SIDL_URLS_OCEAN"].split()
    command = [sys.executable, Path(__file__).parent / "proxy.py", urls[1].split(":")[-1], what]
    environment = {**os.environ, "SIDL_PROGRAM": "proxy"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as proxy:
        urls[1] = f"simhandle://127.0.0.1:{int(proxy.stdout.readline())}"

        def hold():
            proxy.send_signal(signal.SIGUSR1)
            assert proxy.stdout.readline() == "holds\n"

        yield sea.Ocean._cast(group.connect("ocean", urls)), hold
        proxy.stdin.close()


def in_the_midst(group, ocean, what, found):
    """Program "one" is held up when one of its parts of a call has come, and another one has not:
    what another client finds."""
    if os.environ["SIDL_PROGRAM"] == "one":
        with behind_a_proxy(group, what) as (ocean, hold):
            call_until_two_does(ocean)
            hold()
            if what == "wait":
                ocean.say("held", 0)
            else:
                failing(lambda: ocean.say("held", 0), "does not answer", "rank 1 of 'ocean'")
            ocean.say("after", 0)
        return
    ocean.say("two", 0)
    while "held)" not in ocean.words().tolist():
        time.sleep(0.05)
    found(ocean)
    if what != "SIGKILL":
        os.kill(process_of("proxy", 0), signal.SIGUSR2)
    ocean.say("after", 0)


def goes_on(ocean):
    begin = time.monotonic()
    ocean.say("two", 0)
    assert time.monotonic() - begin < 10


def is_told(ocean):
    Deadline.setForThread(1000)
    failing(
        lambda: ocean.say("two", 0),
        "'say' still waits for its turn, after a call, to which rank 0 of its callers "
        f"({os.environ['SIDL_URLS_ONE']}) has not come",
    )
    Deadline.setForThread(-1)


def stopped_client(group, ocean):
    in_the_midst(group, ocean, "SIGSTOP", goes_on)


def killed_client(group, ocean):
    in_the_midst(group, ocean, "SIGKILL", goes_on)


def slow_client(group, ocean):
    in_the_midst(group, ocean, "wait", is_told)


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


CASES = (
    death_of_callee,
    death_of_caller,
    death_within_call,
    death_beside_long_call,
    death_of_first,
    bereaved,
    restarted,
    chained,
    absent,
    late,
    frozen_callee,
    frozen_caller,
    stalled_callee,
    stalled_caller,
    tardy_caller,
    stopped_client,
    killed_client,
    slow_client,
    interrupted,
    mixture,
    out_of_step,
)
