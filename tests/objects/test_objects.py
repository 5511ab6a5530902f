"""Objects and exceptions across languages: classes of six levels that are implemented in C and in
C++ by turns, called by the same program in every language, linked in every way there is, in one
process and from another one.

A program prints what it sees; what it has to see is said here and in model.py, once for all
languages. A new language is a line in CLIENTS.
"""

import contextlib
import functools
import itertools
import os
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import model

CLIENTS = ["from_c", "from_cxx"]
# Where objects live: which variant of the program makes them, or another process does, over a
# protocol.
PLACES = {
    "linked": "",
    "static": "_static",
    "loads": "_loads",
    "simhandle": None,
    "unix": None,
    "shm": None,
    "tls": None,
    "ucx": None,
    "jsonsock": None,
    "pipes": None,
}
HANDLES = {
    "simhandle": "sidlx.rmi.SimHandle",
    "unix": "sidlx.rmi.SimHandle",
    "shm": "sidlx.rmi.SimHandle",
    "tls": "sidlx.rmi.SimHandle",
    "ucx": "sidlx.rmi.SimHandle",
    "jsonsock": "jsonsock.Handle",
    "pipes": "sidlx.rmi.SimHandle",
}
HERE = [place for place, variant in PLACES.items() if variant is not None]
LIBRARIES = {
    "in_c": ["L4", "L5", "Probe", "RelayC"],
    "in_cxx": ["L2", "L6", "RelayCxx"],
}
IMPLS = {
    "in_c.sidl": ("impl_c", "c", ["types.sidl", "in_cxx.sidl"]),
    "in_cxx.sidl hidden.sidl": ("impl_cxx", "c++", ["types.sidl", "in_c.sidl"]),
}


@pytest.fixture(scope="module")
def programs(root, cmake_build, tmp_path_factory):
    """The folder with the programs and the libraries."""
    return cmake_build(root / "tests" / "objects", tmp_path_factory.mktemp("objects"), unity=True)


@pytest.fixture
def environment(programs):
    """What every program runs with: callers and implementations bring the tables of the same types,
    and exhausted memory is no end of the program."""
    options = "detect_odr_violation=0:allocator_may_return_null=1"
    asan = f"{os.environ['ASAN_OPTIONS']}:{options}"
    return {**os.environ, "ASAN_OPTIONS": asan, "SIDL_DLL_PATH": str(programs)}


class Program:
    """One program with its objects in one place."""

    def __init__(self, file, run, environment, handle=None):
        self.file = file
        self.handle = handle  # the class of handles to remote objects
        self.is_remote = handle is not None
        self._run = run
        self._environment = environment

    def lines(self, *case):
        """What it prints in a case; places in traces are shortened to the names of the files. No
        object may be left over."""
        text = self._run([self.file, *case], env=self._environment).stdout
        lines = [
            re.sub(r"^(in [^<]*)(?:<.*>)? at (?:.*/)?([^/]+):[1-9]\d*$", r"\1 at \2", s)
            for s in text.splitlines()
        ]
        assert lines[-1:] == ["left over: 0"]
        return lines[:-1]


@pytest.fixture
def program(programs, environment, run, serve, stage, protocols, plugin_folder, request):
    """with program(client, place) as p: a program for the length of the block."""

    @contextlib.contextmanager
    def start(client, place):
        variant = PLACES[place]
        if variant is not None:
            yield Program(programs / f"{client}{variant}", run, environment)
            return
        exports = [
            f"ob.{name}={programs}/lib{library}.so"
            for library, names in LIBRARIES.items()
            for name in names
        ]
        protocol = protocols[place]
        protocol.need(stage)
        certificates = functools.partial(request.getfixturevalue, "certificates")
        speaks = protocol.environment(plugin_folder, certificates)
        plugin = speaks.pop("SIDL_DLL_PATH", "")
        with pytest.MonkeyPatch.context() as patch:  # what the server runs with
            patch.setenv("SIDL_DLL_PATH", f"{environment['SIDL_DLL_PATH']};{plugin}")
            patch.setenv("ASAN_OPTIONS", environment["ASAN_OPTIONS"])
            for name, value in speaks.items():
                patch.setenv(name, value)
            with serve(*exports, protocol=protocol) as url:
                # the variant that has no implementations itself, and no stubs of ob.Secret
                remote = {**environment, **speaks, "OB_SERVER": url, "SIDL_DLL_PATH": plugin}
                yield Program(programs / f"{client}_loads", run, remote, HANDLES[place])

    return start


@pytest.fixture(params=PLACES)
def place(request):
    return request.param


@pytest.fixture(params=CLIENTS)
def client(request):
    return request.param


def as_dict(lines):
    return dict(line.split(": ", 1) for line in lines)


def test_every_protocol_is_a_place(protocols):
    """But for those in Python, whose many small programs would each start one."""
    assert {p.name for p in protocols.values() if not p.needs_python} <= set(PLACES)


# ---- objects -----------------------------------------------------------------------------------


def test_casts(client, place, program):
    """Every object seen as every type, and every view of one seen as every other."""
    with program(client, place) as p:
        # Over the example protocol a cast is slow, and that of one class, which has every kind of
        # parent, takes the same way as any: the others are cast over simhandle.
        for name in model.CONCRETE if place != "jsonsock" else ["L6"]:
            assert as_dict(p.lines("casts", name)) == model.casts(name)
        assert p.lines("sideways") == ["lost: 0"]


def test_calls(client, place, program):
    """Overridden methods, super, renamed and overloaded ones, by every type that has them."""
    with program(client, place) as p:
        for level in (2, 4, 5, 6):
            assert as_dict(p.lines("calls", f"L{level}")) == model.calls(level)


def test_objects_come_back(client, place, program):
    with program(client, place) as p:
        for letter in "cx":
            seen = []
            for level in (2, 4, 6):
                seen += [f"L{level}: same", f"L{level}: {model.said('chain', level)}"]
            assert p.lines("through", letter) == seen


def hook_trace(kind, level, handle=None):
    lines = [f"in impl_ob_L{level}__{kind} at ob_L{level}_Impl.c"]
    if level not in model.IN_C:
        lines = ["in enter at enter.hxx", f"in ob.L{level}._{kind}"]
    if handle:
        lines.append(f"in {handle}.initCreate at {handle.replace('.', '_')}_Impl.cxx")
    return [f"ob.Oops: {kind} L{level}", *lines]


@pytest.mark.parametrize("kind", ["ctor", "dtor"])
def test_lives(kind, client, place, program):
    """Constructors run parent first and destructors child first; one that fails leaves nothing
    behind, and no destructor's exception gets out."""
    with program(client, place) as p:
        for level in model.LEVELS:
            seen = hook_trace(kind, level, p.handle) if kind == "ctor" else []
            assert p.lines("life", f"{kind} L{level}") == seen + model.life(kind, level)


@pytest.mark.parametrize("place", HERE)
def test_classes_are_loaded_once(client, place, program):
    """Parents first; one that fails to load is tried again when it is needed again. (A server loads
    what it offers when it starts.)"""
    with program(client, place) as p:
        for level in model.LEVELS:
            seen = hook_trace("load", level) + model.life("load", level)
            assert p.lines("life", f"load L{level}") == seen


@pytest.mark.parametrize("place", HERE)
def test_statics(client, place, program):
    with program(client, place) as p:
        assert p.lines("statics") == ["L1: declared in 1", "L5: from 5 to you"]


@pytest.mark.parametrize("place", HERE)
def test_objects_around_what_is_there(client, place, program):
    """An Impl made with new, one that is found behind its object, and data in C."""
    with program(client, place) as p:
        lines = p.lines("wraps")
        assert lines[:4] == [
            "wrapped: 711111",
            f"wrapped: {model.said('chain', 6)}",
            "behind: 811111",
            "alive: 0",
        ]
        failed = ["ob.Oops: ctor L6", "in enter at enter.hxx", "in ob.L6.make at ob_L6_Impl.cxx"]
        assert lines[4:] == [*failed, "alive: 0", *model.failed_life(6)]
        if client == "from_c":
            assert p.lines("wraps_data") == ["sum: 51111", "sum: 61111", "data: 1"]


@pytest.mark.parametrize("place", HERE)
def test_objects_around_what_is_gone(client, place, program):
    """Who has a reference still when the owner deletes the Impl is told, and can give it back."""
    said = "sidl.rmi.ObjectDoesNotExistException: ob.{}: {}"
    why = "the object has been destroyed, or its constructor has failed"
    with program(client, place) as p:
        assert [line for line in p.lines("gone") if not line.startswith("in ")] == [
            "alive: 0",
            said.format("L1.sum", why),
            said.format("Top.top", why),
            "same: 1",
            "types: 1",
            "class: ob.L6",
        ]


# ---- exceptions --------------------------------------------------------------------------------

# Who throws, what is asked for, and what is caught.
THROWN = [
    ("c", "Worse", "ob.Worse: from C"),
    ("c", "undeclared", "sidl.SIDLException: from C"),
    ("c", "array", "ob.Oops: no such array"),
    ("c", "memory", "sidl.MemAllocException: out of memory"),
    ("x", "Worse", "ob.Worse: from C++"),
    ("x", "undeclared", "sidl.SIDLException: from C++"),
    ("x", "array", "sidl.MemAllocException: std::bad_alloc"),
    ("x", "runtime_error", "sidl.LangSpecificException: from the library"),
    ("x", "string", "sidl.LangSpecificException: a text"),
    ("x", "int", "sidl.LangSpecificException: C++ exception of type int"),
    (
        "x",
        "Odd",
        "sidl.LangSpecificException: C++ exception of type (anonymous namespace)::Odd",
    ),
    ("x", "nil", "sidl.LangSpecificException: nil exception"),
    ("x", "handle", "sidl.LangSpecificException: call on a nil handle of ob.Relay"),
]
LAYERS = {
    "c": "in impl_ob_RelayC_relay at ob_RelayC_Impl.c",
    "x": "in ob.RelayCxx.relay at ob_RelayCxx_Impl.cxx",
}


def relay_trace(letters, what, remote):
    lines = ["in throw_it at ob_RelayC_Impl.c"] if letters[-1] == "c" else []
    if letters[-1] == "x" and what in ("Oops", "Worse", "Secret", "undeclared"):
        lines = ["in throw_sidl at ob_RelayCxx_Impl.cxx"]  # where the exception was made
    lines += [LAYERS[letter] for letter in reversed(letters)]
    if what == "memory":
        lines = []  # the exception that is always there never changes
    return lines + (["in ob.Relay.relay called remotely"] if remote else [])


def test_every_pair_of_languages(client, place, program):
    """Type, note and the line of each layer, through four frames."""
    with program(client, place) as p:
        for letters in map("".join, itertools.product("cx", repeat=4)):
            note = "from C" if letters[-1] == "c" else "from C++"
            seen = [f"ob.Oops: {note}", *relay_trace(letters, "Oops", p.is_remote)]
            assert p.lines("relay", letters, "Oops") == seen


def test_whatever_is_thrown(client, place, program):
    with program(client, place) as p:
        for thrower, what, caught in THROWN:
            for before in "cx":
                letters = before + thrower
                seen = [caught, *relay_trace(letters, what, p.is_remote)]
                assert p.lines("relay", letters, what) == seen


def test_exceptions_are_caught_in_cxx_as_what_they_are(place, program):
    """Declared or not: as their own class, or as the nearest one above it that is known."""
    with program("from_cxx", place) as p:
        named = ["Oops: ob::Oops", "Worse: ob::Worse"]
        assert p.lines("kinds") == [
            "_create: ob::Oops",
            *([] if p.is_remote else ["no throws clause: ob::Oops"]),
            *(*named, "array: ob::Oops", "undeclared: sidl::SIDLException"),
            *(*named, "array: sidl::MemAllocException", "undeclared: sidl::SIDLException"),
        ]


def test_unknown_exceptions(client, place, program):
    """A caller that does not know an exception's class gets its parent."""
    with program(client, place) as p:
        trace = relay_trace("cx", "Secret", p.is_remote)
        seen = ["ob.Secret: from C++", *trace]
        if p.is_remote:
            seen = ["ob.Worse: from C++", *trace[:-1], "(was a ob.Secret)", trace[-1]]
        assert p.lines("relay", "cx", "Secret") == seen


def test_thrown_while_another_is_handled(client, place, program):
    frames = {
        "c": ["in impl_ob_RelayC_rethrow at ob_RelayC_Impl.c"],
        "x": [
            f"in {name} at ob_RelayCxx_Impl.cxx" for name in ("rethrow_impl", "ob.RelayCxx.rethrow")
        ],
    }
    with program(client, place) as p:
        after = ["in ob.Relay.rethrow called remotely"] if p.is_remote else []
        for catcher, thrower in itertools.product("cx", repeat=2):
            note = "from C" if thrower == "c" else "from C++"
            for what, seen in {"Oops": note, "undeclared": "something else"}.items():
                lines = [f"ob.Worse: {seen}", *frames[catcher], *after]
                assert p.lines("rethrow", catcher + thrower, what) == lines


def test_values(client, place, program):
    """All types in all modes: results without an exception, zeroes and valid values with one."""
    tops = " ".join([model.said("top", 2)] * 2)
    before = " ".join([model.said("top", 4)] * 2)
    news = f"inout: new 5 1.5 new {tops}"
    nothing = ["outs: 0 0 0 0 0 0 null null null null"]
    empty = "null 0 0 null null null"
    with program(client, place) as p:
        for letter in "cx":
            assert p.lines("fill", letter) == [
                f"outs: 1 99 4 2.5 3 5 s word {tops}",
                f"inouts: 10 1 new new {tops}",
                f"out: out 5 1.5 out {tops}",
                news,
                f"result: result 5 1.5 result {tops}",
            ]
            # In one process those that changed in place have changed; all of them can be used.
            inouts = f"inouts: 10 {'1 new' if letter == 'c' else '0 before'} new {tops}"
            inout = news
            if p.is_remote:
                inouts = f"inouts: 9 0 before before {before}"
                inout = f"inout: before 0 0 before null {model.said('top', 4)}"
            seen = [*nothing, inouts, f"out: {empty}", inout, f"result: {empty}"]
            note = "from C" if letter == "c" else "from C++"
            assert p.lines("fill", letter, "Oops") == [f"ob.Oops: {note}", *seen]


# ---- libraries ---------------------------------------------------------------------------------


@pytest.mark.parametrize("place", HERE)
def test_one_class_in_two_libraries(client, place, program, programs):
    """What a library makes goes together with what the program has of the same class."""
    with program(client, place) as p:
        chain = f"{model.said('chain', 4)} int4"
        assert p.lines("twice", str(programs / "libin_c.so")) == [
            f"mine: {chain}",
            f"theirs: {chain}",
            "through: same",
            "abstract: null",
            "unknown: null",
        ]


def test_another_object_model_is_refused(client, programs, environment, run):
    environment["SIDL_DLL_PATH"] += f";{programs}/libold.so"
    p = Program(programs / f"{client}_loads", run, environment)
    assert p.lines("old") == [
        f"sidl.NotImplementedException: class ob.Old in {programs}/libold.so was compiled for IOR "
        "version 7.7, but libsidl supports 6.0: regenerate and recompile it with the sidlc "
        "of this libsidl"
    ]


# ---- the whole ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    ["life=ctor L3", "gone", "relay cxcx int", "fill x Oops", "fill c Oops"],
)
def test_nothing_leaks(case, client, programs, environment, run_in_valgrind, monkeypatch):
    monkeypatch.setenv("SIDL_DLL_PATH", environment["SIDL_DLL_PATH"])
    separator = "=" if "=" in case else " "
    run_in_valgrind([programs / client, *case.split(separator)])


@pytest.mark.parametrize("sources", IMPLS)
def test_impl_files_are_up_to_date(sources, root, run, sidlc, tmp_path):
    """sidlc would change nothing in the Impl files that are under version control."""
    impl_dir, language, includes = IMPLS[sources]
    folder = root / "tests" / "objects"
    before = {path.name: path.read_text() for path in sorted((folder / impl_dir).iterdir())}
    copies = tmp_path / "impl"
    copies.mkdir()
    for name, text in before.items():
        (copies / name).write_text(text)
    command = [sidlc, f"--server={language}", "-o", tmp_path, "--impl-dir", copies]
    for include in includes:
        command += ["-I", folder / include]
    run([*command, *(folder / source for source in sources.split())])
    assert {name: (copies / name).read_text() for name in before} == before
