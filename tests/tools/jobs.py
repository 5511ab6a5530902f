"""What the tests of `sidl launch` have in common."""

import contextlib
import time
from pathlib import Path

SECONDS = 30

# As on several hosts, without leaving this one.
MANY_HOSTS = ["--hosts=many", "--listen=simhandle://127.0.0.1:0"]

# A server without SIDL: it listens, and says what it is told.
SERVER = """
import os, signal, socket, sys
def end(*_):
    print("told to end", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
file = os.environ.get("SIDL_URL_FILE")
if file is None:
    path = os.environ["SIDL_LISTEN"].split("://")[1]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
else:
    path = file.removesuffix(".url")
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
listener.listen()
if file is not None:
    with open(file + ".new", "w") as new:
        new.write(f"simhandle://127.0.0.1:{listener.getsockname()[1]}")
    os.rename(file + ".new", file)
print("at", os.path.basename(path), flush=True)
while True:
    signal.pause()
"""


def is_alive(pid):
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def running_with(name, value):
    """The processes that have this in their environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            mark = f"{name}={value}".encode()
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_text().replace("\0", " "))
    return found
