"""The suite in Python. Its program is a reader of the suite: from_python.py, as it is."""

import json
import sys
from pathlib import Path

from suite import Assign, From, Throw

from languages import Language

PROGRAM = Path(__file__).with_name("from_python.py")
HERE = "here = {0}.to_host() if isinstance({0}, shinar.DeviceArray) else {0}"
TOUCHED = "who indexes a DeviceArray gets a TypeError"
NUMPY_TYPES = {
    "bool": "?",
    "char": "S1",
    "int": "i4",
    "long": "i8",
    "float": "f4",
    "double": "f8",
    "fcomplex": "c8",
    "dcomplex": "c16",
    "string": "O",
    "Color": "i8",
    "Named": "O",
}


class Python(Language):
    """Python, and NumPy's arrays."""

    name = sidlc = "python"
    title = "Python"

    def make(self, kind, value):
        """An expression of a value."""
        if value is None or kind.kind in [*self.suite.BASIC, "string", "opaque"]:
            return repr(value)
        if kind.kind == "enum":
            return f"mx.{kind.name}.{value}"
        if kind.kind == "struct":
            members = self.suite.STRUCTS[kind.name].items()
            return f"mx.{kind.name}({', '.join(self.make(of, value[n]) for n, of in members)})"
        if kind.kind == "object":
            return f"new_object(mx.{kind.name}, {value.number})"
        kind = value.kind or kind
        values = ", ".join(self.make(kind.element, each) for each in value.values)
        order = "F" if kind.order == "column-major" else "C"
        is_struct = kind.element.kind == "struct"
        dtype = f"mx.{kind.name}.dtype" if is_struct else repr(NUMPY_TYPES[kind.name])
        form = f"{dtype}, {order!r}, {value.lower!r}"
        return f"make_array({value.shape!r}, [{values}], {form})"

    def cannot_serve(self, case):
        return TOUCHED if case.group == "elements elsewhere" else ""

    # ---- implementations -------------------------------------------------------------------------

    def bodies(self):
        """Of all methods."""
        found = {}
        for name, methods in self.suite.METHODS.items():
            found[f"mx.{name}._imports"] = (
                "import mx\nimport shinar\nfrom mx.support import make_array, new_object"
            )
            for method in methods:
                found[f"mx.{name}.{method.long_name}"] = self.body(method, method.body)
        for name in ("Cell", "Value"):
            found[f"mx.{name}._ctor"] = "self._number = 11"
        for name, body in self.suite.PACKING.items():
            found[f"mx.Value.{name}"] = self.body(None, body)
        return found

    def support(self):
        """What makes values."""
        return {"mx/support.py": PROGRAM.with_name("support.py").read_text()}

    def body(self, method, body):
        """The statements of a method."""
        if isinstance(body, Throw):
            return f"raise mx.{body.name}({body.note!r})"
        if isinstance(body, Assign):
            return self.assign(method, body)
        return {
            "get": "return self._number",
            "set": "self._number = n",
            "itself": "return self.this",
            "ask": "return other.number() + n",
            "bounce": "return 1 + other.bounce(self.this, depth - 1) if depth else 0",
            "relay": "other.oops()",
            "hello": 'return "I am " + self.this.who()',
            "chain": 'return "child>" + self.super.chain()',
            "double": "v.set(2 * v.number())\nreturn v",
            "scale": "return x.sum().item(), y + 1",
            "total": f"{HERE.format('a')}\nreturn here.sum().item()",
            "grow": f"{HERE.format('y')}\n"
            "return here + 1 if here is y else shinar.to_device(here + 1, y.device)",
            "touch": "return a[0].item()",
            "pack": 'ser.packInt("number", self._number)',
            "unpack": 'self._number = des.unpackInt("number")',
        }[body.what]

    def assign(self, method, body):
        """What is returned: the result, then out and inout arguments. The moves read arguments
        before they change them, so their order makes no difference here."""
        kinds = {name: kind for _, kind, name in method.args} | {"result": method.result}
        values = {
            target: source.name if isinstance(source, From) else self.make(kinds[target], source)
            for target, source in body.moves
        }
        order = ["result", *(name for mode, _, name in method.args if mode != "in")]
        return f"return {', '.join(values[name] for name in order)}"

    # ---- the program -----------------------------------------------------------------------------

    def program(self):
        """It finds the suite beside the languages."""
        folder = str(PROGRAM.parent.parent)
        head = f"import sys\n\nsys.path.insert(0, {json.dumps(folder)})\n"
        return {"from_python.py": head + PROGRAM.read_text()}

    def client_project(self):
        return "sidl_add_library(mx_python_client LANGUAGE python CLIENT SIDL ../../mx.sidl)\n"

    def command(self, built):
        return [sys.executable, built.parent / self.name / "client" / "from_python.py"]

    def environment(self, built, implementation):
        """The package of the implementations, where they are in Python, else that of callers."""
        side = "server" if implementation == self.name else "client"
        shinar = built.parent / "shinar"  # lib/shinar/python of the installation
        path = f"{built / self.name / side}:{shinar}"
        variables = {"PYTHONPATH": path, "MX_SPACE": str(built / "space" / "libmx_space.so")}
        return {**super().environment(built, implementation), **variables}


LANGUAGE = Python
