"""Steps the ocean and the atmosphere, writes their temperatures to a file, and draws them.

As a program of a job of `sidl launch` it calls the two on their ranks; with --alone it creates both
in its own process instead, where each has the whole basin: the same steps by the same code.
"""

import argparse
import os
import sys
from pathlib import Path

import coupled
import numpy as np
from sidl.par import Distribution, Group

HOUR = 3600.0  # s


def models_of_job():
    """The two parallel objects, and the rank of this process. All of each array goes to rank 0, and
    nothing to the other ranks, which take part in the calls."""
    group = Group.ofJob()
    ocean = coupled.Ocean._cast(group.connect("ocean", os.environ["SIDL_URLS_OCEAN"].split()))
    urls = os.environ["SIDL_URLS_ATMOSPHERE"].split()
    atmosphere = coupled.Atmosphere._cast(group.connect("atmosphere", urls))
    grid = ocean.grid()
    others = group.getSize() - 1
    lower = [[1, 1]] + others * [[1, 1]]
    upper = [[grid.nx, grid.ny]] + others * [[0, 0]]
    at_rank_0 = Distribution.rectangles(lower, upper)
    Group.distribute(ocean, "look.sst", at_rank_0)
    Group.distribute(atmosphere, "look.t", at_rank_0)
    return ocean, atmosphere, group.getRank()


def models_of_this_process():
    ocean, atmosphere = coupled.Ocean(), coupled.Atmosphere()
    grid = ocean.grid()
    ocean.begin(1, grid.ny)
    atmosphere.begin(ocean, grid.nx)
    return ocean, atmosphere, 0


def run(ocean, atmosphere, steps, every, dt):
    """The temperatures after every so many steps of `dt` s: sst and air, each [time, x, y]."""
    history = {"sst": [], "air": []}
    for done in range(0, steps + 1, every):
        if done:
            atmosphere.advance(every, dt)
        history["sst"].append(ocean.look().copy())
        history["air"].append(atmosphere.look().copy())
    return {name: np.array(fields) for name, fields in history.items()}


def draw(history, interval, grid, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    extent = [0, grid.nx * grid.dx / 1e6, 0, grid.ny * grid.dy / 1e6]
    for axis, name, title in zip(axes, ("sst", "air"), ("sea", "air")):
        image = axis.imshow(history[name][-1].T, origin="lower", extent=extent, cmap="inferno")
        figure.colorbar(image, ax=axis, orientation="horizontal", label="°C")
        axis.set(title=title, xlabel="eastward, 1000 km", ylabel="northward, 1000 km")
    years = np.arange(len(history["sst"])) * interval / (365 * 24 * HOUR)
    for name, label in (("sst", "sea"), ("air", "air")):
        axes[2].plot(years, history[name].mean(axis=(1, 2)), label=label)
    axes[2].set(title="means", xlabel="years", ylabel="°C")
    axes[2].legend()
    figure.savefig(path, dpi=70)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1460)
    parser.add_argument("--hours", type=float, default=24.0, help="the length of a step")
    parser.add_argument("--every", type=int, default=20, help="steps between two fields")
    parser.add_argument("--out", type=Path, default=Path(), help="folder for what is written")
    parser.add_argument("--alone", action="store_true", help="all in this process")
    parser.add_argument("--no-picture", action="store_true")
    arguments = parser.parse_args()
    make_models = models_of_this_process if arguments.alone else models_of_job
    ocean, atmosphere, rank = make_models()
    dt = arguments.hours * HOUR
    try:
        history = run(ocean, atmosphere, arguments.steps, arguments.every, dt)
    except coupled.UnstableStep as unstable:
        print("driver:", unstable.getNote(), file=sys.stderr)
        return 2
    if rank != 0:
        return 0
    np.savez(arguments.out / "coupled.npz", **history)
    for name, fields in history.items():
        last = fields[-1]
        print(f"{name}: {last.min():.3f} to {last.max():.3f}, mean {last.mean():.3f} C")
    if not arguments.no_picture:
        picture = arguments.out / "coupled.png"
        draw(history, arguments.every * dt, ocean.grid(), picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
