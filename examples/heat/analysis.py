# %% [markdown]
# The heat solver from Python: is it of second order, and what does the field look like?
#
#     python analysis.py --url simhandle://127.0.0.1:9000 --out pictures
#
# Without a URL the solver is loaded into this process (SIDL_DLL_PATH names its library). The cells
# are those of a notebook; editors that know `# %%` run them one by one.

# %%
import argparse
import concurrent.futures
from pathlib import Path

import matplotlib
import numpy as np
import shinar.importer  # noqa: F401 (from here on, heat.sidl is a module)

matplotlib.use("Agg")
import heat
from matplotlib import pyplot

parser = argparse.ArgumentParser()
parser.add_argument("--url", help="a server that offers heat.Solver")
parser.add_argument("--out", type=Path, default=Path(), help="folder for the pictures")
arguments = parser.parse_args()

# %% [markdown]
# The unit square, its edges held at zero. The exact solution is known.

# %%
END = 0.05
GRIDS = [9, 17, 33, 65, 129]


def exact(n, time):
    x = np.linspace(0.0, 1.0, n)
    return np.outer(np.sin(np.pi * x), np.sin(np.pi * x)) * np.exp(-2 * np.pi**2 * time)


def solve(n):
    """The field at the end, and its largest error. The array comes as it is in the answer: it is
    not copied again."""
    solver = heat.Solver.create(arguments.url) if arguments.url else heat.Solver()
    solver.setup(n, n, width=1.0, height=1.0, diffusivity=1.0)
    solver.setBoundary(heat.Boundary.fixed)
    solver.setField(exact(n, 0.0))
    dt = 0.2 / (n - 1) ** 2
    solver.step(dt, round(END / dt), deadline=60)
    field = solver.field()
    return field, np.abs(field - exact(n, solver.stats().time)).max()


# %% [markdown]
# Each grid has a thread of its own: Python's lock is free while a call is out.

# %%
with concurrent.futures.ThreadPoolExecutor() as pool:
    results = dict(zip(GRIDS, pool.map(solve, GRIDS)))

spacing = 1.0 / (np.array(GRIDS) - 1)
errors = np.array([results[n][1] for n in GRIDS])
order = np.polyfit(np.log(spacing), np.log(errors), 1)[0]
print(f"order {order:.2f}")

# %%
figure, axes = pyplot.subplots(figsize=(5, 4), layout="constrained")
axes.loglog(spacing, errors, "o-", label="largest error")
axes.loglog(spacing, errors[-1] * (spacing / spacing[-1]) ** 2, "--", label="second order")
axes.set(title=f"Convergence at t = {END}", xlabel="grid spacing", ylabel="error")
axes.legend()
figure.savefig(arguments.out / "convergence.png", dpi=120)

# %%
figure, axes = pyplot.subplots(figsize=(5, 4), layout="constrained")
image = axes.imshow(results[GRIDS[-1]][0].T, origin="lower", extent=(0, 1, 0, 1), cmap="inferno")
axes.set(title=f"Temperature at t = {END}", xlabel="x", ylabel="y")
figure.colorbar(image, ax=axes)
figure.savefig(arguments.out / "field.png", dpi=120)

# %% [markdown]
# A step that is too long is refused, by name, wherever the solver is.

# %%
solver = heat.Solver.create(arguments.url) if arguments.url else heat.Solver()
solver.setup(9, 9, 1.0, 1.0, 1.0)
try:
    solver.step(2 * solver.stableStep(), 1)
except heat.UnstableStep as refusal:
    print(f"refused: {refusal}")
