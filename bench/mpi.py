"""Measures Shinar's calls and MPI's messages of the same two processes, alone and both at once.

Over each of Shinar's transports, and for each of two ways in which Open MPI carries messages.
mpi/beside_mpi.cpp says what is sampled. Where mpirun is missing, that is said, and nothing is
measured.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tables
from open_mpi import MESSAGES, build

HERE = Path(__file__).resolve().parent
COMMAND = "make bench-mpi BENCH_ARGS=--results"
# Where rank 0 listens, and whether shared memory is allowed.
TRANSPORTS = {
    "tcp": ("simhandle://127.0.0.1:0", "off"),
    "unix": ("simhandle+unix://{folder}/socket", "off"),
    "shm": ("simhandle://127.0.0.1:0", "on"),
    "ucx": ("ucx://127.0.0.1:0", "off"),
}


def run(command, **options):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    if done.returncode != 0:
        sys.exit(f"bench-mpi: {command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def measure(program, transport, messages, options):
    address, shared_memory = TRANSPORTS[transport]
    env = {**os.environ, "SIDL_RMI_SHM": shared_memory}
    env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    # Bound to one core each, as for two ranks by default, a rank's threads would share it.
    command = ["mpirun", "-n", "2", "--oversubscribe", "--bind-to", "none", *MESSAGES[messages]]
    command += ["--mca", "mpi_yield_when_idle", "1"]
    with tempfile.TemporaryDirectory() as folder:
        command += [program, address.format(folder=folder), Path(folder) / "url"]
        text = run([*command, options.repeats, options.seconds], env=env, timeout=600)
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [{"transport": transport, "pml": messages, **row} for row in rows]


def table(rows):
    yield "Per second: calls, messages there and back; alone, both at once, and the ratio"
    yield ""
    yield (
        f"{'shinar':<8}{'MPI':<5}{'call':<5}{'bytes':>8}"
        + "".join(f"{what:>10}{'beside':>10}{'ratio':>7}" for what in ("calls", "messages"))
    )
    for row in rows:
        text = f"{row['transport']:<8}{row['pml']:<5}{row['call']:<5}{row['bytes']:>8}"
        for what in ("calls", "messages"):
            alone, beside = row[what], row[f"{what}_beside"]
            text += f"{alone:>10.0f}{beside:>10.0f}{beside / alone:>7.2f}"
        yield text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--stage", type=Path, required=True, help="an installation of Shinar")
    parser.add_argument("--work", type=Path, required=True, help="folder to build in")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2, help="of a sample")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--quick", action="store_true", help="that it runs")
    parser.add_argument("--results", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args()
    if options.quick:
        options.repeats, options.seconds = 1, 0.005
    if not shutil.which("mpirun"):
        print("bench-mpi: skipped: there is no mpirun")
        return

    stage = options.stage.resolve()
    work = options.work.resolve()
    build(stage, work, options.quick)
    program = work / "bench_beside_mpi"
    has_ucx = (stage / "lib" / "libsidlx_ucx.so").exists()
    rows = []
    for transport in TRANSPORTS:
        if transport == "ucx" and not has_ucx:
            continue
        for messages in MESSAGES:
            if f"mca:pml:{messages}:" in run(["ompi_info", "--parsable"]):
                rows += measure(program, transport, messages, options)
    text = "\n".join(table(rows))
    print(text)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.results:
        tables.put(HERE / "RESULTS.md", COMMAND, text)


if __name__ == "__main__":
    main()
