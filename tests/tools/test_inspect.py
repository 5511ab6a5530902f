"""`sidl inspect`, `sidl ping`, and what they are made of: sidl.rmi.Inspection."""

import json
import re

import pytest


@pytest.fixture(scope="module")
def document(server, sidl):
    """All that a server says of itself."""
    return json.loads(sidl("inspect", "--json", server.url).stdout)


def test_server(server, sidl):
    text = sidl("inspect", server.url).stdout
    assert text.startswith(f"{server.url}: Shinar 0.1.0\n")
    assert "\nClasses:\n  draw.Square\n" in text
    assert f"  {server.url}/board  draw.Board\n  {server.url}/box  wire.Box\n" in text
    assert "\n  draw.Line stretch(in draw.Line line, in double factor, out draw.Line old," in text
    assert "\n  static int corners();\n" in text
    assert "\n  local opaque memory();\n" in text
    assert re.search(r"\n  calls +[1-9]", text)
    assert "\n  oneway void wipe();\n" in text
    exceptions = "sidl.SIDLException, sidl.io.IOException"
    layout = f"nonblocking string layout(in array<double,3> a) throws {exceptions};"
    assert f"\n  {layout}\n" in text
    assert "\n  %attrib{concurrent} double area(in array<draw.Shape,2> shapes);\n" in text
    assert "\n%attrib{concurrent} class wire.Box" in text
    assert "addRef" not in text
    assert "sidl.server" not in text


def test_document(document):
    assert document["exports"] == ["draw.Square"]
    assert document["published"] == [
        {"name": "board", "class": "draw.Board"},
        {"name": "box", "class": "wire.Box"},
    ]
    assert sorted(document["types"]) == ["draw.Board", "draw.Square", "wire.Box"]


def test_type(document):
    board = document["types"]["draw.Board"]
    assert (board["version"], board["kind"], board["abstract"]) == ("1.2", "class", False)
    assert (board["parent"], board["interfaces"]) == ("sidl.BaseClass", [])
    assert document["types"]["draw.Square"]["interfaces"] == ["draw.Shape"]
    methods = {method["name"]: method for method in board["methods"]}
    mix = methods["mix"]
    assert (mix["from"], mix["call"]) == ("draw.Board", "object")
    assert re.fullmatch("[0-9a-f]{16}", mix["digest"])
    colors = {
        "kind": "array",
        "element": {"kind": "enum", "name": "draw.Color"},
        "dimension": 1,
    }
    assert mix["result"] == colors
    assert mix["arguments"] == [
        {"name": "a", "mode": "in", "type": colors},
        {"name": "o", "mode": "out", "type": colors},
        {"name": "io", "mode": "inout", "type": colors},
    ]
    assert methods["columns"]["result"]["order"] == "column-major"
    assert methods["same"]["result"] == {"kind": "array"}
    assert methods["sums"]["arguments"][0]["type"]["raw"] is True
    assert methods["memory"]["call"] == "local"
    assert methods["layout"]["throws"] == ["sidl.SIDLException", "sidl.io.IOException"]
    own = [name for name in methods if methods[name]["from"] == "draw.Board"]
    words = {
        word: [name for name in own if methods[name].get(word)]
        for word in ("oneway", "nonblocking", "concurrent", "throws")
    }
    assert words == {
        "oneway": ["wipe"],
        "nonblocking": ["layout"],
        "concurrent": ["area"],
        "throws": ["layout"],
    }
    shape = {"kind": "interface", "name": "draw.Shape"}
    assert methods["sameShape"]["result"] == shape


def test_enums_and_structs(document):
    board = document["types"]["draw.Board"]
    items = [("red", 1), ("green", 2), ("blue", 4)]
    assert board["enums"] == {"draw.Color": [{"name": n, "value": v} for n, v in items]}
    assert sorted(board["structs"]) == [
        f"draw.{name}" for name in ("Dot", "Line", "Mesh", "Point", "Sheet")
    ]
    assert board["structs"]["draw.Line"][2] == {
        "name": "first",
        "type": {"kind": "struct", "name": "draw.Point"},
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["draw.Shape"], "interface draw.Shape /* 1.2 */ {\n  double area();\n}\n"),
        (["draw.Color"], "enum draw.Color {\n  red = 1,\n  green = 2,\n  blue = 4,\n}\n"),
        (["draw.Point"], "struct draw.Point {\n  double x;\n  double y;\n}\n"),
        (
            ["draw.Square"],
            "class draw.Square /* 1.2 */ extends sidl.BaseClass implements draw.Shape",
        ),
    ],
)
def test_one_type(server, sidl, words, expected):
    assert expected in sidl("inspect", server.url, *words).stdout


def test_type_of_an_object(server, sidl):
    text = sidl("inspect", f"{server.url}/board").stdout
    assert "class draw.Board" in text
    assert "draw.Square" not in text


def test_unknown_type(server, sidl):
    done = sidl("inspect", server.url, "draw.Sqare", status=2)
    assert "has no type 'draw.Sqare' (did you mean 'draw.Square'" in done.stderr


def counters(server, sidl):
    return json.loads(sidl("inspect", "--json", server.url).stdout)["counters"]


def test_counters(start, sidl):
    server = start("--quiet")
    before = counters(server, sidl)
    for words in (["add", "1", "2"], ["add", "3", "4"], ["sameShape", f"{server.url}/board"]):
        sidl("call", f"{server.url}/board", *words, status=None)
    after = counters(server, sidl)
    assert after["errors"] - before["errors"] == 1
    assert after["calls"] - before["calls"] >= 3
    assert sum(each["calls"] for each in after["microseconds"]) == after["calls"]
    assert [each["below"] for each in after["microseconds"]][:3] == [1, 2, 4]
    numbers = after["server"]
    assert numbers["protocolVersion"] == 2
    assert numbers["connections"] >= 1
    assert numbers["connectionsAccepted"] > before["server"]["connectionsAccepted"]
    assert numbers["bytesSent"] > before["server"]["bytesSent"]
    assert numbers["bytesReceived"] > before["server"]["bytesReceived"]
    assert numbers["sessions"] >= 1
    assert server.stop() == 0


@pytest.mark.parametrize("command", [["inspect"], ["call", "--create", "draw.Square"]])
def test_a_server_that_does_not_want_it(start, sidl, command):
    server = start("--no-inspect")
    words = [*command, server.url] + (["area"] if command[0] == "call" else [])
    done = sidl(*words, status=1)
    assert "does not allow inspection" in done.stderr
    assert "alive" in sidl("ping", server.url, "--count", 1).stdout
    assert "version" not in sidl("ping", server.url, "--count", 1).stdout
    assert server.stop() == 0


# ---- ping ----------------------------------------------------------------------------------------


def test_ping(server, sidl):
    text = sidl("ping", server.url, "--count", 3, "--interval", 0).stdout
    assert text.count("alive") == 3
    summary = next(line for line in text.splitlines() if "answered" in line)
    times = r"min (\d+) us, median (\d+) us, max (\d+) us"
    found = re.fullmatch(rf"3 of 3 answered; {times}; simhandle, version 2", summary)
    assert found
    low, middle, high = map(int, found.groups())
    assert low <= middle <= high


def test_ping_of_an_object(server, sidl):
    assert "/board: draw.Board, " in sidl("ping", f"{server.url}/board", "--count", 1).stdout
    done = sidl("ping", f"{server.url}/nobody", "--count", 2, "--interval", 0, status=1)
    assert done.stdout.count("no answer: ") == 2
    assert done.stdout.endswith("0 of 2 answered\n")


def test_ping_of_nobody(sidl):
    done = sidl("ping", "simhandle://127.0.0.1:1", "--count", 1, status=1)
    assert "Connection refused" in done.stdout


def test_ping_of_an_unknown_protocol(sidl):
    """Which no further ping would find."""
    done = sidl("ping", "simhandel://127.0.0.1:1", "--count", 3, "--interval", 0, status=1)
    assert done.stdout.count('unknown protocol "simhandel"') == 1


ROUTE = r"([* ]) (\S+) +(-|[0-9.]+ us) +(-|[0-9.]+ GB/s)(?:  (.*))?"


def routes(text):
    """The rows of the table of routes: mark, URL, round trip, bandwidth, reason."""
    lines = text.split("bandwidth\n")[1].splitlines()
    return [re.fullmatch(ROUTE, line).groups() for line in lines]


def test_ping_shows_the_ways_to_a_server(start, sidl, tmp_path, monkeypatch):
    door = f"simhandle+unix://{tmp_path}/door"
    server = start("--listen", "simhandle://127.0.0.1:0", "--listen", door)

    def seen():
        return routes(sidl("ping", server.url, "--count", 1).stdout)

    monkeypatch.setenv("SIDL_RMI_ROUTES", "unix,tcp")
    (first, second, *_) = seen()
    assert (first[:2], second[:2]) == (("*", door), (" ", server.url))
    assert "-" not in first + second
    monkeypatch.setenv("SIDL_RMI_ROUTES", "tcp")
    (first, second, *_) = seen()
    assert first[:2] == ("*", server.url)
    assert second == (" ", door, "-", "-", "not in SIDL_RMI_ROUTES (tcp)")
    monkeypatch.setenv("SIDL_RMI_ROUTES", "unix,tcp")
    (tmp_path / "door").unlink()
    (first, second, *_) = seen()
    assert first[:4] == (" ", door, "-", "-")
    assert "No such file" in first[4]
    assert second[:2] == ("*", server.url)
    assert server.stop() == 0


def test_a_misspelt_transport_is_said(server, sidl, monkeypatch):
    monkeypatch.setenv("SIDL_RMI_ROUTES", "tpc,tcp")
    said = sidl("ping", server.url, "--count", 1).stderr
    assert said.count("SIDL_RMI_ROUTES names 'tpc', and there is no such transport here") == 1
    assert "'tcp'" not in said


def test_ping_shows_shared_memory(start, sidl, monkeypatch):
    monkeypatch.setenv("SIDL_RMI_SHM", "on")
    server = start()
    (memory, tcp) = routes(sidl("ping", f"{server.url}/board", "--count", 1).stdout)
    assert memory[0] == "*" and memory[1].startswith("simhandle+shm://")
    assert tcp[:2] == (" ", server.url)
    monkeypatch.setenv("SIDL_RMI_SHM", "off")
    (tcp, memory) = routes(sidl("ping", server.url, "--count", 1).stdout)
    assert tcp[:2] == ("*", server.url)
    assert memory[4] == "SIDL_RMI_SHM is off"
    assert server.stop() == 0


@pytest.mark.parametrize("words", [["--count", "0"], ["--interval", "-1"], ["--timeout", "x"], []])
def test_ping_usage(server, sidl, words):
    sidl("ping", *([server.url, *words] if words else []), status=2)


# ---- help ----------------------------------------------------------------------------------------

COMMANDS = ["serve", "inspect", "call", "ping", "policy", "contracts", "completion"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help(sidl, command):
    text = sidl(command, "--help").stdout
    assert "Examples:\n  s" in text
    assert command in sidl("--help").stdout
    if command != "completion":
        assert "Exit status:" in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(sidl, shell):
    script = sidl("completion", shell).stdout
    assert all(command in script for command in COMMANDS)
    assert "max-message" in script
    sidl("completion", "tcsh", status=2)


def test_completion_in_bash(sidl, run):
    script = sidl("completion", "bash").stdout
    ask = "COMP_WORDS=({}); COMP_CWORD={}; _sidl; echo ${{COMPREPLY[@]}}"
    commands = [ask.format("sidl in", 1), ask.format("sidl ping --co", 2)]
    done = run(["bash", "-c", "\n".join([script, *commands])])
    assert done.stdout == "inspect\n--count\n"
