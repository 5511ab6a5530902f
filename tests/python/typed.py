"""Read by mypy --strict, never run."""

import numpy as np
import shinar
import sidl
import snake
import ty
from numpy.typing import NDArray

worker = snake.Worker()
number: int = snake.Worker.answer()
result: snake.Words
result, out, inout = worker.swap(snake.Words(1, "one"), snake.Words())
array: NDArray[np.float64] = worker.keep([1.0, 2.0])
item: ty.Item = snake.Odd()
numbered: ty.Numbered = item
remote: snake.Worker = snake.Worker.create("simhandle://localhost:1")
color: ty.Color = worker.colors(np.zeros((1, 1), dtype=np.int64), ty.Color.red)[2]
try:
    worker.stumble("snake")
except sidl.SIDLException as error:
    text: str = error.trace + error.getNote()
pending: shinar.Pending[int] = worker.meet_send("place", 1, deadline=2.0)
count: int = pending.result(timeout=1.0)
strictly: NDArray[np.float64] = worker.keep(array, strict=True)
dot: float = worker.dot(array, array) + worker.dot(array, array, 3) + worker.dot(array, array, n=3)
there: shinar.DeviceArray = shinar.to_device(array, (12, 0))
array = worker.keep(there)
z = np.ones((3, 5), dtype=np.complex128)
scaled: NDArray[np.complex128] = worker.scale(z, 2j)
scaled = worker.scale(z, 3, 2, 2j)
scaled = worker.scale(z, 2j, m=3, deadline=2.0)
soon: shinar.Pending[NDArray[np.complex128]] = worker.scale_send(z, 2j)
cast: ty.Numbered | None = ty.Numbered._cast(worker)


async def wait() -> int:
    return await worker.meet_send("place", 1)
