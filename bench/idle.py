"""Memory of idle connections: opens many, makes each speak once, and looks at the server's size.

Shinar's connections are made by hand, by what docs/simhandle-protocol.md says, each with a session
of its own, as if each were another process.
"""

import contextlib
import os
import socket
import struct
from pathlib import Path

CONNECTIONS = 400
ANSWER_SECONDS = 10


def resident_kib(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def receive(connection, size):
    got = b""
    while len(got) < size:
        more = connection.recv(size - len(got))
        if not more:
            raise ConnectionError("the server closed the connection")
        got += more
    return got


def speak_simhandle(connection):
    """A hello and a ping."""
    hello = struct.pack(
        "<8sHHI16sIIQII8x", b"SHINAR\r\n", 2, 2, 0, os.urandom(16), 1 << 24, 0, 1 << 33, 0, 0
    )
    connection.sendall(hello)
    receive(connection, 64)
    connection.sendall(struct.pack("<BBHIQQII", 12, 0, 0, 0, 1, 0, 0, 0))
    receive(connection, 32)


def speak_raw(connection):
    """A message without doubles."""
    connection.sendall(struct.pack("<Q", 0))
    receive(connection, 8)


def kib_per_connection(pid, port, speak):
    """What the server with this process id grows by for each connection that is idle again."""
    with contextlib.ExitStack() as connections:

        def open_many():
            for _ in range(CONNECTIONS):
                one = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS)
                speak(connections.enter_context(one))

        open_many()  # what is made once, whatever the number of connections
        before = resident_kib(pid)
        open_many()
        return max(resident_kib(pid) - before, 1) / CONNECTIONS
