"""A proxy of a server, beside the client that starts it, which hears its port. When it is told to
hold back what the client sends, and the client has sent something, it stops or kills the client, or
lets it wait."""

import contextlib
import os
import signal
import socket
import sys
import threading

port, what = int(sys.argv[1]), sys.argv[2]
passes = threading.Event()
passes.set()


def hold(*_):
    passes.clear()
    print("holds", flush=True)


def go_on(*_):
    passes.set()
    os.kill(os.getppid(), signal.SIGCONT)


def forward(source, target, is_of_client):
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            if is_of_client and not passes.is_set():
                if what != "wait":
                    os.kill(os.getppid(), getattr(signal, what))
                passes.wait()
            target.sendall(data)
    for each in (source, target):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def accept(listener):
    while True:
        client, server = listener.accept()[0], socket.create_connection(("127.0.0.1", port))
        for way in ((client, server, True), (server, client, False)):
            threading.Thread(target=forward, args=way, daemon=True).start()


signal.signal(signal.SIGUSR1, hold)
signal.signal(signal.SIGUSR2, go_on)
listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()  # until the client ends
