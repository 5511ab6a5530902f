"""What has to come of a script: the package's methods, run on the model's own objects.

A script is a list of steps, each a list of integers, whose first says who takes the step: 0, or the
number of a thread. First come the steps of 0, then all threads at once, each with slots of its own,
of which the first eight begin as those of 0.

    [0, NEW, slot, class, place, id]     an object, 0: Cell, 1: Child; place 0: here, 1: the server
    [0, CALL, slot, method, key, in..., out...]  the objects given, and where to put those that come
    [0, DROP, slot]                      the slot's reference
    [0, COPY, slot, other]               one more reference to what the other slot has
    [0, TELL, slot]                      the object's id and the sum of what it was given
    [0, FORK, slot]                      as TELL, said by a child that then ends, and by its parent;
                                         between faults, of programs in C++ and Python

What a slot has is null at first. A program says a line for each step, as `Model.run` does, those of
a thread behind those of the one before; if there are threads, what there is to tell of the eight
slots; and at last how many objects are alive in it, when it has made one more.
"""

import itertools

from suite import Assign, From

from mixer import values
from mixer.packages import ANY_ARRAY, Key, is_object
from mixer.values import M, mix

NEW, CALL, DROP, COPY, TELL, FORK = 1, 2, 3, 4, 5, 6
SLOTS = 40
SHARED = 8
GIVEN, GOT = 6, 6  # objects that a call can have
CLASSES = ["Cell", "Child"]


class Thrown(Exception):
    """A SIDL exception."""


class Cell:
    """An object; what it holds has smaller ids, so that nothing holds itself."""

    def __init__(self, of, number):
        self.of, self.number, self.total = of, number, 0
        self.object, self.text, self.numbers, self.traded = None, "", None, None


class Array:
    """Elements in row order, as values.elements has them; strings and objects in a list."""

    def __init__(self, kind, shape, items):
        self.kind, self.shape, self.items = kind, shape, items


class Model:
    """Runs a script with a package."""

    def __init__(self, package):
        self.package = package
        self.methods = package.methods()
        self.slots = [None] * SLOTS

    # ---- values ----------------------------------------------------------------------------------

    def element_kind(self, kind):
        """What values.py calls the elements of an array, and their enumerators."""
        element = kind.element
        choices = None
        if element.kind == "enum":
            choices = list(self.package.ENUMS[element.name].values())
        return element.kind, choices

    def make(self, kind, key, nulls=True):
        """The value of a type that a key stands for."""
        if kind == ANY_ARRAY:
            if nulls and values.is_null(key):
                return None
            name = values.ANY[mix(key, 6) % len(values.ANY)]
            return self.make(type(kind)("array", name, 1 + mix(key, 7) % 3), key, False)
        if kind.kind == "array":
            return self.make_array(kind, key, nulls)
        if kind.kind == "string":
            return values.text(key)
        if kind.kind == "enum":
            return values.scalar("enum", key, list(self.package.ENUMS[kind.name].values()))
        if kind.kind == "struct":
            members = self.package.STRUCTS[kind.name].items()
            return {name: self.make(of, mix(key, 20 + j)) for j, (name, of) in enumerate(members)}
        if kind.kind == "object":
            return None if key % 8 == 0 else Cell("Cell", mix(key, 9))
        return values.scalar(kind.kind, key)

    def make_array(self, kind, key, nulls):
        """As make."""
        if nulls and values.is_null(key):
            return None
        name, choices = self.element_kind(kind)
        shape = values.shape(name, kind.rank, key)
        return Array(kind, shape, self.make_items(name, choices, key, shape))

    def make_items(self, name, choices, key, shape):
        """The elements."""
        count = 1
        for length in shape:
            count *= length
        keys = values.item_keys(key, count)
        if name == "string":
            return [values.text(int(each), int(each) % 7) for each in keys]
        if name == "object":
            return [self.make(type(ANY_ARRAY)("object", "Cell"), int(each)) for each in keys]
        return values.elements(name, keys, choices)

    def code(self, kind, value):
        """What stands for a value."""
        if kind.kind == "object":
            return values.NULL_OBJECT if value is None else value.number
        if kind == ANY_ARRAY:
            if value is None:
                return values.NULL_ARRAY
            return mix(self.code(value.kind, value), values.ANY.index(value.kind.name))
        if kind.kind in ("array", "rarray"):
            if value is None:
                return values.NULL_ARRAY
            name, _ = self.element_kind(kind)
            if name in ("string", "object"):
                items = [self.code(kind.element, each) for each in value.items]
            else:
                items = values.codes(name, value.items)
            return values.array_code(value.shape, items)
        if kind.kind == "struct":
            found = 11
            for name, of in self.package.STRUCTS[kind.name].items():
                found = mix(found, self.code(of, value[name]))
            return found
        return values.code(kind.kind, value)

    # ---- methods ---------------------------------------------------------------------------------

    def raw_arguments(self, method, key):
        """x, y and n."""
        (_, x, _), (_, y, _), _ = method.args
        n = values.FEW[mix(key, 102) % 5] if y.rank == 2 else values.LENGTHS[mix(key, 102) % 24]
        made = []
        for j, kind in enumerate((x, y)):
            shape = (n,) if kind.rank == 1 else (n, 2)
            items = self.make_items(kind.name, None, mix(key, 100 + j), shape)
            made.append(Array(kind, shape, items))
        return [*made, n]

    def arguments(self, method, key, given):
        """What a caller gives, by name; objects are those given."""
        if any(kind.kind == "rarray" for _, kind, _ in method.args):
            return dict(zip("xyn", self.raw_arguments(method, key)))
        given, found = itertools.chain(given, itertools.repeat(None)), {}
        for j, (mode, kind, name) in enumerate(method.args):
            if mode == "out":
                continue
            found[name] = (
                next(given) if is_object(kind) else self.make(kind, mix(key, 100 + j), method.nulls)
            )
        return found

    def overridden(self, target, method):
        """The method that an object of this class runs."""
        if target.of == "Child":
            for each in self.package.METHODS["Child"]:
                if each.long_name == method.long_name:
                    return each
        return method

    def call(self, target, method, key, given):
        """{result, out and inout arguments by name}."""
        method = self.overridden(target, method)
        found = self.arguments(method, key, given)
        if not isinstance(method.body, Assign):
            return self.special(target, method, found)
        h = method.number
        for mode, kind, name in method.args:
            if mode != "out":
                h = mix(h, self.code(kind, found[name]))
        if method.throws and h % 6 < 3:
            raise Thrown(f"mx.{('Oops', 'Worse', 'Sudden')[h % 6]}", f"n{h}")
        target.total = (target.total + h) % M
        kinds = {name: kind for _, kind, name in method.args} | {"result": method.result}
        before = dict(found)
        for to, source in method.body.moves:
            if isinstance(source, From):
                found[to] = before[source.name]
            elif isinstance(source, Key) and source.fills:
                found[to] = self.fill(before[to], mix(h, source.number))
            else:
                found[to] = self.make(kinds[to], mix(h, source.number), method.nulls)
        return found

    def fill(self, array, key):
        """An array of the same shape with other elements."""
        if array is None:
            return None
        name, choices = self.element_kind(array.kind)
        return Array(array.kind, array.shape, self.make_items(name, choices, key, array.shape))

    def special(self, target, method, found):
        """Those that are written by hand in each language."""
        what = method.body.what
        if what == "id":
            return {"result": target.number}
        if what == "total":
            return {"result": target.total}
        if what == "setId":
            target.number = found["n"]
        if what == "holdObject":
            result, given = target.object, found["a"]
            target.object = given if given and given.number < target.number else None
            return {"result": result}
        if what == "holdText":
            result, target.text = target.text, found["a"]
            return {"result": result}
        if what == "holdNumbers":
            result, target.numbers = target.numbers, found["a"]
            return {"result": result}
        if what == "trade":  # for what it was given before, if that has the same shape
            before, target.traded = target.traded, found["a"]
            same = before is not None and before.shape == target.traded.shape
            return {"a": before if same else target.traded}
        if what == "note":
            target.total = (target.total + found["k"] % M) % M
        if what == "swap":  # the numbers of v and w: w comes back, and v in its place
            return {"result": found["w"], "w": found["v"]}
        if what == "relay":
            inner = next(m for m in self.package.METHODS["Named"]
                         if method.name == f"relay_{m.name}")  # fmt: skip
            if found["other"] is None:
                return {"result": 1}
            return {"result": self.told(found["other"], inner, found["k"] % M, (), None)}
        return {}

    def told(self, target, method, key, given, put):
        """The code of all that comes of a call: what a program says of it, a number or a text."""
        try:
            found = self.call(target, method, key, given)
        except Thrown as thrown:
            name, note = thrown.args
            if put is None:
                return mix(values.text_code(name), values.text_code(note))
            return f"{name} {note}"
        total = 17
        places = [(method.result, "result")] if method.result.kind != "void" else []
        places += [(kind, name) for _, kind, name in method.of_mode("out", "inout")]
        back = []
        for kind, name in places:
            total = mix(total, self.code(kind, found[name]))
            back += [found[name]] if is_object(kind) else []
        if put is not None:
            put(back)
        return total

    # ---- scripts ---------------------------------------------------------------------------------

    def run(self, steps):
        """All lines."""
        said = [self.step(self.slots, *step) for who, *step in steps if who == 0]
        threads = sorted({who for who, *_ in steps if who > 0})
        for thread in threads:
            slots = [*self.slots[:SHARED], *[None] * (SLOTS - SHARED)]
            said += [self.step(slots, *step) for who, *step in steps if who == thread]
        if threads:
            said += [self.step(self.slots, TELL, slot) for slot in range(SHARED)]
        return [*map(str, said), "end 1"]

    def step(self, slots, what, slot, *rest):
        """One line."""
        if what == NEW:
            slots[slot] = Cell(CLASSES[rest[0]], rest[2])
            return "new"
        if what == DROP:
            slots[slot] = None
            return "drop"
        if what == COPY:
            slots[slot] = slots[rest[0]]
            return "copy"
        target = slots[slot]
        if what == FORK:
            told = self.step(slots, TELL, slot)
            return f"{told}, child: {told}"
        if target is None:
            return "null"
        if what == TELL:
            return f"{target.number} {target.total}"
        (owner, method), key = self.methods[rest[0]], rest[1]
        if owner == "Child" and target.of != "Child":
            return "no child"
        given = [slots[i] if i >= 0 else None for i in rest[2 : 2 + GIVEN]]
        places = rest[2 + GIVEN :]

        def put(objects):
            for place, each in zip(places, objects):
                if place >= 0:
                    slots[place] = each

        return self.told(target, method, key, given, put)
