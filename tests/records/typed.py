"""Read by mypy --strict, never run."""

import numpy as np
import rec
import shinar
from numpy.typing import NDArray

store = rec.InC()
dtype: np.dtype[np.void] = rec.Particle.dtype
objects: np.dtype[np.object_] = rec.Record.dtype
a: NDArray[np.void] = np.zeros(3, rec.Particle.dtype)
result: NDArray[np.void]
result, out, inout = store.rotate(a, [rec.Particle(x=1.0)])
total: float = store.sum([rec.Particle(), (1.0, 2.0, 3.0, 4, 5, True, "a")], strict=False)
records: NDArray[np.object_] = store.tables([[rec.Record()]])
parts: NDArray[np.void] | None = rec.Record(parts=a).parts
pending: shinar.Pending[tuple[NDArray[np.void], NDArray[np.object_]]] = store.later_send(a, None)
