"""Ctrl-C, and other signals with handlers in Python, while the main thread waits for a server.

What it waits for × where the signal comes in × who reads the connection meanwhile.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest
import sidl.rmi
import snake
import ty
from conftest import make

pytestmark = pytest.mark.usefixtures("on_server")


@pytest.fixture(autouse=True)
def ctrl_c():
    """A shell has its programs in the background ignore Ctrl-C; then Python does so, too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def place(request):
    return f"{request.node.name} {os.getpid()}"


def to_process():
    os.kill(os.getpid(), signal.SIGINT)


def to_another_thread():
    """The main thread sleeps on."""
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


WAYS = {"process": to_process, "another": to_another_thread}


class Sent:
    """A signal that is sent as soon as as many calls of `meet` have come to the place.

    Inside of `raises`: with a call that was begun before, it may come at once.
    """

    def __init__(self, send, place, count=1):
        self._send, self._place, self._count = send, place, count
        self._ends = False
        self._entered = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        worker = make(snake.Worker)
        self._entered.wait()
        while worker.come(self._place) < self._count and not self._ends:
            pass
        if not self._ends:
            self._send()

    def __enter__(self):
        self._thread.start()
        self._entered.set()

    def __exit__(self, *_):
        self._ends = True
        self._thread.join()


def blocking(worker, place):
    worker.meet(place, 2)


def with_deadline(worker, place):
    worker.meet(place, 2, deadline=500)


def result(worker, place):
    worker.meet_send(place, 2).result()


def result_in_time(worker, place):
    worker.meet_send(place, 2).result(30)


def ticket(worker, place):
    worker.meet_send(place, 2).ticket.block()


def book(worker, place):
    tickets = sidl.rmi.TicketBookI()
    tickets.insert(worker.meet_send(place, 2).ticket)
    tickets.removeReady()


def awaited(worker, place):
    async def one():
        await worker.meet_send(place, 2)

    asyncio.run(one())


WAITS = [blocking, with_deadline, result, result_in_time, ticket, book, awaited]


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c(worker, place, wait, way):
    if wait in (awaited, result_in_time) and way == "another":
        pytest.skip("Python itself sleeps on then")
    with pytest.raises(KeyboardInterrupt), Sent(WAYS[way], place):
        wait(worker, place)
    assert make(snake.Worker).meet(place, 2) == 2  # the method that still runs there ends
    assert worker.meet(place, 3) == 3


def test_a_future_is_good_for_another_wait(worker, place):
    pending = worker.meet_send(place, 2)
    with pytest.raises(KeyboardInterrupt), Sent(to_process, place):
        pending.result()
    assert not pending.done()
    assert make(snake.Worker).meet(place, 2) == 2
    assert pending.result() == 2


def test_a_call_that_has_not_begun_is_not_run(worker, place):
    """It waits for the one before it, whose answer nobody has asked for."""
    first = worker.meet_send(place, 2)
    with pytest.raises(KeyboardInterrupt), Sent(to_process, place):
        worker.meet(f"{place} never", 1)
    assert make(snake.Worker).meet(place, 2) == 2 and first.result() == 2
    assert worker.come(f"{place} never") == 0


class Late(Exception):
    pass


def test_what_a_handler_raises(worker, place):
    def handle(*_):
        raise Late(place)

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        sends = Sent(lambda: os.kill(os.getpid(), signal.SIGUSR1), place)
        with pytest.raises(Late, match=str(os.getpid())), sends:
            worker.meet(place, 2)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert make(snake.Worker).meet(place, 2) == 2


def test_a_handler_that_calls(worker, place):
    """It runs while the call waits, which goes on."""
    before = signal.signal(signal.SIGUSR1, lambda *_: worker.me().meet(place, 2))
    try:
        with Sent(lambda: os.kill(os.getpid(), signal.SIGUSR1), place):
            assert worker.meet(place, 2) == 2
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_other_threads_wait_on(worker, place):
    others = []
    thread = threading.Thread(target=lambda: others.append(worker.meet(place, 3)))
    thread.start()
    with pytest.raises(KeyboardInterrupt), Sent(to_process, place, 2):
        make(snake.Worker).meet(place, 3)
    assert make(snake.Worker).meet(place, 3) == 3
    thread.join()
    assert others == [3]


@pytest.mark.parametrize("swallows", [False, True])
def test_in_a_call_of_the_server(worker, place, swallows):
    """Whatever the server makes of it: the interrupt comes to those who pressed the key."""

    class Mine(ty.Numbered):
        def number(self):
            try:
                worker.me().meet(place, 2)
            except KeyboardInterrupt:
                if not swallows:
                    raise
                # `meet` runs on the thread that waits for this answer.
                release = threading.Thread(target=make(snake.Worker).meet, args=[place, 2])
                release.start()
                release.join()
            return 1

    if swallows:
        with Sent(to_process, place):
            assert worker.ask(Mine()) == 2
    else:
        with pytest.raises(KeyboardInterrupt), Sent(to_process, place):
            worker.ask(Mine())
    assert make(snake.Worker).meet(place, 2) == 2


def test_connecting():
    """To somebody who accepts the connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as mute:

        def accept():
            with mute.accept()[0] as connection:
                connection.recv(64, socket.MSG_WAITALL)
                to_process()
                connection.recv(1)

        thread = threading.Thread(target=accept)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            snake.Worker.create(f"simhandle://127.0.0.1:{mute.getsockname()[1]}")
        thread.join()


def test_over_one_connection():
    """All of this, with all threads at the same connection: one reads for the others."""
    if os.environ.get("SIDL_RMI_CONNECTIONS") == "1":
        pytest.skip("this is it")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, f"--confcutdir={os.path.dirname(__file__)}", __file__],
        env={**os.environ, "SIDL_RMI_CONNECTIONS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
