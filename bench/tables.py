"""Puts tables into a page between two marks; the words around them are a reader's."""

import os
import platform
import sys
import time

END = "<!-- end of tables -->"


def put(path, command, text):
    """Replaces what is between `<!-- tables: command -->` and the end mark."""
    mark = f"<!-- tables: {command} -->"
    before, begin, rest = path.read_text().partition(mark)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"bench: {path} has no place for tables: a line {mark} and a line {END}")
    facts = f"{platform.system()}, {len(os.sched_getaffinity(0))} cores"
    facts += f", {time.strftime('%Y-%m-%d')}, load {os.getloadavg()[2]:.1f} on average"
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    path.write_text(f"{before}{begin}\n\n```\n{facts}\n\n{lines}\n```\n\n{end}{after}")
