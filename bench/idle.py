"""Memory of idle connections: opens many, makes each speak once, and looks at the server's size.

Shinar's connections are made by hand, by what docs/simhandle-protocol.md says, each with a session
of its own, as if each were another process.
"""

import contextlib
import fcntl
import mmap
import os
import socket
import struct
import time
from pathlib import Path

CONNECTIONS = 400
ANSWER_SECONDS = 10
kept = []  # connections through shared memory


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


def speak_shm(connection):
    """The same through shared memory: the server's door is asked for over the connection, which
    then ends. What is passed on lives as long as its process, this one, or the server."""
    session = os.urandom(16)
    hello = [b"SHINAR\r\n", 2, 2, 1, session, 1 << 24, 0, 1 << 33, 0, 0]
    layout = "<8sHHI16sIIQII8x"
    connection.sendall(struct.pack(layout, *hello))
    welcome = receive(connection, 64)
    door = receive(connection, struct.unpack_from("<I", welcome, 52)[0]).decode()
    name = door.removeprefix("simhandle+shm://").split(":")[0]
    connection.close()
    ring = 1 << 19
    memory = os.memfd_create("shinar", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
    os.ftruncate(memory, 2048 + 2 * ring)
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    space, others = socket.socketpair()
    through = socket.socket(socket.AF_UNIX)
    through.connect(f"\0shinar-{name}")
    socket.send_fds(
        through, [struct.pack("<8sII", b"SHINSHM\n", 1, ring)], [memory, others.fileno()]
    )
    shared = mmap.mmap(memory, 2048 + 2 * ring)
    os.close(memory)
    others.close()
    kept.append((through, space, shared))
    hello[3] = 0
    ping = struct.pack("<BBHIQQII", 12, 0, 0, 0, 1, 0, 0, 0)
    control, texts = 1792 + ring, 2048 + ring  # of the ring to the server
    answers = control + 128  # control of the other ring
    written = 0
    for text in (struct.pack(layout, *hello), ping):
        before = struct.unpack_from("<Q", shared, answers + 8)[0]
        shared[texts + written : texts + written + len(text)] = text
        written += len(text)
        struct.pack_into("<Q", shared, control + 8, written)
        through.send(b"\0")
        end = time.monotonic() + ANSWER_SECONDS
        while (now := struct.unpack_from("<Q", shared, answers + 8)[0]) == before:
            if time.monotonic() > end:
                raise ConnectionError("the server does not answer")
            time.sleep(0.0005)
        struct.pack_into("<Q", shared, answers + 64, now)


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
