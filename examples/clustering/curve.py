"""Runs the job with several numbers of workers and of points; prints and draws how much faster it
is with P workers than with one, T(1) / T(P), and the overhead, (P T(P) - T(1)) / T(1)."""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def seconds(sidl, workers, points, repeats):
    """How long the annealing takes: the shortest time of several runs of the job."""
    text = (HERE / "job.toml").read_text()
    text = re.sub(r"ranks = \d+", f"ranks = {workers}", text)
    text = re.sub(r'"\d+"', f'"{points}"', text)
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.toml"
        text = text.replace('"master.py"', f'"master.py", "--no-picture", "--out", "{folder}"')
        job.write_text(text)
        times = []
        for _ in range(repeats):
            run = [sidl, "launch", job]
            subprocess.run(run, cwd=HERE, check=True, stdout=subprocess.DEVNULL)
            times.append(float(np.load(Path(folder) / "clusters.npz")["seconds"]))
    return min(times)


def measure(arguments):
    """{points: [T(1), T(2), ...]}"""
    print("  points workers seconds speed-up overhead")
    table = {}
    for points in arguments.points:
        times = table[points] = []
        for workers in range(1, arguments.workers + 1):
            times.append(seconds(arguments.sidl, workers, points, arguments.repeats))
            faster = times[0] / times[-1]
            overhead = (workers * times[-1] - times[0]) / times[0]
            print(
                f"{points:8} {workers:7} {times[-1]:7.3f} {faster:8.2f} {overhead:8.2f}", flush=True
            )
    return table


def draw(table, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    most = max(len(times) for times in table.values())
    numbers = np.arange(1, most + 1)
    left.plot(numbers, numbers, "k:", label="no overhead")
    for points, times in table.items():
        left.plot(numbers, times[0] / np.array(times), "o-", label=f"{points} points")
    left.set(xlabel="workers", ylabel="speed-up", xticks=numbers)
    left.legend()
    for workers in numbers[1:]:
        grains = np.array([points / workers for points in table])
        overheads = [
            (workers * times[workers - 1] - times[0]) / times[0] for times in table.values()
        ]
        right.plot(10000 / grains, overheads, "o-", label=f"{workers} workers")
    right.set(xlabel="10000 / grain size (points of a worker)", ylabel="overhead")
    right.axhline(0, color="k", linestyle=":")
    if most > 1:
        right.legend()
    figure.savefig(path, dpi=70)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sidl", default=shutil.which("sidl"), help="the program sidl")
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--workers", type=int, default=cores, help="the largest number")
    parser.add_argument("--points", type=int, nargs="+", default=[2500, 5000, 10000, 20000, 40000])
    parser.add_argument("--repeats", type=int, default=3, help="runs, of which the shortest counts")
    parser.add_argument("--out", type=Path, default=Path("speedup.png"), help="the picture")
    arguments = parser.parse_args()
    draw(measure(arguments), arguments.out)


if __name__ == "__main__":
    main()
