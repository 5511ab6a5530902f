"""docs/editors: the highlighting knows the words of the grammar, and every file is well formed."""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs/editors/vscode"
WORDS = re.compile(r"^\\b\(\?:([a-z|-]+)\)\(\?!\[\\w-\]\)$")


@pytest.fixture
def textmate():
    return json.loads((FOLDER / "sidl.tmLanguage.json").read_text())


def rules(node):
    """Every pattern of the grammar, however deep."""
    if isinstance(node, dict):
        if "match" in node or "begin" in node:
            yield node
        for value in node.values():
            yield from rules(value)
    elif isinstance(node, list):
        for value in node:
            yield from rules(value)


def lists_of_words(textmate):
    found = {}
    for rule in rules(textmate["repository"]["keywords"]):
        for word in WORDS.match(rule["match"]).group(1).split("|"):
            assert word not in found
            found[word] = rule
    return found


def test_the_words_are_those_of_the_grammar(textmate, root):
    grammar = (root / "grammar/Sidl.g4").read_text()
    words = re.findall(r"^[A-Z_]+ : '([a-z][a-z-]+)' ;$", grammar, re.MULTILINE)
    assert len(words) > 50
    assert set(lists_of_words(textmate)) == set(words)


def test_words_are_matched_as_a_whole(textmate):
    for word, rule in lists_of_words(textmate).items():
        expression = re.compile(rule["match"])
        assert expression.match(word).group() == word
        for other in (word + "s", word + "_", word + "-all"):
            found = expression.match(other)
            assert found is None or found.group() == other


def test_expressions_are_valid(textmate):
    count = 0
    for rule in rules(textmate):
        for key in ("match", "begin", "end"):
            if key in rule:
                re.compile(rule[key])
                count += 1
    assert count > 20


def test_includes_lead_somewhere(textmate):
    text = json.dumps(textmate)
    used = set(re.findall(r'"include": "#(\w+)"', text))
    assert used == set(textmate["repository"])


@pytest.mark.parametrize(
    "rule, text, groups",
    [
        ("versions", "version 1.2.3;", ["version", "1.2.3"]),
        ("methods", "solve[Raw](in int a)", ["solve", "[", "Raw", "]"]),
        ("methods", "solve (in int a)", ["solve", None, None, None]),
        ("attributes", '%attrib{a = "b"}', ["%attrib", "{"]),
    ],
)
def test_what_rules_find(rule, text, groups, textmate):
    rule = textmate["repository"][rule]
    assert list(re.match(rule.get("match", rule.get("begin")), text).groups()) == groups


@pytest.mark.parametrize("number", ["1", "0x1fL", "1.5", "1.", ".5e-3", "1e10", "2.5f", "3d"])
def test_numbers(number, textmate):
    assert re.match(textmate["repository"]["numbers"]["match"], number).group() == number


def test_the_extension_is_complete():
    package = json.loads((FOLDER / "package.json").read_text())
    (language,) = package["contributes"]["languages"]
    (grammar,) = package["contributes"]["grammars"]
    assert language["extensions"] == [".sidl"]
    assert grammar["language"] == language["id"]
    for path in (language["configuration"], grammar["path"]):
        json.loads((FOLDER / path).read_text())
    configuration = json.loads((FOLDER / language["configuration"]).read_text())
    for rule in configuration["onEnterRules"]:
        re.compile(rule["beforeText"])


def test_the_problem_matcher_reads_messages(sidlc, run, tmp_path):
    text = (FOLDER / "README.md").read_text()
    task = json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL).group(1))["tasks"][0]
    (tmp_path / "a.sidl").write_text("package a version 1.0 {\n  class C extends D {}\n}\n")
    done = run([sidlc, "--check", "a.sidl"], status=1, cwd=tmp_path)
    found = re.search(task["problemMatcher"]["pattern"]["regexp"], done.stderr, re.MULTILINE)
    assert found.groups()[:4] == ("a.sidl", "2", "19", "error")
    assert found.group(6) == "SIDL0401"
