"""Every promise of docs/threat-model.md names what shows it, and that exists."""

import re

import pytest


def promises(root):
    """The numbered properties: their texts."""
    page = (root / "docs" / "threat-model.md").read_text()
    section = page.split("## What holds\n")[1].split("\n## ")[0]
    return re.findall(r"^\d+\. (.*?)(?=^\d+\. |^### |\Z)", section, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def sources(root):
    """Name and text of each file of tests."""
    files = [*(root / "tests").rglob("*.py"), *(root / "tests").rglob("*_test.cpp")]
    return {path.name: path.read_text() for path in files}


def is_there(name, sources):
    if name in sources:
        return True
    if "." in name:
        suite, test = name.split(".")
        wanted = rf"TEST(_F|_P)?\({suite}, {test}\)"
    else:
        wanted = rf"def {name}\("
    return any(re.search(wanted, text) for text in sources.values())


def test_each_promise_has_its_tests(root, sources):
    found = promises(root)
    assert len(found) >= 15
    for text in found:
        brackets = re.search(r"\[([^\]]*)\]\s*\Z", text.strip())
        assert brackets, text
        names = re.findall(r"`([^`]+)`", brackets[1])
        assert names, text
        for name in names:
            assert is_there(name, sources), name
