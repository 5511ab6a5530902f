"""Measures `sidlc --check` on files of 1,715 to 200,000 lines: user CPU time and peak memory.

    python bench/compiler.py --sidlc build/bin/sidlc --work build/bench

The yardsticks are the targets themselves: 15 ms for 1,715 dense lines, 30 ms for 2,000 and as much
per line for more; 2 KB of memory for a line. Time is the mean of several runs of the whole process,
memory the largest resident set of one, all of it divided by the lines: files under 20,000 lines say
more about the process (about 8 MB) than about the file and have no such row. A picture goes to
compiler.png in the work folder.
"""

import argparse
import os
import resource
import subprocess
from pathlib import Path

from sidl_text import sidl_text
from targets import target

LINES = (1715, 2000, 20_000, 200_000)
QUICK_LINES = LINES[:2]
# A process begins with the resident set of the one that started it, which is as large as this one.
SMALLEST_FOR_MEMORY = 20_000
MS_PER_LINE = 30 / 2000
KB_PER_LINE = 2


def check(sidlc, path, repeats):
    """User CPU time of a run in ms, and its peak memory in KB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    peak = 0
    for _ in range(repeats):
        process = subprocess.Popen([sidlc, "--check", path])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"bench: {sidlc} --check {path} failed")
        peak = max(peak, usage.ru_maxrss)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return 1000 * used / repeats, peak


def measure(sidlc, work, quick=False):
    """Rows of name, value, unit, yardstick and what that is."""
    work.mkdir(parents=True, exist_ok=True)
    rows = []
    times = {}
    for lines in QUICK_LINES if quick else LINES:
        path = work / f"lines{lines}.sidl"
        path.write_text(sidl_text(lines))
        repeats = 3 if quick else max(3, 40_000 // lines)
        ms, peak = check(sidlc, path, repeats)
        times[lines] = ms
        limit = 15 if lines == 1715 else lines * MS_PER_LINE
        name = f"compiler.check.{lines}"
        rows.append((f"{name}.time", round(max(ms, 0.01), 2), "ms", limit, "the target"))
        if lines >= SMALLEST_FOR_MEMORY:
            used = round(peak / lines, 3)
            rows.append((f"{name}.memory", used, "KB/line", KB_PER_LINE, "the target"))
    if not quick:
        tenfold = round(10 * times[20_000], 1)
        whole = round(times[200_000], 1)
        rows.append(("compiler.check.growth", whole, "ms", tenfold, "10 x 20,000 lines"))
        draw(rows, work / "compiler.png")
    return rows


def draw(rows, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4))
    titles = {"time": "sidlc --check: user CPU time, ms", "memory": "peak memory, KB per line"}
    for axis, what in zip(axes, titles):
        found = [row for row in rows if row[0].endswith(what)]
        lines = [int(row[0].split(".")[2]) for row in found]
        axis.plot(lines, [row[1] for row in found], marker="o", label="measured")
        axis.plot(lines, [row[3] for row in found], linestyle="--", label="target")
        axis.set_xscale("log")
        if what == "time":
            axis.set_yscale("log")
        else:
            axis.set_ylim(bottom=0)
        axis.set_xlabel("lines")
        axis.set_title(titles[what])
        axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    print(f"compiler.png: {os.path.relpath(path)}\n")


def table(rows):
    yield "sidlc --check\n"
    yield f"{'row':<36} {'value':>9} {'unit':<8} {'yardstick':>9} {'ratio':>6} {'target':>7}"
    for name, value, unit, yardstick, _ in rows:
        ratio, limit = value / yardstick, target(name)
        limit = f"{limit:>7.2f}" + ("*" if ratio > limit else "")
        yield f"{name:<36} {value:>9.2f} {unit:<8} {yardstick:>9.2f} {ratio:>6.2f} {limit}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sidlc", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder for files and picture")
    parser.add_argument("--quick", action="store_true", help="that it runs, not how fast")
    arguments = parser.parse_args()
    rows = measure(arguments.sidlc.resolve(), arguments.work.resolve(), arguments.quick)
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
