"""The examples of docs/sidl-tool.md do what the page says."""

import re
import subprocess

import pytest

PORT = "4711"


def commands(root):
    """(command, the lines that it prints) for each example of the page."""
    text = (root / "docs/sidl-tool.md").read_text()
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def as_pattern(output):
    """Times and ids are others every time; "…" on a line of its own stands for any lines."""
    pattern = ""
    for line in output.splitlines():
        exact = re.sub(r"\d+(?=\\ us)", r"\\d+", re.escape(line))
        pattern += "(?s:.*)" if line == "…" else exact + "\n"
    return pattern


def test_examples(root, server, sidl_tool):
    examples = list(commands(root))
    assert len(examples) > 12
    port = str(server.ports[0])
    for command, output in examples:
        if command.startswith("sidl serve"):
            continue
        command = command.replace(PORT, port).replace("sidl ", f"{sidl_tool} ", 1)
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
        )
        expected = as_pattern(output.replace(PORT, port))
        assert re.fullmatch(expected, done.stdout + done.stderr), (command, done)


@pytest.mark.parametrize("option", ["serve", "inspect", "call", "ping"])
def test_options_of_the_page_exist(root, sidl, option):
    text = (root / "docs/sidl-tool.md").read_text()
    section = text.split(f"## sidl {option}")[1].split("\n## ")[0]
    known = sidl(option, "--help").stdout
    for word in set(re.findall(r"`(--[a-z-]+)", section)):
        assert word in known


def test_interface_of_the_page(root):
    """What the page shows of the interface is in the file, but for comments and layout."""
    block = re.search(
        r"^```sidl\n(.*?)^```", (root / "docs/sidl-tool.md").read_text(), re.M | re.S
    )[1]
    source = re.sub(r"/\*.*?\*/", "", (root / "tests/tools/draw.sidl").read_text(), flags=re.S)
    words = " ".join(source.split())
    for line in block.splitlines()[1:-2]:
        text = " ".join(line.split()).strip("… }")
        for piece in re.split(r"(?<=;)\s|(?<=\{)\s", text):
            assert piece in words, piece
