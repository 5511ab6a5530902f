"""A client that is not ours brings a part of its call to one rank of the object, and none to the
others: groups of ours go on calling."""

import contextlib
import os
import time

import sea
from common import failing
from hostile import digest
from serve import divided
from sidl.par import CallValues, Group, Servant
from sidl.rmi import CancelledException, Deadline, NetworkException

CALL = ("make", digest("make"), True, CallValues(), None)
HELD = int(os.environ["SIDL_PAR_HOLD_MS"]) / 1000


def attached(servers, name, size=1):
    return [Servant._connect(f"{url}#ocean").attach(name, 0, size) for url in servers]


def await_servers(servers):
    """They publish the object some time after they listen."""
    for url in servers:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with contextlib.suppress(NetworkException):
                Servant._connect(f"{url}#ocean")
                break
            time.sleep(0.05)


def runs(on, number):
    on.prepare("make.t", divided("rows", 1))
    assert on.run(number, *CALL)[0]


def refused(servers):
    """The part does not fit its method, which so has not begun."""
    (alone,) = attached(servers[:1], "refused")
    what = "the values of a call do not fit its method"
    failing(lambda: alone.run(1, "say", digest("say"), True, CallValues(), None), what)
    return alone


def nowhere_else(servers):
    """The call runs on the rank that has its part; the client calls no other one."""
    (alone,) = attached(servers[:1], "nowhere else")
    runs(alone, 1)
    return alone


def released(servers):
    """The client is gone."""
    runs(attached(servers, "released")[0], 1)


def held(servers):
    """It is there, and does not go on."""
    all_ranks = attached(servers, "held")
    runs(all_ranks[0], 1)
    return all_ranks


def half(servers):
    """Nor do others come, of whom it is one."""
    first, *_ = all_ranks = attached(servers, "half", 2)
    first.prepare("make.t", divided("rows", 2))
    return first.run_send(1, *CALL), all_ranks


def calls(group, servers, most):
    begin = time.monotonic()
    ocean = sea.Ocean._cast(group.connect("ocean", servers))
    Deadline.setForThread(15000)
    for turn in range(3):
        ocean.say(f"turn {turn}", 0)
    Deadline.setForThread(-1)
    assert time.monotonic() - begin < most, time.monotonic() - begin
    return ocean


if __name__ == "__main__":
    group = Group.ofJob()
    servers = os.environ["SIDL_URLS_OCEAN"].split()
    is_first = group.getRank() == 0
    await_servers(servers)
    for case in (refused, nowhere_else, released):
        client = case(servers) if is_first else None
        group.barrier()
        before = calls(group, servers, HELD)
        del client
    client = held(servers) if is_first else None
    group.barrier()
    calls(group, servers, HELD + 5)
    if is_first:
        client[1].prepare("make.t", divided("rows", 1))
        what = "a call, to which rank 0 of its callers has not come"
        note = failing(lambda: client[1].run(1, *CALL), what, kind=CancelledException)
        assert "as long as it may (SIDL_PAR_HOLD_MS)" in note, note
        client = half(servers)
    group.barrier()
    before.say("half", 0)
    calls(group, servers, HELD + 5)
    print("well")
