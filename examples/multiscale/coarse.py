"""Heat in a bar of layers, whose conductivities a fine model finds (README.md)."""

import argparse
import os
import time
from pathlib import Path

import numpy as np
from farm import Alone, Farm
from table import Table

HERE = Path(__file__).resolve().parent
MIXTURES = 8  # of layers, one after the other
CELLS = 64
LENGTH = 0.1  # m
HEAT = 2.5e6  # of a volume, J/(m^3 K)
COLD, HOT = 300.0, 1000.0  # K, at the two ends


def simulate(evaluate, steps):
    """The temperatures of the cells, in K, after each of `steps` times, and how long that took.

    rho c dT/dt = d/dx (k(T) dT/dx) in finite volumes, by Euler's explicit method.
    """
    width = LENGTH / CELLS
    mixture = np.arange(CELLS) * MIXTURES // CELLS
    table = Table(evaluate)
    x = (np.arange(CELLS) + 0.5) / CELLS
    t = COLD + (HOT - COLD) * 0.5 * (1 - x) * (1 + np.cos(6 * np.pi * x) ** 2)
    history = [t]
    begin = time.perf_counter()
    for _ in range(steps):
        for _ in range(200):
            k = table.conductivity(mixture, t)
            dt = 0.4 * HEAT * width**2 / k.max()
            inner = 2 * k[1:] * k[:-1] / (k[1:] + k[:-1]) * np.diff(t) / width
            ends = 2 * k[0] * (t[0] - HOT) / width, 2 * k[-1] * (COLD - t[-1]) / width
            flow = np.concatenate([[ends[0]], inner, [ends[1]]])  # against x, W/m^2
            t = t + dt / (HEAT * width) * np.diff(flow)
        history.append(t)
    return np.array(history), time.perf_counter() - begin


def run(workers, arguments):
    """With so many fine models; 0: in this process, one after the other."""
    size = arguments.size
    farm = Farm(str(arguments.job), workers, size) if workers else Alone(size)
    try:
        history, seconds = simulate(farm.evaluate, arguments.steps)
        print(f"{len(farm.cells)} fine models answered {farm.asked} questions: {seconds:.2f} s")
        return history, seconds
    finally:
        farm.stop()


def draw(history, seconds, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    x = (np.arange(CELLS) + 0.5) * LENGTH / CELLS * 1000
    for time_of, each in enumerate(history):
        color = pyplot.cm.viridis(time_of / max(1, len(history) - 1))
        left.plot(x, each, color=color)
    left.set(xlabel="x / mm", ylabel="T / K")
    numbers = np.array(sorted(seconds))
    times = np.array([seconds[each] for each in numbers])
    right.plot(numbers, times[0] / times, "o-", label="measured")
    # Amdahl: a share s of the time of one worker is the coarse model's, and stays.
    if len(numbers) > 1:
        grid = np.array([[1, 1 / each] for each in numbers])
        serial, shared = np.linalg.lstsq(grid, times, rcond=None)[0]
        more = np.arange(1, 4 * numbers[-1] + 1)
        right.plot(more, times[0] / (serial + shared / more), ":", label="s + f / workers, fitted")
        right.legend()
    right.set(xlabel="fine models", ylabel="speed-up")
    figure.savefig(path, dpi=70)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--workers", type=int, nargs="+", default=list(range(1, cores + 1)))
    parser.add_argument("--steps", type=int, default=10, help="each of 200 small ones")
    parser.add_argument("--size", type=int, default=96, help="of a cell, in squares")
    parser.add_argument("--job", type=Path, default=HERE / "fine.toml")
    parser.add_argument("--out", type=Path, default=Path("."), help="where the results go")
    parser.add_argument("--no-picture", action="store_true")
    arguments = parser.parse_args()
    seconds = {}
    for workers in arguments.workers:
        history, seconds[workers] = run(workers, arguments)
        np.save(arguments.out / f"temperatures.{workers}.npy", history)
    seconds.pop(0, None)
    if not arguments.no_picture and seconds:
        draw(history, seconds, arguments.out / "multiscale.png")


if __name__ == "__main__":
    main()
