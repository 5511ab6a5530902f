"""The memory of a client and its server, round after round of one script: what a round allocates
it has to give back, so that after a few rounds, which fill what is kept for later, the bytes in
use stay as they are."""

import itertools
import statistics
from pathlib import Path

from mixer import packages, scripts, values
from mixer.faults import Client, Server, Wrong
from mixer.model import CALL, DROP, GIVEN, GOT, NEW, SLOTS, Model

FEATURES = [each for each in packages.FEATURES if each not in ("later_versions", "threads")]
# One heap, and no blocks that a thread keeps for itself: what is in use can be compared.
EXACT = {"MALLOC_ARENA_MAX": "1", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
         "PYTHONMALLOC": "malloc"}  # fmt: skip
FEW_THREADS = ["--threads", "2"]  # each has memory that it keeps
KEY = 1
HERE, THERE, SPARE = SLOTS - 1, SLOTS - 2, SLOTS - 3  # slots that rounds leave alone
RELEASED = 64  # proxies go back so many at a time: what they take grows, and is free again
BATCH = 100  # steps that are sent at once: what the client says fits into a pipe


def number_of(code):
    """The small positive `long` that a call's answer stands for: `code_long` and `mix`, undone."""
    of_long = (code * pow(16807, -1, values.M) - 17 * 48271) % values.M
    return (of_long - 2**31) * pow(3, -1, values.M) % values.M


def resident(process):
    """KiB of memory that a process has."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise Wrong("the process has ended")


def growth(figures):
    """By how many bytes client and server usually grow from one figure to the next. A figure counts
    as the least of it and those after it: what is kept for later comes and goes, and comes now and
    then; of a leak there is more every time, and it stays."""
    found = []
    for of in list(zip(*figures))[:2]:
        floor = list(itertools.accumulate(reversed(of), min))[::-1]
        found.append(statistics.median(after - before for before, after in zip(floor, floor[1:])))
    return found


class Rounds:
    """One client and its server. `environment` of both should have EXACT."""

    def __init__(self, mixture, caller, callee, steps):
        self.mixture, self.caller = mixture, caller
        self.server = Server(mixture, callee, FEW_THREADS)
        self.steps = [*steps, *([0, DROP, slot] for slot in range(SPARE))]
        self.wanted = Model(mixture.package).run(self.steps)[:-1]
        self.figures = []  # (bytes in the client, in the server, KiB resident in both)

    def run(self, rounds, every):
        """The figures, each after so many rounds."""
        self.server.start()
        url = f"simhandle://127.0.0.1:{self.server.port}"
        client = Client(self.mixture, self.caller, self.caller, url)
        try:
            for step in ([0, NEW, HERE, 0, 0, KEY], [0, NEW, THERE, 0, 1, KEY]):
                client.take(step)
            for number in range(1, rounds + 1):
                self.round(client)
                if number % every == 0:
                    self.note(client)
            client.finish()
            self.server.stop()
        finally:
            client.kill()
            self.server.kill()
        return self.figures

    def round(self, client):
        """All steps; the answers are the model's."""
        for at in range(0, len(self.steps), BATCH):
            part = self.steps[at : at + BATCH]
            client.process.stdin.write(scripts.text(part).encode())
            for step, wanted in zip(part, self.wanted[at:]):
                if (said := client.line()) != wanted:
                    raise Wrong(f"{step}: says {said!r}, not {wanted!r}")

    def note(self, client):
        """The figures of now: the least while proxies come and go."""
        seen = []
        for _ in range(RELEASED + 1):
            client.take([0, NEW, SPARE, 0, 1, KEY])
            seen.append([self.used(client, slot) for slot in (HERE, THERE)])
        kib = [resident(each.process) for each in (client, self.server)]
        self.figures.append((*map(min, zip(*seen)), *kib))

    def used(self, client, slot):
        """Bytes that are allocated in the process of an object."""
        methods = self.mixture.package.methods()
        number = next(n for n, (_, m) in enumerate(methods) if m.name == "used")
        said = client.take([0, CALL, slot, number, KEY, *[-1] * (GIVEN + GOT)])
        return number_of(int(said))
