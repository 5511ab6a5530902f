"""What Python takes the objects of another library for, and what they answer."""

import importlib

import shinar.importer  # noqa: F401
import sidl

kin = importlib.import_module("kin")  # which the importer finds


class Sink(kin.Sink):
    def put(self, it):
        self.it = it


def handed():
    sink = Sink()
    maker.hand(sink)
    return sink.it


def thrown():
    try:
        maker.fail()
    except sidl.SIDLException as e:
        return e


def special(it):
    try:
        return kin.Special._cast(it).area()
    except sidl.CastException as e:
        return "different" if "different SIDL files" in str(e) else str(e)


maker = kin.Maker()
for what, get in {
    "one": maker.one,
    "any": maker.any,
    "some": maker.some,
    "list": lambda: maker.list()[0],
    "hand": handed,
}.items():
    it = get()
    name = it.name() if isinstance(it, kin.Plain) else "-"
    area = it.area() + it.side(3) if isinstance(it, kin.Special) else special(it)
    print(what, type(it).__module__ + "." + type(it).__name__, name, area, flush=True)
fault = thrown()
code = fault.code() if isinstance(fault, kin.Fault) else "-"
print("fail", type(fault).__module__ + "." + type(fault).__name__, fault, code, flush=True)
