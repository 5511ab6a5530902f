"""What Python's classes do that are derived from a class of another version."""

import importlib

import shinar.importer  # noqa: F401
import sidl

kin = importlib.import_module("kin")  # which the importer finds: the old version
kid = importlib.import_module("kid")  # which was generated with the other one


def what(get):
    try:
        it = get()
    except sidl.CastException as e:
        return ["different" if "different SIDL files" in str(e) else str(e)]
    words = [type(it).__module__ + "." + type(it).__name__, it.name()]
    if isinstance(it, kin.Special):
        words += [it.area() + it.side(3), it.own()]
    return words


nursery = kid.Nursery()
for name, get in {
    "created": kid.Child,
    "child": nursery.child,
    "plain": nursery.plain,
    "special": nursery.special,
}.items():
    print(name, *what(get), flush=True)
