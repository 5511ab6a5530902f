"""Nonblocking calls, as futures that can be awaited.

One thread waits for the answers to all of them, in a book of tickets; it starts with the first call
and ends with Python.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import threading
from collections.abc import Generator
from typing import Any, TypeVar

from shinar import _core

T = TypeVar("T")


class Pending(concurrent.futures.Future[T]):
    """A call on its way: a future of `concurrent.futures`, and awaitable."""

    def __init__(self, ticket: Any, sent: Any) -> None:
        super().__init__()
        self._ticket = ticket
        self._sent = sent
        self._claim = threading.Lock()
        _waiter.watch(self)

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()

    @property
    def ticket(self) -> Any:
        """The sidl.rmi.Ticket of the call."""
        return self._ticket

    def result(self, timeout: float | None = None) -> T:
        """What the method returns, or throws; waits for it."""
        if timeout is None:
            self._receive()
        return super().result(timeout)

    def cancel(self) -> bool:
        """Gives the call up: a late answer is dropped. False if it was over already."""
        if not self._claim.acquire(blocking=False):  # another thread takes the answer in
            return bool(self._ticket.cancel()) and super().cancel()
        if self._ticket.cancel():
            super().cancel()
            self.set_running_or_notify_cancel()
            return True
        self._claim.release()
        self._receive()
        return False

    def _receive(self) -> None:
        """Takes the answer in, unless that is done or another thread is at it."""
        if not self._claim.acquire(blocking=False):
            return
        if not self.set_running_or_notify_cancel():
            return
        try:
            result = _core.receive(self._sent)
        except BaseException as error:
            self.set_exception(error)
        else:
            self.set_result(result)


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
            if self._thread is None:
                self._book = sidl.rmi.TicketBookI()
                self._thread = threading.Thread(target=self._run, name="shinar", daemon=True)
                self._thread.start()
                atexit.register(self._end)
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
            number, ticket = self._book.removeReady()
            with self._lock:
                pending = self._pending.pop(number, None) if ticket else None
            if pending:
                pending._receive()

    def _end(self) -> None:
        with self._lock:
            self._ends = True
            self._lock.notify()
        self._book.cancel()
        if self._thread:
            self._thread.join()


_waiter = _Waiter()
