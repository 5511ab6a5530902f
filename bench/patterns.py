"""Messages of ranks to their neighbours between stages of work: calls of Shinar beside messages of
Open MPI, of the same processes (mpi/patterns.cpp). What is reported is a stage's overhead: its time
without that of its work, which is measured in turn. The patterns are those of Table 2 of X. Qiu and
others, "High Performance Multi-Paradigm Messaging Runtime Integrating Grids and Multicore Systems",
2007. Rows:

patterns.<pattern>.spawned      a message starts the stage: a oneway call that works and calls the
                                next rank, beside a loop that receives messages and does what they
                                say
patterns.<pattern>.rendezvous   a stage waits for its message: a oneway call, beside MPI_Send and
                                MPI_Recv in a pipeline, MPI_Sendrecv in shifts, and MPI_Isend and
                                MPI_Irecv in an exchange
patterns.<pattern>.answered     the sender waits, too: a nonblocking call, beside MPI_Issend
patterns.service.one            a question and its answer, one after the other
patterns.service.group          16 questions at once, for each of them

<pattern> is pipeline, where messages go along a line, or of a ring: shift, two_shifts one after the
other (spawned: when both messages are there), exchange of both at once. Where mpirun is missing,
nothing is measured.
"""

import argparse
import json
import os
import shutil
from pathlib import Path

import tables
from open_mpi import MESSAGES, build
from run import HERE, run

COMMAND = "make bench-patterns BENCH_ARGS=--results"
ROUTES = {"shared memory": "on", "Unix-domain sockets": "off"}
WORKS = (1, 10, 100, 1_000, 10_000)  # microseconds
TABLE = 10  # microseconds of work for which both routes are in one table
MOST_RANKS = 4
REPEATS, SAMPLE_MS = 9, 20
QUICK_WORKS, QUICK_REPEATS, QUICK_MS = (1, TABLE), 1, 1


def measure(work, options):
    """A row for each route, pattern and amount of work."""
    # More ranks than cores would wait for each other's work; a pattern needs two.
    ranks = max(2, min(MOST_RANKS, len(os.sched_getaffinity(0))))
    command = ["mpirun", "-n", ranks, "--oversubscribe", "--bind-to", "none", *MESSAGES["ob1"]]
    command += ["--mca", "mpi_yield_when_idle", "1", work / "bench_patterns"]
    if options.quick:
        command += [QUICK_REPEATS, QUICK_MS, options.wait, *QUICK_WORKS]
    else:
        command += [REPEATS, SAMPLE_MS, options.wait, *WORKS]
    env = {**os.environ, "SIDL_DLL_PATH": str(work)}
    env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    for route, shared_memory in ROUTES.items():
        text = run(command, env={**env, "SIDL_RMI_SHM": shared_memory})
        for line in text.splitlines():
            if line.startswith("{"):
                row = json.loads(line)
                calls, messages = row["calls_us"], row["mpi_us"]
                # A difference that is within what the work itself varies by is no yardstick.
                is_known = messages > row["spread_us"]
                row["ratio"] = round(calls / messages, 3) if is_known else None
                yield {"route": route, **row}


def short(row):
    return row["name"].removeprefix("patterns.")


def table_of_routes(rows):
    ranks = rows[0]["ranks"]
    yield f"patterns: overhead of a stage of {TABLE} us, in us; {ranks} ranks"
    yield "service: a question and its answer, in us; -: MPI's is less than the work varies by"
    yield ""
    yield f"{'':<24}" + "".join(f"{route:>27}" for route in ROUTES)
    yield f"{'':<24}" + f"{'calls':>11}{'MPI':>8}{'ratio':>8}" * len(ROUTES)
    for first in rows:
        if first["route"] != next(iter(ROUTES)) or first["work"] not in (0, TABLE):
            continue
        text = f"{short(first):<24}"
        for row in rows:
            if (row["name"], row["work"]) == (first["name"], first["work"]):
                ratio = "-" if row["ratio"] is None else f"{row['ratio']:.1f}"
                text += f"{row['calls_us']:>11.1f}{row['mpi_us']:>8.1f}{ratio:>8}"
        yield text


def table_of_works(route, rows):
    """Overheads by the work between them, which itself varies."""
    rows = [row for row in rows if row["route"] == route and row["work"]]
    works = sorted({row["work"] for row in rows})
    yield f"by work, {route}: overhead of a stage, in us; varies: the work itself, by so much"
    yield ""
    yield f"{'':<24}" + "".join(f"{what:>{7 * len(works)}}" for what in ("calls", "MPI"))
    yield f"{'work, us':<24}" + "".join(f"{us:>7}" for us in works) * 2
    for name in dict.fromkeys(short(row) for row in rows):
        found = sorted((row for row in rows if short(row) == name), key=lambda row: row["work"])
        for_calls = "".join(f"{row['calls_us']:>7.0f}" for row in found)
        yield f"{name:<24}{for_calls}" + "".join(f"{row['mpi_us']:>7.0f}" for row in found)
    spreads = [max(row["spread_us"] for row in rows if row["work"] == us) for us in works]
    yield f"{'varies':<24}" + "".join(f"{us:>7.0f}" for us in spreads)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stage", type=Path, required=True, help="an installation of Shinar")
    parser.add_argument("--work", type=Path, required=True, help="where to build")
    parser.add_argument("--wait", type=int, default=60, help="seconds until a sample has failed")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--quick", action="store_true", help="only see that it runs")
    parser.add_argument("--results", action="store_true", help="put the tables into RESULTS.md")
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        print("bench-patterns: skipped: there is no mpirun")
        return

    work = options.work.resolve()
    build(options.stage.resolve(), work, options.quick, "bench_patterns")
    rows = list(measure(work, options))
    lines = list(table_of_routes(rows))
    for route in ROUTES:
        lines += ["", *table_of_works(route, rows)]
    print("\n".join(lines))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.results:
        tables.put(HERE / "RESULTS.md", COMMAND, "\n".join(lines))


if __name__ == "__main__":
    main()
