"""Measures no-op calls and echoes of doubles by size, over each transport beside raw messages.

The rows are those of run.py, alone, and the calls of 16 threads. Writes transports.csv and draws
transports.png: microseconds and MB/s by bytes, for each transport and what is beside it.
"""

import argparse
import csv
import os
from pathlib import Path

from run import (
    HERE,
    TRANSPORTS,
    Report,
    build,
    built_transports,
    measure_beside_plain,
    measure_calls,
    measure_remote,
    table_rates,
    table_remote,
)

COMMAND = "make bench-transports BENCH_ARGS=--results"
SIZED = (".noop", ".echo_double.")
COLUMNS = ("placement", "transport", "bytes", "us", "raw_us", "mb_per_s", "raw_mb_per_s", "ratio")


def points(rows):
    """What is drawn: a line of the CSV for each size, transport and placement."""
    for row in rows:
        transport, _, *n = row["name"].removesuffix(".spread").split(".")
        us, raw_us = row["value"], row["yardstick"]
        speeds = (row.get("mb_per_s", 0), row.get("yardstick_mb_per_s", 0))
        size = 8 * int(n[0]) if n else 0
        yield (row["placement"], transport, size, us, raw_us, *speeds, row["ratio"])


def write_csv(rows, path):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(points(rows))


def draw(rows, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    found = [dict(zip(COLUMNS, point)) for point in points(rows)]
    placements = list(dict.fromkeys(each["placement"] for each in found))
    extent = (12, 4.5 * len(placements))
    figure, axes = pyplot.subplots(len(placements), 2, figsize=extent, squeeze=False)
    for placement, pair in zip(placements, axes):
        for i, transport in enumerate(TRANSPORTS):
            line = [
                each
                for each in found
                if each["placement"] == placement and each["transport"] == transport
            ]
            for axis, what, least in zip(pair, ("us", "mb_per_s"), (0, 1)):
                chosen = [each for each in line if each["bytes"] >= least]
                sizes = [max(each["bytes"], 1) for each in chosen]  # nothing is drawn at 1 byte
                for prefix, style in (("", "o-"), ("raw_", ":")):
                    values = [each[prefix + what] for each in chosen]
                    label = f"{transport}{', raw' if prefix else ''}"
                    axis.plot(sizes, values, style, color=f"C{i}", markersize=3, label=label)
        for axis, unit in zip(pair, ("us", "MB/s")):
            axis.set_xscale("log", base=2)
            axis.set_yscale("log")
            axis.set_xlabel("bytes, each way")
            axis.set_title(f"{unit}, {placement}")
            axis.grid(alpha=0.3)
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=90)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--stage", type=Path, required=True, help="an installation of Shinar")
    parser.add_argument("--work", type=Path, required=True, help="folder to build in")
    parser.add_argument("--only", nargs="*", choices=TRANSPORTS, help="these transports")
    parser.add_argument("--repeats", type=int, default=5, help="of each workload")
    parser.add_argument("--seconds", type=float, default=0.2, help="of a sample")
    parser.add_argument("--largest", type=int, default=4 << 20, help="doubles in an array")
    parser.add_argument("--quick", action="store_true", help="that it runs")
    parser.add_argument("--results", action="store_true", help="into RESULTS.md and this folder")
    options = parser.parse_args()
    if options.quick:
        options.repeats, options.seconds, options.largest = 1, 0.005, 1024

    stage, work = options.stage.resolve(), options.work.resolve()
    build(stage, work, options.quick)
    cores = sorted(os.sched_getaffinity(0))
    placements = {"same": (cores[-1], cores[-1])}
    if len(cores) > 1:
        placements["spread"] = (cores[0], cores[-1])
    rows, report = [], Report()
    for transport in options.only or built_transports(stage, work):
        for placement, pair in placements.items():
            found = measure_remote(stage, work, transport, placement, pair, options)
            found = [row for row in found if any(sized in row["name"] for sized in SIZED)]
            beside = []
            if transport == "tls":
                beside = measure_beside_plain(stage, work, placement, pair, options)
            report.show(table_remote(found + beside, transport, placement))
            rows += found
        if transport == "shm":
            rates = []
            for placement, pair in placements.items():
                rates += measure_calls(stage, work, transport, placement, pair, options)
            report.show(table_rates(rates))
    folder = HERE if options.results else work
    write_csv(rows, folder / "transports.csv")
    draw(rows, folder / "transports.png")
    print(f"drawn in {os.path.relpath(folder / 'transports.png')}")
    if options.results:
        report.write(HERE / "RESULTS.md", COMMAND)


if __name__ == "__main__":
    main()
