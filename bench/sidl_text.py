"""Writes SIDL as people write it, of any length: a package of interfaces, classes, structs and
enums with doc comments, methods of several arguments, arrays and exceptions. The same length always
gives the same text.

    python bench/sidl_text.py LINES >file.sidl
"""

import random
import sys

BASIC = ["int", "long", "double", "bool", "string", "float", "dcomplex", "char"]
ELEMENTS = ["double", "int", "float", "long"]
VERBS = "solve assemble restrict prolong gather scatter norm update project observe balance refine"
VERBS = VERBS.split(" ")
NOUNS = (
    "matrix vector mesh field weight tolerance offset count name label scale state level boundary"
)
NOUNS = NOUNS.split(" ")
TOPICS = ["Solver", "Grid", "Field", "Operator", "Monitor", "Partition", "Element", "Material"]


class Writer:
    """One text; `lines` grows until there is enough."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["/** Generated to be measured. */", "package measured version 1.0 {", ""]
        self.interfaces, self.enums, self.structs = [], [], []
        self.count = 0

    def name(self):
        self.count += 1
        return f"{self.random.choice(TOPICS)}{self.count}"

    def type(self):
        kind = self.random.random()
        if kind < 0.25:
            return f"array<{self.random.choice(ELEMENTS)},{self.random.randrange(1, 4)}>"
        if kind < 0.35 and self.enums:
            return self.random.choice(self.enums[-20:])
        if kind < 0.45 and self.structs:
            return self.random.choice(self.structs[-20:])
        if kind < 0.6 and self.interfaces:
            return self.random.choice(self.interfaces[-20:])
        return self.random.choice(BASIC)

    def doc(self, indent, text):
        self.lines.append(f"{indent}/** {text} */")

    def method(self, number):
        verb, noun = self.random.choice(VERBS), self.random.choice(NOUNS)
        arguments = [
            f"{self.random.choice(['in', 'in', 'inout', 'out'])} {self.type()} {word}"
            for word in self.random.sample(NOUNS, self.random.randrange(1, 5))
        ]
        if self.random.random() < 0.5:
            self.doc("    ", f"How to {verb} a {noun}; {', '.join(self.random.sample(NOUNS, 3))}.")
        result = self.random.choice(["void", "void", self.type()])
        line = f"    {result} {verb}{noun.capitalize()}{number}("
        for i, argument in enumerate(arguments):
            piece = argument + (", " if i + 1 < len(arguments) else ")")
            if len(line) + len(piece) > 98:
                self.lines.append(line.rstrip())
                line = "        "
            line += piece
        self.lines.append(line + self.random.choice(["", "", " throws sidl.BaseException"]) + ";")

    def object(self):
        name = self.name()
        is_class = self.random.random() < 0.4
        self.doc("  ", f"The {name} of this package, as others see it.")
        parents = self.random.sample(self.interfaces[-8:], min(len(self.interfaces[-8:]), 1))
        if is_class:
            head = f"  class {name}" + "".join(f" implements-all {p}" for p in parents)
        else:
            shallow = [p for p in parents if self.random.random() < 0.3]
            head = f"  interface {name}" + "".join(f" extends {p}" for p in shallow)
            if not shallow:
                self.interfaces.append(name)
        self.lines.append(head + " {")
        for i in range(self.random.randrange(3, 14)):
            self.method(f"Of{self.count}n{i}")
        self.lines += ["  }", ""]

    def structure(self):
        name = self.name()
        self.doc("  ", f"What a {name} is made of.")
        self.lines.append(f"  struct {name} {{")
        members = self.random.sample(NOUNS, self.random.randrange(3, 9))
        self.lines += [f"    {self.random.choice(BASIC)} {member};" for member in members]
        self.lines += ["  }", ""]
        self.structs.append(name)

    def enumeration(self):
        name = self.name()
        self.lines.append(f"  enum {name} {{")
        items = self.random.sample(NOUNS, self.random.randrange(3, 9))
        self.lines += [f"    {name.lower()}_{item}," for item in items]
        self.lines += ["  }", ""]
        self.enums.append(name)


def sidl_text(lines, seed=1):
    writer = Writer(seed)
    while len(writer.lines) < lines - 1:
        kind = writer.random.random()
        make = (
            writer.object if kind < 0.8 else writer.structure if kind < 0.9 else writer.enumeration
        )
        before = len(writer.lines)
        make()
        if len(writer.lines) >= lines and before > lines // 2:
            del writer.lines[before:]
            break
    # To the very length asked for: blank lines would flatter, so it is members that fill it up.
    rest = lines - 1 - len(writer.lines)
    if rest > 2:
        writer.lines.append("  struct Rest {")
        writer.lines += [f"    double member{i};" for i in range(rest - 2)]
        writer.lines.append("  }")
    return "\n".join([*writer.lines, "}"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(sidl_text(int(sys.argv[1])))
