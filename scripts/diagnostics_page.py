#!/usr/bin/env python3
"""Writes docs/diagnostics.md: every error code with an example, from what the tests hold already.

Codes, severities and summaries come from compiler/diagnostics/codes.def, examples from the pairs in
tests/errors. `diagnostics_page.py --check` only says whether the page is up to date.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/diagnostics.md"
CODES = ROOT / "compiler/diagnostics/codes.def"
PAIRS = ROOT / "tests/errors"

HEAD = """# What sidlc complains about

Every message of `sidlc` ends in a code: `[SIDL0401]`. This page shows each code with an example and
what is said about it. `sidlc --explain SIDL0401` prints the summary.

This page is written by `scripts/diagnostics_page.py`.
"""

ELSEWHERE = "It is about files rather than text, so there is no example here.\n"
MAX_LINES = 24
MAX_WIDTH = 110


def sections():
    """(heading, [(number, name, severity, summary)…]) in the order of the table."""
    result = []
    for line in CODES.read_text().splitlines():
        comment = re.match(r"^// (.+)$", line)
        code = re.match(r'^SIDL_CODE\((\w+), (\d+), (\w+), "(.*)"\)$', line)
        if comment:
            result.append((comment.group(1), []))
        elif code:
            name, number, severity, summary = code.groups()
            result[-1][1].append((int(number), name, severity.lower(), summary))
    return [(heading, codes) for heading, codes in result if codes]


def visible(data):
    """The text of a file, what cannot be shown as \\xNN, long lines and texts cut."""
    text = "".join(
        c if c == "\n" or c.isprintable() else "".join(f"\\x{byte:02x}" for byte in encoded(c))
        for c in data.decode(errors="surrogateescape").replace("\t", "    ")
    )
    lines = [
        line if len(line) <= MAX_WIDTH else line[: MAX_WIDTH - 1] + "…"
        for line in text.rstrip("\n").split("\n")
    ]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], "…"]
    return "\n".join(line.rstrip() for line in lines)


def encoded(character):
    return character.encode(errors="surrogateescape")


def messages(text):
    """The diagnostics of an .err file, each with its lines."""
    result = []
    for line in text.splitlines():
        if re.search(r": (error|warning): .*\[SIDL\d{4}\]$", line):
            result.append([])
        if result:
            result[-1].append(line)
    return result


def examples():
    """For each code the file named after it, or the shortest that shows it: (source, message)."""
    names = {number: name for _, codes in sections() for number, name, _, _ in codes}
    found = {}
    for path in sorted(PAIRS.glob("*.sidl")):
        source = path.read_bytes()
        expected = path.with_suffix(".err")
        for lines in messages(expected.read_text(errors="surrogateescape")):
            code = int(re.search(r"\[SIDL(\d{4})\]$", lines[0]).group(1))
            message = "\n".join(lines).encode(errors="surrogateescape")
            rank = (path.stem != names[code], len(source))
            if code not in found or rank < found[code][0]:
                found[code] = (rank, source, message)
    return {code: (source, message) for code, (_, source, message) in found.items()}


def page():
    shown = examples()
    parts = [HEAD]
    for heading, codes in sections():
        parts.append(f"\n## {heading}\n")
        for number, name, severity, summary in codes:
            parts.append(f"\n### SIDL{number:04} {name}\n")
            kind = "An error." if severity == "error" else "A warning."
            parts.append(f"\n{summary} {kind}\n")
            if number not in shown:
                parts.append(f"\n{ELSEWHERE}")
                continue
            source, message = shown[number]
            parts.append(f"\n```\n{visible(source)}\n```\n\n```\n{visible(message)}\n```\n")
    return "".join(parts)


def main():
    text = page()
    current = PAGE.read_text() if PAGE.exists() else ""
    if "--check" in sys.argv[1:]:
        if text != current:
            sys.exit(f"{PAGE.relative_to(ROOT)} is stale: run scripts/diagnostics_page.py")
    elif text != current:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
