"""A server with the classes of draw.sidl and wire.sidl, and `sidl call` to it; jobs."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from jobs import SECONDS, SERVER

START_SECONDS = 30


def eventually(condition, seconds=10):
    """True as soon as the condition is, False if it never is."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return condition()
        time.sleep(0.02)
    return True


class Server:
    """A running `sidl serve` with what it has written."""

    def __init__(self, process, ports, out, log):
        self.process, self.ports, self._out, self._log = process, ports, out, log

    @property
    def url(self):
        """Its first URL."""
        return f"simhandle://127.0.0.1:{self.ports[0]}"

    @property
    def log(self):
        """What it has logged."""
        return self._log.read_text()

    @property
    def out(self):
        """What it has printed."""
        return self._out.read_text()

    def stop(self, how=signal.SIGTERM):
        """Ends it; returns the exit status."""
        self.process.send_signal(how)
        return self.process.wait(timeout=20)


@pytest.fixture(scope="session")
def libraries(build_dir):
    """What is served: library paths by package."""
    return {
        "draw": build_dir / "tests" / "draw" / "libdraw.so",
        "wire": build_dir / "tests" / "wire" / "libwire.so",
    }


@pytest.fixture(scope="session")
def start(sidl_tool, libraries, tmp_path_factory):
    """start(*options) → Server; all are ended with the session."""
    servers = []

    def run(*options, env=None):
        folder = tmp_path_factory.mktemp("server")
        port_file, out, log = folder / "ports", folder / "out", folder / "log"
        command = [sidl_tool, "serve", "--port-file", port_file]
        command += ["--lib", libraries["draw"], "--export", "draw.Square"]
        command += ["--publish", "board=draw.Board", *options]
        with out.open("w") as stdout, log.open("w") as stderr:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdout=stdout,
                stderr=stderr,
                env={**os.environ, **(env or {})},
            )
        servers.append(process)
        ready = eventually(lambda: port_file.exists() or process.poll() is not None, START_SECONDS)
        assert ready and port_file.exists(), log.read_text()
        return Server(process, [int(line) for line in port_file.read_text().split()], out, log)

    yield run
    for process in servers:
        if process.poll() is None:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def server(start, libraries):
    """One server for all tests that do not change it."""
    return start("--publish", f"box=wire.Box={libraries['wire']}")


@pytest.fixture(scope="session")
def sidl(sidl_tool, run):
    """sidl(*words, status=0) → completed process."""

    def call(*words, status=0, **options):
        options.setdefault("stdin", subprocess.DEVNULL if "input" not in options else None)
        return run([sidl_tool, *words], status=status, timeout=60, **options)

    return call


@pytest.fixture(scope="session")
def answer(server, sidl):
    """answer(object, method, *arguments) → what `sidl call` printed, as Python values."""

    def call(name, *words, **options):
        return json.loads(sidl("call", f"{server.url}/{name}", *words, **options).stdout)

    return call


@pytest.fixture
def job(tmp_path):
    """job(text, programs): a file; `{python}` and `{folder}` in it are filled in."""

    def write(text, **programs):
        for name, code in {"server": SERVER, **programs}.items():
            (tmp_path / f"{name}.py").write_text(code)
        text = text.replace("{python}", sys.executable).replace("{folder}", str(tmp_path))
        (tmp_path / "job.toml").write_text(text)
        return tmp_path / "job.toml"

    return write


@pytest.fixture
def job_folders(tmp_path, monkeypatch):
    """job_folders(): those that are there, of jobs of one host and of several."""
    runtime, shared = tmp_path / "runtime", tmp_path / "shared"
    runtime.mkdir()
    shared.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)  # --launcher=auto
    return lambda: [*runtime.iterdir(), *shared.iterdir()]


@pytest.fixture
def launch(sidl_tool, run, job_folders):
    """launch(job, options, status=0): what it printed, and that nothing is left."""

    def launch_it(file, *options, status=0):
        done = run([sidl_tool, "launch", *options, file], status=status, timeout=SECONDS)
        assert job_folders() == []
        return done

    return launch_it
