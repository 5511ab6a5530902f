"""What protocols that are written in Python stand on: shinar.protocol."""

import threading

import pytest
from shinar import protocol
from sidl.rmi import TimeOutException, UnexpectedCloseException

PATIENCE = 60  # seconds


@pytest.fixture
def strands():
    made = protocol.Strands()
    yield made
    assert made.wait(PATIENCE)


def test_a_lane_keeps_the_order(strands):
    order = []
    for i in range(100):
        strands.run("a", lambda i=i: order.append(i))
    assert strands.wait(PATIENCE)
    assert order == list(range(100))


def test_lanes_run_at_the_same_time(strands):
    """Each waits for all others, also if there were threads already, but fewer."""
    for count in 3, 8:
        together = threading.Barrier(count + 1, timeout=PATIENCE)
        for strand in range(count):
            strands.run(strand, together.wait)
        together.wait()
        assert strands.wait(PATIENCE)


def test_threads_go_from_lane_to_strand(strands):
    """Each call had a new thread, for whose start the one that reads had to wait: where others want
    the processor, that took ten times as long as the calls."""
    threads = set()
    for strand in range(100):
        strands.run(strand, lambda: threads.add(threading.current_thread()))
        assert strands.wait(PATIENCE)
    assert len(threads) < 50  # one, if the machine never takes a rest


def test_what_is_cancelled_is_not_run(strands):
    ran, begun, goes_on = [], threading.Event(), threading.Event()
    strands.run("a", lambda: begun.set() or goes_on.wait(PATIENCE), number=1)
    for number in 2, 3:
        jobs = [lambda what=what: ran.append(what) for what in (number, -number)]
        strands.run("a", jobs[0], number, jobs[1])
    assert begun.wait(PATIENCE)
    for number in 1, 2:
        strands.cancel(number)
    goes_on.set()
    assert strands.wait(PATIENCE)
    assert ran == [-2, 3]


@pytest.fixture
def waiting_job(strands):
    """A job with an end that waits for another one, as that of an object does which calls the peer;
    and a list, which says when it has ended how that was."""

    class Job:
        def __call__(self):
            goes_on.wait(PATIENCE)

        def __del__(self):
            came = threading.Event()
            threading.Thread(target=strands.run, args=("b", came.set)).start()
            ended.append(came.wait(PATIENCE / 6))

    ended, goes_on = [], threading.Event()
    return Job, ended, goes_on


def test_what_a_job_holds_may_wait_for_other_jobs_when_it_ends(strands, waiting_job):
    """The strands were locked meanwhile, so that the one that reads, which had to bring the answer,
    waited for it."""
    make, ended, goes_on = waiting_job
    strands.run("a", make())
    goes_on.set()  # nobody else has the job any more
    assert strands.wait(PATIENCE)
    assert ended == [True]


def test_so_may_what_is_run_in_its_place(strands, waiting_job):
    """If it is not: it went while the strands were locked."""
    make, ended, goes_on = waiting_job
    strands.run("a", lambda: goes_on.wait(PATIENCE))
    strands.run("a", lambda: None, 1, make())
    goes_on.set()
    assert strands.wait(PATIENCE)
    assert ended == [True]


def test_so_may_what_is_cancelled(strands, waiting_job):
    """If others came after it: it went while the strands were locked."""
    make, ended, goes_on = waiting_job
    strands.run("a", lambda: goes_on.wait(PATIENCE))
    strands.run("a", make(), 1)
    strands.run("a", lambda: None)
    strands.cancel(1)
    assert ended == [True]
    goes_on.set()


def test_a_failure_can_be_asked_for_twice():
    late, broken = protocol.Answer(1), protocol.Answer(0)
    why = protocol.failure(UnexpectedCloseException, "it broke", protocol.Fate.mayHaveExecuted, 7)
    assert broken.fail(why) and not broken.fail(why)
    for _ in range(2):
        with pytest.raises(TimeOutException, match="the deadline passed"):
            late.get()
        with pytest.raises(UnexpectedCloseException, match="it broke") as caught:
            broken.get()
        assert caught.value.args == ("it broke",)
        assert caught.value.getFate() == protocol.Fate.mayHaveExecuted
        assert caught.value.getErrno() == 7
