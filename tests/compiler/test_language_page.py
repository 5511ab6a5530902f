"""Every example of docs/language.md compiles without a complaint."""

import re

import pytest


def examples(root):
    return re.findall(r"^```sidl\n(.*?)^```", (root / "docs/language.md").read_text(), re.M | re.S)


def test_examples_compile(root, sidlc, run, tmp_path):
    blocks = examples(root)
    assert len(blocks) > 8
    for number, block in enumerate(blocks):
        file = tmp_path / f"example{number}.sidl"
        file.write_text(block)
        assert run([sidlc, "--check", file]).stderr == ""


@pytest.mark.parametrize("folder", ["examples", "runtime", "protocols"])
def test_shipped_interfaces_compile(folder, root, sidlc, run):
    files = sorted((root / folder).rglob("*.sidl"))
    assert files
    for file in files:
        around = [f"--include={each}" for each in sorted(file.parent.parent.glob("*.sidl"))]
        assert run([sidlc, "--check", *around, file]).stderr == ""
