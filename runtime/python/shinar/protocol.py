"""Support for protocols written in Python.

The interfaces that they implement are in `sidl.rmi`; docs/writing-a-protocol.md is the guide, and
examples/protocol-plugin-python an example. A connection whose two ends may call each other is free
of deadlocks if it has a reader thread that never waits: it completes an `Answer`, passes calls to
`Strands`, and continues to read.

The locks here are recursive: Python may destroy any object, and thereby release a remote one, at
any point in a thread's code.
"""

from __future__ import annotations

import atexit
import collections
import concurrent.futures
import contextlib
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import sidl
import sidl.rmi

from shinar import _core
from shinar._implementation import implementation_of

__all__ = [
    "Answer",
    "Answers",
    "Strands",
    "Loans",
    "class_names",
    "deadline_of_request",
    "dispatch",
    "fail",
    "failure",
    "handle_of",
    "implementation_of",
    "inherited_deadline",
    "make_proxy",
    "make_value",
    "pack_generic_array",
    "pack_opaque",
    "pack_opaque_array",
    "pack_serializable_array",
    "thread_number",
    "unpack_generic_array",
    "unpack_opaque",
    "unpack_opaque_array",
    "unpack_serializable_array",
]

Fate = sidl.rmi.RequestFate


def failure(kind: Any, note: str, fate: Fate = Fate.notSent, errno: int = 0) -> Any:
    """An exception of class `kind`, a sidl.rmi.NetworkException, to be raised."""
    made = kind(note)
    made.setFate(fate)
    made.setErrno(errno)
    return made


def fail(kind: Any, note: str, fate: Fate = Fate.notSent, errno: int = 0) -> NoReturn:
    """Raises an exception of class `kind`, a sidl.rmi.NetworkException."""
    raise failure(kind, note, fate, errno)


# ---- objects -------------------------------------------------------------------------------------


def handle_of(obj: Any) -> Any:
    """The sidl.rmi.InstanceHandle behind a proxy; None if the object lives in this process."""
    return _core.handle_behind(obj)


def make_proxy(handle: Any) -> Any:
    """A proxy for the object behind a handle."""
    return _core.make_proxy(handle)


def class_names(obj: Any) -> list[str]:
    """Names of a local object's class and its parents, nearest first, to be sent with it."""
    return _core.class_names(obj)


def dispatch(obj: Any, method: str, digest: int, call: Any, ret: Any) -> None:
    """Runs a call of a peer; errors are answered by ret.throwException."""
    _core.dispatch(obj, method, digest, call, ret)


def make_value(names: Sequence[str], state: Any) -> Any:
    """An object of the first of these classes known in this process, with the state its
    unpackObj reads from `state`. No library is loaded because a peer named a class."""
    for name in names:
        value = _core.value_by_name(name)
        if value is None:
            continue
        value.unpackObj(state)
        if name != names[0] and isinstance(value, sidl.BaseException):
            value.addLine(f"(was a {names[0]})")
        return value
    what = names[0] if names else "?"
    fail(
        sidl.rmi.ProtocolException,
        f"an object of class {what} came by value, but this process has neither it nor any of its "
        "parents; nothing is loaded because a peer names it: import its package, or load the "
        "library that implements it before (sidl serve and sidl call: --lib LIBRARY; sidl serve: "
        f"--export {what}=LIBRARY)",
    )


# ---- values that a Serializer packs by its other methods (sidl_marshal.h) ------------------------


def pack_opaque(to: Any, key: str, value: int | None) -> None:
    """Packs None; raises for a pointer, which has no meaning in another process."""
    _core.pack_by_others("Opaque", to, key, value, False)


def pack_opaque_array(to: Any, key: str, value: Any) -> None:
    """The same with an array of pointers."""
    _core.pack_by_others("OpaqueArray", to, key, value, False)


def pack_serializable_array(to: Any, key: str, value: Any) -> None:
    """Packs an array of objects by value."""
    _core.pack_by_others("SerializableArray", to, key, value, False)


def pack_generic_array(to: Any, key: str, value: Any, reuse: bool = False) -> None:
    """Packs an array of any type with its type; `reuse` as for packIntArray."""
    _core.pack_by_others("GenericArray", to, key, value, reuse)


def unpack_opaque(source: Any, key: str) -> int | None:
    """None; raises if the peer has sent something else."""
    return _core.unpack_by_others("Opaque", source, key, 0)


def unpack_opaque_array(source: Any, key: str, ordering: int = 0) -> Any:
    """An array of null pointers, or None."""
    return _core.unpack_by_others("OpaqueArray", source, key, ordering)


def unpack_serializable_array(source: Any, key: str, ordering: int = 0) -> Any:
    """An array of objects that came by value, or None."""
    return _core.unpack_by_others("SerializableArray", source, key, ordering)


def unpack_generic_array(source: Any, key: str) -> Any:
    """An array of any type, or None."""
    return _core.unpack_by_others("GenericArray", source, key, 0)


# ---- loans ---------------------------------------------------------------------------------------


class Loans:
    """The objects of this process that the peer of a connection holds, and how often."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._counts: collections.Counter[str] | None = collections.Counter()

    def lend(self, obj: Any) -> str:
        """Adds a count for the peer; returns the object's id."""
        id = _core.lend(obj)
        with self._lock:
            if self._counts is not None:
                self._counts[id] += 1
                return id
        _core.take_back(id, 1)
        fail(sidl.rmi.UnexpectedCloseException, "the connection has ended")

    def take_back(self, id: str) -> None:
        """Drops a count of the peer, if it has one. May destroy the object."""
        with self._lock:
            if self._counts is None or self._counts[id] == 0:
                return
            self._counts[id] -= 1
            if self._counts[id] == 0:
                del self._counts[id]
        _core.take_back(id, 1)

    def end(self) -> None:
        """The peer is gone: drops all its counts."""
        with self._lock:
            counts, self._counts = self._counts, None
        for id, count in (counts or {}).items():
            _core.take_back(id, count)


# ---- deadlines -----------------------------------------------------------------------------------


def deadline_of_request() -> int:
    """The deadline for creating an object or attaching to one, in milliseconds; 0: none."""
    return _core.deadline_of_request()


@contextlib.contextmanager
def inherited_deadline(milliseconds_left: int) -> Iterator[None]:
    """Limits calls of this thread in the block to the deadline of the call that it runs.

    Below 0: the call has no deadline.
    """
    previous = _core.deadline_inherit(milliseconds_left)
    try:
        yield
    finally:
        _core.deadline_restore(previous)


# ---- answers -------------------------------------------------------------------------------------


def _apart(why: Any) -> Any:
    """The same SIDL exception as another Python object, to be raised instead of a kept one. A
    raised exception gets a traceback, which refers to the callers' frames and everything in
    them, the keeper included; such a cycle, and remote objects in it, would live until
    Python's collector runs, which never happens in a process that only waits."""
    again = type(why)._cast(why)
    again.args = why.args
    return again


class Answer:
    """The pending answer to a call. May be used from any thread."""

    def __init__(self, milliseconds: int) -> None:
        """`milliseconds`: deadline; 0: none."""
        self._future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self._end = time.monotonic() + milliseconds / 1000 if milliseconds > 0 else None

    def complete(self, message: Any) -> bool:
        """Ends the wait. False if it was over."""
        return not self.is_over() and self._set(self._future.set_result, message)

    def fail(self, why: sidl.BaseException) -> bool:
        """Ends the wait with a SIDL exception. False if it was over."""
        return not self.is_over() and self._set(self._future.set_exception, why)

    def is_over(self) -> bool:
        """True once there is an answer, a failure, or no time left."""
        if self._end is not None and time.monotonic() >= self._end:
            self._pass_deadline()
        return self._future.done()

    def wait(self) -> None:
        """Waits until it is over."""
        left = None if self._end is None else max(0.0, self._end - time.monotonic())
        if not concurrent.futures.wait([self._future], left).done:
            self._pass_deadline()

    def get(self) -> Any:
        """Waits; raises an exception if the call has no answer."""
        self.wait()
        if self._future.exception():
            raise _apart(self._future.exception())
        return self._future.result()

    def _pass_deadline(self) -> None:
        note = "the deadline passed before the answer came"
        why = failure(sidl.rmi.TimeOutException, note, Fate.mayHaveExecuted)
        self._set(self._future.set_exception, why)

    @staticmethod
    def _set(setter: Callable[[Any], None], value: Any) -> bool:
        try:
            setter(value)
        except concurrent.futures.InvalidStateError:
            return False
        return True


class Answers:
    """The pending answers of a connection, by the numbers of their calls."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: dict[int, Answer] | None = {}
        self._numbers = itertools.count(1)

    def ask(self, deadline: int) -> tuple[int, Answer]:
        """A new number and its pending answer; `deadline` in milliseconds, 0: none."""
        made = Answer(deadline)
        number = next(self._numbers)
        with self._lock:
            if self._waiting is not None:
                self._waiting[number] = made
                return number, made
        fail(sidl.rmi.UnexpectedCloseException, "the connection has ended")

    def complete(self, number: int, message: Any) -> bool:
        """False if it is not waited for any more."""
        with self._lock:
            found = self._waiting.pop(number, None) if self._waiting else None
        return found is not None and found.complete(message)

    def end(self, why: str) -> None:
        """The connection has ended: fails all pending answers."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        for each in (waiting or {}).values():
            kind = sidl.rmi.UnexpectedCloseException
            each.fail(failure(kind, why, Fate.mayHaveExecuted))

    def has_ended(self) -> bool:
        """True if the connection has ended."""
        return self._waiting is None


# ---- calls ---------------------------------------------------------------------------------------


# Held while a thread starts, and for good when Python ends, as Python must not end while a thread
# is being bootstrapped.
_start = threading.Lock()


def _begin_as_child() -> None:
    global _start
    _start = threading.Lock()


os.register_at_fork(after_in_child=_begin_as_child)
atexit.register(lambda: _start.acquire())


_Job = Callable[[], None]
_Entry = tuple[int, _Job, _Job]  # number, job, replacement if it is cancelled
_RUNS: _Entry = (0, lambda: None, lambda: None)  # in the place of the running job
_PATIENCE = 1  # seconds after which an idle thread ends


class Strands:
    """Runs jobs of a peer: in order within a strand, concurrently in different strands. A strand
    has a thread as long as it has jobs. Idle threads are reused: starting a new one for each
    strand would make the reader wait."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._came = threading.Condition(self._lock)  # notified of a strand without a thread
        self._went = threading.Condition(self._lock)  # notified when a strand is empty
        self._strands: dict[Any, collections.deque[_Entry]] = {}
        self._new: collections.deque[Any] = collections.deque()  # strands without a thread yet
        self._free = 0  # idle threads, including those that are starting

    def run(self, strand: Any, job: _Job, number: int = 0, instead: _Job = lambda: None) -> None:
        """Jobs with a number above 0 can be cancelled: then `instead` is run in their place, to
        release what they would have consumed. Neither may raise."""
        with self._lock:
            queue = self._strands.setdefault(strand, collections.deque())
            queue.append((number, job, instead))
            if len(queue) > 1:
                return
            self._new.append(strand)
            self._came.notify()
            if len(self._new) <= self._free:
                return
            self._free += 1
        with _start:
            threading.Thread(target=self._work, daemon=True).start()

    def cancel(self, number: int) -> None:
        """Drops the job if it has not begun."""
        dropped = []  # released without the lock
        with self._lock:
            for queue in self._strands.values():
                for i, entry in enumerate(queue):
                    if entry[0] == number:
                        dropped.append(entry)
                        queue[i] = (0, entry[2], entry[2])

    def wait(self, seconds: float | None = None) -> bool:
        """False if a job still runs after that time."""
        with self._lock:
            return self._went.wait_for(lambda: not self._strands, seconds)

    def _work(self) -> None:
        while True:
            with self._lock:
                self._came.wait_for(lambda: bool(self._new), _PATIENCE)
                self._free -= 1
                if not self._new:
                    return
                strand = self._new.popleft()
                queue = self._strands[strand]
            while queue:
                self._run_first(strand, queue)

    def _run_first(self, strand: Any, queue: collections.deque[_Entry]) -> None:
        with self._lock:
            entry, queue[0] = queue[0], _RUNS
        entry[1]()
        del entry  # released now, without the lock, not with the next one
        with self._lock:
            queue.popleft()
            if not queue:
                del self._strands[strand]
                self._free += 1
                self._went.notify_all()


_numbers = itertools.count(1)
_own = threading.local()


def thread_number() -> int:
    """A number unique to the calling thread, to tell a peer which calls are ordered."""
    if not hasattr(_own, "number"):
        _own.number = next(_numbers)
    return int(_own.number)
