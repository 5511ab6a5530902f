"""Deterministic annealing: clusters appear one by one while a temperature falls (Rose 1998).

Of the points, only the moments are needed that `share` finds: what each cluster gets of 1, x, y,
xx, xy and yy, where x and y are relative to its centre.
"""

import numpy as np

COOLING = 0.9
CLOSE = 1e-3  # of the square root of the temperature: centres that move less stand still
MOST_ROUNDS = 200  # at one temperature: centres of a cluster that is about to divide move slowly
SAME = 0.15  # of the same: centres that are nearer to each other are one
NUDGE = 0.05  # by how much the halves of a cluster are moved, in its standard deviations


def spread(moment):
    """The largest variance of a cluster in any direction, and that direction."""
    mean = moment[1:3] / moment[0]
    second = moment[[3, 4, 4, 5]].reshape(2, 2) / moment[0]
    variances, directions = np.linalg.eigh(second - np.outer(mean, mean))
    direction = directions[:, 1]
    return variances[1], direction * np.sign(direction[np.abs(direction).argmax()])


def settle(clusters, temperature, share):
    """Clusters whose centres and weights are the means and the parts of what they get; and how
    often the points were shared for that."""
    calls = 0
    moves = np.inf
    while calls < MOST_ROUNDS and np.abs(moves).max() >= CLOSE * np.sqrt(temperature):
        sums = share(clusters, temperature)
        moves = sums[:, 1:3] / sums[:, :1]
        clusters = np.column_stack([clusters[:, :2] + moves, sums[:, 0] / sums[:, 0].sum()])
        calls += 1
    return clusters, calls


def divide(clusters, sums, temperature, most):
    """A cluster is unstable once the temperature is less than twice its largest variance: it
    becomes two, side by side."""
    result = []
    for number, (cluster, moment) in enumerate(zip(clusters, sums)):
        variance, direction = spread(moment)
        left = len(clusters) - number - 1
        if 2 * variance <= temperature or len(result) + left + 2 > most:
            result.append(cluster)
            continue
        step = NUDGE * np.sqrt(variance) * direction
        half = cluster[2] / 2
        result += [[*(cluster[:2] - step), half], [*(cluster[:2] + step), half]]
    return np.array(result)


def unite(clusters, temperature):
    """Halves that have not gone apart are one cluster again, which may divide when it is colder."""
    result = []
    for cluster in clusters:
        for other in result:
            if np.hypot(*(other[:2] - cluster[:2])) < SAME * np.sqrt(temperature):
                other[2] += cluster[2]
                break
        else:
            result.append(cluster.copy())
    return np.array(result)


def anneal(share, end, most):
    """From one cluster to at most so many, down to temperature `end`. Gives (temperature, clusters)
    for each temperature, and how often the points were shared."""
    clusters, calls = settle(np.array([[0.0, 0.0, 1.0]]), 1.0, share)
    sums = share(clusters, 1.0)
    temperature = 2 * spread(sums[0])[0]
    history = []
    while temperature > end:
        clusters = divide(clusters, sums, temperature, most)
        clusters, rounds = settle(clusters, temperature, share)
        clusters = unite(clusters, temperature)
        sums = share(clusters, temperature)
        calls += rounds + 1
        history.append((temperature, clusters))
        temperature *= COOLING
    return history, calls + 1
