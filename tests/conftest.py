"""What every test may ask for: where things are, and how a user's project is built and served.

SHINAR_BUILD names the build folder (default: build). Its staged installation, build/stage, is what
tests use unless they look inside the compiler or the runtime. SHINAR_SANITIZED says that the build
is one with sanitizers, so that what tests build must be, too.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SANITIZED = bool(os.environ.get("SHINAR_SANITIZED"))
# gcc's bounds warnings are not to be trusted in instrumented code.
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=all -O1 -g1 -Wno-array-bounds"
START_SECONDS = 30
SANITIZED_ROOMS = ("objects", "protocols", "runtime", "types")


def _needed(path):
    if not path.exists():
        pytest.exit(f"{path} is missing: run `make` first, or set SHINAR_BUILD", returncode=4)
    return path


def pytest_collection_modifyitems(items):
    """`make sanitize` runs the tests of the runtime, the protocols, the types and the objects
    once more."""
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
    options = ["-q", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]
    return lambda command: run(["valgrind", *options, "--error-exitcode=9", *command])


@pytest.fixture(scope="session")
def cmake_build(stage, run):
    """cmake_build(source, folder): builds a user's CMake project, or one target of it, against the
    installation."""

    def build(source, folder, *options, target="all"):
        configure = ["cmake", "-S", source, "-B", folder, "-G", "Ninja"]
        if SANITIZED:
            configure += [f"-DCMAKE_C_FLAGS={SANITIZE}", f"-DCMAKE_CXX_FLAGS={SANITIZE}"]
        run([*configure, f"-DCMAKE_PREFIX_PATH={stage}", *options])
        run(["cmake", "--build", folder, "--target", target])
        return folder

    return build


@pytest.fixture
def serve(stage, tmp_path):
    """with serve("pkg.Cls=library", ...) as url: a server for the length of the block."""

    @contextlib.contextmanager
    def server(*exports, protocol="simhandle"):
        port_file = tmp_path / "port"
        port_file.unlink(missing_ok=True)
        command = [str(stage / "bin" / "sidl"), "serve", "--listen", f"{protocol}://127.0.0.1:0"]
        for export in exports:
            command += ["--export", str(export)]
        command += ["--port-file", str(port_file)]
        log_path = tmp_path / "server.log"
        with log_path.open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + START_SECONDS
            while not (port_file.exists() and port_file.read_text().strip()):
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"the server did not start:\n{log_path.read_text()}")
                time.sleep(0.02)
            yield f"{protocol}://127.0.0.1:{port_file.read_text().strip()}"
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    return server
