"""Mixtures in Python: its program reads the package as tables."""

import sys
from pathlib import Path

from languages.python import Python
from suite import From

from mixer.writers import Mixed

HERE = Path(__file__).parent


def plain(kind):
    """A type, as a table has it."""
    return (kind.kind, kind.name, kind.rank, kind.order)


class MixedPython(Mixed, Python):
    """Python, and NumPy's arrays."""

    def files(self):
        """What program and implementations share."""
        values = (HERE.parent / "values.py").read_text()
        mix = (HERE / "mix.py").read_text()
        return {"values.py": values, "mix.py": mix, "tables.py": self.tables()}

    def support(self):
        return {f"mx/{name}": text for name, text in self.files().items()}

    def program(self):
        return {**self.files(), "from_python.py": (HERE / "driver.py").read_text()}

    def command(self, built):
        return [sys.executable, built.parent / self.name / "client" / "from_python.py"]

    def tables(self):
        """The package as mix.py reads it."""
        enums = {name: list(values.values()) for name, values in self.package.ENUMS.items()}
        structs = {
            name: {member: plain(of) for member, of in members.items()}
            for name, members in self.package.STRUCTS.items()
        }
        methods = [
            (m.long_name, plain(m.result), [(mode, plain(k), n) for mode, k, n in m.args],
             m.prefix, m.nulls)
            for _, _, m in self.called()
        ]  # fmt: skip
        classes = [of for _, of, _ in self.called()]
        rows = "".join(f"    {row!r},\n" for row in methods)
        found = f"ENUMS = {enums!r}\nSTRUCTS = {structs!r}\nMETHODS = [\n{rows}]\n"
        return f"{found}CLASSES = {classes!r}\n"

    # ---- implementations -------------------------------------------------------------------------

    def blocks(self):
        imports = "import mx\nfrom mx import mix as m\nfrom mx.mix import code, make, mix"
        found = {f"mx.{name}._imports": imports for name in ("Cell", "Child", "Value")}
        found["mx.Cell._dtor"] = "m.count(-1)"
        found["mx.Cell._ctor"] = (
            "m.count(1)\nself._n = self._total = 0\n"
            "self._object = self._numbers = self._traded = None\nself._text = ''"
        )
        found["mx.Value._ctor"] = "self._n = 0"
        return found

    def transform(self, of, method):
        """The code of what came in makes what goes out."""
        kinds = {name: kind for _, kind, name in method.args} | {"result": method.result}
        yield f"h = {method.number}"
        for _, kind, name in method.of_mode("in", "inout"):
            yield f"h = mix(h, code({plain(kind)!r}, {name}))"
        if method.throws:
            yield "if h % 6 < 3:"
            yield '    raise (mx.Oops, mx.Worse, mx.Sudden)[h % 6](f"n{h}")'
        yield "self.this.add(h)" if of == "Child" else "m.add(self, h)"
        values = {name: name for _, _, name in method.of_mode("inout")}
        for target, source in method.body.moves:
            if isinstance(source, From):
                values[target] = source.name
                continue
            key, kind = f"mix(h, {source.number})", plain(kinds[target])
            if source.fills:
                made = f"m.items({kind!r}, {key}, {target}.shape)"
                values[target] = (
                    made if kind[0] == "rarray" else f"{made} if {target} is not None else None"
                )
            else:
                values[target] = f"make({kind!r}, {key}, {method.nulls})"
        order = ["result"] if method.result.kind != "void" else []
        order += [name for _, _, name in method.of_mode("out", "inout")]
        if order:
            yield f"return {', '.join(values[name] for name in order)}"

    def special(self, of, method, what):
        """See model.py."""
        if what == "relay":
            return f"return m.relay({self.relayed(method)}, other, k)"
        return {
            "id": "return self._n",
            "setId": "self._n = n",
            "alive": "return m.ALIVE[0]",
            "total": "return self._total",
            "used": "return m.used()",
            "note": "m.add(self, k % m.M)",
            "holdObject": "before = self._object\nself._object = "
            "a if a is not None and a.id() < self._n else None\nreturn before",
            "holdText": "before, self._text = self._text, a\nreturn before",
            "holdNumbers": "before, self._numbers = self._numbers, a\nreturn before",
            "trade": "before, self._traded = self._traded, a\n"
            "return a if before is None or before.shape != a.shape else before",
            "swap": "return w, v",
            "pack": 'ser.packLong("number", self._n)',
            "unpack": 'self._n = des.unpackLong("number")',
            "later": "return a.m",
        }[what]


WRITER = MixedPython
