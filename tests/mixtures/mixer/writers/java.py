"""Mixtures in Java."""

from pathlib import Path

from languages.java import Java
from suite import From

from mixer.packages import ANY_ARRAY
from mixer.writers import Mixed

HERE = Path(__file__).parent
MADE = {
    "bool": "Bool",
    "char": "Char",
    "int": "Int",
    "long": "Long",
    "float": "Float",
    "double": "Double",
    "fcomplex": "FloatComplex",
    "dcomplex": "DoubleComplex",
    "string": "Text",
}


class MixedJava(Mixed, Java):
    """Java 17."""

    def support(self):
        return {"mx/Mix.java": (HERE / "Mix.java").read_text(), "mx/Mixed.java": self.mixed()}

    def program(self):
        return {**self.support(), "mx/FromJava.java": (HERE / "FromJava.java").read_text()}

    def client_project(self):
        sources = "mx/FromJava.java mx/Mix.java mx/Mixed.java"
        return super().client_project().replace("FromJava.java mx/Support.java", sources)

    def command(self, built):
        return [*super().command(built)[:-1], "mx.FromJava"]

    # ---- values ----------------------------------------------------------------------------------

    def family(self, kind):
        """Of arrays."""
        is_own = kind.element.kind == "enum"
        return f"Mixed.{kind.name}_ARRAYS" if is_own else f"Mix.{kind.name.upper()}"

    def made(self, kind, key, nulls=True):
        """An expression: the value of a key."""
        nulls = "true" if nulls else "false"
        if kind == ANY_ARRAY:
            return f"Mix.makeAny({key}, {nulls})"
        if kind.kind == "array":
            return f"Mix.make({self.family(kind)}, {key}, {nulls}, {kind.rank})"
        if kind.kind in ("enum", "struct"):
            return f"Mixed.make{kind.name}({key})"
        return f"Mix.make{MADE.get(kind.kind, kind.name)}({key})"

    def code(self, kind, value):
        """An expression: what stands for a value."""
        if kind == ANY_ARRAY:
            return f"Mix.codeAny({value})"
        if kind.kind in ("array", "rarray"):
            return f"Mix.code({self.family(kind)}, {value})"
        return f"Mixed.code({value})" if kind.kind == "struct" else f"Mix.code({value})"

    def mixed(self):
        """Values of the package's own types, and a method for each call."""
        parts = ["package mx;", "", "import java.util.List;", "import sidl.*;", ""]
        parts += ["/** Values of own types, and calls. */", "public final class Mixed {"]
        parts += ["  private Mixed() {}", ""]
        for name, values in self.package.ENUMS.items():
            all_ = ", ".join(f"{name}.{each}" for each in values)
            parts += [
                f"  public static final Mix.Family<EnumArray<{name}>> {name}_ARRAYS =",
                f"      Mix.enums({name}._type, Mixed::make{name});",
                "",
                f"  public static {name} make{name}(long k) {{",
                f"    final {name}[] all = {{{all_}}};",
                "    return all[(int) (k % all.length)];",
                "  }",
                "",
            ]
        for name, members in self.package.STRUCTS.items():
            parts += self.struct(name, members)
        parts += [
            "  public static Long tell(int number, Cell on, long key, Cell[] in, List<Cell> out) {"
        ]
        parts += ["    switch (number) {"]
        for n, of, _ in self.called():
            parts += [f"      case {n}: {{", f"        final {of} target = {of}.cast(on);"]
            parts += [f"        return target == null ? null : tell{n}(target, key, in, out);"]
            parts += ["      }"]
        parts += ["      default: throw new IllegalArgumentException();", "    }", "  }"]
        for n, of, method in self.called():
            parts += self.caller(n, of, method)
        return "\n".join([*parts, "}", ""])

    def struct(self, name, members):
        """How it is made and read."""
        all_ = enumerate(members.values())
        made = ", ".join(self.made(of, f"Mix.mix(k, {20 + j})") for j, of in all_)
        yield f"  public static {name} make{name}(long k) {{"
        yield f"    return new {name}({made});\n  }}\n"
        yield f"  public static long code({name} v) {{\n    long h = 11;"
        for member, of in members.items():
            yield f"    h = Mix.mix(h, {self.code(of, f'v.{member}()')});"
        yield "    return h;\n  }\n"

    # ---- calls -----------------------------------------------------------------------------------

    def caller(self, n, of, method):
        """A method that makes arguments, calls, and gives the code of what came back."""
        yield f"\n  public static long tell{n}({of} self, long key, Cell[] in, List<Cell> out) {{"
        is_raw = any(kind.kind == "rarray" for _, kind, _ in method.args)
        if is_raw:
            yield f"    final int n = Mix.rawLength(key, {method.args[1][1].rank});"
        given, names, at = 0, [], {"result": "result"}
        for j, (mode, kind, name) in enumerate(method.args):
            names.append(name)
            key = f"Mix.mix(key, {100 + j})"
            at[name] = name if kind.kind == "rarray" else f"{name}.get()"
            if kind.kind == "rarray":
                value = f"Mix.raw({self.family(kind)}, {key}, {kind.rank}, n)"
            elif is_raw:
                continue
            elif mode == "out":
                value = ""
            elif self.is_object(kind):
                value, given = f"in.length == 0 ? null : in[{given}]", given + 1
            else:
                value = self.made(kind, key, method.nulls)
            if mode == "in" or kind.kind == "rarray":
                yield f"    final {self.type(kind)} {name} = {value};"
            else:
                yield f"    final Holder<{self.boxed(kind)}> {name} = new Holder<>({value});"
        yield from self.calls(method, names)
        yield "    long total = 17;"
        for kind, name in self.places(method):
            yield f"    total = Mix.mix(total, {self.code(kind, at[name])});"
            if self.is_object(kind):
                yield f"    out.add({at[name]} == null ? null : Cell.cast({at[name]}));"
        yield "    return total;\n  }"

    def calls(self, method, names):
        """The call itself, at once or with a future."""
        take = ""
        if method.result.kind != "void":
            yield f"    final {self.type(method.result)} result;"
            take = "result = "
        name, arguments = self.java_name(method), ", ".join(names)
        if method.prefix == "nonblocking":
            yield "    if (key % 2 != 0) {"
            yield f"      {take}Mix.answer(self.{name}Async({arguments}));"
            yield f"    }} else {{\n      {take}self.{name}({arguments});\n    }}"
        else:
            yield f"    {take}self.{name}({arguments});"

    # ---- implementations -------------------------------------------------------------------------

    def blocks(self):
        imports = "import sidl.*;"
        found = {f"mx.{name}._imports": imports for name in ("Cell", "Child", "Value")}
        found["mx.Cell._data"] = (
            "private static final java.util.concurrent.atomic.AtomicLong ALIVE =\n"
            "    new java.util.concurrent.atomic.AtomicLong();\n"
            "private long number;\nprivate long counted;\nprivate Named object;\n"
            "private String text;\nprivate DoubleArray numbers;\nprivate DoubleArray traded;\n\n"
            "private synchronized void count(long k) {\n  counted = (counted + k) % Mix.M;\n}\n\n"
            "private synchronized long counted() {\n  return counted;\n}"
        )
        found["mx.Cell._ctor"] = "ALIVE.incrementAndGet();"
        found["mx.Cell._dtor"] = "ALIVE.decrementAndGet();"
        found["mx.Value._data"] = "private long number;"
        return found

    def transform(self, of, method):
        """The code of what came in makes what goes out."""
        kinds = {name: kind for _, kind, name in method.args} | {"result": method.result}
        at = {
            name: name if mode == "in" or kind.kind == "rarray" else f"{name}.get()"
            for mode, kind, name in method.args
        }
        yield f"long h = {method.number};"
        for _, kind, name in method.of_mode("in", "inout"):
            yield f"h = Mix.mix(h, {self.code(kind, at[name])});"
        if method.throws:
            for i, name in enumerate(("Oops", "Worse", "Sudden")):
                yield f'if (h % 6 == {i}) {{\n  throw new {name}("n" + h);\n}}'
        yield "add(h);" if of == "Child" else "count(h);"
        for target, source in method.body.moves:
            kind = kinds[target]
            key = "" if isinstance(source, From) else f"Mix.mix(h, {source.number})"
            if key and source.fills:
                yield f"Mix.fill({self.family(kind)}, {at[target]}, {key});"
                continue
            value = self.made(kind, key, method.nulls) if key else at[source.name]
            if target == "result":
                yield f"final {self.type(kind)} result = {value};"
            else:
                yield f"{target}.set({value});"
        if method.result.kind != "void":
            yield "return result;"

    def special(self, of, method, what):
        """See model.py."""
        if what == "relay":
            return (
                "if (other == null) {\n  return 1;\n}\ntry {\n"
                f"  return Mixed.tell{self.relayed(method)}(other, Mix.positive(k), new Cell[0],\n"
                "      new java.util.ArrayList<>());\n"
                "} catch (SIDLException thrown) {\n  return Mix.code(thrown);\n}"
            )
        return {
            "id": "return number;",
            "setId": "number = n;",
            "alive": "Mix.collect();\nreturn ALIVE.get();",
            "total": "return counted();",
            "used": "return 0;",
            "note": "count(Mix.positive(k));",
            "holdObject": "final Named before = object;\n"
            "object = a != null && a.id() < number ? a : null;\nreturn before;",
            "holdText": "final String before = text;\ntext = a;\nreturn before;",
            "holdNumbers": "final DoubleArray before = numbers;\n"
            "numbers = a == null ? null : a.copy();\nreturn before;",
            "trade": "final DoubleArray before = traded;\ntraded = a.get().copy();\n"
            "if (before != null && before.length(0) == a.get().length(0)) {\n  a.set(before);\n}",
            "swap": "final Value before = w.get();\nw.set(v);\nreturn before;",
            "pack": 'ser.packLong("number", number);',
            "unpack": "final Holder<Long> value = new Holder<>();\n"
            'des.unpackLong("number", value);\nnumber = value.get();',
            "later": "return a.m().value();",
        }[what]


WRITER = MixedJava
