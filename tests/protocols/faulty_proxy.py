"""A proxy for TCP that does to connections what bad networks do, with a seed: it forwards pieces,
some of them late, and now and then it cuts a connection, also within a frame."""

import contextlib
import random
import select
import selectors
import socket
import struct
import threading
import time

CHUNK = 1 << 16


class _Pipe:
    """One direction of a connection."""

    def __init__(self, source, target, is_of_client):
        self.source, self.target = source, target
        self.is_of_client = is_of_client
        self.waiting = b""
        self.not_before = 0.0


class FaultyProxy:
    """with FaultyProxy(port, seed) as proxy: the server at `port` is also at proxy.port, worse.

    Of all pieces that come, one in `cut_every` ends its connection, one in `late_every` waits.
    """

    def __init__(self, port, seed, cut_every=1000, late_every=200, latest=0.02):
        self._target = ("127.0.0.1", port)
        self._random = random.Random(seed)
        self._cut_every, self._late_every, self._latest = cut_every, late_every, latest
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=1000)
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._late = []  # pipes that hold something back
        self._over = self._loses_next = False
        self._delays = []
        self._cut_asked, self._cut_done = threading.Event(), threading.Event()
        self.cuts = self.pieces = 0
        self._thread = threading.Thread(target=self._run)

    @property
    def url(self):
        """What clients are told."""
        return f"simhandle://127.0.0.1:{self.port}"

    def harm(self, cut_every, late_every):
        """From now on these."""
        self._cut_every, self._late_every = cut_every, late_every

    def heal(self):
        """From now on nothing happens to connections, but to those that it has happened to."""
        self._cut_every = self._late_every = float("inf")

    def cut(self):
        """Ends all connections that there are, abruptly."""
        self._cut_done.clear()
        self._cut_asked.set()
        self._cut_done.wait()

    def lose_next(self):
        """The next piece that a client sends is lost, and its connection ends."""
        self._loses_next = True

    def delay_next(self, *seconds):
        """The next pieces that clients send are late, each together with what follows it."""
        self._delays = list(seconds)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over = True
        self._thread.join()

    def _run(self):
        while not self._over:
            if self._cut_asked.is_set():
                self._cut_asked.clear()
                for key in list(self._selector.get_map().values()):
                    if key.fileobj is not self._listener:
                        self._close(key.data, abruptly=True)
                self._cut_done.set()
            for key, _ in self._selector.select(0.002 if self._late else 0.02):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj.fileno() >= 0:
                    self._forward(key.data)
            now = time.monotonic()
            for pipe in [each for each in self._late if each.not_before <= now]:
                self._late.remove(pipe)
                if pipe.source.fileno() >= 0:
                    if select.select([pipe.source], [], [], 0)[0]:
                        with contextlib.suppress(OSError):
                            pipe.waiting += pipe.source.recv(CHUNK)
                    self._write(pipe, pipe.waiting)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()

    def _accept(self):
        near, _ = self._listener.accept()
        try:
            far = socket.create_connection(self._target, timeout=5)
        except OSError:
            near.close()
            return
        for source, target, is_of_client in ((near, far, True), (far, near, False)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            source.settimeout(5)  # of sends; what is read is there
            self._selector.register(
                source, selectors.EVENT_READ, _Pipe(source, target, is_of_client)
            )

    def _forward(self, pipe):
        draw = self._random.random
        size = self._random.choice((7, 100, 3000, CHUNK, CHUNK))
        try:
            data = pipe.source.recv(size)
        except OSError:
            data = b""
        self.pieces += 1
        if not data:
            self._close(pipe)
        elif self._loses_next and pipe.is_of_client:
            self._loses_next = False
            self.cuts += 1
            self._close(pipe, abruptly=True)
        elif draw() * self._cut_every < 1:
            self.cuts += 1
            self._write(pipe, data[: int(draw() * len(data))])
            self._close(pipe, abruptly=draw() < 0.5)
        elif self._delays and pipe.is_of_client:
            self._hold_back(pipe, data, self._delays.pop(0))
        elif draw() * self._late_every < 1:
            self._hold_back(pipe, data, draw() * self._latest)
        else:
            self._write(pipe, data)

    def _hold_back(self, pipe, data, seconds):
        self._selector.unregister(pipe.source)
        pipe.waiting, pipe.not_before = data, time.monotonic() + seconds
        self._late.append(pipe)

    def _write(self, pipe, data):
        try:
            pipe.target.sendall(data)
            if pipe.waiting:
                pipe.waiting = b""
                self._selector.register(pipe.source, selectors.EVENT_READ, pipe)
        except OSError:
            self._close(pipe)

    def _close(self, pipe, abruptly=False):
        for end in (pipe.source, pipe.target):
            with contextlib.suppress(KeyError, ValueError, OSError):
                self._selector.unregister(end)
            with contextlib.suppress(OSError):
                if abruptly:
                    linger = struct.pack("ii", 1, 0)
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                end.close()
