"""As client.c. The package is made of the .sidl file in the folder that the program is in."""

import importlib
import sys

import shinar.importer  # noqa: F401
import sidl

mix = importlib.import_module("mix")  # which the importer finds


def say(what, act):
    try:
        print(what, act(), flush=True)
    except sidl.BaseException as e:
        print(what, "!", e.getNote().replace("\n", " "), flush=True)


url = sys.argv[1] if len(sys.argv) > 1 else None
maker = None


def create():
    global maker
    maker = mix.Maker._create(url) if url else mix.Maker()
    return 0


def cast():
    return mix.Thing._cast(maker.some()).area()


def swap():
    swapped = maker.swap(mix.Pair(a=7, b=77))
    return swapped.a * 100 + swapped.b


def twin():
    thing = maker.make()
    return thing.twin(thing).area()


say("create", create)
if maker is not None:
    say("make", lambda: maker.make().area())
    say("cast", cast)
    say("swap", swap)
    say("paint", lambda: maker.paint(mix.Color.green))
    say("twin", twin)
if not url:
    say("static", mix.Maker.one)
    say("thing", lambda: mix.Thing().area())
