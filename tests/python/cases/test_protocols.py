"""What protocols that are written in Python stand on: shinar.protocol."""

import threading

import pytest
from shinar import protocol
from sidl.rmi import TimeOutException, UnexpectedCloseException

PATIENCE = 60  # seconds


@pytest.fixture
def lanes():
    made = protocol.Lanes()
    yield made
    assert made.wait(PATIENCE)


def test_a_lane_keeps_the_order(lanes):
    order = []
    for i in range(100):
        lanes.run("a", lambda i=i: order.append(i))
    assert lanes.wait(PATIENCE)
    assert order == list(range(100))


def test_lanes_run_at_the_same_time(lanes):
    """Each waits for all others, also if there were threads already, but fewer."""
    for count in 3, 8:
        together = threading.Barrier(count + 1, timeout=PATIENCE)
        for lane in range(count):
            lanes.run(lane, together.wait)
        together.wait()
        assert lanes.wait(PATIENCE)


def test_threads_go_from_lane_to_lane(lanes):
    """Each call had a new thread, for whose start the one that reads had to wait: where others want
    the processor, that took ten times as long as the calls."""
    threads = set()
    for lane in range(100):
        lanes.run(lane, lambda: threads.add(threading.current_thread()))
        assert lanes.wait(PATIENCE)
    assert len(threads) < 50  # one, if the machine never takes a rest


def test_what_is_cancelled_is_not_run(lanes):
    ran, begun, goes_on = [], threading.Event(), threading.Event()
    lanes.run("a", lambda: begun.set() or goes_on.wait(PATIENCE), number=1)
    for number in 2, 3:
        jobs = [lambda what=what: ran.append(what) for what in (number, -number)]
        lanes.run("a", jobs[0], number, jobs[1])
    assert begun.wait(PATIENCE)
    for number in 1, 2:
        lanes.cancel(number)
    goes_on.set()
    assert lanes.wait(PATIENCE)
    assert ran == [-2, 3]


@pytest.fixture
def waiting_job(lanes):
    """A job with an end that waits for another one, as that of an object does which calls the peer;
    and a list, which says when it has ended how that was."""

    class Job:
        def __call__(self):
            goes_on.wait(PATIENCE)

        def __del__(self):
            came = threading.Event()
            threading.Thread(target=lanes.run, args=("b", came.set)).start()
            ended.append(came.wait(PATIENCE / 6))

    ended, goes_on = [], threading.Event()
    return Job, ended, goes_on


def test_what_a_job_holds_may_wait_for_other_jobs_when_it_ends(lanes, waiting_job):
    """The lanes were locked meanwhile, so that the one that reads, which had to bring the answer,
    waited for it."""
    make, ended, goes_on = waiting_job
    lanes.run("a", make())
    goes_on.set()  # nobody else has the job any more
    assert lanes.wait(PATIENCE)
    assert ended == [True]


def test_so_may_what_is_run_in_its_place(lanes, waiting_job):
    """If it is not: it went while the lanes were locked."""
    make, ended, goes_on = waiting_job
    lanes.run("a", lambda: goes_on.wait(PATIENCE))
    lanes.run("a", lambda: None, 1, make())
    goes_on.set()
    assert lanes.wait(PATIENCE)
    assert ended == [True]


def test_so_may_what_is_cancelled(lanes, waiting_job):
    """If others came after it: it went while the lanes were locked."""
    make, ended, goes_on = waiting_job
    lanes.run("a", lambda: goes_on.wait(PATIENCE))
    lanes.run("a", make(), 1)
    lanes.run("a", lambda: None)
    lanes.cancel(1)
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
