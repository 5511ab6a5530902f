"""The conformance suite, as data: what is declared, what implementations do, and what is called.

A language (languages/) says how to write down types, values, the few kinds of bodies that methods
have here, and calls. Nothing in this file knows a language.
"""

import dataclasses
import itertools
from typing import Any

PACKAGE = "mx"

# ---- types ---------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Type:
    """kind: a basic type's name, "opaque", "enum", "struct", "object", "array", "rarray", or
    "inline", an array that lies in a struct.

    name is that of an enum, a struct, a class or an interface; of an array, that of its elements,
    or nothing if it may have any. shape is that of an array in a struct.
    """

    kind: str
    name: str = ""
    rank: int = 1
    order: str = ""
    shape: tuple = ()

    @property
    def element(self):
        """The type of an array's elements."""
        if self.name in STRUCTS:
            return Type("struct", self.name)
        return {"Color": COLOR, "Named": NAMED}.get(self.name) or Type(self.name)

    def sidl(self):
        """In SIDL; of a raw array without its extents."""
        if self.kind == "array":
            rank = f",{self.rank}" if self.rank > 1 or self.order else ""
            return f"array<{self.name}{rank}{',' if self.order else ''}{self.order}>"
        if self.kind == "rarray":
            return f"rarray<{self.name},{self.rank}>"
        return self.name or self.kind

    def member(self, name):
        """In SIDL, as a member of a struct."""
        if self.kind != "inline":
            return f"{self.sidl()} {name};"
        lengths = ", ".join(map(str, self.shape))
        return f"rarray<{self.name},{len(self.shape)}> {name}({lengths});"


BASIC = ["bool", "char", "int", "long", "float", "double", "fcomplex", "dcomplex"]
VOID = Type("void")
INT = Type("int")
LONG = Type("long")
STRING = Type("string")
COLOR = Type("enum", "Color")
POINT = Type("struct", "Point")
LINE = Type("struct", "Line")
NAMED = Type("object", "Named")
CELL = Type("object", "Cell")
VALUE = Type("object", "Value")
OPAQUE = Type("opaque")
ANY_ARRAY = Type("array")

ENUMS = {"Color": {"red": 0, "green": 5, "blue": 6}}
STRUCTS = {
    "Mass": {
        "x": Type("double"),
        "id": LONG,
        "n": INT,
        "ok": Type("bool"),
        "z": Type("dcomplex"),
        "v": Type("inline", "double", shape=(3,)),
        "m": Type("inline", "int", shape=(2, 3)),
        "tag": Type("inline", "char", shape=(5,)),
    },
    "Point": {
        "x": Type("double"),
        "n": INT,
        "label": STRING,
        "color": COLOR,
        "w": Type("inline", "fcomplex", shape=(2,)),
    },
    "Line": {"a": POINT, "b": POINT, "marks": Type("array", "double")},
}

# ---- values --------------------------------------------------------------------------------------
# Those of basic types are Python's; of an enum, the name of one of its values; of a struct, a dict;
# of an opaque, the address; None is null.


@dataclasses.dataclass(frozen=True)
class Array:
    """Elements in row order. `kind` is the array's type where the method's is array<>. `lower` are
    the bounds that are not 0 as those of most arrays are. `where` the caller has them: "there" is
    the memory of a device, "part" a part of an array there. What comes back as a result or out is
    there, too, if nothing but one process is between."""

    shape: tuple
    values: tuple
    kind: Any = None
    lower: tuple = ()
    where: str = ""

    @property
    def bounds(self):
        """The lowest and the highest index of each dimension."""
        lower = self.lower or (0,) * len(self.shape)
        return [(low, low + length - 1) for low, length in zip(lower, self.shape)]

    @property
    def indices(self):
        """Those of the elements, in their order."""
        return list(itertools.product(*(range(low, high + 1) for low, high in self.bounds)))

    @property
    def columns(self):
        """The elements in column order, and their indices."""
        pairs = zip(self.indices, self.values)
        return sorted(pairs, key=lambda pair: pair[0][::-1])


@dataclasses.dataclass(frozen=True)
class Object:
    """An object with this number; as an argument, one of the caller's."""

    number: int


# ---- what methods do -----------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Assign:
    """In this order: (target, source); a target is "result" or an argument, a source is an argument
    or a value. What is assigned from another argument leaves that one as it is, or empty if it is
    assigned itself later."""

    moves: tuple


@dataclasses.dataclass(frozen=True)
class From:
    """An argument, as a source."""

    name: str


@dataclasses.dataclass(frozen=True)
class Throw:
    """Throws a new exception with a note."""

    name: str
    note: str


@dataclasses.dataclass(frozen=True)
class Do:
    """One of those that are written out in each language:

    get, set       the object's number, and another one
    itself         the object
    ask            other.number() + n
    bounce         0 at depth 0, else 1 + other.bounce(the object, depth - 1)
    relay          calls other.oops()
    hello          "I am " and what the object's own who() says
    chain          "child>" and what the parent's chain() says
    double         doubles the value's number and gives it back
    scale          adds 1 to each element of y; the sum of x
    total, grow    the sum of a; adds 1 to each element of y: wherever they are
    touch          the first element of a
    pack, unpack   the number of an object that travels by value, as the int "number"
    """

    what: str


@dataclasses.dataclass(frozen=True)
class Method:
    """A method of one of the classes."""

    name: str
    result: Type
    args: tuple  # (mode, type, name)
    body: Any
    prefix: str = ""  # static, oneway, nonblocking, local
    throws: str = ""
    extension: str = ""  # of an overloaded name
    copies: bool = False
    clauses: str = ""  # of its contract

    @property
    def long_name(self):
        """The name that no other method has."""
        return self.name + self.extension

    def sidl(self):
        """Its declaration."""
        args = []
        for mode, kind, name in self.args:
            extents = "(n)" if kind.rank == 1 else "(n, 2)"
            copy = "copy " if self.copies else ""
            args.append(
                f"{copy}{mode} {kind.sidl()} {name}{extents if kind.kind == 'rarray' else ''}"
            )
        name = self.name + (f"[{self.extension}]" if self.extension else "")
        copy = "copy " if self.copies else ""
        throws = f" throws {self.throws}" if self.throws else ""
        prefix = f"{self.prefix} " if self.prefix else ""
        method = f"{prefix}{copy}{self.result.sidl()} {name}({', '.join(args)}){throws};"
        return f"{method} {self.clauses}".rstrip()


def rotating(name, kind, last, prefix=""):
    """A method that gives back the inout argument, the in argument as out, and `last` as inout."""
    args = (("in", kind, "a"), ("out", kind, "o"), ("inout", kind, "io"))
    moves = (("result", From("io")), ("o", From("a")), ("io", last))
    return Method(name, kind, args, Assign(moves), prefix)


# ---- the cases -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Raises:
    """The exception that a call throws: its own class, and its note; "" is any."""

    name: str
    note: str


@dataclasses.dataclass(frozen=True)
class Case:
    """One call and what comes of it. `on` is what it is called on: a Cell, whose number is 11, a
    Child, a Cell seen as Named, a Child seen as a Cell. `then` is its number afterwards."""

    group: str
    name: str
    method: Method
    args: tuple  # in and inout
    expect: Any  # result, out and inout; or Raises
    on: str = "cell"
    then: Any = None


@dataclasses.dataclass(frozen=True)
class Cast:
    """Whether a Cell or a Child can be cast to a type."""

    group: str
    name: str
    on: str
    type: str
    expect: bool


BASICS = {
    "bool": (True, False, True),
    "char": ("a", "z", "Q"),
    "int": (7, -(2**31), 2**31 - 1),
    "long": (7, -(2**63), 2**63 - 1),
    "float": (0.5, -1024.25, 3.0),
    "double": (0.1, -1e300, 2.5),
    "fcomplex": (1 + 2j, -0.5j, 3 + 0j),
    "dcomplex": (1 + 0.1j, -1e300j, 3 + 4j),
    "string": ("text", "grüße", "last"),
    "Color": ("red", "blue", "green"),
    "Named": (Object(1), Object(2), Object(3)),
}


def filled(name, shape):
    """An array of this shape with different elements next to each other."""
    count = 1
    for length in shape:
        count *= length
    return Array(tuple(shape), tuple(itertools.islice(itertools.cycle(BASICS[name]), count)))


def reverse(array):
    """The elements in the opposite order: other values of the same shape."""
    return dataclasses.replace(array, values=array.values[::-1])


def mass(x, number, ok):
    """A value of the struct Mass."""
    n = int(x)
    return {
        "x": x,
        "id": number,
        "n": n,
        "ok": ok,
        "z": complex(x, -2 * x),
        "v": Array((3,), (x, -x, 2 * x)),
        "m": Array((2, 3), tuple(n + i for i in range(6))),
        "tag": Array((5,), tuple("abcde" if ok else "vwxyz")),
    }


def point(x, label, color):
    """A value of the struct Point."""
    w = Array((2,), (complex(x, 1), complex(-1, x)))
    return {"x": x, "n": int(x), "label": label, "color": color, "w": w}


def line(x, count):
    """A value of the struct Line."""
    ends = point(x, "from", "red"), point(-x, "to", "blue")
    return {"a": ends[0], "b": ends[1], "marks": filled("double", (count,))}


BASICS.update(
    Mass=(mass(0.5, -(2**63), True), mass(-1024.25, 2**63 - 1, False), mass(3.0, 7, True)),
    Point=(point(1.5, "a", "red"), point(-2.5, "grüße", "blue"), point(0.0, "", "green")),
    Line=(line(1.5, 3), line(2.5, 0), line(5.5, 1)),
)
METHODS = {"Cell": [], "Child": [], "Value": []}
CASES = []


def declare(method, of="Cell"):
    """Adds a method to a class."""
    METHODS[of].append(method)
    return method


def name_of(kind, stem):
    """The name of a method for values of a type."""
    rank = f"{kind.rank}{kind.order[:3]}" if kind.kind == "array" else ""
    return f"{stem}_{kind.name or 'x'}{rank}"


def rotation(group, kind, last, *pairs, stem=""):
    """A method that rotates values of a type, and a call of it for each pair of them. Those with
    another `last` than the type's have a stem of their own names."""
    name = name_of(kind, stem or kind.kind)
    prefix = "local" if kind == OPAQUE else ""
    known = next((each for each in METHODS["Cell"] if each.name == name), None)
    method = known or declare(rotating(name, kind, last, prefix))
    for number, (name, a, io) in enumerate(pairs):
        label = f"{kind.sidl()} {name or number + 1}"
        CASES.append(Case(group, label, method, (a, io), (io, a, last)))


for each in BASIC:
    one, two, three = BASICS[each]
    rotation("basic types", Type(each), two, ("", one, three), ("", two, one))
one, two, three = BASICS["string"]
long = "a long text " * 800 + "."
rotation("strings", STRING, "last", ("", one, two), ("empty", "", one), ("long", long, "x"),
         ("blanks at the end", "two  ", " three "))  # fmt: skip
rotation("null strings", STRING, "last", ("in", None, "x"), ("inout", "a", None))
rotation("enums", COLOR, "green", ("", "blue", "red"), ("", "red", "green"))
rotation("structs", POINT, point(9.5, "new", "green"),
         ("", point(1.5, "a", "red"), point(2.5, "b", "blue")),
         ("empty text", point(0.0, "", "green"), point(-1.0, "c", "red")))  # fmt: skip
rotation("structs", LINE, line(5.5, 2), ("", line(1.5, 3), line(2.5, 1)),
         ("no elements", line(1.5, 0), line(3.5, 4)))  # fmt: skip

for each in [*BASIC, "string", "Color", "Named"]:
    kind = Type("array", each)
    rotation("arrays", kind, filled(each, (2,)),
             ("", filled(each, (3,)), filled(each, (1,))),
             ("empty", filled(each, (0,)), filled(each, (5,))),
             ("null", None, filled(each, (2,))),
             ("same shape", filled(each, (3,)), reverse(filled(each, (2,)))))  # fmt: skip
for order in ("row-major", "column-major"):
    for each in [*BASIC, "string", "Named"]:
        kind = Type("array", each, 2, order)
        rotation("orders", kind, filled(each, (2, 2)), ("", filled(each, (2, 3)),
                                                        filled(each, (3, 1))),
                 ("same shape", filled(each, (3, 2)), reverse(filled(each, (2, 2)))))  # fmt: skip
for each in STRUCTS:
    rotation("arrays of structs", Type("array", each), filled(each, (2,)),
             ("same shape", filled(each, (3,)), reverse(filled(each, (2,)))),
             ("", filled(each, (3,)), filled(each, (1,))),
             ("empty", filled(each, (0,)), filled(each, (5,))),
             ("null", None, filled(each, (2,))))  # fmt: skip
for order in ("row-major", "column-major"):
    for each in ("Mass", "Point"):
        rotation("arrays of structs", Type("array", each, 2, order), filled(each, (2, 2)),
                 ("same shape", filled(each, (3, 2)), reverse(filled(each, (2, 2)))),
                 ("", filled(each, (2, 3)), filled(each, (3, 1))))  # fmt: skip
for rank in range(2, 8):
    shape = (2, 3, 1, 2, 1, 2, 1)[:rank]
    kind = Type("array", "double", rank)
    rotation("ranks", kind, filled("double", shape[::-1]),
             ("", filled("double", shape), filled("double", (1,) * rank)),
             ("same shape", filled("double", shape),
              reverse(filled("double", shape[::-1]))))  # fmt: skip


def any_of(name, shape):
    """An array for array<>."""
    return dataclasses.replace(filled(name, shape), kind=Type("array", name, len(shape)))


rotation("arrays of any type", ANY_ARRAY, any_of("bool", (2,)),
         ("numbers", any_of("int", (2, 3)), any_of("double", (4,))),
         ("strings and characters", any_of("string", (2, 1, 2)), any_of("char", (3,))),
         ("complex numbers", any_of("dcomplex", (2, 2)), any_of("fcomplex", (1, 2, 1, 2))),
         ("null", None, any_of("long", (2,))))  # fmt: skip

FAR = 5_000_000_000  # an index that has no place in 32 bits
END = 2**62  # the last index that there is


def shifted(array, *lower):
    """The array with these lower bounds, of which it takes as many as it has dimensions."""
    return dataclasses.replace(array, lower=lower[: len(array.shape)])


def bounds(kind):
    """Calls with arrays that do not begin at 0, and of a method that makes one: callers that cannot
    say where their own arrays begin are told where that one does."""
    shapes = [shape[: kind.rank] for shape in ((3, 2), (1, 2), (2, 3))]
    a, io, last = (filled(kind.name, shape) for shape in shapes)
    last = shifted(last, FAR, -FAR)
    rotation("bounds", kind, last,
             ("near 0", shifted(a, 1, -2), shifted(io, -4, 7)),
             ("beyond 32 bits", shifted(a, -FAR, FAR), shifted(io, FAR, 0)),
             ("at the ends", shifted(a, -END, END - 1), shifted(io, END, -END)),
             ("same shape", shifted(a, 0, FAR), reverse(last)),
             ("in from 0", a, shifted(io, FAR, -1)), stem="bounds")  # fmt: skip
    args = (("in", kind, "a"), ("out", kind, "o"))
    moves = (("result", From("a")), ("o", last))
    method = declare(Method(name_of(kind, "begin"), kind, args, Assign(moves)))
    CASES.append(Case("bounds", f"{kind.sidl()} made by the callee", method, (a,), (a, last)))


for rank in (1, 2):
    for each in ("double", "string", "Color", "Named"):
        bounds(Type("array", each, rank))
for order in ("row-major", "column-major"):
    bounds(Type("array", "double", 2, order))
rotation("bounds", ANY_ARRAY, shifted(any_of("double", (2,)), FAR),
         ("of strings and numbers", shifted(any_of("string", (2, 2)), 1, -FAR),
          shifted(any_of("long", (3,)), -FAR)), stem="bounds")  # fmt: skip


def there(array, where="there"):
    """The array, on a device."""
    return dataclasses.replace(array, where=where)


def elsewhere(kind, make):
    """Calls of a method that passes on what it is given, but for a last one of its own."""
    a, io = make((3,)), reverse(make((4,)))
    pairs = [("in and inout", there(a), there(io)), ("in", there(a), io), ("inout", a, there(io)),
             ("null", None, there(io))]  # fmt: skip
    if kind.name != "Mass":  # DLPack, by which Python gets parts, does not know structs
        pairs.append(("a part", there(a, "part"), there(io)))
    rotation(ELSEWHERE, kind, make((2,)), *pairs, stem="there")


ELSEWHERE = "arrays elsewhere"
elsewhere(ANY_ARRAY, lambda shape: any_of("double", shape))
elsewhere(Type("array", "double"), lambda shape: filled("double", shape))
elsewhere(Type("array", "Mass"), lambda shape: filled("Mass", shape))
TOTAL = declare(Method("total", Type("double"), (("in", ANY_ARRAY, "a"),), Do("total")))
GROW = declare(Method("grow", VOID, (("inout", ANY_ARRAY, "y"),), Do("grow")))
one, two = (Array((3,), values, Type("array", "double")) for values in ((1, 2, 4), (2, 3, 5)))
for where in ("there", "part"):
    given = (there(one, where),)
    CASES.append(Case(ELSEWHERE, f"read by the callee, {where}", TOTAL, given, (7.0,)))
CASES.append(Case(ELSEWHERE, "changed by the callee", GROW, (there(one),), (two,)))
kind = Type("array", "double")
TOUCH = declare(Method("touch", Type("double"), (("in", kind, "a"),), Do("touch")))
for where in ("there", "part"):
    CASES.append(Case("elements elsewhere", f"touched, {where}", TOUCH,
                      (there(filled("double", (3,)), where),),
                      Raises("sidl.MemorySpaceException", "")))  # fmt: skip

rotation("opaque", OPAQUE, 0x3000, ("", 0x1000, 0x2000), ("null", None, 0x7FFFFFFFF000))

for each, index in [
    *((each, INT) for each in ("int", "long", "float", "double", "fcomplex", "dcomplex")),
    ("double", LONG),
]:
    for rank in (1, 2):
        kinds = Type("rarray", each), Type("rarray", each, rank)
        args = (("in", kinds[0], "x"), ("inout", kinds[1], "y"), ("in", index, "n"))
        by = "" if index == INT else f" by {index.kind}"
        name = f"scale_{each}{rank}{by.replace(' ', '_')}"
        method = declare(Method(name, Type(each), args, Do("scale")))
        number = complex if "complex" in each else float if each in ("float", "double") else int
        x = tuple(map(number, (1, 2, 3)))
        y = tuple(number(10 * i) for i in range(3 * rank))
        shape = (3,) if rank == 1 else (3, 2)
        more = Array(shape, tuple(value + 1 for value in y))
        given = (Array((3,), x), Array(shape, y), 3)
        name = f"{each}, {rank} dimension{'s' if rank > 1 else ''}{by}"
        CASES.append(Case("raw arrays", name, method, given, (sum(x), more)))

NUMBER = declare(Method("number", INT, (), Do("get")))
SET = declare(Method("set", VOID, (("in", INT, "n"),), Do("set")))
for kind in (CELL, NAMED):
    rotation("objects", kind, Object(30), ("", Object(1), Object(2)), ("null", None, Object(2)))
ITSELF = declare(Method("itself", CELL, (), Do("itself")))
CASES.append(Case("objects", "itself", ITSELF, (), (Object(11),)))
CASES.append(Case("interfaces and casts", "called by an interface", NUMBER, (), (11,), "named"))
for on, name, expect in [
    ("cell", "Named", True),
    ("cell", "Cell", True),
    ("cell", "Child", False),
    ("cell", "Value", False),
    ("child", "Cell", True),
    ("child", "Child", True),
    ("child", "Named", True),
]:
    CASES.append(Cast("interfaces and casts", f"{on} as {name}", on, name, expect))

for extension, args, given in [
    ("Int", (("in", INT, "a"),), (1,)),
    ("Text", (("in", STRING, "a"),), ("t",)),
    ("Both", (("in", INT, "a"), ("in", STRING, "b")), (1, "t")),
]:
    body = Assign((("result", f"over{extension}"),))
    method = declare(Method("over", STRING, args, body, extension=extension))
    CASES.append(Case("overloads", extension, method, given, (f"over{extension}",)))

OOPS = declare(Method("oops", VOID, (), Throw("Oops", "on purpose"), throws="Oops"))
WORSE = declare(Method("worse", VOID, (), Throw("Worse", "even so"), throws="Oops"))
SUDDEN = declare(Method("sudden", INT, (), Throw("Sudden", "not declared")))
RELAY = declare(Method("relay", VOID, (("in", CELL, "other"),), Do("relay"), throws="Oops"))
for name, method, given, thrown in [
    ("declared", OOPS, (), Raises("mx.Oops", "on purpose")),
    ("of a subclass", WORSE, (), Raises("mx.Worse", "even so")),
    ("not declared", SUDDEN, (), Raises("mx.Sudden", "not declared")),
    ("passed on", RELAY, (Object(1),), Raises("mx.Oops", "on purpose")),
]:
    CASES.append(Case("exceptions", name, method, given, thrown))

for kind, given, last in [(INT, (1, 2), 99), (STRING, ("one", "two"), "last")]:
    method = declare(rotating(f"shared_{kind.kind}", kind, last, "static"))
    CASES.append(Case("static methods", kind.kind, method, given, (*given[::-1], last)))

WHO = declare(Method("who", STRING, (), Assign((("result", "cell"),))))
HELLO = declare(Method("hello", STRING, (), Do("hello")))
CHAIN = declare(Method("chain", STRING, (), Assign((("result", "cell"),))))
declare(Method("who", STRING, (), Assign((("result", "child"),))), "Child")
declare(Method("chain", STRING, (), Do("chain")), "Child")
ROTATE = METHODS["Cell"][2]
for name, method, on, result in [
    ("of the parent", HELLO, "cell", "I am cell"),
    ("overridden, called by the parent", HELLO, "child", "I am child"),
    ("super", CHAIN, "child", "child>cell"),
    ("seen as the parent", CHAIN, "child as cell", "child>cell"),
    ("the parent's own", CHAIN, "cell", "cell"),
]:
    CASES.append(Case("inheritance and super", name, method, (), (result,), on))
CASES.append(Case("inheritance and super", "inherited", ROTATE, (1, 2), (2, 1, -(2**31)), "child"))

ASK = declare(Method("ask", INT, (("in", NAMED, "other"), ("in", INT, "n")), Do("ask")))
BOUNCE = declare(Method("bounce", INT, (("in", CELL, "other"), ("in", INT, "depth")), Do("bounce")))
CASES.append(Case("callbacks", "one", ASK, (Object(40), 2), (42,)))
for depth in (0, 1, 20):
    CASES.append(Case("callbacks", f"{depth} deep", BOUNCE, (Object(1), depth), (depth,)))

TWICE = declare(Method("twice", VALUE, (("in", VALUE, "v"),), Do("double"), copies=True))
CASES.append(Case("copy by value", "there and back", TWICE, (Object(21),), (Object(42),)))
SWAP = declare(dataclasses.replace(rotating("swap", VALUE, Object(30)), copies=True))
for name, given in [("every mode", (Object(1), Object(2))), ("null", (None, Object(2)))]:
    CASES.append(Case("copy by value", name, SWAP, given, (*given[::-1], Object(30))))
declare(Method("number", INT, (), Do("get")), "Value")
declare(Method("set", VOID, (("in", INT, "n"),), Do("set")), "Value")
INVARIANTS = {"Child": ["  invariant sane : number() != 666;"]}
PACKING = {"packObj": Do("pack"), "unpackObj": Do("unpack")}  # of Value, from sidl.io.Serializable

LATER = declare(
    Method("later", INT, (("in", INT, "a"), ("out", STRING, "o"), ("inout", Type("double"), "io")),
           Assign((("result", From("a")), ("o", "later"), ("io", 2.5))), "nonblocking")
)  # fmt: skip
CASES.append(Case("nonblocking", "in, out and inout", LATER, (5, 1.5), (5, "later", 2.5)))
LATER_ARRAY = declare(
    rotating("later_array", Type("array", "double"), filled("double", (2,)), "nonblocking")
)
given = filled("double", (4,)), None
CASES.append(Case("nonblocking", "arrays", LATER_ARRAY, given,
                  (*given[::-1], filled("double", (2,)))))  # fmt: skip
given = filled("double", (4,)), reverse(filled("double", (2,)))
CASES.append(Case("nonblocking", "arrays of the same shape", LATER_ARRAY, given,
                  (*given[::-1], filled("double", (2,)))))  # fmt: skip
LATER_OOPS = declare(dataclasses.replace(OOPS, name="later_oops", prefix="nonblocking"))
CASES.append(Case("nonblocking", "exception", LATER_OOPS, (), Raises("mx.Oops", "on purpose")))
NOTE = declare(Method("note", VOID, (("in", INT, "n"),), Do("set"), "oneway"))
CASES.append(Case("oneway", "in order with what follows", NOTE, (77,), (), then=77))

# Enforced in all processes (matrix.py): what does not hold is an exception.
GUARDED = declare(
    Method("guarded", INT,
           (("in", INT, "n"), ("inout", Type("double"), "io"), ("out", STRING, "o")),
           Assign((("result", From("n")), ("io", 2.5), ("o", "text"))),
           clauses="require few : n < 100; positive : io > 0.0; "
                   "ensure counted : result >= 0 and io == 2.5 and o == \"text\";")
)  # fmt: skip
kind = Type("array", "double")
ORDERED = declare(
    Method("ordered", kind, (("in", kind, "a"),), Assign((("result", From("a")),)),
           clauses="require known : a != null implies all(a >= 0.0); ensure nonDecr(result);")
)  # fmt: skip
ABOVE = declare(
    Method("above", INT, (("in", INT, "n"),), Assign((("result", From("n")),)),
           clauses="require higher : n > number(); ensure number() < result;")
)  # fmt: skip
PRE, POST, INV = (Raises(f"sidl.{name}Violation", "") for name in ("Pre", "Post", "Inv"))
values = {name: Array((2,), pair) for name, pair in
          {"up": (1.0, 2.0), "down": (2.0, 1.0), "low": (-1.0, 2.0)}.items()}  # fmt: skip
for name, method, given, expect, on in [
    ("held", GUARDED, (5, 1.5), (5, 2.5, "text"), "cell"),
    ("precondition, an integer", GUARDED, (100, 1.5), PRE, "cell"),
    ("precondition, a real number", GUARDED, (5, -1.5), PRE, "cell"),
    ("postcondition, the result", GUARDED, (-5, 1.5), POST, "cell"),
    ("held, an array", ORDERED, (values["up"],), (values["up"],), "cell"),
    ("held, a null array", ORDERED, (None,), (None,), "cell"),
    ("precondition, elements", ORDERED, (values["low"],), PRE, "cell"),
    ("postcondition, elements", ORDERED, (values["down"],), POST, "cell"),
    ("held, with calls", ABOVE, (12,), (12,), "cell"),
    ("precondition with a call", ABOVE, (11,), PRE, "cell"),
    ("of the parent", GUARDED, (100, 1.5), PRE, "child"),
    ("seen as the parent", GUARDED, (-5, 1.5), POST, "child as cell"),
    ("invariant, held", SET, (665,), (), "child"),
    ("invariant", SET, (666,), INV, "child"),
    ("invariant, seen as the parent", SET, (666,), INV, "child as cell"),
    ("invariant, of the heir alone", SET, (666,), (), "cell"),
]:
    CASES.append(Case("contracts", name, method, given, expect, on))
FEW = declare(
    Method("few", INT, (("in", INT, "n"),), Assign((("result", From("n")),)), "static",
           clauses="require n < 100; ensure result > 0;")
)  # fmt: skip
for name, given, expect in [("held", 5, (5,)), ("before", 100, PRE), ("after", 0, POST)]:
    CASES.append(Case("static methods", f"contract, {name}", FEW, (given,), expect))

GROUPS = list(dict.fromkeys(case.group for case in CASES))
# No object is called, so no other process; what other processes do not get, or as something else.
LOCAL = {"static methods", "null strings", "opaque", "elements elsewhere"}


def sidl():
    """The package's text."""
    lines = [f"package {PACKAGE} version 1.0 {{"]
    for name, values in ENUMS.items():
        lines.append(f"enum {name} {{ {', '.join(f'{k} = {v}' for k, v in values.items())} }}")
    for name, members in STRUCTS.items():
        body = " ".join(kind.member(member) for member, kind in members.items())
        lines.append(f"struct {name} {{ {body} }}")
    lines += [
        "class Oops extends sidl.SIDLException {}",
        "class Worse extends Oops {}",
        "class Sudden extends sidl.SIDLException implements sidl.RuntimeException {}",
        "interface Named { int number(); ensure is pure; }",
    ]
    headers = {
        "Value": "class Value implements-all sidl.io.Serializable",
        "Cell": "class Cell implements-all Named",
        "Child": "class Child extends Cell",
    }
    for name, header in headers.items():
        own = [m for m in METHODS[name] if not (name == "Cell" and m is NUMBER)]
        lines += [f"{header} {{", *INVARIANTS.get(name, []), *(f"  {m.sidl()}" for m in own), "}"]
    return "\n".join([*lines, "}", ""])
