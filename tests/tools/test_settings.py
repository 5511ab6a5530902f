"""Settings that are numbers or switches (runtime/c/include/sidl_settings.def): the environment, the
options of `sidl serve` and the documents agree on them."""

import re

import pytest
from test_serve_options import WELCOME, greet

NUMBER = r"((?:UINT64_C\()?\d+\)?(?: << \d+)?)"
ROW = rf'SIDL_SETTING\((\w+), {NUMBER}, {NUMBER}, {NUMBER}, (\w+), (?:"(\S+)"|NULL),\s*"([^"]+)"\)'
UNITS = {"bytes": ["", " KiB", " MiB", " GiB"], "count": [""]}


def rows(root):
    """name → (standard, lowest, highest, unit, option, about)."""
    text = (root / "runtime/c/include/sidl_settings.def").read_text()
    found = {}
    for name, *numbers, unit, option, about in re.findall(ROW, text):
        values = [int(eval(re.sub(r"UINT64_C\((\d+)\)", r"\1", each))) for each in numbers]
        found[f"SIDL_{name}"] = (*values, unit, option, about)
    assert len(found) == len(re.findall(r"^SIDL_SETTING\(", text, re.M))
    return found


def in_words(value, unit):
    """As the table of the page has it."""
    if unit == "milliseconds":
        return f"{value // 1000} s" if value else "none"
    if unit == "microseconds":
        return f"{value} µs"
    if unit == "flag":
        return "on" if value else "off"
    if unit == "count":
        return "2^48" if value == 2**48 else str(value)
    size = 0
    while value and value % 1024 == 0:
        value, size = value // 1024, size + 1
    return f"{value}{UNITS['bytes'][size]}"


def test_the_page_has_them_all(root):
    page = (root / "docs/simhandle-protocol.md").read_text()
    for name, (standard, _, _, unit, _, _) in rows(root).items():
        cells = re.findall(rf"^\|.*\| ([^|]+) \| {name} \|$", page, re.M)
        assert cells, f"{name} is not in the table of limits"
        assert cells[0].startswith(in_words(standard, unit)), (name, cells)


def test_options_have_them(root, sidl):
    said = sidl("serve", "--help").stdout
    for name, (*_, option, about) in rows(root).items():
        if option:
            assert re.search(rf"^\s*{option} .*\s{re.escape(about)} \({name}\)$", said, re.M), name


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("SIDL_RMI_MEMORY", "64Q", "4k to 1024T, optionally with a unit (k, M, G, T)"),
        ("SIDL_RMI_MEMORY", "4095", "4k to 1024T, optionally with a unit (k, M, G, T)"),
        ("SIDL_RMI_MEMORY", "99999999999999999999", "4k to 1024T"),
        ("SIDL_RMI_MEMORY", "99999999T", "4k to 1024T"),
        ("SIDL_RMI_MAX_CALLS", "4k", "1 to 1048576"),
        ("SIDL_RMI_LEASE_MS", "-1", "0 to 86400000"),
        ("SIDL_RMI_LEASE_MS", "60 s", "0 to 86400000"),
        ("SIDL_RMI_DEADLINE_MS", "soon", "0 to 1099511627776"),
        ("SIDL_SPIN_US", " 5", "0 to 1000000"),
        ("SIDL_RMI_SHM", "no", "on or off"),
    ],
)
def test_what_is_not_understood_is_an_error(start, sidl, monkeypatch, name, value, wanted):
    """It was ignored, without a word."""
    wanted = wanted if name == "SIDL_RMI_SHM" else f"a number from {wanted}"
    complaint = f"the environment variable {name} is '{value}', but must be {wanted}"
    url = start().url
    monkeypatch.setenv(name, value)
    if name != "SIDL_RMI_DEADLINE_MS":  # which it sets by itself
        assert complaint in sidl("inspect", url, status=1).stderr
    assert complaint in sidl("serve", "--publish", "a=sidl.BaseClass", status=1).stderr


@pytest.mark.parametrize("value", ["64k", "64K", "65536"])
def test_units_in_the_environment(start, value):
    """As the options have them."""
    server = start(env={"SIDL_RMI_MAX_INLINE": value, "SIDL_RMI_MEMORY": ""})
    assert WELCOME.unpack(greet(server.ports[0]))[5] == 65536


def test_units_of_options(sidl):
    words = ["serve", "--export", "a.B", "--memory", "64Q"]
    assert "--memory: '64Q' must be a number from 4k to 1024T" in sidl(*words, status=2).stderr
