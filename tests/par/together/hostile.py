"""A client that is not ours calls all that peers may, each with values that nobody expects; the
servers live on, and after that a group of ours calls. A new method needs a line below."""

import json
import os
import re
import subprocess
import time
from itertools import product as every
from pathlib import Path

import numpy as np
import sea
import sidl
from call import lists
from common import failing
from sidl.par import Attachment, CallValues, Directory, Distribution, Group, Member, Servant
from sidl.rmi import ConnectException, Deadline, UnexpectedCloseException

NUMBERS = [0, -1, 1, 2**63 - 1, -(2**63), 2**62]
INTS = [0, -1, 7, 2**31 - 1, -(2**31)]
TEXTS = [None, "", "x" * 5000, "mark.places", "mark.drops", "warm.t", "a\nb\u202e"]
INDICES = [
    None if each is None else np.array(each, np.int64)
    for each in (None, [], [0], [10], [10, 10], [-1], [2**63 - 1], [-(2**63)], range(2000))
]
PIECES = [None, np.array([], "S1"), np.array([b"\xff"] * 1000, "S1")]
DIVIDED = [
    None,
    Distribution(),
    Distribution.indices([10], 0, 1),
    Distribution.blocks([0], [2**61], [1]),
    Distribution.blocks([-(2**61)], [2**61], [2]),
    Distribution.blocks([0] * 7, [1] * 7, [1] * 7),
    Distribution.blockCyclic([0, 0], [12, 7], [2**15, 2**15], [1, 1]),
]
SOURCE = Path(os.environ["SIDL_DLL_PATH"], "sea_cxx.sidl", "sea_Ocean_IOR.c").read_text()


def rows(*values):
    return list(every(*values))


def digest(method):
    found = re.search(rf'"{method}"[^}}]*?\.digest = UINT64_C\((\w+)\)', SOURCE)
    return int(np.array(int(found[1], 16), np.uint64).astype(np.int64))


COLLECTIVE = [("say", digest("say")), ("mark", digest("mark")), ("make", digest("make"))]
METHODS = [*COLLECTIVE, ("where", digest("where")), ("say", 0), ("", 5), (None, 0), ("x" * 5000, 1)]
SERVANTS = {
    "getRank": [()],
    "getTypeName": [()],
    "attach": rows([*TEXTS[:4], "evil"], INTS, [*INTS, 2]),
}
ATTACHED = {
    "checkArgument": rows(TEXTS),
    "getDistribution": rows(TEXTS),
    "prepare": rows(TEXTS, DIVIDED),
    "prepareIndices": rows(TEXTS, NUMBERS),
    "claimIndices": rows(TEXTS, NUMBERS, INDICES),
    "run": [
        (number, *method, drives, values, pieces)
        for number, method, drives, values, pieces in rows(
            NUMBERS[:2] + NUMBERS[3:], METHODS, [True, False], [None, CallValues()], PIECES
        )
    ],
    "call": [(*method, values) for method, values in rows(METHODS, [None, CallValues()])],
    "giveUp": rows(NUMBERS, TEXTS[:3], [True, False]),
    "introduce": rows([None], TEXTS),
}
# What is possible there is the order of calls, which ranks of a group believe each other.
MEMBERS = {
    "post": rows([0, 1, -1, 2**62], [-1, 1, 17, 2**63 - 1], INTS, INTS, [True], NUMBERS, [None]),
    "repeat": rows(NUMBERS, NUMBERS, INTS),
    "check": [()],
    "getURLs": [()],
    "getCalled": rows(NUMBERS, NUMBERS),
    "grant": [("",), (None,)],
    "settle": rows([-1, 2**63 - 1, -(2**63), 2**62]),
    "enqueue": rows([0, -1, 2**63 - 1, 2**62, 2**40], ["", "evil"], NUMBERS),
    "giveUp": rows(TEXTS, NUMBERS, TEXTS, [True, False]),
    "whyGivenUp": rows(TEXTS, NUMBERS),
    "getAwaited": rows(NUMBERS, NUMBERS),
    "addIndices": rows(["ocean", *TEXTS[:3]], TEXTS, INTS, INDICES),
    "getClaimants": rows(["ocean", *TEXTS[:3]], TEXTS, ["evil", ""], NUMBERS, INDICES),
}
FIRST_MEMBER = {**MEMBERS, "stop": [()], "grant": [("evil",)], "enqueue": [(1, "evil", 1)]}
DIRECTORIES = {"add": rows(INTS, INDICES), "getOwners": rows(INDICES)}


def sorted_out(target, calls):
    """Each is answered or refused, by a server that goes on."""
    for method, arguments in calls.items():
        for row in arguments:
            try:
                getattr(target, method)(*row)
            except (ConnectException, UnexpectedCloseException) as gone:
                raise AssertionError(f"{method}{row} has ended the server") from gone
            except sidl.BaseException:
                pass


def told_by(url):
    command = [os.environ["SIDL_TOOL"], "inspect", "--json", url]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def published(url):
    """The URLs of what a server has published, by class."""
    return {each["class"]: f"{url}#{each['name']}" for each in told_by(url)["published"]}


def gives_up_many(servant, url):
    """More calls than ranks keep in mind: they tell each other of each once, and that ends."""
    first, last = (servant.attach(client, 0, 1) for client in ("first", "last"))
    for attached, numbers in ((last, range(1, 4200)), (first, range(1, 3))):
        for number in numbers:
            attached.giveUp(number, "why", False)
    until = time.monotonic() + 20
    before, now = -1000, 0
    while now - before > 50:  # but for keepalives, and these questions
        time.sleep(0.2)
        before, now = now, told_by(url)["counters"]["calls"]
        assert time.monotonic() < until, (before, now)


def hostile(group, servers):
    Deadline.setForThread(400)
    servants = [Servant._connect(f"{url}#ocean") for url in servers]
    for each in servants:
        sorted_out(each, SERVANTS)
    alone = [each.attach("evil", 0, 1) for each in servants]
    halves = [each.attach("half", 1, 2) for each in servants]
    gives_up_many(servants[0], servers[0])
    again = [each.attach("evil", 0, 1) for each in servants]
    for attached, turn in every([*alone, *halves], [0, 1]):
        where = "is on no rank of the callers"
        failing(lambda: attached.prepareIndices("mark.places", turn), where, disagree=True)  # noqa: B023
    for attached in (*alone, *halves, *again):
        sorted_out(attached, ATTACHED)
    for rank, url in enumerate(servers):
        member = Member._connect(published(url)["sidl.par.Member"])
        sorted_out(member, FIRST_MEMBER if rank == 0 else MEMBERS)
    for url in group.getURLs()[1:]:
        sorted_out(Member._connect(published(url)["sidl.par.Member"]), MEMBERS)
        sorted_out(Directory._connect(published(url)["sidl.par.Directory"]), DIRECTORIES)
    unborn = {Attachment: ATTACHED, Member: MEMBERS, Directory: DIRECTORIES, Servant: SERVANTS}
    for kind, calls in unborn.items():
        sorted_out(kind(), calls)
    Deadline.setForThread(-1)


if __name__ == "__main__":
    group = Group.ofJob()
    servers = os.environ["SIDL_URLS_OCEAN"].split()
    before = sea.Ocean._cast(group.connect("ocean", servers))
    mesh = group.indices([group.getRank()])
    group.barrier()
    if group.getRank() == 0:
        hostile(group, servers)
    group.barrier()
    after = sea.Ocean._cast(group.connect("ocean", servers))
    for ocean in (before, after):
        ocean.say("well", 0)
        lists(group, ocean)
    print("well")
