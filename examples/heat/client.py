"""The heat equation on three grids, against the analytic solution: a client in Python.

    python client.py [--url URL] [--field FILE]

With a URL the solver is created on the server there, otherwise in this process. One line is printed
for each grid; FILE gets the final field of the finest grid as comma-separated values. The package
`heat` must be on PYTHONPATH (CMakeLists.txt builds it).
"""

import argparse
import time

import heat
import numpy as np

END_TIME = 0.05
STEP_FACTOR = 0.2  # dt / h^2; 0.25 is the limit of stability


def exact(n, when):
    x = np.linspace(0.0, 1.0, n)
    return np.outer(np.sin(np.pi * x), np.sin(np.pi * x)) * np.exp(-2 * np.pi**2 * when)


def refuses_unstable_step(solver):
    """Asks for a step that is too long; true if the solver refuses it by name."""
    try:
        solver.step(2 * solver.stableStep(), 1)
    except heat.UnstableStep as refusal:
        return bool(refusal.getNote())
    return False


def run(n, url, path):
    solver = heat.Solver.create(url) if url else heat.Solver()
    solver.setup(n, n, 1.0, 1.0, 1.0)
    solver.setBoundary(heat.Boundary.fixed)
    solver.setField(exact(n, 0.0))

    dt = STEP_FACTOR / (n - 1) ** 2
    steps = round(END_TIME / dt)
    start = time.perf_counter()
    for _ in range(steps):
        solver.step(dt, 1)
    us_per_step = 1e6 * (time.perf_counter() - start) / steps

    stats = solver.stats()
    field = solver.field()
    error = np.abs(field - exact(n, stats.time)).max()
    refuses = "yes" if refuses_unstable_step(solver) else "no"
    print(
        f"grid {n} steps {stats.steps} time {stats.time:.17g} error {error:.17g}"
        f" us_per_step {us_per_step:.3f} refuses {refuses}"
    )
    if path:
        np.savetxt(path, field, fmt="%.17g", delimiter=",")


parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
parser.add_argument("--url", help="a server that offers heat.Solver")
parser.add_argument("--field", help="file for the final field of the finest grid")
arguments = parser.parse_args()
for points in (17, 33, 65):
    run(points, arguments.url, arguments.field if points == 65 else None)
