"""Rank 0 ends after its last barrier, and what it has sent comes to rank 1 later than that it has
ended: something between them holds it back."""

import os
import select
import socket
import threading
import time

from sidl.par import Group
from sidl.rmi import ProtocolFactory, Server, ServerRegistry

URLS = os.environ["SIDL_URLS_CALLERS"].split()
holds = threading.Event()


def path_of(url):
    return url.partition("://")[2]


def forward(source, target):
    """What comes; once it is to be held back, when its sender has ended."""
    held = b""
    while data := source.recv(1 << 16):
        held += data
        if not holds.is_set():
            target.sendall(held)
            held = b""
    if holds.is_set():
        ended = select.poll()
        ended.register(source, 0)
        ended.poll()
    target.sendall(held)
    target.shutdown(socket.SHUT_WR)


def accept(listener, path):
    while True:
        client, server = listener.accept()[0], socket.socket(socket.AF_UNIX)
        server.connect(path)
        threading.Thread(target=forward, args=(client, server), daemon=True).start()
        threading.Thread(target=answer, args=(server, client), daemon=True).start()


def answer(source, target):
    while data := source.recv(1 << 16):
        target.sendall(data)


def serve_behind_that(url):
    """This process is the server there; who connects finds what is in between."""
    path = path_of(url)
    server = ProtocolFactory.createServer(url)
    server.listen(url)
    server.run()
    os.rename(path, path + ".server")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    threading.Thread(target=accept, args=(listener, path + ".server"), daemon=True).start()


def first():
    group = Group.ofURLs(URLS, 0)
    while not os.path.exists(path_of(URLS[1]) + ".holds"):
        time.sleep(0.01)
    group.barrier()
    Server._cast(ServerRegistry.getServer()).drain(0)


def second():
    serve_behind_that(URLS[1])
    group = Group.ofURLs(URLS, 1)
    holds.set()
    os.mkdir(path_of(URLS[1]) + ".holds")
    group.barrier()


if __name__ == "__main__":
    (first if os.environ["SIDL_RANK"] == "0" else second)()
    print("well")
