"""`sidl serve` and programs that call it: what the tests of the protocols share."""

import contextlib
import os
import socket
import subprocess
import time
from pathlib import Path


class Server:
    """A running `sidl serve`."""

    def __init__(self, process, port, log):
        self.process, self.port, self._log = process, port, log

    @property
    def url(self):
        """Its URL."""
        return f"simhandle://127.0.0.1:{self.port}"

    @property
    def log(self):
        """What it has written so far."""
        return self._log.read_text()

    def logged(self, text, seconds=10):
        """Waits until the log contains a text."""
        return eventually(lambda: text in self.log, seconds)


def eventually(condition, seconds=10):
    """True as soon as the condition is, False if it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


@contextlib.contextmanager
def running(wire, *arguments, program="wire_client", env=None, prefix=()):
    """A client in the background; killed at the end."""
    process = subprocess.Popen(
        [*prefix, str(wire / program), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def free_port():
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def resident(pid):
    """Resident memory in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])
