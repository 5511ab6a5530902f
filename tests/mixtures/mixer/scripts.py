"""Random scripts for a package, and their lines as programs read them."""

import random

from mixer.model import CALL, COPY, DROP, GIVEN, GOT, NEW, SHARED, TELL
from mixer.values import M, mix, shape

WIDTH = 4 + GIVEN + GOT
PRIVATE = ("setId", "add", "alive", "used")  # what scripts do not call


def text(steps):
    """The file, of the steps of one thread: all are of the same length."""
    padded = ([*step[1:], *[-1] * (WIDTH - len(step) + 1)] for step in steps)
    return "".join(" ".join(map(str, step)) + "\n" for step in padded)


class Writer:
    """Makes steps for a package; objects are made in these places."""

    def __init__(self, package, seed, places):
        self.draw = random.Random(seed)
        self.places = places
        self.methods = package.methods()
        self.by_name = {(of, m.long_name): n for n, (of, m) in enumerate(self.methods)}
        self.steps = []

    def key(self):
        """Any."""
        return self.draw.randrange(M)

    def script(self, count, threads=0):
        """A script of so many steps."""
        self.steps = [[0, NEW, i, i % 2, self.places[i % len(self.places)], self.key()]
                      for i in range(4)]  # fmt: skip
        callable_ = [n for n, (_, m) in enumerate(self.methods) if m.name not in PRIVATE]
        while len(self.steps) < count // (1 + threads):
            what = self.draw.choices([NEW, CALL, DROP, COPY, TELL, 0], [2, 30, 2, 1, 1, 1])[0]
            if what:
                self.step(0, what, callable_, range(SHARED), range(SHARED))
            elif ("Cell", "trade") in self.by_name and self.draw.random() < 0.5:
                self.trades()
            elif ("Cell", "note") in self.by_name and ("Cell", "holdObject") in self.by_name:
                self.burst()
        # What a thread is told must not depend on what others do.
        callable_ = [
            n for n in callable_ if not self.methods[n][1].name.startswith(("hold", "trade"))
        ]
        callable_ = [n for n in callable_ if self.methods[n][1].name != "total"]
        for _ in range(count - len(self.steps) if threads else 0):
            what = self.draw.choices([NEW, CALL, DROP, COPY], [2, 30, 2, 2])[0]
            who = self.draw.randint(1, threads)
            self.step(who, what, callable_, range(2 * SHARED), range(SHARED, 2 * SHARED))
        for who in range(1, threads + 1):
            self.wait_for_oneway(who)
        return self.steps

    def wait_for_oneway(self, who):
        """A thread calls every common object: its one-way calls have run before, which nobody else
        may count on (docs/simhandle-protocol.md, Order)."""
        nobody = [-1] * (GIVEN + GOT)
        for slot in range(SHARED):
            self.steps.append([who, CALL, slot, self.by_name["Named", "id"], self.key(), *nobody])

    def step(self, who, what, callable_, slots, own):
        """One step, which looks at `slots` and changes its `own`."""
        draw = self.draw
        if what == NEW:
            place = draw.choice(self.places)
            self.steps.append([who, NEW, draw.choice(own), draw.randrange(2), place, self.key()])
        elif what == CALL:
            n = draw.choice(callable_)
            method = self.methods[n][1]
            given = [
                draw.choice(slots) if draw.random() < 0.9 else -1 for _ in range(method.given())
            ]
            got = [draw.choice(own) if draw.random() < 0.5 else -1 for _ in range(method.got())]
            given += [-1] * (GIVEN - len(given))
            self.steps.append([who, CALL, draw.choice(slots), n, self.key(), *given, *got])
        elif what == COPY:
            self.steps.append([who, COPY, draw.choice(own), draw.choice(slots)])
        else:
            self.steps.append([who, what, draw.choice(own if what == DROP else slots)])

    def trades(self):
        """Calls that exchange arrays of one length, which is seldom so of any two calls."""
        trade = self.by_name["Cell", "trade"]
        keys = [self.key()]
        while len(keys) < 4:
            key = self.key()
            if self.length(key) == self.length(keys[0]):
                keys.append(key)
        slot = self.draw.randrange(4)
        self.steps += [[0, CALL, slot, trade, key] for key in keys]

    @staticmethod
    def length(key):
        """Of an array of numbers that is the first argument of a call with this key."""
        return shape("double", 1, mix(key, 100))

    def burst(self):
        """One-way calls on an object that is dropped at once: all of them have to run. Another
        object holds it meanwhile."""
        draw = self.draw
        place = draw.choice(self.places)
        held, holder = draw.sample(range(SHARED), 2)
        numbers = sorted(self.key() for _ in range(2))
        hold, note = self.by_name["Cell", "holdObject"], self.by_name["Cell", "note"]
        nobody = [-1] * GIVEN
        self.steps += [
            [0, NEW, held, 0, place, numbers[0]],
            [0, NEW, holder, 0, place, numbers[1]],
            [0, CALL, holder, hold, self.key(), held],
            *([0, CALL, held, note, self.key()] for _ in range(draw.randrange(20))),
            [0, DROP, held],
            [0, CALL, holder, hold, self.key(), *nobody, held],
            [0, TELL, held],
        ]


def make(package, seed, count, places=(0,), threads=0):
    """A script of so many steps."""
    return Writer(package, seed, places).script(count, threads)
