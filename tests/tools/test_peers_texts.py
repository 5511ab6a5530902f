"""What a server says reaches the terminal as text: it moves no cursor and fakes no lines."""

import contextlib
import json
import os
import socket
import struct
import sys
import threading
from pathlib import Path

import pytest
from unprintable import BYTES, TEXT, TEXT_VISIBLE, VISIBLE, acts

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "protocols" / "independent"))
import simhandle  # noqa: E402

FORGED = "\n127.0.0.1: all is well"
FORGED_VISIBLE = FORGED.replace("\n", r"\n")


def refuses(peer):
    """In the handshake."""
    text = BYTES
    limits = (1 << 24, 1000, 1 << 33, 60000, len(text), 1, 1)
    peer.sendall(simhandle.WELCOME.pack(simhandle.MAGIC, 0, 4, 0, bytes(16), *limits) + text)


def greet(peer):
    """The handshake, and the header of the first request."""
    limits = (1 << 24, 1000, 1 << 33, 60000, 0, 1, 1)
    peer.sendall(simhandle.WELCOME.pack(simhandle.MAGIC, 2, 0, 0, bytes(16), *limits))
    head = simhandle.HEADER.unpack(peer.recv(simhandle.HEADER.size, socket.MSG_WAITALL))
    peer.recv(head[3], socket.MSG_WAITALL)
    return head[4]


def answer(peer, kind, body, call, flags=0):
    """One frame."""
    sizes = [len(segment) for segment in body.segments]
    counts = (len(sizes), len(body.body), call, sum(sizes))
    head = simhandle.HEADER.pack(kind, flags, *counts, 0, 0, 0)
    table = struct.pack(f"<{len(sizes)}Q", *sizes)
    peer.sendall(b"".join([head, table, body.body, *body.segments]))


def answers_with_an_error(peer):
    """To the first request."""
    call = greet(peer)
    body = simhandle.Writer()
    body.pack("II", 1, 0)
    body.put_string(BYTES)
    answer(peer, simhandle.ERROR, body, call)


def answers_with_an_exception(peer):
    """The same, with a note and a trace."""
    call = greet(peer)
    body = simhandle.Writer()
    body.put_by_value(["sidl.SIDLException"], BYTES + FORGED.encode(), b"in " + BYTES + b"\n")
    answer(peer, simhandle.EXCEPTION, body, call)


def ends_with_a_goodbye(peer):
    """Instead of an answer."""
    greet(peer)
    body = simhandle.Writer()
    body.pack("I", 1)
    body.put_string(BYTES)
    answer(peer, simhandle.GOODBYE, body, 0)


@contextlib.contextmanager
def listening(talk):
    """The URL of a server that greets nobody, but talks."""

    def serve(listener):
        with contextlib.suppress(OSError):
            while True:
                with listener.accept()[0] as peer, contextlib.suppress(OSError, ValueError):
                    peer.recv(simhandle.HELLO.size, socket.MSG_WAITALL)
                    talk(peer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield f"simhandle://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture(
    params=[refuses, answers_with_an_error, answers_with_an_exception, ends_with_a_goodbye],
    ids=lambda each: each.__name__,
)
def hostile(request):
    """The URL of a server that says such things to everybody."""
    with listening(request.param) as url:
        yield url


@pytest.mark.parametrize("command", ["call", "ping", "inspect"])
def test_control_characters_are_visible(sidl, hostile, command):
    arguments = {"call": [f"{hostile}/object", "method"], "ping": [hostile, "--count", 1]}
    done = sidl(command, *arguments.get(command, [hostile]), status=None)
    said = done.stdout + done.stderr
    assert VISIBLE in said
    assert acts(said) == []
    assert os.linesep in said
    assert FORGED not in said


@pytest.mark.parametrize("kind", [simhandle.ERROR, simhandle.EXCEPTION, simhandle.GOODBYE])
def test_frames_that_are_cut_are_the_fault_of_the_server(sidl, kind):
    """No method of a user has packed them, or unpacks them."""

    def cuts(peer):
        call = greet(peer)
        answer(peer, kind, simhandle.Writer(), 0 if kind == simhandle.GOODBYE else call)

    with listening(cuts) as url:
        done = sidl("call", f"{url}/object", "method", status=1)
    assert "malformed message: a value extends beyond its message" in done.stderr


# ---- descriptions: what servers tell of themselves without being wrong on the wire ---------------

NAME = TEXT + FORGED
NAME_VISIBLE = TEXT_VISIBLE + FORGED_VISIBLE
VOID = {"kind": "void"}


def method(**changes):
    """The description of a method."""
    usual = {"name": "quick", "from": "atk.Box", "digest": "00", "call": "object"}
    return {**usual, "result": VOID, "arguments": [], **changes}


def described(**changes):
    """The description of a class."""
    usual = {"name": "atk.Box", "kind": "class", "version": "1", "abstract": False, "parent": None}
    lists = {"interfaces": [], "enums": {}, "structs": {}, "methods": [method()]}
    return json.dumps({**usual, **lists, **changes}, ensure_ascii=False).encode()


def describing(type_name, description, result, doors=b"", **counted):
    """A server whose objects are of a class, which it describes, and return this text, or array of
    ints; with such other doors and counters."""
    server = {"shinar": NAME, "exports": [NAME], "published": [{"name": NAME, "class": NAME}]}
    counters = {"calls": 1, "errors": 0, "server": {NAME: 1}, "microseconds": [], **counted}
    replies = {
        b"isType": b"\x01",
        b"describeServer": json.dumps({**server, "serialize": NAME}, ensure_ascii=False).encode(),
        b"getCounters": json.dumps(counters, ensure_ascii=False).encode(),
        b"describeType": description,
        b"quick": result,
    }

    def talk(peer):
        limits = (1 << 24, 5000, 1 << 33, 60000, len(doors), 1, 1)
        welcome = (simhandle.MAGIC, 2, 0, int(bool(doors)), bytes(16), *limits)
        peer.sendall(simhandle.WELCOME.pack(*welcome) + doors)
        names = {}
        while True:
            header = peer.recv(simhandle.HEADER.size, socket.MSG_WAITALL)
            if not header:
                return
            kind, _, _, size, call, _, number, _, _ = simhandle.HEADER.unpack(header)
            read = peer.recv(size, socket.MSG_WAITALL) if size else b""
            body = simhandle.Writer()
            if kind == simhandle.METHOD:
                names[number] = read[12:]
            elif kind == simhandle.ATTACH:
                name = read[4 : 4 + int.from_bytes(read[:4], "little")]
                is_server = name == b"sidl.server"
                what = "sidl.rmi.Inspection" if is_server else type_name
                body.put_reference(simhandle.Local(what, {}))
                flags = body.end()
                answer(peer, simhandle.REPLY, body, call, flags | 1)
            elif kind == simhandle.REQUEST:
                reply = replies.get(names.get(number), b"")
                if names.get(number) == b"isType":
                    body.body += reply
                elif isinstance(reply, simhandle.Array):
                    body.put_array("int", reply)
                else:
                    body.put_string(reply)
                answer(peer, simhandle.REPLY, body, call)

    return talk


@pytest.mark.parametrize(
    ("words", "type_name", "description", "shown"),
    [
        (["ping", "--count", "1", "URL/box"], NAME, described(), f": {NAME_VISIBLE}, "),
        (
            ["call", "URL/box", "quick"],
            "atk.Box",
            described(methods=[method(result={"kind": NAME})]),
            f"of unknown kind '{NAME_VISIBLE}'",
        ),
        (
            ["inspect", "URL/box"],
            "atk.Box",
            described(methods=[method(result={"kind": NAME})]),
            f"of unknown kind '{NAME_VISIBLE}'",
        ),
        (["inspect", "URL/box"], "atk.Box", described(version=NAME), f"/* {NAME_VISIBLE} */"),
        (
            ["inspect", "URL/box"],
            "atk.Box",
            described(methods=[method(name=NAME, throws=[NAME])]),
            f"void {NAME_VISIBLE}() throws {NAME_VISIBLE};",
        ),
        (
            ["inspect", "URL/box"],
            "atk.Box",
            described(enums={NAME: [{"name": NAME, "value": 1}]}),
            f"enum {NAME_VISIBLE} {{\n  {NAME_VISIBLE} = 1",
        ),
        (["inspect", "URL"], "atk.Box", described(), f"Shinar {NAME_VISIBLE}\n"),
        (["inspect", "URL"], "atk.Box", described(), f"/{NAME_VISIBLE}  {NAME_VISIBLE}\n"),
        (["inspect", "URL"], "atk.Box", described(), f"  {NAME_VISIBLE} 1\n"),
        (
            ["inspect", "URL/box"],
            "atk.Box",
            b'{"' + TEXT[TEXT.index("\u0080") :].encode(),
            "is not valid JSON",
        ),
        (["call", "URL/box", "other"], "atk.Box", described(methods=[method(name=NAME)]), "void"),
        (["call", "URL", "quick"], "atk.Box", described(), f"it publishes {NAME_VISIBLE}"),
        (
            ["call", "--create", NAME[:5], "URL", "quick"],
            "atk.Box",
            described(),
            "does not export class",
        ),
    ],
    ids=range(13),
)
def test_descriptions_are_visible(sidl, words, type_name, description, shown):
    # Unseen before: the servers of these tests were wrong on the wire, or honest.
    with listening(describing(type_name, description, b"")) as url:
        done = sidl(*(word.replace("URL", url) for word in words), status=None)
    said = done.stdout + done.stderr
    assert shown in said
    assert acts(said) == []
    assert FORGED not in said


def test_doors_do_nothing_to_a_terminal(sidl):
    """Or no doors: those that are no URLs are ignored, and what is wrong with others is shown."""
    path = TEXT.replace(" ", "").replace("\n", "")[:60]
    door = f"simhandle+unix:///tmp/{path}\n".encode()
    env = {**os.environ, "SIDL_RMI_ROUTES": "unix,tcp"}
    with listening(describing("atk.Box", described(), b"", door)) as url:
        done = sidl("ping", url, "--count", 1, env=env, status=None)
    said = done.stdout + done.stderr
    assert "1 of 1 answered" in said
    assert acts(said) == []


@pytest.mark.parametrize("words", [["call", "URL/box", "quick"], ["inspect", "URL/box"]])
def test_what_is_nested_without_end_describes_nothing(sidl, words):
    """A hundred thousand of these took all of the stack. The tests' JSON was flat, or no JSON."""
    deep = b'{"kind":"array","dimension":1,"element":' * 80 + b"{}" + b"}" * 80
    description = described(methods=[method(result=NAME)])
    description = description.replace(json.dumps(NAME, ensure_ascii=False).encode(), deep)
    assert deep in description
    with listening(describing("atk.Box", description, BYTES)) as url:
        done = sidl(*(word.replace("URL", url) for word in words), status=1)
    assert "JSON nested more than 64 deep" in done.stderr


@pytest.mark.parametrize("words", [["call", "URL/box", "quick"], ["inspect", "--json", "URL/box"]])
def test_json_is_visible(sidl, words):
    text = method(result={"kind": "string"})
    with listening(describing("atk.Box", described(version=NAME, methods=[text]), BYTES)) as url:
        done = sidl(*(word.replace("URL", url) for word in words))
    assert acts(done.stdout) == []
    document = json.loads(done.stdout)
    assert "Größe" in done.stdout
    if words[0] == "inspect":
        assert document["version"] == NAME
    else:
        assert document["result"].startswith(TEXT)


def struct_type(name):
    """The type."""
    return {"kind": "struct", "name": name}


def chain(count):
    """Structs, each with the one before it as its member: a.S0, a.S1, ..."""
    structs = {"a.S0": [{"name": "x", "type": {"kind": "int"}}]}
    for i in range(1, count):
        structs[f"a.S{i}"] = [{"name": "x", "type": struct_type(f"a.S{i - 1}")}]
    return structs


def as_member(name):
    """The members of a struct: one of this other struct."""
    return [{"name": "x", "type": struct_type(name)}]


ENDLESS = {
    "itself": ({"a.S": as_member("a.S")}, "a.S", "struct a.S contains itself"),
    "one-another": (
        {"a.S": as_member("a.T"), "a.T": as_member("a.S")},
        "a.T",
        "struct a.S contains itself",
    ),
    "many": (chain(20_000), "a.S19999", "structs are nested more than 256 deep"),
    "many-backwards": (
        dict(reversed(chain(20_000).items())),
        "a.S19999",
        "structs are nested more than 256 deep",
    ),
    "nothing": ({"a.S": as_member("a.T")}, "a.S", "it does not describe struct a.T"),
    "large": (
        {"a.S": [{"name": f"x{i}", "type": {"kind": "double"}} for i in range(10_000)]},
        "a.S",
        "a struct has more than 65536 bytes",
    ),
}


@pytest.mark.parametrize("case", ENDLESS)
@pytest.mark.parametrize("place", ["result", "argument", "inspect"])
def test_structs_without_end_are_none(sidl, case, place):
    """What reads, writes or shows such structs calls itself for each that is in another one."""
    structs, name, wrong = ENDLESS[case]
    changes = {"result": struct_type(name)}
    if place == "argument":
        changes = {"arguments": [{"name": "a", "mode": "in", "type": struct_type(name)}]}
    words = ["call", "URL/box", "quick", '{"x":' * 50 + "{}" + "}" * 50]
    words = words[: 4 if place == "argument" else 3]
    if place == "inspect":
        words = ["inspect", "URL/box"]
    description = described(methods=[method(**changes)], structs=structs)
    with listening(describing("atk.Box", description, b"\0" * 64)) as url:
        done = sidl(*(word.replace("URL", url) for word in words), status=1)
    expected = f"sidl: cannot understand the server at '{url}': its description of 'atk.Box': "
    assert done.stderr == f"{expected}{wrong}\n"


def test_structs_in_structs_are_known(sidl):
    """As many as may be; the server returns nothing."""
    description = described(methods=[method()], structs=chain(256))
    with listening(describing("atk.Box", description, b"")) as url:
        sidl("call", f"{url}/box", "quick")


def test_deep_values_stay_within_reach(sidl):
    """Half a megabyte of them was half a gigabyte of margins."""
    description = described(methods=[method(result=struct_type("a.S255"))], structs=chain(256))
    with listening(describing("atk.Box", description, b"abc")) as url:  # begins with its length
        shown = sidl("call", f"{url}/box", "quick").stdout
    assert max(len(line) for line in shown.splitlines()) < 100
    value = json.loads(shown)["result"]
    for _ in range(256):
        value = value["x"]
    assert value == 3


WRONG = [
    (described(enums={"a.E": [{"name": "x", "value": 2**70}]}),
     "'value' must be a whole number of 64 bits, unlike 1.1805916207174113e+21"),
    (described(enums={"a.E": [{"name": "x", "value": 2**63}]}),
     "'value' must be a whole number of 64 bits, unlike 9223372036854775808"),
    (described(enums={"a.E": [{"name": "x", "value": 0.5}]}),
     "'value' must be a whole number of 64 bits, unlike 0.5"),
    (described(enums={"a.E": 3}), "'a.E' must be a list, not a number"),
    (described(enums=[]), "'enums' must be an object, not a list"),
    (described(structs={"a.S": {"x": 1}}), "'a.S' must be a list, not an object"),
    (described(structs={"a.S": [{"name": "x", "type": VOID}]}), "a value is of type void"),
    (described(kind=5), "'kind' must be a text, not a number"),
    (described(version=[]), "'version' must be a text, not a list"),
    (described(parent=True), "'parent' must be a text, not true or false"),
    (described(abstract="yes"), "'abstract' must be true or false, not a text"),
    (described(interfaces=["a.I", None]), "'each of interfaces' must be a text, not null"),
    (described(methods=7), "'methods' must be a list, not a number"),
    (described(methods=[7]), "an object with 'name' is expected, not a number"),
    (described(methods=[{"name": "quick"}]), "'from' is missing"),
    (described(methods=[method(digest=5)]), "'digest' must be a text, not a number"),
    (described(methods=[method(digest="zz")]),
     "'digest' must be a hexadecimal number of 64 bits, not 'zz'"),
    (described(methods=[method(digest="1" * 17)]),
     f"'digest' must be a hexadecimal number of 64 bits, not '{'1' * 17}'"),
    (described(methods=[method(result=7)]), "an object with 'kind' is expected, not a number"),
    (described(methods=[method(arguments=[{"name": "a", "mode": "by", "type": {"kind": "int"}}])]),
     "an argument is of unknown mode 'by'"),
    (described(methods=[method(arguments=[{"name": "a", "mode": "in", "type": VOID}])]),
     "a value is of type void"),
    (described(methods=[method(result={"kind": "array", "element": {"kind": "int"},
                                       "dimension": 2**40})]),
     f"an array has {2**40} dimensions"),
    (described(methods=None), "'methods' must be a list, not null"),
    (b"[]", "this is no JSON object"),
    (b"null", "this is no JSON object"),
]  # fmt: skip


@pytest.mark.parametrize(("description", "wrong"), WRONG, ids=range(len(WRONG)))
@pytest.mark.parametrize("words", [["call", "URL/box", "quick"], ["inspect", "URL/box"]])
def test_what_is_wrong_in_a_description_is_said(sidl, words, description, wrong):
    """Numbers were cut, which is undefined, and the library that reads JSON told of its errors."""
    with listening(describing("atk.Box", description, b"")) as url:
        done = sidl(*(word.replace("URL", url) for word in words), status=1)
    expected = f"sidl: cannot understand the server at '{url}': its description of 'atk.Box': "
    assert done.stderr == f"{expected}{wrong}\n"


@pytest.mark.parametrize(
    ("counted", "wrong"),
    [
        ({"calls": 2**70}, "'calls' must be a whole number of 64 bits, unlike 1.18059162"),
        ({"errors": None}, "'errors' must be a number, not null"),
        ({"server": {"a\nb": []}}, r"'a\nb' must be a number, not a list"),
        ({"microseconds": 1}, "'microseconds' must be a list, not a number"),
        ({"contracts": 1}, "an object with 'policy' is expected, not a number"),
    ],
)
def test_what_is_wrong_in_counters_is_said(sidl, counted, wrong):
    with listening(describing("atk.Box", described(), b"", **counted)) as url:
        done = sidl("inspect", url, status=1)
    assert f"sidl: cannot understand the server at '{url}': its counters: {wrong}" in done.stderr


def test_lists_of_nothing_are_few(sidl):
    """An array without elements announces as many lists as it likes."""
    array = {"kind": "array", "element": {"kind": "int"}, "dimension": 2}
    description = described(methods=[method(result=array)])
    for count, status in (3, 0), (1 << 40, 1):
        nothing = simhandle.Array((0, 0), (count - 1, -1), [])
        with listening(describing("atk.Box", description, nothing)) as url:
            done = sidl("call", "--compact", f"{url}/box", "quick", status=status)
        shown = '{"result":[[],[],[]]}' if status == 0 else "more than 1048576 lists"
        assert shown in done.stdout + done.stderr
