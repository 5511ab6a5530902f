"""What the coarse model knows of the material: conductivities at temperatures that lie close enough
to interpolate between them. What is missing is computed once, by somebody else."""

import numpy as np

#: Between temperatures at which the fine model is asked, K.
STEP = 25.0
LOWEST = 300.0


class Table:
    """`evaluate` gets a list of (mixture, temperature), and returns their conductivities."""

    def __init__(self, evaluate):
        self.evaluate = evaluate
        self.known = {}  # by mixture and the number of a temperature

    def conductivity(self, mixture, temperature):
        """W/(m K), of cells with these mixtures at these temperatures, in K."""
        place = (temperature - LOWEST) / STEP
        low = np.floor(place).astype(int)
        needed = sorted({(m, n + up) for m, n in zip(mixture, low) for up in (0, 1)})
        missing = [each for each in needed if each not in self.known]
        if missing:
            asked = [(int(m), float(LOWEST + n * STEP)) for m, n in missing]
            self.known.update(zip(missing, self.evaluate(asked)))
        below = np.array([self.known[each] for each in zip(mixture, low)])
        above = np.array([self.known[each] for each in zip(mixture, low + 1)])
        return below + (place - low) * (above - below)
