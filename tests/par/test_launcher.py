"""Jobs that a program starts: sidl.par.Launcher."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

#: A server of its own, and a program that only ends.
JOB = """
launcher = "processes"
[board]
ranks = 2
serve = ["sidl.SIDLException"]
[work]
calls = ["board"]
command = ["{python}", "-c", "import time; time.sleep({seconds}); raise SystemExit({status})"]
"""
BEGIN = """
import os, sys
import sidl
from sidl.par import Launcher
from sidl.rmi import Deadline
def refused(what, call, *arguments):
    try:
        call(*arguments)
    except sidl.BaseException as failure:
        assert what in failure.getNote(), failure.getNote()
    else:
        raise AssertionError(f"not refused: {what}")
"""


@pytest.fixture
def program(stage, tmp_path):
    """program(code, seconds, status): a process that runs it, with a job file as its argument."""
    if not list((stage / "lib").glob("libsidl_python*")):
        pytest.skip("built without Python's headers: no Python binding")
    started = []
    runtime = tmp_path / "run"
    runtime.mkdir()

    def start(code, seconds=0, status=0):
        job = tmp_path / "job.toml"
        job.write_text(JOB.format(python=sys.executable, seconds=seconds, status=status))
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", BEGIN + code, job],
                env={
                    **os.environ,
                    "PYTHONPATH": str(stage / "lib" / "shinar" / "python"),
                    "XDG_RUNTIME_DIR": str(runtime),
                },
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return started[-1]

    yield start
    for each in started:
        each.kill()
        each.communicate()
    assert list(runtime.iterdir()) == []


def test_urls_and_status(program):
    done = program(
        """
job = Launcher.start(sys.argv[1], ["--ranks=board=3"])
urls = list(job.getURLs("board"))
assert len(urls) == 3 and all(url.startswith("simhandle+unix://") for url in urls), urls
refused("has no server 'work'", job.getURLs, "work")
refused("has no server 'nothing'", job.getURLs, "nothing")
assert sidl.SIDLException._create(urls[2]) is not None
assert list(job.getURLs("board")) == urls
print(job.join(), job.join())
""",
        seconds=2,  # the servers end with the program
        status=7,
    )
    text = done.communicate(timeout=60)[0]
    assert text.endswith("7 7\n"), text


def test_what_is_wrong(program):
    done = program(
        """
refused("no job has been started", Launcher().join)
job = Launcher.start("/no/such/job", None)
refused("has ended with status 2 before 'board' served", job.getURLs, "board")
print(job.join())
job = Launcher.start(sys.argv[1], ["--wat"])
print(job.join())
job = Launcher.start(sys.argv[1], [])
Deadline.setForThread(300)
refused("goes on beyond the deadline", job.join)
Deadline.setForThread(-1)
job.stop()
print(job.join())
""",
        seconds=60,
    )
    text = done.communicate(timeout=60)[0].splitlines()
    assert [line for line in text if line.isdigit()] == ["2", "2", "143"], text
    assert any("/no/such/job" in line for line in text) and any("--wat" in line for line in text)


def wait_until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def processes_with(text):
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text in each.read_bytes().replace(b"\0", b" ").decode(errors="replace"):
                found.append(each.parent.name)
        except OSError:
            continue  # it has ended meanwhile
    return found


@pytest.mark.parametrize("end", ["del job", "os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_jobs_end_with_who_started_them(end, program, tmp_path):
    done = program(
        f"""
job = Launcher.start(sys.argv[1], [])
print(len(job.getURLs("board")), flush=True)
{end}
print("over", flush=True)
""",
        seconds=1234,
    )
    done.communicate(timeout=60)
    wait_until(lambda: not processes_with("time.sleep(1234)"))
    wait_until(lambda: not processes_with(str(tmp_path / "job.toml")))
    wait_until(lambda: list((tmp_path / "run").iterdir()) == [])


def test_forks_have_no_part_in_jobs(program):
    """The copy of a launcher that a fork has ends nothing, and keeps nothing going."""
    done = program(
        """
import time
job = Launcher.start(sys.argv[1], [])
job.getURLs("board")
for end in (lambda: globals().pop("job"), sys.exit, job.stop, job.join, time.sleep):
    if os.fork() == 0:
        if end is time.sleep:  # goes on after all others have ended
            os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
            os.dup2(1, 2)
            end(60)
        elif end in (job.stop, job.join):
            refused("is of the process that has started it", end)
        else:
            end()
        os._exit(0)
    if end is not time.sleep:
        assert os.wait()[1] == 0
Deadline.setForThread(300)
refused("goes on beyond the deadline", job.join)
print("goes on", flush=True)
os.kill(os.getpid(), 9)
""",
        seconds=1235,
    )
    assert "goes on\n" in done.communicate(timeout=60)[0]
    wait_until(lambda: not processes_with("time.sleep(1235)"))


def test_interrupts(program):
    done = program(
        """
job = Launcher.start(sys.argv[1], [])
job.getURLs("board")
try:
    print("begun", flush=True)
    job.join()
except KeyboardInterrupt:
    print("interrupted")
""",
        seconds=60,
    )
    while done.stdout.readline() != "begun\n":  # what the job writes comes first
        assert done.poll() is None
    done.send_signal(signal.SIGINT)
    assert "interrupted\n" in done.communicate(timeout=60)[0]
