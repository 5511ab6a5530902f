"""Calls from and to Python, each beside its yardstick in turn; a line of JSON for each row.

    calls.py SAMPLES [URL]

A call from Python gives up the interpreter's lock while it is out, since it may take long or wait,
and so does its yardstick. The rows with `.brief` are of methods whose author says that they are
brief, which keep it, as do their yardsticks; `.held` puts one that keeps it beside ordinary calls.
"""

import json
import statistics
import sys
import time

import benchx
import by_hand
import by_nanobind
import numpy as np

CALLS = 20000
LARGE = 1 << 20


class Overridden(by_hand.Target):
    def noop(self):
        pass

    def add(self, a, b):
        return a + b


def loop(statement, **names):
    """A function that runs the statement so many times."""
    space = dict(names)
    exec(f"def run(calls):\n    for _ in range(calls):\n        {statement}\n", space)
    return space["run"]


def in_process():
    """Name: the call, its yardstick, and what that is."""
    ours, brief = benchx.Target(), benchx.Brief()
    nano, hand, called = by_nanobind.Target(), by_hand.Target(), Overridden()
    one, large = np.ones(1), np.ones(LARGE)
    noop, add = loop("x.noop()", x=ours), loop("x.add(1, 2)", x=ours)
    brief_noop, brief_add = loop("x.noop()", x=brief), loop("x.add(1, 2)", x=brief)
    return {
        "python_cxx.noop": (
            noop,
            loop("x.noop_released()", x=nano),
            "nanobind, lock given up",
        ),
        "python_cxx.add": (
            add,
            loop("x.add_released(1, 2)", x=nano),
            "nanobind, lock given up",
        ),
        "python_cxx.noop.brief": (
            brief_noop,
            loop("x.noop()", x=nano),
            "nanobind, lock held",
        ),
        "python_cxx.add.brief": (
            brief_add,
            loop("x.add(1, 2)", x=nano),
            "nanobind, lock held",
        ),
        "python_cxx.noop.held": (noop, loop("x.noop()", x=hand), "pybind11 by hand, lock held"),
        "python_cxx.add.held": (add, loop("x.add(1, 2)", x=hand), "pybind11 by hand, lock held"),
        "python_cxx.noop.pybind11": (
            noop,
            loop("x.noop_released()", x=hand),
            "pybind11 by hand, lock given up",
        ),
        "python_cxx.add.pybind11": (
            add,
            loop("x.add_released(1, 2)", x=hand),
            "pybind11 by hand, lock given up",
        ),
        "python_cxx.array.large": (
            loop("x.echo(a)", x=ours, a=large),
            loop("x.echo(a)", x=ours, a=one),
            "the same with one double",
        ),
        "cxx_python.noop": (
            by_hand.call_sidl,
            lambda calls: by_hand.call_by_hand(called, calls),
            "pybind11 by hand",
        ),
        "cxx_python.add": (
            by_hand.add_sidl,
            lambda calls: by_hand.add_by_hand(called, calls),
            "pybind11 by hand",
        ),
    }


def remote(url):
    return {
        "noop.python": (
            loop("x.noop()", x=benchx.Target.create(url)),
            by_hand.Remote(url).noop,
            "the client in C++",
        ),
    }


def sample(run, calls):
    start = time.perf_counter_ns()
    run(calls)
    return (time.perf_counter_ns() - start) / calls


def main():
    samples = int(sys.argv[1])
    measurements = remote(sys.argv[2]) if len(sys.argv) > 2 else in_process()
    calls = CALLS // 20 if len(sys.argv) > 2 else CALLS
    times = {name: ([], []) for name in measurements}
    for _ in range(samples):
        for name, (run, yardstick, _) in measurements.items():
            for taken, what in zip(times[name], (run, yardstick)):
                taken.append(sample(what, calls))
    for name, (ours, theirs) in times.items():
        row = {"name": name, "ns": statistics.median(ours), "yardstick": statistics.median(theirs)}
        print(json.dumps({**row, "against": measurements[name][2]}))


if __name__ == "__main__":
    main()
