"""Nonblocking calls, as futures that can be awaited.

One thread waits for the answers to all of them, in a book of tickets; it starts with the first call
and ends with Python. A forked child starts another one; what its parent waits for is over there.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import os
import threading
import time
from collections.abc import Generator
from typing import Any, TypeVar

from shinar import _core

T = TypeVar("T")

# Minimum of seconds to wait for an answer that has come and is being received by another thread.
_TAKEN_IN_WITHIN = 1.0


class Pending(concurrent.futures.Future[T]):
    """A pending call: a future of `concurrent.futures`, and awaitable."""

    def __init__(self, ticket: Any, sent: Any) -> None:
        super().__init__()
        self._ticket = ticket
        self._sent = sent
        self._claim = threading.Lock()
        self._standbys: set[_core.Standby] = set()
        self.add_done_callback(_wake_standbys)
        _waiter.watch(self)

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()

    @property
    def ticket(self) -> Any:
        """The sidl.rmi.Ticket of the call."""
        return self._ticket

    def done(self) -> bool:
        """True once the call is over. In a method, nested calls may run meanwhile."""
        try:
            return self._is_over() and super().done()
        finally:
            del self  # as in result

    def result(self, timeout: float | None = None) -> T:
        """Waits for and returns the method's result, or raises its exception."""
        try:
            return super().result(self._wait(timeout))
        finally:
            del self  # else the exception's traceback would form a reference cycle

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Waits for and returns the method's exception, or None."""
        try:
            return super().exception(self._wait(timeout))
        finally:
            del self  # as in result

    def cancel(self) -> bool:
        """Cancels the call: a late answer is dropped. False if it was over already."""
        if not self._claim.acquire(blocking=False):  # another thread is receiving the answer
            return bool(self._ticket.cancel()) and super().cancel()
        if self._ticket.cancel():
            super().cancel()
            self.set_running_or_notify_cancel()
            return True
        self._claim.release()
        self._receive()
        del self  # as in result: _receive's frame refers to this one
        return False

    def _is_over(self) -> bool:
        """True if it is over; the answer has then been received, or another thread is doing so."""
        try:
            if not super().done():
                if not self._ticket.test():
                    return False
                self._receive()
            return True
        finally:
            del self  # as in result

    def _wait(self, timeout: float | None) -> float | None:
        """Waits until it is over, as far as the future's own wait cannot; returns the remaining
        time for that."""
        try:
            if self._is_over():
                return None if timeout is None else max(timeout, _TAKEN_IN_WITHIN)
            if timeout is not None:
                return self._wait_on_standby(timeout)
            self._ticket.block()  # if this is interrupted, the call continues
            self._receive()
            return None
        finally:
            del self  # as in result

    def _wait_on_standby(self, timeout: float) -> float:
        standby = _core.Standby()
        with standby as is_in_method:
            if not is_in_method:
                return timeout
            self._standbys.add(standby)
            try:
                end = time.monotonic() + timeout
                while not super().done() and (left := end - time.monotonic()) > 0:
                    if not standby.wait(left):
                        self.cancel()
            finally:
                self._standbys.discard(standby)
                del self  # as in result
            return 0

    def _receive(self) -> None:
        """Receives the answer, unless that is done or another thread is doing so."""
        if not self._claim.acquire(blocking=False):
            return
        if not self.set_running_or_notify_cancel():
            return
        try:
            result = _core.receive(self._sent)
        except BaseException as error:
            self.set_exception(error)
            del self  # as in result
        else:
            self.set_result(result)

    def _leave_to_parent(self) -> None:
        """In a forked child: ends the call, with the answer if that had come."""
        import sidl.rmi

        self._condition = threading.Condition()  # the old ones may be held by lost threads
        self._claim = threading.Lock()
        # Waiters and callbacks belong to the parent.
        self._waiters.clear()
        self._done_callbacks.clear()
        self._standbys.clear()
        if super().done():
            return
        self._claim.acquire()
        try:
            if not self._ticket.test():
                note = "the call was made by the parent process, which gets its answer"
                raise sidl.rmi.UnexpectedCloseException(note)
            result = _core.receive(self._sent)
        except BaseException as error:
            self.set_exception(error)
            del self  # as in result
        else:
            self.set_result(result)


def _wake_standbys(pending: concurrent.futures.Future[Any]) -> None:
    assert isinstance(pending, Pending)
    for standby in tuple(pending._standbys):
        standby.wake()


class _Waiter:
    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._pending: dict[int, Pending[Any]] = {}
        self._number = 0
        self._book: Any = None
        self._thread: threading.Thread | None = None
        self._ends = False

    def watch(self, pending: Pending[Any]) -> None:
        import sidl.rmi

        with self._lock:
            if self._ends:
                return
            if self._thread is None:
                self._book = sidl.rmi.TicketBookI()
                self._thread = threading.Thread(target=self._run, name="shinar", daemon=True)
                self._thread.start()
            self._number = (self._number + 1) % 2**31
            self._pending[self._number] = pending
            self._book.insertWithID(pending.ticket, self._number)
            self._lock.notify()

    def _run(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._pending or self._ends)
                if self._ends:
                    return
            self._take_next()

    def _take_next(self) -> None:
        """A separate function, so that no variable keeps anything alive while the next one is
        awaited."""
        number, ticket = self._book.removeReady()
        if not ticket:
            return
        self._pending[number]._receive()
        with self._lock:  # only now: until then a forked child has to find it
            del self._pending[number]

    def end(self) -> None:
        with self._lock:
            self._ends = True
            self._lock.notify()
        if self._thread:
            self._book.cancel()
            self._thread.join()
        # Calls whose result was taken elsewhere; their tickets are still in the book.
        self._pending.clear()
        self._book = None

    def leave_to_parent(self) -> None:
        for number in list(self._pending):  # without a loop variable for the call, as in _take_next
            self._pending.pop(number)._leave_to_parent()


_waiter = _Waiter()


def _end() -> None:
    _waiter.end()


def _begin_as_child() -> None:
    global _waiter
    parents, _waiter = _waiter, _Waiter()
    parents.leave_to_parent()


atexit.register(_end)
os.register_at_fork(after_in_child=_begin_as_child)
