"""The suite in Java."""

import dataclasses
import json
from pathlib import Path

from suite import Assign, Cast, From, Raises, Throw

from languages import Language

SUPPORT = Path(__file__).with_name("Support.java")
TYPES = {
    "bool": "boolean",
    "char": "char",
    "int": "int",
    "long": "long",
    "float": "float",
    "double": "double",
    "fcomplex": "FloatComplex",
    "dcomplex": "DoubleComplex",
    "string": "String",
    "opaque": "long",
    "void": "void",
}
BOXED = {"boolean": "Boolean", "char": "Character", "int": "Integer", "long": "Long",
         "float": "Float", "double": "Double"}  # fmt: skip
ARRAYS = {
    "bool": "BoolArray",
    "char": "CharArray",
    "int": "IntArray",
    "long": "LongArray",
    "float": "FloatArray",
    "double": "DoubleArray",
    "fcomplex": "FloatComplexArray",
    "dcomplex": "DoubleComplexArray",
    "string": "StringArray",
}
HERE = "final DoubleArray here = ((DoubleArray) {}).in(sidl.MemorySpace.HOST);\n"
IMPORTS = "import java.util.List;\nimport sidl.*;\nimport static mx.Support.*;"


def text(value):
    """A string."""
    return json.dumps(value, ensure_ascii=True)


class Java(Language):
    """Java 17."""

    name = sidlc = "java"
    title = "Java"

    # ---- types and values -----------------------------------------------------------------------

    def type(self, kind):
        """The type of a variable."""
        if kind.kind in ("array", "rarray", "inline"):
            if not kind.name:
                return "BaseArray"
            family = {"enum": "Enum", "struct": "Struct", "object": "Object"}.get(kind.element.kind)
            return f"{family}Array<mx.{kind.name}>" if family else ARRAYS[kind.name]
        return TYPES.get(kind.kind) or f"mx.{kind.name}"

    def boxed(self, kind):
        """The same in a Holder."""
        return BOXED.get(self.type(kind), self.type(kind))

    def longs(self, numbers):
        """An array of bounds."""
        return f"new long[] {{{', '.join(f'{n}L' for n in numbers)}}}"

    def bounds(self, array):
        """Lowest and highest indices."""
        return ", ".join(self.longs(bounds) for bounds in zip(*array.bounds))

    def items(self, kind, array):
        """A list of the elements."""
        made = ", ".join(self.make(kind.element, each) for each in array.values)
        return f"java.util.Arrays.<{self.boxed(kind.element)}>asList({made})"

    def make(self, kind, value):
        """An expression of a value."""
        if kind.kind == "opaque":
            return f"{value or 0}L"
        if value is None:
            return "null"
        if kind == self.suite.ANY_ARRAY:
            return self.make(value.kind, value)
        if kind.kind in ("array", "rarray", "inline"):
            return self.make_array(kind, value)
        if kind.kind == "bool":
            return "true" if value else "false"
        if kind.kind == "char":
            return f"'{value}'"
        if kind.kind == "string":
            if len(value) > 1000:  # that of the suite: constants are limited
                return f'{text("a long text ")}.repeat(800) + "."'
            return text(value)
        if kind.kind == "enum":
            return f"mx.{kind.name}.{value}"
        if kind.kind == "object":
            return f"new{kind.name}({value.number})"
        if kind.kind == "struct":
            members = self.suite.STRUCTS[kind.name].items()
            made = ", ".join(self.make(of, value[name]) for name, of in members)
            return f"new mx.{kind.name}({made})"
        if kind.kind in ("int", "long"):
            return f"{value}{'L' if kind.kind == 'long' else ''}"
        last = "f" if kind.kind in ("float", "fcomplex") else ""
        if "complex" in kind.kind:
            value = complex(value)
            return f"new {self.type(kind)}({value.real!r}{last}, {value.imag!r}{last})"
        return f"{float(value)!r}{last}"

    def make_array(self, kind, value):
        """An array with these elements."""
        name = self.type(kind)
        bounds = self.bounds(value)
        if kind.element.kind in ("enum", "struct", "object"):
            bounds = f"mx.{kind.name}._type, {bounds}"
        made = f"{name.split('<')[0]}.createBetween({bounds})"
        made = f"filled({made}, {name.split('<')[0]}::set, {self.items(kind, value)})"
        if kind.kind in ("rarray", "inline") or kind.order == "column-major":
            made += ".columnMajor()"
        if value.where == "part":
            slice_ = f"new long[] {{{value.shape[0]}}}, new long[] {{1}}, new long[] {{2}}, null"
            return f"part((DoubleArray) {made}).in(DEVICE).slice({slice_})"
        return f"{made}.in(DEVICE)" if value.where else made

    def same(self, kind, place, value):
        """A condition: the place has this value."""
        if value is None and kind.kind != "opaque":
            return f"{place} == null"
        if kind.kind == "struct":
            members = self.suite.STRUCTS[kind.name].items()
            return " && ".join(self.same(of, f"{place}.{n}()", value[n]) for n, of in members)
        if kind == self.suite.ANY_ARRAY:
            kind = value.kind
            place = f"(({self.type(kind)}) {place})"
        if kind.kind in ("array", "rarray", "inline"):
            checks = [f"hasBounds({place}, {self.bounds(value)})"]
            for index, each in zip(value.indices, value.values):
                checks.append(self.same(kind.element, f"{place}.get({self.longs(index)})", each))
            return " && ".join(checks)
        if kind.kind == "object":
            return f"{place}.number() == {value.number}"
        return f"same({place}, {self.make(kind, value)})"

    # ---- implementations -------------------------------------------------------------------------

    def bodies(self):
        """Of all methods."""
        found = {}
        for name, methods in self.suite.METHODS.items():
            found[f"mx.{name}._imports"] = IMPORTS
            for method in methods:
                found[f"mx.{name}.{method.long_name}"] = self.body(method, method.body)
        for name in ("Cell", "Value"):
            found[f"mx.{name}._data"] = "private int number = 11;"
        for name, body in self.suite.PACKING.items():
            found[f"mx.Value.{name}"] = self.body(None, body)
        return found

    def support(self):
        """What makes and compares values."""
        return {"mx/Support.java": SUPPORT.read_text()}

    def body(self, method, body):
        """The statements of a method."""
        if isinstance(body, Throw):
            return f"throw new mx.{body.name}({text(body.note)});"
        if isinstance(body, Assign):
            return "\n".join(self.assign(method, body))
        if body.what == "scale":
            return self.scale(method)
        return {
            "get": "return number;",
            "set": "number = n;",
            "itself": "return this;",
            "ask": "return other.number() + n;",
            "bounce": "return depth == 0 ? 0 : 1 + other.bounce(this, depth - 1);",
            "relay": "other.oops();",
            "hello": 'return "I am " + who();',
            "chain": 'return "child>" + super_chain();',
            "double": "v.set(2 * v.number());\nreturn v;",
            "total": f"{HERE.format('a')}return Support.total(here);",
            "grow": f"{HERE.format('y.get()')}Support.grow(here);\n"
            "y.set(here.in(y.get().space()));",
            "touch": "return a.get(0);",
            "pack": 'ser.packInt("number", number);',
            "unpack": "final Holder<Integer> value = new Holder<>();\n"
            'des.unpackInt("number", value);\nnumber = value.get();',
        }[body.what]

    def scale(self, method):
        """Sums x, adds 1 to y."""
        (_, kind, _), (_, matrix, _), _ = method.args
        element = self.type(kind)
        element = self.type(kind.element)
        one = f"new {element}(1, 0)" if "Complex" in element else "1"
        zero = f"{element}.ZERO" if "Complex" in element else "0"
        plus = "{0}.plus({1})" if "Complex" in element else "{0} + {1}"
        at = "i" if matrix.rank == 1 else "i, j"
        grown = plus.format(f"y.get({at})", one)
        columns = "" if matrix.rank == 1 else "for (int j = 0; j < 2; ++j) "
        total = plus.format("sum", "x.get(i)")
        return (
            f"{element} sum = {zero};\n"
            f"for (int i = 0; i < n; ++i) sum = {total};\n"
            f"for (int i = 0; i < n; ++i) {columns}y.set({at}, {grown});\n"
            "return sum;"
        )

    def assign(self, method, body):
        """Assignments, in order."""
        kinds = {name: kind for _, kind, name in method.args}
        modes = {name: mode for mode, _, name in method.args}
        for target, source in body.moves:
            kind = method.result if target == "result" else kinds[target]
            if isinstance(source, From):
                value = source.name + (".get()" if modes[source.name] != "in" else "")
            else:
                value = self.make(kind, source)
            if target == "result":
                yield f"final {self.type(kind)} result = {value};"
            else:
                yield f"{target}.set({value});"
        yield "return result;"

    # ---- the program -----------------------------------------------------------------------------

    def program(self):
        """A method for each case."""
        parts = ["import sidl.*;", "import static mx.Support.*;", "", "final class FromJava {"]
        parts += ["  private static String url;", ""]
        calls = []
        for number, case in enumerate(self.suite.CASES):
            lines = self.cast(case) if isinstance(case, Cast) else self.call(case)
            parts += [f"  private static void case{number}() throws Exception {{"]
            parts += [*(f"    {line}" for line in lines), "  }", ""]
            calls.append(
                f"    tell({text(case.group)}, {text(case.name)}, FromJava::case{number});"
            )
        parts += ["  public static void main(String[] arguments) {"]
        parts += ["    url = arguments.length > 0 ? arguments[0] : null;"]
        parts += ["    loadSpace();", *calls, "  }", "}", ""]
        return {"FromJava.java": "\n".join(parts), "mx/Support.java": SUPPORT.read_text()}

    def target(self, on):
        """What the call is made on."""
        return {
            "cell": "final mx.Cell target = cellAt(url);",
            "child": "final mx.Child target = childAt(url);",
            "child as cell": "final mx.Cell target = childAt(url);",
            "named": "final mx.Named target = cellAt(url);",
        }[on]

    def cast(self, case):
        """Whether a cast gives something."""
        yield self.target(case.on)
        yield f"require((mx.{case.type}.cast(target) != null) == {str(case.expect).lower()});"

    def call(self, case):
        """The call and its checks."""
        method = case.method
        if method.prefix != "static":
            yield self.target(case.on)
        given = iter(case.args)
        names, places = [], []
        for mode, kind, name in method.args:
            if mode == "in" or kind.kind == "rarray":
                yield f"final {self.type(kind)} {name} = {self.make(kind, next(given))};"
            else:
                value = self.make(kind, next(given)) if mode == "inout" else ""
                yield f"final Holder<{self.boxed(kind)}> {name} = new Holder<>({value});"
            names.append(name)
            at = name if kind.kind == "rarray" else f"{name}.get()"
            places += [(kind, at)] if mode != "in" else []
        begin = "mx.Cell." if method.prefix == "static" else "target."
        call = f"{begin}{self.java_name(method)}({', '.join(names)})"
        if method.prefix == "nonblocking":
            call = f"answer({begin}{self.java_name(method)}Async({', '.join(names)}))"
        if isinstance(case.expect, Raises):
            note = text(case.expect.note)
            yield f"require(isThrown({case.expect.name}.class, {note}, () -> {call}));"
            return
        if method.result.kind != "void":
            places.insert(0, (method.result, "result"))
            call = f"final {self.type(method.result)} result = {call}"
        yield f"{call};"
        for (kind, place), value in zip(places, case.expect):
            if case.group == self.suite.ELSEWHERE and value is not None and kind.kind == "array":
                yield from self.elsewhere(kind, place, value)
                continue
            yield f"require({self.same(kind, place, value)});"
        if case.then is not None:
            yield f"require(target.number() == {case.then});"

    def java_name(self, method):
        """An overload has the short name if its arguments tell it from the others."""
        return method.name if method.name == "over" else method.long_name

    def elsewhere(self, kind, place, value):
        """Checks of an array that may be elsewhere."""
        if value.where:
            yield f"require(!{place}.space().equals(MemorySpace.HOST) == (url == null));"
        kind = value.kind or kind
        here = f"(({self.type(kind)}) {place}).in(MemorySpace.HOST)"
        yield f"require({self.same(kind, here, dataclasses.replace(value, kind=None))});"

    def client_project(self):
        return (
            "sidl_add_library(mx_java_client LANGUAGE java CLIENT SIDL ../../mx.sidl)\n"
            "include(UseJava)\n"
            "set(CMAKE_JAVA_COMPILE_FLAGS -J-XX:TieredStopAtLevel=1)\n"
            "get_target_property(classes mx_java_client SIDL_CLASS_PATH)\n"
            'string(REPLACE ":" ";" classes "${classes}")\n'
            "add_jar(mx_from_java SOURCES FromJava.java mx/Support.java INCLUDE_JARS ${classes})\n"
            "add_dependencies(mx_from_java mx_java_client_jar)\n"
        )

    def command(self, built):
        client = built / self.name / "client"
        shinar = built.parent / "shinar-java" / "shinar.jar"
        jars = f"{client / 'mx_from_java.jar'}:{client / 'mx_java_client.jar'}:{shinar}"
        return ["java", "-Xcheck:jni", "-cp", jars, "FromJava"]

    def environment(self, built, implementation):
        variables = {"MX_SPACE": str(built / "space" / "libmx_space.so")}
        return {**super().environment(built, implementation), **variables}


LANGUAGE = Java
