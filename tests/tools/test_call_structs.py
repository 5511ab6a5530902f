"""`sidl call` and `sidl inspect` with arrays of structs."""

import json

import pytest

LINE = {
    "label": "a",
    "color": "red",
    "first": {"x": 1.0, "y": 2.0},
    "last": {"x": 3.0, "y": 4.0},
    "dashes": [1, 2],
}


def dot(i):
    return {
        "seen": i % 2 == 1,
        "tag": "ÿ",
        "charge": -i,
        "id": 1 << 62,
        "mass": 0.5,
        "spin": [1.0, -2.0],
        "phase": [float(i), "inf"],
        "color": "blue",
        "at": {"x": 1.5 * i, "y": "-inf"},
    }


def sheet(i):
    return {
        "dot": dot(i),
        "name": f"sheet {i}",
        "shape": None,
        "dots": [dot(k) for k in range(i)] if i else None,
        "n": i,
        "weights": [0.5 * k for k in range(i)],
    }


def points(rows, columns):
    return [[{"x": 1.0 * i, "y": 10.0 * j} for j in range(columns)] for i in range(rows)]


@pytest.mark.parametrize("order", ["row-major", "column-major"])
@pytest.mark.parametrize("lower", [[0, 0], [-1, 5_000_000_000]])
def test_points(answer, order, lower):
    given = {"lower": lower, "order": order, "data": points(2, 3)}
    lines = [{**LINE, "label": label} for label in "abc"]
    got = answer("board", "mirror", json.dumps(given), json.dumps(lines))
    data = [[{"x": each["y"], "y": each["x"]} for each in row] for row in points(2, 3)]
    assert got["result"] == ({"lower": lower, "data": data} if any(lower) else data)
    assert got["out"]["lines"] == [{**LINE, "label": label} for label in "bca"]


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("dots", [dot(i) for i in range(5)]),
        ("dots", {"lower": [7], "data": [dot(0)]}),
        ("dots", []),
        ("dots", None),
        ("sheets", [sheet(i) for i in range(4)]),
        ("sheets", {"lower": [-3], "data": [sheet(1)]}),
        ("sheets", []),
        ("sheets", None),
    ],
)
def test_values_come_back(answer, method, value):
    assert answer("board", method, json.dumps(value))["result"] == value


def test_empty_ones_of_two_dimensions(answer):
    assert answer("board", "mirror", "[[], []]", "[]") == {"result": [[], []], "out": {"lines": []}}


def test_objects_in_structs(start, sidl):
    server = start("--publish", "square=draw.Square")
    given = [sheet(0), {**sheet(1), "shape": f"{server.url}/square"}]
    done = sidl("call", f"{server.url}/board", "sheets", json.dumps(given))
    result = json.loads(done.stdout)["result"]
    assert result[1]["shape"].startswith(server.url)
    assert result == [sheet(0), {**sheet(1), "shape": result[1]["shape"]}]


@pytest.mark.parametrize(
    ("method", "value", "message"),
    [
        ("dots", 1, "argument 'a': array<draw.Dot> must be a JSON list, nested 1 deep"),
        ("dots", [1], "argument 'a'[0]: draw.Dot must be a JSON object: {\"seen\": …}"),
        ("dots", [dot(0), {}], "argument 'a'[1].seen is missing: bool"),
        (
            "dots",
            [{**dot(0), "mas": 1}],
            "'a'[0]: draw.Dot has no member 'mas' (did you mean 'mass'?)",
        ),
        ("dots", [{**dot(0), "charge": 1 << 31}], "argument 'a'[0].charge: "),
        ("dots", [{**dot(0), "at": {"x": 1, "y": "up"}}], "argument 'a'[0].at.y: "),
        ("dots", [{**dot(0), "color": "pink"}], "argument 'a'[0].color: "),
        ("sheets", [sheet(0), {**sheet(1), "name": 1}], "argument 'a'[1].name: "),
        ("sheets", [{**sheet(1), "dot": {}}], "argument 'a'[0].dot.seen is missing: bool"),
        (
            "sheets",
            [{**sheet(1), "dots": [dot(0), 2]}],
            "argument 'a'[0].dots[1]: draw.Dot must be",
        ),
    ],
)
def test_wrong_values(server, sidl, method, value, message):
    words = ("call", f"{server.url}/board", method, json.dumps(value))
    assert message in sidl(*words, status=2).stderr


def test_types_of_elements_are_described(server, sidl):
    text = sidl("inspect", server.url, "draw.Board").stdout
    assert "array<draw.Sheet> sheets(in array<draw.Sheet> a);" in text
    assert "struct draw.Dot {\n  bool seen;\n" in text
    assert text.index("struct draw.Dot") < text.index("struct draw.Sheet")
