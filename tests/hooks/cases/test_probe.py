"""Hooks of watched.Probe; PROBE: the package of the class, PROBE_SERVER: its server."""

import importlib
import os

import numpy as np
import pytest
import sidl
import watched

PACKAGE = importlib.import_module(os.environ["PROBE"])
SERVER = os.environ.get("PROBE_SERVER", "")
Colour = watched.Colour


def watched_one(kind):
    """An object whose hooks are switched on, and nothing else has happened."""
    made = kind.create(SERVER) if SERVER else kind()
    made.watch(True)
    made.takeLog()
    return made


@pytest.fixture
def probe():
    return watched_one(PACKAGE.Probe)


CALLS = [
    (lambda p: p.scale(3, 2.0), (4, 6.0, "text"), "scale 3 2", "scale 3 6 text 4"),
    (lambda p: p.greet("you"), "hello you", "greet you", "greet you hello you"),
    (
        lambda p: p.mix(Colour.red, Colour.green),
        (Colour.red, Colour.red, False),
        "mix 0 1",
        "mix 0 0 0 0",
    ),
    (
        lambda p: p.mix(Colour.green, Colour.green),
        (Colour.green, Colour.green, True),
        "mix 1 1",
        "mix 1 1 1 1",
    ),
    (
        lambda p: p.pair(watched.Pair(1, "one")),
        (watched.Pair(2, "made"), watched.Pair(2, "second")),
        "pair 1 one",
        "pair 1 one 2 second 2 made",
    ),
    (lambda p: p.same(None), None, "same 0", "same 0"),
    (lambda p: p.turn(2 + 1j, True), (-1 + 2j, False), "turn 2 1", "turn 2 0 2"),
    (lambda p: p.sum(np.array([3, 4, 5], np.int32)), 12, "sum 3 3", "sum 3 3 12"),
]


@pytest.mark.parametrize("call, result, before, after", CALLS)
def test_hooks_see_arguments_and_results(probe, call, result, before, after):
    assert call(probe) == result
    name = before.split()[0]
    assert probe.takeLog() == f"pre {before};{name};post {after};"


def test_arrays(probe):
    doubled, sums = probe.doubled(np.array([1.0, 2.0, 4.0]))
    assert list(doubled) == [2, 4, 8] and list(sums) == [7]
    assert probe.takeLog() == "pre doubled 3;doubled;post doubled 3 7 2;"


def test_objects(probe):
    assert probe.same(probe) == probe
    assert probe.takeLog() == "pre same 1;same;post same 1;"


def test_calls_without_an_answer(probe):
    probe.note("a word")
    assert probe.takeLog() == "pre note a word;note a word;post note a word;"


def thrown_by(call, *arguments):
    with pytest.raises((sidl.SIDLException, RuntimeError)) as caught:
        call(*arguments)
    return str(caught.value)


def test_exceptions(probe):
    """Of the first hook: the method does not run; of the method: the second hook does not."""
    assert "before" in thrown_by(probe.scale, 98, 1.0)
    assert probe.takeLog() == "pre scale 98 1;"
    assert "itself" in thrown_by(probe.scale, 97, 1.0)
    assert probe.takeLog() == "pre scale 97 1;scale;"
    assert "after" in thrown_by(probe.scale, 99, 1.0)
    assert probe.takeLog() == "pre scale 99 1;scale;post scale 99 99 text 100;"
    assert probe.scale(2, 1.0) == (3, 2.0, "text")


@pytest.mark.skipif(SERVER != "", reason="enforced in their own process")
def test_contracts_are_around_them(probe):
    """Preconditions before the first hook, postconditions after the second one."""
    sidl.EnfPolicy.setEnforceAll(sidl.ContractClass.ALLCLASSES, True)
    try:
        with pytest.raises(sidl.PreViolation):
            probe.greet("")
        assert probe.takeLog() == ""
        with pytest.raises(sidl.PostViolation):
            probe.greet("you all")
        assert probe.takeLog() == "pre greet you all;greet;post greet you all hello you all;"
        with pytest.raises((sidl.SIDLException, RuntimeError), match="before"):
            probe.scale(98, 1.0)
        probe.takeLog()
    finally:
        sidl.EnfPolicy.setEnforceNone(True)


def test_heirs_have_the_hooks_of_what_they_inherit():
    heir = watched_one(PACKAGE.Heir)
    heir.turn(1j, False)
    assert heir.takeLog() == "pre turn 0 0;turn;post turn 0 1 0;"
    assert heir.greet("you") == "heir: hello you"
    note = "pre note {0};note {0};post note {0};"
    assert heir.takeLog() == (
        note.format("heir before")
        + "pre greet you;greet;post greet you hello you;"
        + note.format("heir: hello you")
    )


@pytest.mark.skipif(SERVER != "", reason="switched in their own process")
def test_switching():
    """Object by object, and static methods apart."""
    hooked, plain = PACKAGE.Probe(), PACKAGE.Probe()
    hooked._set_hooks(True)
    for probe in hooked, plain:
        probe.note("x")
    assert hooked.takeLog() == "pre note x;note x;post note x;"
    assert plain.takeLog() == "note x;"
    hooked._set_hooks(False)
    hooked.note("x")
    assert hooked.takeLog() == "note x;"
    before = PACKAGE.Probe.seen()
    assert PACKAGE.Probe.twice(2) == 4
    assert PACKAGE.Probe.seen() == before
    PACKAGE.Probe._set_hooks_static(True)
    assert PACKAGE.Probe.twice(2) == 4
    PACKAGE.Probe._set_hooks_static(False)
    assert PACKAGE.Probe.twice(2) == 4
    assert PACKAGE.Probe.seen() == before + 2
