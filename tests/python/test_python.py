"""Python as caller and as callee: of C and C++ and of Python, in process and from another one.

The callees of tests/types are called from cases/test_*.py, which run in a Python of their own: the
one that the extension modules were compiled for."""

import os
import signal
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = sorted(path.name for path in (HERE / "cases").glob("test_*.py"))
LIBRARIES = {
    "ty.InC": "in_c",
    "ty.InCxx": "in_cxx",
    "ty.Item": "ty",
    "snake.Worker": "snake",
    "snake.Reader": "snake",
    "snake.Odd": "snake",
    "snake.Loss": "snake",
    "snake.Disaster": "snake",
    "scaly.Scaly": "scaly",
    "scaly.Trader": "scaly",
    "scaly.Relay": "scaly",
    "scaly.Meter": "scaly",
    "scaly.Hatch": "scaly",
    "scaly.Slump": "scaly",
}


@pytest.fixture(scope="module")
def built(cmake_build, stage, tmp_path_factory):
    """The folder with the libraries and the Python packages."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(HERE, tmp_path_factory.mktemp("python"), *options, unity=True)


@pytest.fixture
def environment(built):
    return {
        **os.environ,
        "PYTHONPATH": (built / "path").read_text(),
        "PYTHONDEVMODE": "1",
        "PYTHONMALLOC": "debug",
        "PYTHONWARNINGS": "error",
        "SIDL_DLL_PATH": ";".join(
            str(built / f"{name}.scl") for name in sorted(set(LIBRARIES.values()))
        ),
    }


def run_case(run, case, environment):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--confcutdir={HERE / 'cases'}",
        "-o",
        "faulthandler_timeout=60",
        "-o",
        "faulthandler_exit_on_timeout=true",
        HERE / "cases" / case,
    ]
    done = run(command, status=None, env=environment, cwd=HERE / "cases")
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


@pytest.mark.parametrize("case", CASES)
def test_in_one_process(case, run, environment):
    run_case(run, case, environment)


@pytest.mark.parametrize("protocol", ["simhandle", "pipes", "pysock"], indirect=True)
def test_from_another_process(protocol, run, environment, built, start_server, monkeypatch):
    """By a protocol in C++, also over a transport of a user's, and by one in Python: then all of it
    is in Python, at both ends."""
    environment["SIDL_DLL_PATH"] += ";" + os.environ.get("SIDL_DLL_PATH", "")
    for name in ("PYTHONPATH", "SIDL_DLL_PATH"):
        monkeypatch.setenv(name, environment[name])
    options = ["--drain", "0"]  # some calls never end
    for name, library in LIBRARIES.items():
        options += ["--export", f"{name}={built}/lib{library}.so"]
    server = start_server(protocol, *options)
    cases = ["test_types.py", "test_pending.py", "test_overlaps.py", "test_raw_members.py"]
    cases += ["test_device_arrays.py", "test_namesakes.py"]
    if protocol.is_simhandle:
        # with the others a child has no use for its parent's handles, and hundreds of calls within
        # calls take a minute where all of it is in Python
        cases += ["test_forks.py", "test_signals.py", "test_recursion.py"]
    for case in cases:
        run_case(run, case, {**environment, "TY_SERVER": server.url})


FROZEN = """
import os, signal, snake, sidl.rmi
worker = snake.Worker.create(os.environ["TY_SERVER"])
worker.come("here")
os.kill(int(os.environ["TY_PROCESS"]), signal.SIGSTOP)
try:
    while True:  # its threads do not stop at the same moment
        worker.come("here")
except sidl.rmi.UnexpectedCloseException as gone:
    print(gone)
"""


@pytest.mark.parametrize("protocol", ["simhandle", "shm", "ucx"], indirect=True)
def test_the_main_thread_notices_a_server_that_stops(
    protocol, run, environment, built, start_server, monkeypatch
):
    """It looks for Ctrl-C ten times a second, each time anew at the server's silence."""
    for name in ("PYTHONPATH", "SIDL_DLL_PATH"):
        monkeypatch.setenv(name, environment[name])
    export = f"snake.Worker={built}/lib{LIBRARIES['snake.Worker']}.so"
    server = start_server(protocol, "--drain", "0", "--export", export)
    speaks = {"TY_SERVER": server.url, "TY_PROCESS": str(server.process.pid)}
    speaks["SIDL_RMI_KEEPALIVE_MS"] = "300"
    try:
        done = run(
            [sys.executable, "-c", FROZEN], env={**environment, **speaks}, cwd=HERE, timeout=60
        )
    finally:
        server.process.kill()
    assert "does not answer keepalives" in done.stdout


def test_a_program_in_c_has_python_in_it(run, environment, built):
    assert run([built / "host"], env=environment).stdout == "fine\n"


# What an implementation may have open when the program ends that Python was started in.
OPEN_FILES = """
import builtins, os, shinar._end
builtins.kept = open(os.environ["KEPT"], "w")
kept.write("buffered")
builtins.full = open("/dev/full", "w")
full.write("lost")
builtins.pipe = open(os.pipe()[1], "wb", buffering=2**20)
pipe.write(bytes(2**20 - 1))
shinar._end._PATIENCE = 0.5
"""


def test_what_is_buffered_is_written_at_the_end(run, environment, built, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(OPEN_FILES)
    environment["PYTHONPATH"] += os.pathsep + str(tmp_path)
    done = run([built / "host"], env={**environment, "KEPT": str(tmp_path / "kept")})
    assert done.stdout == "fine\n"
    assert (tmp_path / "kept").read_text() == "buffered"
    lost = "name='/dev/full' mode='w' encoding='UTF-8'> has not been written to the end: [Errno 28]"
    assert lost.lower() in done.stderr.lower()


# What Python says of what it has printed goes to sys, and with it the frames.
UNUSABLE = """
import atexit, sys
sys.modules["snake"] = None
atexit.register(lambda: print(hasattr(sys, "last_traceback")))
"""


def test_what_cannot_be_imported_keeps_no_frames(run, environment, built, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(UNUSABLE)
    environment["PYTHONPATH"] += os.pathsep + str(tmp_path)
    done = run([built / "host"], env=environment, status=1)
    assert "import of snake halted" in done.stderr
    assert done.stdout == "False\n"


def test_a_program_without_a_standard_output(run, environment, built):
    """Python has no sys.stdout then."""
    done = run(["sh", "-c", '"$0" >&-', built / "host"], env=environment)
    assert done.stderr == ""


@pytest.mark.parametrize(
    "way", ["static", "thread", "aside", "thread-local", "inside", "caught", "quick"]
)
def test_a_program_in_cxx_ends_well(way, run, environment, built):
    """Whoever goes first, the program's objects, its threads or the interpreter it was given."""
    done = run([built / "ends", way], env=environment, timeout=60)
    assert done.stdout == "fine\n"
    ended_inside = "the process exits in the middle of a call: method scaly.Leaver.number (in "
    assert ended_inside in done.stderr if way == "inside" else done.stderr == ""


def test_an_interrupt_ends_a_program_in_cxx(run, environment, built):
    """Python took SIGINT: Ctrl-C did nothing before the next call, which failed then. Of tests that
    run in the background a shell has it ignored."""
    program = ["env", "--default-signal=INT", built / "ends", "interrupted"]
    run(program, env=environment, status=-signal.SIGINT, timeout=60)


SUBINTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
TRY = "try: import shinar\\nexcept ImportError as error: print(error, flush=True)"
interpreters.run_string(interpreters.create(), TRY)
"""


def test_a_subinterpreter_is_told(run, environment):
    """It hung."""
    done = run([sys.executable, "-c", SUBINTERPRETER], env=environment, timeout=60)
    assert done.stdout.startswith("shinar cannot be imported in a subinterpreter: ")


# Only programs in Python had been forked: there it is Python that takes its own locks for it.
@pytest.mark.parametrize("way", ["main", "often", "new", "inside", "aside", "start"])
def test_a_program_in_cxx_forks_well(way, run, environment, built):
    """A child whose Python was held by a thread that it does not have hung for ever; so did one
    that needed a module which such a thread was importing, after one start in 25."""
    for _ in range(5 if way == "start" else 1):
        done = run([built / "forks", way], env=environment, timeout=120)
        assert (done.stdout, done.stderr) == ("fine\n", "")


# Tests with threads had made a call with arrays before: all but one, which hung once in 20 runs.
def test_threads_pass_their_first_arrays(run, environment, built, tmp_path):
    """A thread waited for a static variable's guard with the GIL, another one for the GIL."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.setswitchinterval(1e-6)\n")
    environment["PYTHONPATH"] += os.pathsep + str(tmp_path)
    for _ in range(8):
        assert run([built / "threads"], env=environment, timeout=60).stdout == "fine\n"


# Its threads are within calls, and on their way back, when Python ends.
DAEMONS = """
import threading, ty

def call():
    while True:
        ty.Item().isType("ty.Item")

threads = [threading.Thread(target=call, daemon=True) for _ in range(4)]
for each in threads:
    each.start()
ty.Item().number()
"""


def test_daemons_are_left_where_they_are(run, environment):
    for _ in range(10):
        done = run([sys.executable, "-c", DAEMONS], env=environment, timeout=60)
        assert done.stderr == ""


LISTENING = """
import scaly, snake
from snake.Worker_Impl import Worker_Impl

class Plain(Worker_Impl, snake.All):
    number = greet = turn = lambda *all: None

relay, plain = scaly.Relay(), Plain()
relay.to(plain)
{then}
"""


@pytest.mark.parametrize(
    ("then", "alive"),
    [
        ("plain.relay = relay", ["1 scaly.Relay", "1 __main__.Plain (Python)"]),
        ("plain.relay = relay; relay.to(None)", []),
        ("del relay", []),
    ],
)
def test_circles_are_told(then, alive, run, environment):
    """Which objects have stayed, when somebody asks."""
    command = [sys.executable, "-c", LISTENING.format(then=then)]
    done = run(command, env={**environment, "SIDL_REPORT_LEAKS": "1"})
    lines = [line.strip() for line in done.stderr.splitlines()]
    if alive:
        assert lines[0] == "sidl: objects still alive at exit:"
        assert sorted(lines[1:]) == sorted(alive)
    else:
        assert lines == ["sidl: no objects still alive at exit"]


# Three calls that are over when the thread that waits for answers has not heard of all.
ANSWERED = """
import atexit, snake

worker = snake.Worker()
atexit.register(lambda: print(sent[0].result(), worker.meet_send("end", 1).result()))
sent = [worker.meet_send(f"place {i}", 1) for i in range(3)]
assert [each.result() for each in sent] == [1, 1, 1]
"""


def test_answers_that_were_taken_in_are_no_leak(run, environment):
    """What the thread had not heard of when it was told to end stayed in its book: seen in half of
    the runs, where the tests went on long enough."""
    for _ in range(8):
        command = [sys.executable, "-c", ANSWERED]
        done = run(command, env={**environment, "SIDL_REPORT_LEAKS": "1"})
        assert done.stdout == "1 1\n"
        assert done.stderr == "sidl: no objects still alive at exit\n"


# Objects that variables lead to, and what they hold in turn.
HOLDING = """
import functools
import numpy, scaly, snake, ty
from snake.Worker_Impl import Worker_Impl

class Plain(Worker_Impl, snake.All):
    made = [ty.Item()]
    number = greet = turn = lambda *all: None

def close_over(item):
    return lambda: item

@functools.lru_cache(maxsize=None)
def one():
    return ty.Item()

loss = snake.Loss()
loss.fill(1, ty.Item())
array = numpy.array([None, ty.Item()])
closure = close_over(one())
waiting = (each for each in [ty.Item()])
relay, plain = scaly.Relay(), Plain()
relay.to(plain)
"""
# In a circle; and a thread that runs to the end.
LEAKING = (
    HOLDING
    + """
import threading

def work(item, goes_on):
    goes_on.set()
    threading.Event().wait()

plain.relay = relay
goes_on = threading.Event()
threading.Thread(target=work, args=(ty.Item(), goes_on), daemon=True).start()
goes_on.wait()
"""
)
# Whoever is called first in a program in C imports the above.
WITH_IMPL = """
import sys

class Finder:
    def find_spec(self, name, *others):
        if name == "snake.Odd_Impl":
            import holding

sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize("program", ["in C", "Python's own"])
@pytest.mark.parametrize(
    ("code", "leaks"),
    [
        (HOLDING, []),
        (LEAKING, ["1 holding.Plain (Python)", "1 scaly.Relay", "1 ty.Item"]),
    ],
)
def test_what_variables_hold_is_no_leak(program, code, leaks, run, environment, built, tmp_path):
    """The tests that look for leaks had no variables: an interpreter that a program was given does
    not end, and what implementations had was kept by any when they ended after it."""
    (tmp_path / "holding.py").write_text(code)
    (tmp_path / "sitecustomize.py").write_text(WITH_IMPL if program == "in C" else "")
    environment["PYTHONPATH"] += os.pathsep + str(tmp_path)
    environment["SIDL_REPORT_LEAKS"] = "1"
    command = [built / "host"] if program == "in C" else [sys.executable, "-c", "import holding"]
    lines = run(command, env=environment).stderr.splitlines()
    if program == "in C":
        leaks = [*leaks, "1 snake.Worker"]  # as its main function says
    assert ("no objects still alive" in lines[0]) == (not leaks)
    assert sorted(line.strip() for line in lines[1:]) == sorted(leaks)


def test_stubs_are_strict(run, environment, built):
    pytest.importorskip("mypy")
    paths = environment["PYTHONPATH"]
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", built / "mypy"]
    run([*command, HERE / "typed.py"], env={**environment, "MYPYPATH": paths})


@pytest.mark.parametrize(
    "package, language, folder",
    [("snake", "python", "impl/snake"), ("scaly", "c++", "impl_cxx")],
)
def test_impl_files_are_up_to_date(package, language, folder, run, sidlc, root, tmp_path):
    """sidlc would change nothing in the Impl files that are under version control."""
    before = {path.name: path.read_text() for path in (HERE / folder).glob("*_Impl.*")}
    (tmp_path / folder).mkdir(parents=True)
    for name, text in before.items():
        (tmp_path / folder / name).write_text(text)
    command = [sidlc, f"--server={language}", "-o", tmp_path / "glue"]
    command += ["--impl-dir", tmp_path / folder.split("/")[0]]
    command += ["-I", root / "tests" / "types" / "types.sidl"]
    command += [] if package == "snake" else ["-I", HERE / "snake.sidl"]
    run([*command, HERE / f"{package}.sidl"])
    assert {path.name: path.read_text() for path in (tmp_path / folder).iterdir()} == before
    assert before
