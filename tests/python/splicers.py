"""Impl files of Python: what is between splicer marks."""

import re

SPLICER = re.compile(
    r"^[ ]*# DO-NOT-DELETE splicer\.begin\((\S+)\)\n(.*?)^[ ]*# DO-NOT-DELETE splicer\.end",
    re.M | re.S,
)


def fill_in(path, blocks):
    """Puts the blocks where they belong in an Impl file; gives the names of those it has."""
    text = path.read_text()
    known = {name for name, _ in SPLICER.findall(text)} & set(blocks)
    for name in known:
        begin = text.index("\n", text.index(f"splicer.begin({name})")) + 1
        end = text.rindex("\n", 0, text.index(f"splicer.end({name})")) + 1
        text = text[:begin] + blocks[name] + text[end:]
    path.write_text(text)
    return known
