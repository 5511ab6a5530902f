"""Daemons of Munge, with keys of their own."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path


def find_program():
    return shutil.which("munged") or shutil.which("munged", path="/usr/sbin")


@contextlib.contextmanager
def daemons():
    """start() → the socket of a running daemon with a new key; all are killed at the end."""
    with contextlib.ExitStack() as ending:

        def start():
            # Other users' processes must reach the socket: not below pytest's folder.
            folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="munge-")))
            folder.chmod(0o711)
            key = folder / "key"
            key.write_bytes(os.urandom(128))
            key.chmod(0o600)
            places = {"key-file": "key", "socket": "socket", "pid-file": "pid", "seed-file": "seed"}
            options = [f"--{name}={folder / file}" for name, file in places.items()]
            log = ending.enter_context((folder / "log").open("w"))
            command = [find_program(), "--foreground", "--force", *options]
            process = subprocess.Popen(command, stdout=log, stderr=log)
            ending.callback(process.wait)
            ending.callback(process.kill)
            socket = folder / "socket"
            said = folder / "log"
            while not socket.exists() and process.poll() is None:
                time.sleep(0.01)
            assert socket.exists(), said.read_text()
            return socket

        yield start
