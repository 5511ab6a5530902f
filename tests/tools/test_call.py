"""`sidl call`: every type in every mode, and what wrong words lead to."""

import json
import os
import shutil
import subprocess

import pytest

LINE = {
    "label": "a",
    "color": "red",
    "first": {"x": 0.0, "y": 0.0},
    "last": {"x": 3.0, "y": 4.0},
    "dashes": [1, 2],
}
LONGER = {**LINE, "last": {"x": 6.0, "y": 8.0}}

# ---- single values: wire.Box.basics changes each of them a little --------------------------------

BASICS = {
    "b": "true",
    "c": "x",
    "i": "-5",
    "l": "123456789012",
    "f": "0.1",
    "d": "2.5",
    "fc": "1,2",
    "dc": "[3, -4]",
    "s": "hello",
    "e": "green",
}


@pytest.mark.parametrize(
    ("name", "word", "expected"),
    [
        ("b", "true", False),
        ("b", "0", True),
        ("c", "x", "y"),
        ("c", "~", "\x7f"),
        ("i", "-5", -4),
        ("i", "0x10", 17),
        ("i", "010", 11),
        ("i", "-2147483648", -2147483647),
        ("l", "9007199254740993", 9007199254740994),
        ("f", "0.1", 1.1),
        ("f", "-inf", "-inf"),
        ("d", "2.5", 3.5),
        ("d", "1e300", 1e300),
        ("d", "nan", "nan"),
        ("fc", "1,2", [2.0, 4.0]),
        ("fc", "1", [2.0, 2.0]),
        ("dc", "[3, -4]", [4.0, -2.0]),
        ("dc", '["inf", 0]', ["inf", 2.0]),
        ("s", "", "!"),
        ("s", "-x 'quoted' ünïcode\n", "-x 'quoted' ünïcode\n!"),
        ("s", "@@home", "@home!"),
        ("e", "green", "blue"),
        ("e", "2", "blue"),
    ],
)
def test_value(answer, name, word, expected):
    words = [word if key == name else other for key, other in BASICS.items()]
    assert answer("box", "basics", *words)["out"][name] == expected


@pytest.mark.parametrize(
    ("name", "word", "message"),
    [
        ("b", "yes", "'yes' is not a bool"),
        ("c", "xy", '"xy" is not a char'),
        ("i", "1.5", "'1.5' is not an integer"),
        ("i", "2147483648", "2147483648 is out of the range of int, -2147483648 to 2147483647"),
        ("l", "9223372036854775808", "is not a 64-bit integer"),
        ("f", "1e39", "is not a float"),
        ("d", "2,5", "'2,5' is not a number"),
        ("d", "", "an empty text is not a double"),
        ("fc", "[1]", "is not a complex number"),
        ("fc", "1,i", "'i' is not a number"),
        (
            "e",
            "gren",
            "not an enumerator of wire.Color (did you mean 'green'?); the enumerators are: red",
        ),
        ("s", "@/no/such/file", "cannot read the file '/no/such/file': No such file or directory"),
        ("s", "@/dev/zero", "the file '/dev/zero' is larger than 128 MiB"),
        ("s", "@/", "cannot read the file '/': Is a directory"),
    ],
)
def test_wrong_value(server, sidl, name, word, message):
    words = [word if key == name else other for key, other in BASICS.items()]
    done = sidl("call", f"{server.url}/box", "basics", *words, status=2)
    assert message in done.stderr
    assert "void basics(inout bool b" in done.stderr
    assert done.stdout == ""


@pytest.fixture(scope="module")
def decimal_comma(tmp_path_factory):
    """The environment in which a program is led into a locale with a decimal comma."""
    folder = tmp_path_factory.mktemp("locale")
    make = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
    if shutil.which("localedef") is None or subprocess.run(make, check=False).returncode != 0:
        pytest.skip("no locale can be made here")
    source, library = folder / "comma.c", folder / "comma.so"
    source.write_text(
        "#include <locale.h>\n"
        "#include <stdio.h>\n"
        "__attribute__((constructor)) static void begin(void) {\n"
        '  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) perror("no locale");\n'
        "}\n"
    )
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    return {**os.environ, "LOCPATH": str(folder), "LD_PRELOAD": str(library)}


def test_numbers_have_a_point_in_every_locale(answer, decimal_comma):
    words = list({**BASICS, "d": "2.5", "f": "0.25", "dc": "1.5,-4.5"}.values())
    got = answer("box", "basics", *words, env=decimal_comma)
    assert (got["out"]["d"], got["out"]["f"], got["out"]["dc"]) == (3.5, 1.25, [2.5, -2.5])


@pytest.mark.parametrize("count", [511, 512, 4000, 100_000])
def test_large_array(answer, count):
    """What is too large to be copied into the message is sent after the tool has let go of it. All
    arrays of these tests had been small."""
    values = [float(i) for i in range(count)]
    filled = {**os.environ, "MALLOC_PERTURB_": "165"}  # what is freed
    got = answer("box", "doubles", "-", input=json.dumps(values), env=filled)
    assert got["result"] == values


# ---- structs, arrays, objects --------------------------------------------------------------------


def test_struct(answer):
    before = json.dumps(LINE)
    assert answer("board", "stretch", before, 2, before) == {
        "result": LONGER,
        "out": {"old": LINE, "other": LONGER},
    }


@pytest.mark.parametrize(
    ("method", "value", "expected"),
    [
        ("bools", [True, False], None),
        ("chars", ["a", "ÿ"], None),
        ("ints", [1, -2], None),
        ("longs", [1 << 62], None),
        ("floats", [0.1, "-inf"], None),
        ("doubles", [], None),
        ("fcomplexes", [[1.0, 2.0]], None),
        ("dcomplexes", [[1.0, "nan"]], None),
        ("strings", ["", "a b", "ü"], None),
        ("matrix", [[1.0, 2.0], [3.0, 4.0]], None),
        ("doubles", None, None),
        ("doubles", {"lower": [-1], "data": [1.0, 2.0]}, None),
        ("doubles", {"lower": [1 << 62], "data": [1.0]}, None),
        ("matrix", {"lower": [1, 1], "data": [[1.0]]}, None),
        ("matrix", {"order": "column-major", "data": [[1.0, 2.0]]}, [[1.0, 2.0]]),
        ("matrix", [[], []], None),
    ],
)
def test_array(answer, method, value, expected):
    result = answer("box", method, json.dumps(value))["result"]
    assert result == answer("box", method, json.dumps(result))["result"]
    if method in ("matrix", "doubles", "strings", "longs"):
        assert result == (value if expected is None else expected)


@pytest.mark.parametrize(
    ("method", "words", "expected"),
    [
        (
            "mix",
            [["red", "blue"], ["red", 4, 2]],
            {
                "result": ["red", "blue"],
                "out": {"o": ["red", "blue"], "io": ["green", "red", "blue"]},
            },
        ),
        ("mix", [None, None], {"result": None, "out": {"o": None, "io": None}}),
        ("transpose", [[[1, 2, 3], [4, 5, 6]]], {"result": [[1, 4], [2, 5], [3, 6]]}),
        ("layout", [[[[1], [2]], [[3], [4]]]], {"result": "rows"}),
        (
            "layout",
            [{"order": "column-major", "data": [[[1, 2], [2, 3]], [[3, 4], [5, 6]]]}],
            {"result": "columns"},
        ),
        ("columns", [[[1, 2], [3, 4]]], {"result": [[1, 2], [3, 4]]}),
        (
            "weigh",
            [{"n": 3, "weights": [1, 2, 3]}],
            {"result": 6, "out": {"mesh": {"n": 3, "weights": [2, 4, 6]}}},
        ),
        ("sums", [[[1, 2], [3, 4], [5, 6]], 3, 2, [0, 0]], {"result": 21, "out": {"b": [9, 12]}}),
        ("reversed", [None], {"result": []}),
        ("reversed", [[None, None, None]], {"result": [None, None, None]}),
        ("sameShape", [None], {"result": None}),
    ],
)
def test_declared_arrays(answer, method, words, expected):
    words = [json.dumps(word) for word in words]
    assert answer("board", method, *words) == expected


@pytest.mark.parametrize(
    "value",
    [
        {"type": "double", "data": [[1.5, 2], [3, 4]]},
        {"type": "bool", "data": [True]},
        {"type": "char", "data": ["a"]},
        {"type": "int", "lower": [4], "data": [1]},
        {"type": "long", "data": [[[1]]]},
        {"type": "float", "data": [0.5]},
        {"type": "fcomplex", "data": [[1, 2], [3, 4]]},
        {"type": "dcomplex", "lower": [0, 5], "data": [[[1, 2], [3, -4]]]},
        {"type": "dcomplex", "data": []},
        {"type": "string", "data": ["a", "b"]},
        {"type": "interface", "data": [[None]]},
        {"type": "draw.Point", "data": [{"x": 1.5, "y": -2.0}, {"x": 0.0, "y": 1.0}]},
        {"type": "draw.Point", "lower": [7], "data": []},
        None,
    ],
)
def test_array_of_any_type(answer, value):
    result = answer("board", "same", json.dumps(value), '{"type": "string", "data": []}')
    assert result == {"result": value, "out": {"io": {"type": "int", "data": []}}}


def test_a_pair_is_no_dimension(answer):
    with pytest.raises(pytest.fail.Exception, match=r"'data' must be a list of pairs \[re, im\]"):
        answer("board", "same", json.dumps({"type": "dcomplex", "data": [1.0, 2.0]}), "null")


def test_objects_go_by_url(server, answer):
    urls = answer("board", "grid", 2, 3)["result"]
    assert [len(row) for row in urls] == [3, 3]
    assert len({url for row in urls for url in row}) == 6
    box = f"{server.url}/box"
    assert answer("box", "isMe", box)["result"] is True
    assert answer("box", "isMe", "null")["result"] is False


def test_order_of_objects(server, sidl, sidl_tool):
    """Held objects can be named in the next call, row by row as they came."""
    command = [sidl_tool, "call", "--compact", "--hold", f"{server.url}/board", "grid", "2", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            urls = json.loads(holder.stdout.readline())["result"]
            area = sidl("call", f"{server.url}/board", "area", json.dumps(urls)).stdout
            sides = [[1, 2, 3], [3, 4, 5]]
            expected = sum((i + 1) * side**2 for i, row in enumerate(sides) for side in row)
            assert json.loads(area) == {"result": expected}
        finally:
            holder.terminate()
        assert holder.wait(timeout=10) == 0
    sidl("call", urls[0][0], "area", status=1)


def test_created_object(server, sidl):
    done = sidl("call", "--create", "draw.Square", server.url, "area")
    assert json.loads(done.stdout) == {"result": 0}


def test_values_from_files(server, sidl, tmp_path):
    path = tmp_path / "value.json"
    path.write_text("[[1, 2],\n [3, 4]]\n")
    words = ["call", "--compact", f"{server.url}/board"]
    assert sidl(*words, "transpose", f"@{path}").stdout == '{"result":[[1.0,3.0],[2.0,4.0]]}\n'
    assert sidl(*words, "add", "-", "2", input=" 40\n").stdout == '{"result":42}\n'


def test_oneway(answer):
    assert answer("board", "wipe") == {}


def test_layout_of_the_answer(server, sidl):
    done = sidl("call", f"{server.url}/board", "transpose", "[[1, 2], [3, 4]]")
    assert done.stdout == '{\n  "result": [\n    [1.0, 3.0],\n    [2.0, 4.0]\n  ]\n}\n'


def test_methods_of_one_name(server, sidl, answer):
    """wire.Box has one method `read` of each of two interfaces."""
    done = sidl("call", f"{server.url}/box", "read", "1", status=2)
    assert "specify one of: wire.Meter.read wire.Gauge.read" in done.stderr
    assert isinstance(answer("box", "wire.Meter.read", 1)["result"], int)
    assert isinstance(answer("box", "wire.Gauge.read", 1)["result"], float)


# ---- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["ad", "1", "2"],
            "draw.Board has no method 'ad' (did you mean 'add'?)\n  int add(in int a",
        ),
        (["nothingLikeIt"], "draw.Board has no method 'nothingLikeIt'\n  int add("),
        (["add", "1"], "add takes 2 arguments, not 1\n  int add(in int a, in int b)"),
        (["add", "1", "2", "3"], "add takes 2 arguments, not 3"),
        (["memory"], "draw.Board.memory is local: it cannot be called from another process"),
        (["transpose", "[[1], [2, 3]]"], "argument 'a'[1] must be a list of 1, like the others"),
        (["transpose", "[[1], 2]"], "argument 'a'[1] must be a list of 1"),
        (["transpose", "[1]"], "array<double,2> must be a JSON list, nested 2 deep"),
        (["transpose", "[[[1]]]"], "argument 'a'[0][0]: a list is not a number"),
        (["transpose", "[[1]"], "a value of type array<double,2> must be JSON"),
        (["transpose", "@"], "cannot read the file ''"),
        (["transpose", "[" * 100000], "must be JSON"),
        (["transpose", "[" * 50000 + "]" * 50000], "it is JSON nested more than 1024 deep"),
        (["transpose", '{"data": [[1]], "lowr": [0, 0]}'], "no 'lowr' (did you mean 'lower'?)"),
        (["transpose", '{"lower": [0, 0]}'], "must have its elements in 'data'"),
        (
            ["transpose", '{"lower": [0], "data": [[1]]}'],
            "'lower' has 1 numbers, but the array has 2",
        ),
        (
            ["transpose", '{"lower": [4611686018427387904, 0], "data": [[1], [1]]}'],
            "no array of this length begins at 4611686018427387904",
        ),
        (
            ["transpose", '{"lower": [4611686018427387905, 0], "data": [[1]]}'],
            "no array of this length begins at 4611686018427387905",
        ),
        (
            ["transpose", '{"lower": [-4611686018427387904, 0], "data": []}'],
            "no array of this length begins at -4611686018427387904",
        ),
        (["transpose", '{"order": "row", "data": []}'], "'order' must be \"row-major\" or"),
        (["columns", "[[1.5]]"], "argument 'a'[0][0]: 1.5 is not an int"),
        (["columns", "[[18446744073709551615]]"], "out of the range of int"),
        (["mix", '["pink"]', "[]"], "argument 'a'[0]: 'pink' is not an enumerator of draw.Color"),
        (["mix", "[null]", "[]"], "argument 'a'[0]: null is not a draw.Color"),
        (["length", "[]"], 'draw.Line must be a JSON object: {"label": …}'),
        (["length", json.dumps({**LINE, "lable": 1})], "no member 'lable' (did you mean 'label'?)"),
        (["length", '{"label": "a"}'], "argument 'line'.color is missing: draw.Color"),
        (["length", json.dumps({**LINE, "first": {"x": "1", "y": 0}})], "'line'.first.x: \"1\" is"),
        (["length", json.dumps({**LINE, "label": "a\0b"})], "cannot contain NUL characters"),
        (["same", '{"type": "double", "data": 5}', "null"], "'data' must be a list"),
        (
            ["same", '{"type": "real", "data": []}', "null"],
            "'type' must be the type of the elements",
        ),
        (["same", "[1]", "null"], 'array<> must be written as {"type": "double", "data": [...]}'),
        (["reversed", "[1]"], "argument 'shapes'[0]: an object must be a URL or null"),
    ],
)
def test_wrong_words(server, sidl, words, message):
    done = sidl("call", f"{server.url}/board", *words, status=2)
    assert done.stderr.startswith("sidl: ")
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["{url}", "add"],
            "specify one of its objects, or --create CLASS; it publishes board, box",
        ),
        (["--create", "draw.Squar", "{url}", "area"], "(did you mean 'draw.Square'?)"),
        (["--create", "draw.Square", "{url}/board", "area"], "names an object"),
        (["{url}/board"], "missing METHOD"),
        (["--timeout", "0", "{url}/board", "add"], "--timeout"),
        ([], "URL is required"),
    ],
)
def test_wrong_target(server, sidl, words, message):
    done = sidl("call", *[word.format(url=server.url) for word in words], status=2)
    assert message in done.stderr


@pytest.mark.parametrize(
    ("name", "words", "kind", "message"),
    [
        ("box", ["fail", "7"], "sidl.SIDLException", "\n  in wire.Box.fail at"),
        ("nobody", ["add"], "sidl.rmi.ObjectDoesNotExistException", "nobody"),
        ("board", ["weigh", '{"n": 3, "weights": [1]}'], "sidl.CastException", "weights has 1"),
        ("board", ["sameShape", "{url}/box"], "sidl.CastException", "is not a draw.Shape"),
        ("board", ["sameShape", "{url}/nobody"], "sidl.rmi.ObjectDoesNotExistException", "nobody"),
        ("board", ["sameShape", "nonsense"], "sidl.rmi.MalformedURLException", "nonsense"),
        ("board", ["addRef"], "sidl.rmi.ProtocolException", "cannot be called from another"),
    ],
)
def test_exception(server, sidl, name, words, kind, message):
    words = [word.replace("{url}", server.url) for word in words]
    done = sidl("call", f"{server.url}/{name}", *words, status=1)
    assert done.stderr.startswith(kind + ": ")
    assert message in done.stderr
    assert done.stdout == ""


def test_no_server(sidl):
    done = sidl("call", "simhandle://127.0.0.1:1/board", "add", "1", "2", status=1)
    assert done.stderr.startswith("sidl.rmi.ConnectException: ")


def test_timeout(server, sidl):
    done = sidl("call", "--timeout", "0.2", f"{server.url}/box", "wait", "5000", status=1)
    assert done.stderr.startswith("sidl.rmi.TimeOutException: ")


@pytest.mark.parametrize("command", ["call", "inspect", "ping"])
def test_an_answer_that_cannot_be_written_is_an_error(command, server, sidl_tool):
    words = [f"{server.url}/board", "add", "1", "2"] if command == "call" else [server.url]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sidl_tool, command, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "cannot write to standard output" in done.stderr


def test_libraries_of_values(server, sidl, libraries):
    """Nothing is loaded because a server names it, so the user does."""
    url = f"{server.url}/board"
    options = ["--lib", libraries["wire"], "--lib", libraries["draw"], "--compact"]
    assert sidl("call", *options, url, "add", "2", "3").stdout == '{"result":5}\n'
    said = sidl("call", "--lib", "nowhere.so", url, "add", "2", "3", status=1).stderr
    assert "library 'nowhere.so' does not exist" in said
