"""One writer for each language: Impl bodies, and the program that runs scripts (model.py). They
derive from the languages of tests/matrix, which know types, moves, projects and how to start.

What a writer makes of a package: its values of keys and their codes; a function for each method
that makes the arguments of a key, calls, and gives the code of what came back, which programs and
implementations use alike; the bodies.
"""

import importlib

from suite import Assign

from mixer.packages import is_object

NAMES = ["c", "cxx", "fortran", "python", "java"]


def all_writers(package, names=NAMES):
    """One of each, by name."""
    made = [importlib.import_module(f"mixer.writers.{name}").WRITER(package) for name in names]
    return {each.name: each for each in made}


class Mixed:
    """What the writers have in common. `support` and `program` are as tests/matrix has them."""

    def __init__(self, package):
        super().__init__(package)
        self.package = package

    def bodies(self):
        """Of all methods that are implemented."""
        found = {}
        for name in ("Cell", "Child", "Value"):
            for method in self.package.implemented(name):
                found[f"mx.{name}.{method.long_name}"] = self.body(name, method)
        for name, what in self.package.PACKING.items():
            found[f"mx.Value.{name}"] = self.special("Value", None, what.what)
        if self.package.later == "methods":
            found["mx.Child.addedLater"] = self.special("Child", None, "later")
        return {**found, **self.blocks()}

    def body(self, of, method):
        """The statements of a method of a class."""
        if isinstance(method.body, Assign):
            return "\n".join(self.transform(of, method))
        return self.special(of, method, method.body.what)

    def called(self):
        """(number in scripts, class, method) of all methods."""
        return [(n, of, method) for n, (of, method) in enumerate(self.package.methods())]

    def relayed(self, method):
        """The number in scripts of the method that a relay calls."""
        wanted = method.name.removeprefix("relay_")
        return next(n for n, of, each in self.called() if of == "Named" and each.name == wanted)

    def places(self, method):
        """What comes back, in order: (type, name)."""
        result = [] if method.result.kind == "void" else [(method.result, "result")]
        return result + [(kind, name) for _, kind, name in method.of_mode("out", "inout")]

    @staticmethod
    def is_object(kind):
        """Whether scripts know it."""
        return is_object(kind)
