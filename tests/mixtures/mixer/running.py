"""Builds what was made of a package, and runs scripts: which caller, whose objects, where."""

import contextlib
import dataclasses
import os
import subprocess
import sys
import time

from matrix import fill_in, server, write

from mixer import scripts
from mixer.model import Model
from mixer.writers import NAMES, all_writers

PLACES = {"in process": None, "simhandle": "simhandle://127.0.0.1:0"}
PATIENCE = 120  # seconds
# What gfortran says of programs that had such a number.
DENORMAL = "Note: The following floating-point exceptions are signalling: IEEE_DENORMAL\n"


@dataclasses.dataclass(frozen=True)
class Pair:
    """Who calls whom, and where."""

    caller: str
    callee: str
    place: str

    def __str__(self):
        return f"{self.caller}-{self.callee}-{self.place.replace(' ', '_')}"


class Failed(Exception):
    """A build that failed."""


class Mixture:
    """A package that is built in all languages."""

    def __init__(self, package, work, stage, names=NAMES, options=()):
        self.package, self.work, self.stage = package, work, stage
        self.writers = all_writers(package, names)
        self.built = work / "build"
        self.options = list(options)  # for CMake
        self.settings = {}  # of the environment of clients
        self.within = []  # a command that runs clients: valgrind's

    def pairs(self):
        """All of them; in one process a class with more methods is another one, and refused."""
        return [
            Pair(a, b, place)
            for place in PLACES
            for a in self.writers
            for b in self.writers
            if place != "in process" or self.package.later != "methods"
        ]

    # ---- building --------------------------------------------------------------------------------

    def build(self):
        """Writes and builds it."""
        self.prepare()
        command = ["cmake", "-S", self.work, "-B", self.built, "-G", "Ninja"]
        command += [f"-DCMAKE_PREFIX_PATH={self.stage}", f"-DPython3_EXECUTABLE={sys.executable}"]
        command += ["-DCMAKE_UNITY_BUILD=ON", *self.options]
        for step in (command, ["cmake", "--build", self.built]):
            done = subprocess.run(
                [str(part) for part in step], capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                raise Failed(f"{done.stdout}{done.stderr}")
        return self

    def prepare(self):
        """Writes the sources; client and server are made of different files."""
        work = self.work
        write(work / "mx.sidl", self.package.sidl())
        write(work / "served" / "mx.sidl", self.package.sidl(server=True))
        write(work / "package.json", str(self.package))
        for link, home in (("shinar", "python"), ("shinar-java", "java")):
            if not (work / link).is_symlink():
                (work / link).symlink_to(self.stage / "lib" / "shinar" / home)
        top = ["cmake_minimum_required(VERSION 3.25)", "project(mixtures LANGUAGES C CXX)"]
        top += ["enable_language(Fortran)"] if "fortran" in self.writers else []
        top += ["find_package(Shinar REQUIRED)"]
        for writer in self.writers.values():
            folder = work / writer.name / "client"
            for name, text in writer.program().items():
                write(folder / name, text)
            write(folder / "CMakeLists.txt", writer.client_project())
            self.prepare_server(writer)
            top += [f"add_subdirectory({writer.name}/{side})" for side in ("client", "server")]
        write(work / "CMakeLists.txt", "\n".join([*top, ""]))

    def prepare_server(self, writer):
        """Writes the implementations in a language."""
        folder = self.work / writer.name / "server"
        project = writer.server_project().replace("../../mx.sidl", "../../served/mx.sidl")
        write(folder / "CMakeLists.txt", project)
        impl = folder / "impl"
        command = [self.stage / "bin" / "sidlc", f"--server={writer.sidlc}"]
        command += ["-o", self.work / "glue", "--impl-dir", impl, self.work / "served" / "mx.sidl"]
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Failed(f"sidlc: {done.stderr}")
        for name, text in writer.support().items():
            write(impl / name, text)
        bodies = writer.bodies()
        files = [each for each in sorted(impl.rglob("*_Impl.*")) if each.suffix != ".pyc"]
        used = [fill_in(path, bodies) for path in files]
        if missing := set(bodies) - set().union(*used):
            raise Failed(f"{writer.name}: no place for {sorted(missing)}")

    # ---- running ---------------------------------------------------------------------------------

    @contextlib.contextmanager
    def serving(self, pair):
        """The URL of a server for the pair; None in process. Its end is part of the test."""
        address = PLACES[pair.place]
        if address is None:
            yield None
            return
        with server(
            self.stage, self.built, pair.callee, address, self.built / f"{pair}.log"
        ) as url:
            yield url

    def wait_for_balance(self, url):
        """The client has gone: none of its objects is left at the server."""
        command = [
            self.stage / "bin" / "sidl",
            "call",
            "--compact",
            "--create",
            "mx.Cell",
            url,
            "alive",
        ]
        end = time.monotonic() + 10
        while True:
            done = subprocess.run(
                [str(part) for part in command], capture_output=True, text=True, check=False
            )
            if done.stdout.strip() == '{"result":1}':
                return ""
            if time.monotonic() > end:
                return f"what is alive at the server in the end: {done.stdout}{done.stderr}"
            time.sleep(0.05)

    def run(self, pair, steps, url=None):
        """What a program says: its lines, and a complaint about how it ended."""
        writer = self.writers[pair.caller]
        classes = pair.callee if PLACES[pair.place] is None else pair.caller
        paths = []
        for who in sorted({0, *(step[0] for step in steps)}):
            paths.append(self.built / f"{pair}.script{who}")
            paths[-1].write_text(scripts.text(step for step in steps if step[0] == who))
        environment = {**os.environ, **writer.environment(self.built, classes), **self.settings}
        command = [*self.within, *writer.command(self.built), url or "-", *paths]
        try:
            done = subprocess.run(
                [str(part) for part in command],
                capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment,
                errors="replace",
            )  # fmt: skip
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"").decode(errors="replace").splitlines()
            return said, f"hangs for {PATIENCE} s"
        complaint = done.stderr.replace(DENORMAL, "").strip()
        if done.returncode != 0:
            complaint += f"\nended with {done.returncode}"
        return done.stdout.splitlines(), complaint

    def complaint(self, pair, steps):
        """What is wrong with a script; "" if nothing is."""
        wanted = Model(self.package).run(steps)
        in_order = sorted(steps, key=lambda step: step[0])
        with self.serving(pair) as url:
            said, complaint = self.run(pair, steps, url)
            balance = self.wait_for_balance(url) if url and not complaint else ""
        for number, (line, right) in enumerate(zip(said, wanted)):
            if line != right:
                step = in_order[number] if number < len(steps) else "the end"
                return f"step {number} {step}: says {line!r}, not {right!r}\n{complaint}"
        if len(said) != len(wanted) or complaint:
            at = in_order[len(said)] if len(said) < len(steps) else "the end"
            return f"stops at step {len(said)} {at}\n{complaint}"
        return balance
