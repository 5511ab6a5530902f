"""Clusters points with the workers of a job, and writes and draws what it finds."""

import argparse
import os
import time
from pathlib import Path

import clustering
import numpy as np
from annealing import anneal
from points import make_points
from sidl.par import Distribution, Group

END = 2.5  # a temperature above twice the variance of each of them, which leaves them whole


def connect():
    """The workers, and how their arrays are made; this program, of one rank, has all of each."""
    group = Group.ofJob()
    urls = os.environ["SIDL_URLS_WORKERS"].split()
    workers = clustering.Worker._cast(group.connect("workers", urls))
    layout = workers.layout()
    blocks = -(-layout.points // layout.block)
    points = Distribution.blocks([0, 0], [layout.points - 1, 1], [1, 1])
    sums = Distribution.blocks([0, 0, 0], [blocks - 1, layout.clusters - 1, 5], [1, 1, 1])
    Group.distribute(workers, "take.points", points)
    Group.distribute(workers, "share.sums", sums)
    return workers, layout, len(urls)


def cluster(workers, layout, points):
    """What anneal() gives, and the seconds it took."""
    workers.take(points)

    def share(clusters, temperature):
        sums = workers.share(clusters, temperature)
        # Blocks are added in their order, whoever had them.
        return np.add.reduce(sums[:, : len(clusters)], axis=0)

    begin = time.perf_counter()
    history, calls = anneal(share, END, layout.clusters)
    return history, calls, time.perf_counter() - begin


def draw(points, history, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (plane, tree) = pyplot.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    some = points[:: max(1, len(points) // 4000)]
    plane.plot(*some.T, ".", color="0.75", markersize=2)
    for temperature, clusters in history:
        colours = np.full(len(clusters), np.log(temperature))
        limits = {"vmin": np.log(END), "vmax": np.log(history[0][0]), "cmap": "coolwarm"}
        plane.scatter(*clusters[:, :2].T, c=colours, s=8, **limits)
        tree.plot(clusters[:, 0], np.full(len(clusters), temperature), "k.", markersize=3)
    plane.plot(*history[-1][1][:, :2].T, "kx", markersize=9)
    plane.set(title="points, and centres while they cool", aspect="equal", xlabel="x", ylabel="y")
    tree.set(title="clusters divide", yscale="log", xlabel="x of the centres", ylabel="temperature")
    figure.savefig(path, dpi=70)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(), help="folder for what is written")
    parser.add_argument("--no-picture", action="store_true")
    arguments = parser.parse_args()
    workers, layout, number = connect()
    points = make_points(layout.points)
    history, calls, seconds = cluster(workers, layout, points)
    clusters = history[-1][1]
    found = {"clusters": clusters, "calls": calls, "seconds": seconds}
    np.savez(arguments.out / "clusters.npz", **found)
    for x, y, weight in clusters[np.argsort(clusters[:, 0])]:
        print(f"{100 * weight:5.1f} % at {x:6.3f} {y:6.3f}")
    print(f"{layout.points} points, {number} workers, {calls} calls, {seconds:.3f} s")
    if not arguments.no_picture:
        draw(points, history, arguments.out / "clusters.png")


if __name__ == "__main__":
    main()
