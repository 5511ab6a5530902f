"""Scripts with a fault between two steps: every answer is right or a documented exception, nothing
hangs, and in the end nobody holds anything."""

import contextlib
import os
import re
import select
import signal
import socket
import subprocess
import time

from faulty_proxy import FaultyProxy

from mixer import scripts
from mixer.model import CALL, DROP, FORK, NEW, SHARED, TELL, Model
from mixer.running import DENORMAL

FAULTS = ["cut", "restart", "freeze", "kill", "drop", "fork"]
FEATURES = ["enums", "structs", "objects", "arrays", "object_arrays", "text_arrays", "throws",
            "relay", "nonblocking", "oneway", "passing", "struct_objects", "lent"]  # fmt: skip
CLIENTS = ["cxx", "python"]  # in whose support exceptions of objects far away are passed on
PATIENCE = 30  # seconds for an answer
QUICK = {"SIDL_RMI_KEEPALIVE_MS": "300", "SIDL_RMI_LEASE_MS": "700", "SIDL_RMI_CONNECT_MS": "5000"}
DOCUMENTED = re.compile(r"sidl\.rmi\.\w+Exception ")
FROZEN = 0.25  # seconds


class Wrong(Exception):
    """What should not have happened."""


class Server:
    """`sidl serve` that can be killed, and comes again at the same port."""

    def __init__(self, mixture, language, options=()):
        self.mixture, self.language, self.options = mixture, language, options
        self.port, self.process = 0, None

    def start(self):
        """Serves; at the port of the one before, if there was one."""
        library = self.mixture.built / self.language / "server" / f"libmx_{self.language}.so"
        log = self.mixture.built / f"faults-{self.language}.log"
        command = [self.mixture.stage / "bin" / "sidl", "serve", *self.options]
        command += ["--listen", f"simhandle://127.0.0.1:{self.port}"]
        for name in ("Cell", "Child"):
            command += ["--export", f"mx.{name}={library}"]
        environment = {**os.environ, **QUICK, "SIDL_DLL_PATH": str(library.parent)}
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [str(part) for part in command], stdout=out, stderr=out, env=environment
            )
        end = time.monotonic() + PATIENCE
        while not (url := re.search(r"^listening on \S+:(\d+)\n", log.read_text(), re.M)):
            if self.process.poll() is not None or time.monotonic() > end:
                raise Wrong(f"the server did not start: {log.read_text()}")
            time.sleep(0.02)
        self.port = int(url[1])

    def kill(self):
        """No goodbye."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """In order, in time."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Wrong("SIGTERM does not end the server") from None


class Client:
    """A driver that takes its steps from a pipe."""

    def __init__(self, mixture, language, classes, url):
        writer = mixture.writers[language]
        environment = {**os.environ, **QUICK, **writer.environment(mixture.built, classes)}
        command = [*writer.command(mixture.built), url, "/dev/stdin"]
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment, bufsize=0,
        )  # fmt: skip
        self.said = b""

    def line(self):
        """The next one."""
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.said:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise Wrong(f"no answer in {PATIENCE} s")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                self.process.wait()
                complaint = self.process.stderr.read().decode(errors="replace")
                raise Wrong(f"the client ended with {self.process.returncode}: {complaint}")
            self.said += more
        line, self.said = self.said.split(b"\n", 1)
        return line.decode(errors="replace")

    def take(self, step):
        """The line for a step."""
        self.process.stdin.write(scripts.text([step]).encode())
        return self.line()

    def finish(self):
        """It gives everything back and ends."""
        self.process.stdin.close()
        if (last := self.line()) != "end 1":
            raise Wrong(f"in the end the client says {last!r}")
        if self.process.wait(PATIENCE) != 0:
            raise Wrong(f"the client ended with {self.process.returncode}")
        complaint = self.process.stderr.read().decode(errors="replace").replace(DENORMAL, "")
        if complaint.strip():
            raise Wrong(f"the client says: {complaint}")

    def kill(self):
        """Whatever it does."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


class Trial:
    """One script with one fault in front of a step."""

    def __init__(self, mixture, caller, callee, steps, fault, at):
        self.mixture, self.caller, self.callee = mixture, caller, callee
        self.steps, self.fault, self.at = steps, fault, at
        self.model = Model(mixture.package)
        self.is_faulty = False
        self.server = Server(mixture, callee)
        self.client = self.proxy = None

    def __str__(self):
        return f"{self.caller}-{self.callee}: {self.fault} before step {self.at}"

    def complaint(self):
        """What is wrong; "" if nothing is."""
        try:
            self.server.start()
            with FaultyProxy(self.server.port, 0, 1e18, 1e18) as self.proxy:
                self.client = Client(self.mixture, self.caller, self.caller, self.proxy.url)
                try:
                    self.run()
                finally:
                    self.client.kill()
                self.balance()
            self.server.stop()
        except Wrong as wrong:
            return f"{self}: {wrong}"
        finally:
            with contextlib.suppress(ProcessLookupError):
                self.server.process.kill()
                self.server.process.wait()
        return ""

    def run(self):
        """All steps."""
        for number, step in enumerate(self.steps):
            if number == self.at:
                self.strike()
                if self.fault == "kill":
                    return
            self.take(number, step)
        for attempt in range(2):  # the first may find that the connection is broken
            is_last = attempt == 1
            said = self.take("at last", [0, NEW, 0, 0, 1, 4711], must=is_last)
            if said == "new":
                self.take("at last", [0, CALL, 0, self.number_of("id"), 1], must=is_last)
        self.client.finish()

    def number_of(self, name):
        """Of a method of Named."""
        return next(n for n, (_, m) in enumerate(self.mixture.package.methods()) if m.name == name)

    def take(self, number, step, must=False):
        """One step: the right answer, or an exception that may be."""
        said = self.client.take(step)
        if self.is_faulty and not must and (DOCUMENTED.match(said) or self.relays(step)):
            return said
        wanted = str(self.model.step(self.model.slots, *step[1:]))
        if said != wanted:
            raise Wrong(f"step {number} {step}: says {said!r}, not {wanted!r}")
        return said

    def relays(self, step):
        """Whether its answer is made of what an object far away has said, be it an exception."""
        methods = self.mixture.package.methods()
        return step[1] == CALL and methods[step[3]][1].name.startswith("relay_")

    def strike(self):
        """The fault."""
        self.is_faulty = self.fault not in ("drop", "fork")
        if self.fault == "cut":
            self.proxy.cut()
        elif self.fault == "restart":
            self.server.kill()
            self.server.start()
        elif self.fault == "freeze":
            self.server.process.send_signal(signal.SIGSTOP)
            time.sleep(FROZEN)
            self.server.process.send_signal(signal.SIGCONT)
        elif self.fault == "kill":
            self.client.process.kill()
        elif self.fault == "drop":
            for slot in range(SHARED):
                self.take("drop", [0, DROP, slot])
        elif self.fault == "fork":
            for slot in range(SHARED):
                self.take("fork", [0, FORK, slot])

    def balance(self):
        """Without the client no object is left at the server."""
        url = f"simhandle://127.0.0.1:{self.server.port}"
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE):
            pass
        if complaint := self.mixture.wait_for_balance(url):
            raise Wrong(complaint)


def script(package, seed, count):
    """Steps whose answers depend on nothing but what is given: one that fails changes nothing."""
    steps = scripts.make(package, seed, 8 * count, (1, 0, 1))
    methods = package.methods()

    def is_pure(step):
        if step[1] == CALL:
            name = methods[step[3]][1].name
            return name != "total" and not name.startswith("hold")
        return step[1] != TELL

    return [step for step in steps if is_pure(step)][:count]
