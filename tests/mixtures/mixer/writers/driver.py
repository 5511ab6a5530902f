"""Runs scripts (model.py): driver URL|- SCRIPT [SCRIPT OF A THREAD]..."""

import gc
import io
import os
import sys
import threading
import time

import mix
import mx
import sidl
import tables

NEW, CALL, DROP, COPY, TELL, FORK = 1, 2, 3, 4, 5, 6
SLOTS, SHARED, OBJECTS = 40, 8, 6
URL = None if sys.argv[1] == "-" else sys.argv[1]


class Run:
    """A thread's own."""

    def __init__(self, out, shared=()):
        self.slots = [*shared, *[None] * (SLOTS - len(shared))]
        self.out = out

    def call(self, step):
        """The line for a call."""
        _, slot, number, key, *places = step
        given = [self.slots[i] if i >= 0 else None for i in places[:OBJECTS]]
        target = getattr(mx, tables.CLASSES[number])._cast(self.slots[slot])
        if target is None:
            return "no child"
        out = []
        said = mix.tell(number, target, key, given, out)
        for place, each in zip(places[OBJECTS:], out):
            if place >= 0:
                self.slots[place] = each
        return said

    def tell(self, slot):
        """What an object has counted."""
        cell = self.slots[slot]
        return "null" if cell is None else f"{cell.id()} {cell.total()}"

    def fork(self, slot):
        """As tell, of a child that then goes on as a program that ends, and of this process."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.write(writer, self.said([TELL, slot]).encode())
            self.slots[slot] = None
            os._exit(0)
        os.close(writer)
        here = self.tell(slot)
        with os.fdopen(reader) as pipe:
            there = pipe.read()
        os.waitpid(child, 0)
        return f"{here}, child: {there}"

    def run(self, step):
        """The line for a step."""
        what, slot, *rest = step
        slots = self.slots
        if what == NEW:
            of = mx.Child if rest[0] else mx.Cell
            made = of.create(URL) if rest[1] and URL else of()
            made.setId(rest[2])
            slots[slot] = made
            return "new"
        if what == DROP:
            slots[slot] = None
            return "drop"
        if what == COPY:
            slots[slot] = slots[rest[0]]
            return "copy"
        if what == FORK:
            return self.fork(slot)
        if what == TELL or slots[slot] is None:
            return self.tell(slot)
        return self.call(step)

    def said(self, step):
        """As run; an exception has a line, too."""
        try:
            return self.run(step)
        except sidl.BaseException as error:
            return " ".join(mix.thrown(error))

    def run_script(self, path):
        """Line by line."""
        with open(path) as script:
            for line in script:
                step = [int(each) for each in line.split()]
                print(self.said(step), file=self.out, flush=True)


def run_threads(first, scripts):
    """Several scripts at a time; what they say comes one after another."""
    if not scripts:
        return
    runs = [Run(io.StringIO(), first.slots[:SHARED]) for _ in scripts]
    threads = [threading.Thread(target=r.run_script, args=[s]) for r, s in zip(runs, scripts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in runs:
        print(each.out.getvalue(), end="")
        each.slots.clear()
    for slot in range(SHARED):
        print(first.tell(slot))


def alive_at_last():
    """How many objects are alive here when all were given back: one."""
    gc.collect()
    last = mx.Cell()
    end = time.monotonic() + 10
    while last.alive() != 1 and time.monotonic() < end:
        time.sleep(0.02)
    return last.alive()


def main():
    """The scripts."""
    first = Run(sys.stdout)
    first.run_script(sys.argv[2])
    run_threads(first, sys.argv[3:])
    first.slots.clear()
    print("end", alive_at_last(), flush=True)


main()
