"""Points that a clustering has to tell apart, because we know where they come from."""

import numpy as np

# Where the points are, how far they are spread (standard deviations), and how many of 100.
TRUE = np.array([
    [-7.0, -5.0, 0.9, 10], [-6.0, 4.0, 1.0, 15], [-1.5, 7.0, 0.8, 10], [-1.0, -6.0, 0.6, 10],
    [0.0, 0.0, 1.0, 20], [3.5, -6.5, 0.7, 10], [5.0, 5.0, 0.9, 15], [8.0, 0.5, 0.8, 10],
])  # fmt: skip


def make_points(number):
    """The same points, whoever makes them."""
    random = np.random.default_rng(2007)
    kinds = random.choice(len(TRUE), size=number, p=TRUE[:, 3] / 100)
    return TRUE[kinds, :2] + TRUE[kinds, 2:3] * random.standard_normal((number, 2))
