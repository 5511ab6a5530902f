"""What a rank's share of a redistribution costs (src/mxn.cpp): messages and bytes of one rank as
programs grow to 100,000 ranks, and packing beside copying."""

import argparse
import json
from pathlib import Path

import tables
from run import HERE, build, run


def table_of_growth(rows):
    yield "growth: one rank's share; the array grows with the ranks, 1,000,000 doubles each"
    yield ""
    yield f"{'':<22}{'ranks':>8}{'messages':>10}{'at most':>9}{'MB':>8}{'us to make':>12}"
    for row in rows:
        yield (
            f"{row['pair']:<22}{row['ranks']:>8}{row['messages']:>10.0f}{row['most']:>9.0f}"
            f"{row['bytes'] / 1e6:>8.2f}{row['us']:>12.1f}"
        )


def table_of_packing(rows):
    yield "packing: rank 0 of 4 sends its quarter of 64 MiB to 3 ranks, and gets it back"
    yield ""
    yield f"{'':<22}{'MB':>7}{'pack us':>10}{'beside':>9}{'unpack us':>11}{'beside':>9}"
    for row in rows:
        yield (
            f"{row['pair']:<22}{row['bytes'] / 1e6:>7.1f}{row['pack_us']:>10.0f}"
            f"{row['pack_us'] / row['new_us']:>9.2f}{row['unpack_us']:>11.0f}"
            f"{row['unpack_us'] / row['copy_us']:>9.2f}"
        )
    yield ""
    yield "beside: times a copy of as many bytes, for pack into new memory"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", type=Path, required=True, help="an installation of Shinar")
    parser.add_argument("--work", type=Path, required=True, help="where to build")
    parser.add_argument("--quick", action="store_true", help="only see that it runs")
    parser.add_argument("--results", action="store_true", help="put the tables into RESULTS.md")
    options = parser.parse_args()
    build(options.stage, options.work, options.quick)
    text = run([options.work / "bench_mxn", *(["quick"] if options.quick else [])])
    rows = [json.loads(line) for line in text.splitlines()]
    growth = [row for row in rows if row["what"] == "growth"]
    packing = [row for row in rows if row["what"] == "packing"]
    growth.sort(key=lambda row: row["pair"])
    lines = [*table_of_growth(growth), "", *table_of_packing(packing)]
    print("\n".join(lines))
    if options.results:
        tables.put(HERE / "RESULTS.md", "make bench-mxn BENCH_ARGS=--results", "\n".join(lines))


if __name__ == "__main__":
    main()
