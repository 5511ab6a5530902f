"""What protocols that are written in Python need around their own classes.

The interfaces that they implement are in `sidl.rmi`; docs/writing-a-protocol.md is the guide, and
examples/protocol-plugin-python a protocol. A connection whose two ends may call each other is free
of deadlocks if one thread reads it and never does anything that waits: it completes an `Answer`,
puts calls into `Lanes`, and reads on.

The locks here may be taken twice by one thread: Python may run the end of any object, and with it
the release of a remote one, in the midst of what a thread does.
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
    "Lanes",
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
    "thread_number",
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
    """Names of a local object's class and its parents, nearest first: what travels of its type."""
    return _core.class_names(obj)


def dispatch(obj: Any, method: str, digest: int, call: Any, ret: Any) -> None:
    """Runs a call that came in from a peer; what goes wrong is answered by ret.throwException."""
    _core.dispatch(obj, method, digest, call, ret)


def make_value(names: Sequence[str], state: Any) -> Any:
    """An object of the first of these classes that this process has, with the state that its
    unpackObj reads from `state`. Nothing is loaded because a peer named it."""
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


class Loans:
    """The objects of this process that the peer of a connection holds, and how often."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._counts: collections.Counter[str] | None = collections.Counter()

    def lend(self, obj: Any) -> str:
        """Counts one more for the peer; the object's id."""
        id = _core.lend(obj)
        with self._lock:
            if self._counts is not None:
                self._counts[id] += 1
                return id
        _core.take_back(id, 1)
        fail(sidl.rmi.UnexpectedCloseException, "the connection has ended")

    def take_back(self, id: str) -> None:
        """The peer gives one back, if it has one. May end the object."""
        with self._lock:
            if self._counts is None or self._counts[id] == 0:
                return
            self._counts[id] -= 1
            if self._counts[id] == 0:
                del self._counts[id]
        _core.take_back(id, 1)

    def end(self) -> None:
        """The peer is gone: it holds nothing any more."""
        with self._lock:
            counts, self._counts = self._counts, None
        for id, count in (counts or {}).items():
            _core.take_back(id, count)


# ---- deadlines -----------------------------------------------------------------------------------


def deadline_of_request() -> int:
    """Milliseconds that creating an object or attaching to one may take; 0: no end."""
    return _core.deadline_of_request()


@contextlib.contextmanager
def inherited_deadline(milliseconds_left: int) -> Iterator[None]:
    """What this thread calls in the block has no longer deadline than the call that it runs.

    Below 0: that call has none.
    """
    previous = _core.deadline_inherit(milliseconds_left)
    try:
        yield
    finally:
        _core.deadline_restore(previous)


# ---- answers -------------------------------------------------------------------------------------


def _apart(why: Any) -> Any:
    """The same SIDL exception as another Python object, to be raised by who keeps this one. What is
    raised gets a trace, which leads to the callers' frames and all that is in them, the keeper too;
    such a circle, and the remote objects it refers to, would stay until Python's collector runs,
    which it never does in a process that only waits."""
    again = type(why)._cast(why)
    again.args = why.args
    return again


class Answer:
    """The answer to a call, from the time when it is asked for. May be used from any thread."""

    def __init__(self, milliseconds: int) -> None:
        """`milliseconds` 0: it may take as long as it wants."""
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
        """Waits; raises what became of a call without an answer."""
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
    """The answers that a connection waits for, by the numbers of their calls."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: dict[int, Answer] | None = {}
        self._numbers = itertools.count(1)

    def ask(self, deadline: int) -> tuple[int, Answer]:
        """A new number and its answer-to-be; `deadline` in milliseconds, 0: none."""
        made = Answer(deadline)
        number = next(self._numbers)
        with self._lock:
            if self._waiting is not None:
                self._waiting[number] = made
                return number, made
        fail(sidl.rmi.UnexpectedCloseException, "the connection has ended")

    def complete(self, number: int, message: Any) -> bool:
        """False if nobody waits for it any more."""
        with self._lock:
            found = self._waiting.pop(number, None) if self._waiting else None
        return found is not None and found.complete(message)

    def end(self, why: str) -> None:
        """The connection has ended: so do all that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        for each in (waiting or {}).values():
            kind = sidl.rmi.UnexpectedCloseException
            each.fail(failure(kind, why, Fate.mayHaveExecuted))

    def has_ended(self) -> bool:
        """True if the connection has ended."""
        return self._waiting is None


# ---- calls ---------------------------------------------------------------------------------------


# Held while a thread starts, and for good when Python ends: it could end within the thread's first
# steps, which are not made for that.
_start = threading.Lock()


def _begin_as_child() -> None:
    global _start
    _start = threading.Lock()


os.register_at_fork(after_in_child=_begin_as_child)
atexit.register(lambda: _start.acquire())


_Job = Callable[[], None]
_Entry = tuple[int, _Job, _Job]  # number, job, what is run instead if it is cancelled
_RUNS: _Entry = (0, lambda: None, lambda: None)  # in the place of what is being run
_PATIENCE = 1  # seconds after which a thread ends that has no lane


class Lanes:
    """Runs what a peer asks for: in one lane, one after the other in the order in which it came; in
    different lanes, at the same time. A lane has a thread as long as there is something to do. The
    threads go from lane to lane: a new one for each would have whoever reads wait for its start."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._came = threading.Condition(self._lock)  # a lane that has no thread yet
        self._went = threading.Condition(self._lock)  # a lane: there is nothing in it to do
        self._lanes: dict[Any, collections.deque[_Entry]] = {}
        self._new: collections.deque[Any] = collections.deque()  # lanes that have no thread yet
        self._free = 0  # threads that have no lane, those that are starting included

    def run(self, lane: Any, job: _Job, number: int = 0, instead: _Job = lambda: None) -> None:
        """Those with a number above 0 can be cancelled: then `instead` is run in their place, for
        what they would have used up. Neither may raise."""
        with self._lock:
            queue = self._lanes.setdefault(lane, collections.deque())
            queue.append((number, job, instead))
            if len(queue) > 1:
                return
            self._new.append(lane)
            self._came.notify()
            if len(self._new) <= self._free:
                return
            self._free += 1
        with _start:
            threading.Thread(target=self._work, daemon=True).start()

    def cancel(self, number: int) -> None:
        """What has not begun will not be run."""
        dropped = []  # what they hold goes when nobody waits for the lock
        with self._lock:
            for queue in self._lanes.values():
                for i, entry in enumerate(queue):
                    if entry[0] == number:
                        dropped.append(entry)
                        queue[i] = (0, entry[2], entry[2])

    def wait(self, seconds: float | None = None) -> bool:
        """False if something still runs after so much time."""
        with self._lock:
            return self._went.wait_for(lambda: not self._lanes, seconds)

    def _work(self) -> None:
        while True:
            with self._lock:
                self._came.wait_for(lambda: bool(self._new), _PATIENCE)
                self._free -= 1
                if not self._new:
                    return
                lane = self._new.popleft()
                queue = self._lanes[lane]
            while queue:
                self._run_first(lane, queue)

    def _run_first(self, lane: Any, queue: collections.deque[_Entry]) -> None:
        with self._lock:
            entry, queue[0] = queue[0], _RUNS
        entry[1]()
        del entry  # what it holds goes now: not with the next one, nor while others want the lock
        with self._lock:
            queue.popleft()
            if not queue:
                del self._lanes[lane]
                self._free += 1
                self._went.notify_all()


_numbers = itertools.count(1)
_own = threading.local()


def thread_number() -> int:
    """A number of the calling thread's own, to tell a peer which calls have an order."""
    if not hasattr(_own, "number"):
        _own.number = next(_numbers)
    return int(_own.number)
