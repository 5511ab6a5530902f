"""Nothing is left of calls with arrays of structs: neither memory nor references."""

import gc
import sys
import time

import numpy as np
import pytest
import rec
from rec import Particle
from records import particle, particles, record

SLACK = 4 << 20  # bytes


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def grown(call, calls):
    """Bytes that the process grew by, at least, in one of three rounds."""
    least = None
    for _ in range(4):  # the first one gets what is needed once
        before = resident()
        for _ in range(calls):
            call()
        gc.collect()
        growth = resident() - before
        least = growth if least is None else min(least, growth)
    return least


def counts(objects):
    return [sys.getrefcount(each) for each in objects]


A = particles(50)
PACKED = A.astype([(name, A.dtype[name]) for name in A.dtype.names])
OBJECTS = [particle(i) for i in range(20)]
RECORDS = np.array([record(3), record(4)], dtype=object)
STORES = {"c": rec.InC(), "cxx": rec.InCxx(), "python": rec.InPython()}
CALLS = {
    "shared": lambda store: store.rotate(A, A[::2]),
    "in place": lambda store: store.shift(A),
    "objects": lambda store: store.rotate(OBJECTS, list(OBJECTS)),
    "converted": lambda store: store.sum(PACKED),
    "owners": lambda store: store.rotateRecords(RECORDS, RECORDS.copy()),
    "generic": lambda store: (store.same(A), store.same(RECORDS)),
    "sent": lambda store: store.later_send(A, RECORDS.copy()).result(),
    "refused": lambda store: pytest.raises(TypeError, store.sum, [particle(0), 1]),
    "half": lambda store: pytest.raises(
        TypeError, store.tables, [[record(3), record(1)], [record(3), 2]]
    ),
}


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("store", STORES.values(), ids=STORES)
def test_calls_leave_nothing(store, what):
    def call():
        CALLS[what](store)

    call()
    gc.collect()  # exceptions' frames
    counted = [A, RECORDS, store, Particle, Particle.dtype]
    before = counts(counted)
    assert grown(call, 1000) < SLACK
    for _ in range(100):  # another thread may still hold what it was sent
        if all(now <= then for now, then in zip(counts(counted), before)):
            return
        time.sleep(0.02)
    assert counts(counted) == before
