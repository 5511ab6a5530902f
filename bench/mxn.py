"""What redistributing an array costs: 64 MiB from 4 ranks to 3 by calls, beside MPI_Alltoallv of
the same ranks (mpi/mxn.cpp); a collective call beside barriers (mpi/collective.cpp); who sends what
to whom, from lists of indices (mpi/schedule.cpp); messages and bytes of one rank as programs grow
to 100,000 ranks, and packing beside copying (src/mxn.cpp). Where mpirun is missing, what has to do
with MPI is left out.
"""

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

import open_mpi
import tables
from run import HERE, build, run

NAME, COLLECTIVE = "mxn.redistribute.67108864", "mxn.collective.4x4"
SCHEDULE = "mxn.schedule.10000000"
TARGET, COLLECTIVE_TARGET = 1.25, 2
SCHEDULE_TARGETS = 2, 3  # seconds, and times the memory of a rank's list
INDICES, SCHEDULE_REPEATS = 10_000_000, 3
SIDE, REPEATS = 2896, 21  # doubles; 64 MiB but for some rows
CALLS, COLLECTIVE_REPEATS = 300, 11
ROUTES = {"shared memory": "on", "Unix-domain sockets": "off"}


class BesideMpi:
    """Programs that use calls and MPI; nothing where there is no mpirun."""

    def __init__(self, stage, work, quick):
        self.work = work.with_name(f"{work.name}-mpi")
        self.quick = quick
        self.is_there = bool(shutil.which("mpirun"))
        if not self.is_there:
            return
        targets = ["bench_mxn_mpi", "bench_collective", "bench_schedule"]
        open_mpi.build(stage, self.work, quick, *targets)

    def rows(self, program, ranks, *sizes):
        """A row for each way to the same machine."""
        if not self.is_there:
            return
        command = ["mpirun", "-n", ranks, "--oversubscribe", "--bind-to", "none"]
        command += [
            *open_mpi.MESSAGES["ob1"],
            "--mca",
            "mpi_yield_when_idle",
            "1",
            self.work / program,
        ]
        env = {**os.environ, "SIDL_DLL_PATH": str(self.work)}
        env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        for route, shared_memory in ROUTES.items():
            with tempfile.TemporaryDirectory() as folder:
                text = run([*command, folder, *sizes], env={**env, "SIDL_RMI_SHM": shared_memory})
            row = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
            yield {"route": route, **row}

    def redistributions(self):
        return list(self.rows("bench_mxn_mpi", 7, *([512, 1] if self.quick else [SIDE, REPEATS])))

    def collectives(self):
        sizes = [5, 1] if self.quick else [CALLS, COLLECTIVE_REPEATS]
        return list(self.rows("bench_collective", 8, *sizes))

    def schedules(self):
        sizes = [10_000, 1] if self.quick else [INDICES, SCHEDULE_REPEATS]
        return list(self.rows("bench_schedule", 8, *sizes))


def table_beside_mpi(rows):
    yield f"{NAME}: 4 ranks > 3 ranks, beside MPI_Alltoallv; at most {TARGET}"
    yield ""
    yield f"{'':<22}{'MB':>7}{'calls ms':>10}{'MPI ms':>9}{'ratio':>8}"
    for row in rows:
        yield (
            f"{row['route']:<22}{row['bytes'] / 1e6:>7.1f}{row['calls_us'] / 1e3:>10.1f}"
            f"{row['mpi_us'] / 1e3:>9.1f}{row['calls_us'] / row['mpi_us']:>8.2f}"
        )


def table_of_collectives(rows):
    yield f"{COLLECTIVE}: a call that does nothing, beside barriers and a call of one rank; at most"
    yield f"{COLLECTIVE_TARGET} times their sum"
    yield ""
    yield f"{'':<22}{'call us':>9}{'barriers us':>13}{'of one us':>11}{'ratio':>8}"
    for row in rows:
        ratio = row["collective_us"] / (row["barriers_us"] + row["call_us"])
        yield (
            f"{row['route']:<22}{row['collective_us']:>9.0f}{row['barriers_us']:>13.0f}"
            f"{row['call_us']:>11.0f}{ratio:>8.2f}"
        )


def table_of_schedules(rows):
    yield f"{SCHEDULE}: lists of indices, 4 ranks to 4; at most {SCHEDULE_TARGETS[0]} s, and"
    yield f"{SCHEDULE_TARGETS[1]} times the memory of a rank's list"
    yield ""
    yield f"{'':<22}{'indices':>10}{'schedule s':>12}{'memory':>8}{'a call ms':>11}"
    for row in rows:
        yield (
            f"{row['route']:<22}{row['indices']:>10}{row['seconds']:>12.2f}{row['memory']:>8.2f}"
            f"{row['call_ms']:>11.1f}"
        )


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
    mpi = BesideMpi(options.stage, options.work, options.quick)
    lines = []
    if mpi.is_there:
        lines += [*table_beside_mpi(mpi.redistributions()), ""]
        lines += [*table_of_collectives(mpi.collectives()), ""]
        lines += [*table_of_schedules(mpi.schedules()), ""]
    lines += [*table_of_growth(growth), "", *table_of_packing(packing)]
    print("\n".join(lines))
    if options.results:
        tables.put(HERE / "RESULTS.md", "make bench-mxn BENCH_ARGS=--results", "\n".join(lines))


if __name__ == "__main__":
    main()
