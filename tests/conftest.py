"""What every test may ask for: where things are, and how a user's project is built and served.

SHINAR_BUILD names the build folder (default: build). Its staged installation, build/stage, is what
tests use unless they look inside the compiler or the runtime. SHINAR_SANITIZED says that the build
is one with sanitizers, so that what tests build must be, too. SHINAR_SHORT leaves out what
thorough.txt names.
"""

import contextlib
import dataclasses
import fcntl
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import munge
import pytest
from certificates import Certificates

ROOT = Path(__file__).resolve().parent.parent
SANITIZED = bool(os.environ.get("SHINAR_SANITIZED"))
# As in cmake/ShinarSanitizers.cmake.
SANITIZE = "-fsanitize=address,undefined -fno-sanitize=function -fno-sanitize-recover=all -O1 -g1"
# Memory of a function that has returned is legal to write to, unless the sanitizers of both
# compilers are told to keep frames apart. Tests that need more add to it.
os.environ["ASAN_OPTIONS"] = ":".join(
    filter(None, ["detect_stack_use_after_return=1", os.environ.get("ASAN_OPTIONS")])
)
# A shell has what it starts in the background ignore interrupts, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# What is tested over TCP stays there; shared memory is a protocol of its own in these tests.
os.environ.setdefault("SIDL_RMI_SHM", "off")
# Nor do clients go around a proxy that a test has put in their way, by another door of the server.
os.environ.setdefault("SIDL_RMI_ROUTES", "shm")
# What was compiled before, in another folder of tests, need not be compiled again.
if shutil.which("ccache"):
    os.environ |= {"CCACHE_BASEDIR": "/", "CCACHE_NOHASHDIR": "1", "CCACHE_DEPEND": "1"}
    os.environ |= {f"CMAKE_{each}_COMPILER_LAUNCHER": "ccache" for each in ("C", "CXX")}
# Else every Python process starts threads for linear algebra, which no test uses.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Several test processes build at the same time.
os.environ.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(len(os.sched_getaffinity(0))))
# Of CMake, where C++ is compiled without optimisation, and gcc is not what is tested: it compiles
# Shinar itself, what tests/emission generates, and the projects of tests/cxx, examples and pages.
QUICK_CXX = ["-DCMAKE_CXX_COMPILER=clang++"] if shutil.which("clang++") else []
START_SECONDS = 30
BUILD_SECONDS = 1200  # a machine may have other work, too
SANITIZED_ROOMS = (
    "compat",
    "fuzz",
    "memory",
    "objects",
    "protocols",
    "records",
    "runtime",
    "tools",
    "types",
)
LONG = {
    "test_bench.py",
    "test_compiles_cxx.py",
    "test_cxx.py",
    "test_fortran.py",
    "test_fuzz.py",
    "test_matrix.py",
    "test_mixtures.py",
    "test_objects.py",
    "test_python.py",
    "test_types.py",
    "test_wheels.py",
}


def _needed(path):
    if not path.exists():
        pytest.exit(f"{path} is missing: run `make` first, or set SHINAR_BUILD", returncode=4)
    return path


def _leave_to_thorough(config, items):
    """Leaves out what the patterns of thorough.txt name, each of which is to name something."""
    lines = (ROOT / "tests" / "thorough.txt").read_text().splitlines()
    left = set()
    for line in filter(lambda line: line and not line.startswith("#"), lines):
        pattern = re.compile(re.escape(line).replace(r"\*", ".*"))
        found = {item for item in items if pattern.fullmatch(item.nodeid)}
        if not found and config.args == ["tests"]:
            pytest.exit(f"thorough.txt names no test: {line}", returncode=4)
        left |= found
    config.hook.pytest_deselected(items=list(left))
    items[:] = [item for item in items if item not in left]


def pytest_collection_modifyitems(config, items):
    """`make test` leaves some to `make thorough`. `make sanitize` runs the tests of what libsidl,
    the protocols and `sidl` do once more. What takes long begins early, so that the test processes
    end at the same time."""
    if os.environ.get("SHINAR_SHORT"):
        _leave_to_thorough(config, items)
    items.sort(key=lambda item: item.path.name not in LONG)
    for item in items:
        if item.path.relative_to(ROOT / "tests").parts[0] in SANITIZED_ROOMS:
            item.add_marker(pytest.mark.sanitized)


@pytest.fixture(scope="session")
def root():
    """The top of the source tree."""
    return ROOT


@pytest.fixture(scope="session")
def build_dir():
    """The build folder under test."""
    return _needed((ROOT / os.environ.get("SHINAR_BUILD", "build")).resolve())


@pytest.fixture(scope="session")
def stage(build_dir):
    """An installation of the build under test: what a user has."""
    return _needed(build_dir / "stage")


@pytest.fixture(scope="session")
def sidlc(build_dir):
    """The compiler; a build with sanitizers has a borrowed one, in its stage."""
    built = build_dir / "bin" / "sidlc"
    return built if built.exists() else _needed(build_dir / "stage" / "bin" / "sidlc")


@pytest.fixture(scope="session")
def unit_tests(build_dir):
    """unit_tests(name): a program of unit tests in C++, which is built if it is out of date."""

    @functools.cache
    def build(name):
        # Two ninjas in one folder spoil its records: the processes of a test run take turns.
        with open(build_dir / "tests.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            command = ["ninja", "-C", build_dir, "-j2", name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if f"unknown target '{name}'" in done.stdout + done.stderr:
            pytest.skip("configured without GoogleTest")
        assert done.returncode == 0, done.stdout + done.stderr
        return build_dir / "bin" / name

    return build


@pytest.fixture(scope="session")
def sidl_tool(build_dir):
    """The program `sidl`."""
    return _needed(build_dir / "bin" / "sidl")


@pytest.fixture(scope="session")
def run():
    """run(command, status=0, **options): runs a program, checks its exit status, gives the
    completed process with its stdout and stderr as text."""

    def run_it(command, status=0, timeout=300, **options):
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            **options,
        )
        if status is not None and done.returncode != status:
            pytest.fail(
                f"{command[0]} ended with {done.returncode} instead of {status}\n"
                f"{done.stdout}{done.stderr}",
                pytrace=False,
            )
        return done

    return run_it


@pytest.fixture(scope="session")
def run_in_valgrind(run):
    """run_in_valgrind(command): runs a program; a wrong access or a leak is an error."""
    if SANITIZED:
        pytest.skip("valgrind cannot run instrumented programs")
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")
    # In turn: threads that spin for another one have starved it for minutes.
    options = [
        "-q",
        "--fair-sched=try",
        f"--suppressions={Path(__file__).parent / 'valgrind.supp'}",
    ]
    options += ["--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]
    return lambda command: run(["valgrind", *options, "--error-exitcode=9", *command])


@pytest.fixture(scope="session")
def compilers():
    """Of C and of C++, called without CMake: what makes programs for this build begins so."""
    if SANITIZED:
        return {"c": ["clang", *SANITIZE.split()], "cxx": ["clang++", *SANITIZE.split()]}
    return {"c": ["gcc"], "cxx": ["clang++" if QUICK_CXX else "g++"]}


@pytest.fixture(scope="session")
def cmake_build(stage, run):
    """cmake_build(source, folder): builds a user's CMake project, or one target of it, against the
    installation; with `unity` several files of C++ at a time, in half the time, where that is not
    what is tested, and without optimisation unless it is `optimised`; by clang, which then takes
    half the time of gcc, unless `as_users_do`."""

    def build(
        source,
        folder,
        *options,
        target="all",
        unity=False,
        optimised=False,
        as_users_do=False,
    ):
        configure = ["cmake", "-S", source, "-B", folder, "-G", "Ninja"]
        configure += [f"-DCMAKE_UNITY_BUILD={'ON' if unity else 'OFF'}"]
        if not optimised:
            configure += ["-DCMAKE_BUILD_TYPE=None"]
        if not optimised and not as_users_do:
            configure += QUICK_CXX
        if SANITIZED:
            configure += ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"]
            configure += [f"-DCMAKE_C_FLAGS={SANITIZE}", f"-DCMAKE_CXX_FLAGS={SANITIZE}"]
            # Programs in C may load libraries in C++: the sanitizers then need more.
            configure += ["-DCMAKE_EXE_LINKER_FLAGS=-fsanitize-link-c++-runtime -lstdc++"]
        run([*configure, f"-DCMAKE_PREFIX_PATH={stage}", *options])
        run(["cmake", "--build", folder, "--target", target], timeout=BUILD_SECONDS)
        return folder

    return build


@dataclasses.dataclass(frozen=True)
class Protocol:
    """What tests have to know about a protocol to run over it."""

    name: str
    address: str  # where a server listens; {folder} is one of its own
    object: str  # the URL of an object {name} of the server {url}
    project: str = ""  # the CMake project, built with the target `name`, that is the plug-in
    classes: str = ""  # of handles and servers, for SIDL_PROTOCOLS, of a protocol of its own
    needs_python: bool = False  # it is written in Python
    library: str = ""  # of its transport, which is built where the network's own library is
    transport: str = ""  # the library of the project that carries simhandle another way
    needs_certificates: bool = False

    @property
    def is_simhandle(self):
        """It has leases, and refuses to lend what it was lent: however its frames are carried."""
        return not self.classes

    def environment(self, folder, certificates):
        """What lets programs speak it: `folder` builds its project and says where that is;
        `certificates` makes some."""
        if self.needs_certificates:
            made = certificates()
            return {**made.server(), **made.client()}
        if self.library:
            # LeakSanitizer does not get through threads of a library that is loaded later. What
            # leaks there, unit tests find, which link with it.
            return {"LSAN_OPTIONS": "detect_leaks=0"}
        if self.transport:
            return {"SIDL_RMI_TRANSPORTS": f"{self.name}={folder(self)}/{self.transport}"}
        if self.project:
            return {
                "SIDL_PROTOCOLS": f"{self.name}={self.classes}",
                "SIDL_DLL_PATH": str(folder(self)),
            }
        return {}

    def need(self, stage):
        """Skips the test where the protocol's own library was not to be had."""
        if self.library and not (stage / "lib" / self.library).exists():
            pytest.skip(f"built without {self.name}")

    def object_url(self, url, name):
        """The URL of an object of the server `url`, by its id or its public name."""
        return self.object.format(url=url, name=name)


# A line for each protocol: the tests that ask for `protocol` run over all of them.
PROTOCOLS = [
    Protocol("simhandle", "simhandle://127.0.0.1:0", "{url}/{name}"),
    Protocol("unix", "simhandle+unix://{folder}/socket", "{url}#{name}"),
    Protocol("shm", "simhandle+shm://*:0", "{url}/{name}"),
    Protocol("tls", "simhandle+tls://127.0.0.1:0", "{url}/{name}", library="libsidlx_tls.so",
             needs_certificates=True),
    Protocol("ucx", "ucx://127.0.0.1:0", "{url}/{name}", library="libsidlx_ucx.so"),
    Protocol("jsonsock", "jsonsock://{folder}/socket", "{url}#{name}",
             "examples/protocol-plugin", "jsonsock.Handle/jsonsock.Server"),
    Protocol("pysock", "pysock://127.0.0.1:0", "{url}/{name}",
             "examples/protocol-plugin-python", "pysock.Handle/pysock.Server", True),
    Protocol("pipes", "simhandle+pipes://{folder}/socket", "{url}#{name}",
             "examples/transport-plugin", transport="libsidlx_pipes.so"),
]  # fmt: skip


@pytest.fixture(scope="session")
def protocols():
    """All protocols, by name."""
    return {each.name: each for each in PROTOCOLS}


@pytest.fixture(scope="session")
def plugin_folder(root, build_dir, stage, cmake_build):
    """plugin_folder(protocol): where a plug-in is that is a project of its own."""
    built = {}

    def build(protocol):
        if protocol.needs_python and not (stage / "lib" / "shinar" / "python").exists():
            pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
        if protocol.name not in built:
            with open(build_dir / f"{protocol.name}.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # test processes share it
                folder = build_dir / "tests" / protocol.name
                options = [f"-DPython3_EXECUTABLE={sys.executable}"]
                source = root / protocol.project
                if not SANITIZED:  # else it is as much optimised
                    # 100,000 numbers as JSON take ten times as long without.
                    options.append("-DCMAKE_CXX_FLAGS=-O1")
                built[protocol.name] = cmake_build(source, folder, *options, unity=True)
        return built[protocol.name]

    return build


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """Of a server at 127.0.0.1, and others."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def munged(stage):
    """See munge.daemons()."""
    if munge.find_program() is None or not (stage / "lib" / "libsidlx_munge.so").exists():
        pytest.skip("no Munge here")
    with munge.daemons() as start:
        yield start


@pytest.fixture(params=[each.name for each in PROTOCOLS])
def protocol(request, stage, plugin_folder, monkeypatch):
    """Each protocol; servers and clients that the test starts have it."""
    each = next(known for known in PROTOCOLS if known.name == request.param)
    each.need(stage)
    made = each.environment(plugin_folder, lambda: request.getfixturevalue("certificates"))
    for name, value in made.items():
        monkeypatch.setenv(name, value)
    return each


class Server:
    """A running `sidl serve`."""

    def __init__(self, process, url, log):
        self.process, self.url, self._log = process, url, log

    @property
    def log(self):
        """What it has written so far."""
        return self._log.read_text()

    def stop(self):
        """Asks it to end; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@pytest.fixture
def start_server(stage, tmp_path):
    """start_server(protocol, *options) → Server; all are stopped at the end."""
    servers = []

    def start(protocol, *options):
        folder = tmp_path / f"server{len(servers)}"
        folder.mkdir()
        address = protocol.address.format(folder=folder)
        command = [stage / "bin" / "sidl", "serve", "--listen", address, *options]
        log = folder / "log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [str(part) for part in command], stdout=out, stderr=subprocess.STDOUT
            )
        servers.append(Server(process, None, log))
        deadline = time.monotonic() + START_SECONDS
        while not (url := re.search(r"^listening on (\S+)\n", log.read_text(), re.MULTILINE)):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"the server did not start:\n{log.read_text()}")
            time.sleep(0.02)
        servers[-1].url = url[1]
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def serve(start_server):
    """with serve("pkg.Cls=library", ...) as url: a server for the length of the block; what it
    publishes is "name=pkg.Cls=library"."""

    @contextlib.contextmanager
    def server(*exports, publish=(), protocol=PROTOCOLS[0]):
        options = [option for each in exports for option in ("--export", each)]
        options += [option for each in publish for option in ("--publish", each)]
        running = start_server(protocol, *options)
        try:
            yield running.url
        finally:
            running.stop()

    return server
