"""Random packages: what is declared, and what its methods do, as data (tests/matrix/suite.py)."""

import dataclasses
import json
import random

import suite
from suite import Assign, Do, From

VOID, LONG, BOOL, STRING, INT = (
    suite.Type(each) for each in ("void", "long", "bool", "string", "int")
)
NAMED, CELL, VALUE = suite.NAMED, suite.CELL, suite.VALUE
NUMBERS = ["int", "long", "float", "double", "fcomplex", "dcomplex"]
THROWN = ["Oops", "Worse", "Sudden"]
COPIED = ("string", "Named", "Cell")  # arrays of these are not lent in Fortran

# What a package may have; each can be left out.
FEATURES = ["enums", "structs", "struct_arrays", "struct_objects", "objects", "arrays",
            "null_arrays", "ranks", "orders", "text_arrays", "object_arrays", "raw", "any", "copy",
            "overloads", "throws", "hold", "relay", "nonblocking", "oneway", "inherit", "passing",
            "filling", "lent", "later_versions", "threads"]  # fmt: skip


class Type(suite.Type):
    """As the suite's, with enums and objects of any name."""

    @property
    def element(self):
        if self.name.startswith("E") and self.name[1:].isdigit():
            return Type("enum", self.name)
        if self.name in ("Named", "Cell"):
            return Type("object", self.name)
        return Type(self.name)


ANY_ARRAY = Type("array")


@dataclasses.dataclass(frozen=True)
class Key:
    """A value that is made of the call's key and a number; `fills` if the array that is there gets
    its elements and keeps its shape."""

    number: int
    fills: bool = False


@dataclasses.dataclass(frozen=True)
class Method(suite.Method):
    """`number` tells methods apart, those that override one another too."""

    number: int = 0
    nulls: bool = False  # its arrays may be null
    lent: bool = False  # its callers lend memory of their own
    form: str = "handle"  # how a caller in Fortran has arrays: handle, pointer, allocatable

    def of_mode(self, *modes):
        """Arguments of these modes: (mode, type, name)."""
        return [each for each in self.args if each[0] in modes]

    def given(self):
        """How many objects the caller gives."""
        return sum(is_object(kind) for _, kind, _ in self.of_mode("in", "inout"))

    def got(self):
        """How many objects come back."""
        back = [self.result, *(kind for _, kind, _ in self.of_mode("out", "inout"))]
        return sum(is_object(kind) for kind in back)


def is_object(kind):
    """Whether values are references to objects, which scripts know."""
    return kind.kind == "object" and kind.name != "Value"


@dataclasses.dataclass
class Package:
    """A suite as tests/matrix/languages write it down: enums, structs, and methods by class."""

    ENUMS: dict
    STRUCTS: dict
    METHODS: dict
    later: str = ""  # what the server has more: "types", or "methods" besides, at the ends

    BASIC = suite.BASIC
    ANY_ARRAY = ANY_ARRAY
    CELL, VALUE, COLOR = CELL, VALUE, None
    CASES, PACKING = (), suite.PACKING

    def methods(self):
        """(class, method) of all that can be called, in the order of scripts' numbers."""
        return [(name, each) for name in ("Named", "Cell", "Child") for each in self.METHODS[name]]

    def implemented(self, name):
        """The methods that a class has a body for."""
        inherited = self.METHODS["Named"] if name == "Cell" else []
        return [*inherited, *self.METHODS[name]]

    def sidl(self, server=False):
        """The package's text, for clients or for the server."""
        more = server and self.later != ""
        lines = ["package mx version 1.0 {"]
        for name, values in self.ENUMS.items():
            lines.append(f"enum {name} {{ {', '.join(f'{k} = {v}' for k, v in values.items())} }}")
        for name, members in self.STRUCTS.items():
            body = " ".join(f"{kind.sidl()} {member};" for member, kind in members.items())
            lines.append(f"struct {name} {{ {body} }}")
        lines += [
            "class Oops extends sidl.SIDLException {}",
            "class Worse extends Oops {}",
            "class Sudden extends sidl.SIDLException implements sidl.RuntimeException {}",
        ]
        if more:
            lines += ["enum More { some = 3 }", "struct Another { More m; array<double> x; }"]
            lines += ["interface Before { void nothing(); }"]
        headers = {
            "Named": "interface Named",
            "Value": "class Value implements-all sidl.io.Serializable",
            "Cell": "class Cell implements-all Named",
            "Child": "class Child extends Cell",
        }
        for name, header in headers.items():
            lines += [f"{header} {{", *(f"  {method.sidl()}" for method in self.METHODS[name])]
            is_longer = server and self.later == "methods" and name == "Child"
            lines += ["  long addedLater(in Another a);"] if is_longer else []
            lines += ["}"]
        return "\n".join([*lines, "}", ""])

    # ---- as a file -------------------------------------------------------------------------------

    def as_json(self):
        """What from_json reads."""

        def plain(value):
            if dataclasses.is_dataclass(value):
                parts = {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
                return {"": type(value).__name__, **parts}
            if isinstance(value, dict):
                return {key: plain(each) for key, each in value.items()}
            if isinstance(value, (list, tuple)):
                return [plain(each) for each in value]
            return value

        return plain(self)

    @staticmethod
    def from_json(data):
        """A package that was kept."""
        known = {each.__name__: each for each in (Package, Method, Key, Assign, From, Do)}
        known["Type"] = Type

        def whole(value):
            if isinstance(value, list):
                return tuple(whole(each) for each in value)
            if not isinstance(value, dict):
                return value
            parts = {key: whole(each) for key, each in value.items() if key}
            return known[value[""]](**parts) if "" in value else parts

        made = whole(data)
        made.METHODS = {name: list(each) for name, each in made.METHODS.items()}
        return made

    def __str__(self):
        return json.dumps(self.as_json())


# ---- random ones ---------------------------------------------------------------------------------

OWN = [  # what Cell always has
    Method("id", LONG, (), Do("id")),
    Method("setId", VOID, (("in", LONG, "n"),), Do("setId")),
]


def can_be_native(method):
    """Whether a caller in Fortran can have arrays of Fortran's own: none is null or of any type,
    and what is changed in place keeps its shape."""
    last = dict(method.body.moves)
    for mode, kind, name in method.args:
        if kind == ANY_ARRAY:
            return False
        is_changed = mode == "inout" and kind.kind == "array" and kind.name not in COPIED
        if is_changed and name in last and not getattr(last[name], "fills", False):
            return False
    return not method.nulls and method.result != ANY_ARRAY


class Maker:
    """Makes a package of a seed; `only` are the types that arguments and results may have."""

    def __init__(self, seed, features=FEATURES, size=8, only=()):
        self.draw = random.Random(seed)
        self.features = set(features)
        self.size, self.only = size, only
        self.count = 0
        self.package = Package({}, {}, {"Named": [], "Cell": [], "Child": [], "Value": []})

    def has(self, feature, chance=1.0):
        """Whether a feature is there, and its turn."""
        return feature in self.features and self.draw.random() < chance

    def make(self):
        """The package."""
        draw, package = self.draw, self.package
        if self.has("enums"):
            for i in range(draw.randint(1, 2)):
                numbers = draw.sample(range(-3, 40), draw.randint(1, 4))
                package.ENUMS[f"E{i}"] = {f"e{i}v{j}": n for j, n in enumerate(numbers)}
        if self.has("structs"):
            for i in range(draw.randint(1, 3)):
                package.STRUCTS[f"S{i}"] = self.members(i)
        package.METHODS["Value"] = list(OWN)
        package.METHODS["Named"] = [*OWN, *(self.method() for _ in range(draw.randint(1, 2)))]
        package.METHODS["Cell"] = [
            Method("total", LONG, (), Do("total")),
            Method("alive", LONG, (), Do("alive")),
            Method("used", LONG, (), Do("used")),
            Method("add", VOID, (("in", LONG, "k"),), Do("note")),
        ]
        package.METHODS["Cell"] += [self.method() for _ in range(self.size)]
        package.METHODS["Cell"] += self.special()
        inherited = [m for m in package.METHODS["Cell"] if isinstance(m.body, Assign)]
        if self.has("inherit"):
            for method in draw.sample(inherited, min(2, len(inherited))):
                package.METHODS["Child"].append(self.again(method))
        package.METHODS["Child"].append(self.method())
        package.later = draw.choice(["", "types", "methods"]) if self.has("later_versions") else ""
        return package

    def again(self, method):
        """A method that overrides one: it makes other values."""
        return dataclasses.replace(method, number=self.next())

    def next(self):
        """A number that no method has yet."""
        self.count += 1
        return self.count

    def members(self, level):
        """Of a struct; it may have others that were made before."""
        found = {}
        for j in range(self.draw.randint(1, 5)):
            kinds = [Type(each) for each in [*suite.BASIC, "string", "string"]]
            kinds += [Type("enum", each) for each in self.package.ENUMS]
            if "struct_arrays" in self.features:
                kinds += [Type("array", each, rank) for each, rank in
                          (("double", 1), ("int", 2), ("string", 1), ("bool", 1))]  # fmt: skip
            if "struct_objects" in self.features:
                kinds += [Type("object", "Named"), Type("object", "Cell")]
            kinds += [Type("struct", f"S{i}") for i in range(level)] * 2
            found[f"m{j}"] = self.draw.choice(kinds)
        return found

    def type(self, is_argument=True):
        """Of an argument or a result."""
        if self.only:
            return self.draw.choice(self.only)
        kinds = [[Type(each)] for each in suite.BASIC] + [[Type("string")]] * 3
        kinds += [[Type("enum", each)] for each in self.package.ENUMS]
        kinds += [[Type("struct", each) for each in self.package.STRUCTS]] * (
            4 if self.package.STRUCTS else 0
        )
        if "objects" in self.features:
            kinds += [[Type("object", "Named")], [Type("object", "Cell")]] * 2
        if "arrays" in self.features:
            kinds += [[self.array() for _ in range(1)]] * 8
        if "any" in self.features:
            kinds += [[ANY_ARRAY]]
        return self.draw.choice(self.draw.choice(kinds))

    def array(self):
        """An array's type."""
        names = [*suite.BASIC, "double", "double", "int", *self.package.ENUMS]
        if self.has("text_arrays"):
            names += ["string"] * 2
        if self.has("object_arrays"):
            names += ["Named", "Cell"]
        rank = self.draw.choice([1, 1, 1, 2, 2, 3, 4, 5, 6, 7]) if self.has("ranks") else 1
        order = (
            self.draw.choice(["", "", "row-major", "column-major"]) if self.has("orders") else ""
        )
        name = self.draw.choice(names)
        if name in ("string", "Named", "Cell"):
            rank = min(rank, 3)
        return Type("array", name, rank, order)

    def method(self):
        """One of any kind."""
        draw, number = self.draw, self.next()
        if self.has("raw", 0.15):
            return self.raw(number)
        args = [(draw.choice(["in", "in", "out", "inout"]), self.type(), f"a{i}")
                for i in range(draw.randint(0, 5))]  # fmt: skip
        result = draw.choice([VOID, self.type(), self.type()])
        nulls = self.has("null_arrays", 0.5)
        method = Method(
            f"f{number}", result, tuple(args), None, number=number, nulls=nulls,
            prefix="nonblocking" if self.has("nonblocking", 0.2) else "",
            throws="Oops" if self.has("throws", 0.3) else "",
            lent=self.has("lent", 0.5),
        )  # fmt: skip
        fills = self.has("filling", 0.6)
        method = dataclasses.replace(method, body=Assign(tuple(self.moves(method, fills))))
        form = draw.choice(["handle", "pointer", "allocatable"])
        is_native = "lent" in self.features and can_be_native(method)
        return dataclasses.replace(method, form=form if is_native else "handle")

    def moves(self, method, fills):
        """What it gives back: new values, or what it was given."""
        targets = [("result", method.result)] if method.result.kind != "void" else []
        targets += [(name, kind) for _, kind, name in method.of_mode("out")]
        moved = set()
        for i, (target, kind) in enumerate(targets):
            sources = [(mode, name) for mode, other, name in method.of_mode("in", "inout")
                       if other == kind and name not in moved]  # fmt: skip
            if sources and self.has("passing", 0.6):
                mode, name = self.draw.choice(sources)
                moved |= {name} if mode == "inout" else set()
                yield target, From(name)
            else:
                yield target, Key(50 + i)
        for i, (_, kind, name) in enumerate(method.of_mode("inout")):
            can_fill = kind.kind == "array" and kind != ANY_ARRAY and name not in moved
            can_fill = can_fill and kind.name not in COPIED
            if name in moved or self.draw.random() < 0.8:
                yield name, Key(70 + i, fills and can_fill)

    def raw(self, number):
        """A method with raw arrays."""
        name = self.draw.choice(NUMBERS)
        other = self.draw.choice(NUMBERS)
        kinds = Type("rarray", name), Type("rarray", other, self.draw.choice([1, 2]))
        args = ("in", kinds[0], "x"), ("inout", kinds[1], "y"), ("in", INT, "n")
        body = Assign((("result", Key(50)), ("y", Key(70, True))))
        return Method(f"f{number}", Type(name), args, body, number=number)

    def special(self):
        """Those that are written by hand in each language."""
        numbers = Type("array", "double")
        if self.has("hold"):
            for what, kind in (("Object", NAMED), ("Text", STRING), ("Numbers", numbers)):
                yield Method(f"hold{what}", kind, (("in", kind, "a"),), Do(f"hold{what}"),
                             number=self.next(), nulls=True)  # fmt: skip
            forms = ["handle", "pointer", "allocatable"] if "lent" in self.features else ["handle"]
            yield Method("trade", VOID, (("inout", numbers, "a"),), Do("trade"),
                         number=self.next(), form=self.draw.choice(forms))  # fmt: skip
        if self.has("relay"):
            for each in self.package.METHODS["Named"][2:]:
                args = ("in", NAMED, "other"), ("in", LONG, "k")
                yield Method(f"relay_{each.name}", LONG, args, Do("relay"), number=self.next())
        if self.has("oneway"):
            yield Method("note", VOID, (("in", LONG, "k"),), Do("note"), "oneway",
                         number=self.next())  # fmt: skip
        if self.has("copy"):
            kind = VALUE
            yield Method("swap", kind, (("in", kind, "v"), ("inout", kind, "w")), Do("swap"),
                         number=self.next(), copies=True)  # fmt: skip
        if self.has("overloads"):
            for extension, kind in (("Int", INT), ("Text", STRING)):
                yield Method("over", STRING, (("in", kind, "a"),), Assign((("result", Key(50)),)),
                             extension=extension, number=self.next())  # fmt: skip
