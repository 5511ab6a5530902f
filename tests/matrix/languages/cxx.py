"""The suite in C++."""

import dataclasses
import json
from pathlib import Path

from suite import Assign, Cast, From, Raises, Throw

from languages import Language

SUPPORT = Path(__file__).with_name("support.hpp")
CXX_TYPES = {
    "bool": "bool",
    "char": "char",
    "int": "int32_t",
    "long": "int64_t",
    "float": "float",
    "double": "double",
    "fcomplex": "std::complex<float>",
    "dcomplex": "std::complex<double>",
    "string": "std::string",
    "opaque": "void*",
}
HERE = "auto here = sidl::array<double>({}).in(sidl::host_memory);\n"
NULL_STRING = "a null string is an empty one"


def text(value):
    """A string."""
    return f"std::string({json.dumps(value, ensure_ascii=False)})"


class Cxx(Language):
    """C++17."""

    name = "cxx"
    sidlc = "c++"
    title = "C++"

    def cannot_call(self, case):
        return NULL_STRING if case.group == "null strings" else ""

    cannot_serve = cannot_call

    # ---- types and values -----------------------------------------------------------------------

    def type(self, kind):
        """The type of a variable."""
        if kind == self.suite.ANY_ARRAY:
            return "sidl::basearray"
        if kind.kind == "array":
            return f"sidl::array<{self.type(kind.element)}>"
        if kind.kind in ("enum", "struct", "object"):
            return f"mx::{kind.name}"
        return CXX_TYPES.get(kind.kind, kind.kind)

    def bounds(self, array):
        """The arguments by which support.hpp knows an array's bounds."""
        return ", ".join(
            f"{{{', '.join(f'{bound}LL' for bound in bounds)}}}" for bounds in zip(*array.bounds)
        )

    def items(self, kind, array):
        """As bounds, with the elements."""
        made = ", ".join(self.make(kind.element, each) for each in array.values)
        return f"{self.bounds(array)}, std::vector<{self.type(kind.element)}>{{{made}}}"

    def make(self, kind, value):
        """An expression of a value."""
        if kind.kind == "opaque":
            return f"reinterpret_cast<void*>({value or 0}LL)"
        if value is None:
            return f"{self.type(kind)}()"
        if kind == self.suite.ANY_ARRAY:
            return f"{self.type(kind)}({self.make(value.kind, value)})"
        if kind.kind == "bool":
            return "true" if value else "false"
        if kind.kind == "char":
            return f"'{value}'"
        if kind.kind == "string":
            return text(value)
        if kind.kind == "enum":
            return f"mx::{kind.name}_{value}"
        if kind.kind == "object":
            return f"new_object<mx::{kind.name}>({value.number})"
        if kind.kind == "array":
            columns = "true" if kind.order == "column-major" else "false"
            made = f"make_array({columns}, {self.items(kind, value)})"
            is_part = "true" if value.where == "part" else "false"
            return f"there({made}, test_space(), {is_part})" if value.where else made
        if kind.kind == "struct":
            members = self.suite.STRUCTS[kind.name].items()
            sets = [self.set_member(name, of, value[name]) for name, of in members]
            return f"[] {{ mx::{kind.name} made; {' '.join(sets)} return made; }}()"
        if kind.kind in ("int", "long"):
            last = "" if kind.kind == "int" else "LL"
            return f"({value + 1}{last} - 1)" if value < 0 else f"{value}{last}"
        last = "f" if kind.kind in ("float", "fcomplex") else ""
        if "complex" in kind.kind:
            value = complex(value)
            return f"{self.type(kind)}({value.real!r}{last}, {value.imag!r}{last})"
        return f"{float(value)!r}{last}"

    def set_member(self, name, kind, value):
        """A statement, or several."""
        if kind.kind == "inline":
            return " ".join(
                self.set_element(f"made.{name}[{i}]", kind.element, each)
                for i, (_, each) in enumerate(value.columns)
            )
        if self.has_member(kind):
            return f"made.{name} = {self.make(kind, value)};"
        return f"made.set_{name}({self.make(kind, value)});"

    def set_element(self, place, kind, value):
        """Complex numbers in a struct are those of C."""
        if "complex" not in kind.kind:
            return f"{place} = {self.make(kind, value)};"
        return f"{place} = {{{self.make(kind, value)}.real(), {self.make(kind, value)}.imag()}};"

    def has_member(self, kind):
        """Whether it is used by its name: it owns nothing, and its type is one of C++."""
        return kind.kind in self.suite.BASIC and "complex" not in kind.kind

    def same(self, kind, place, value):
        """A condition: the place has this value."""
        if kind.kind == "struct":
            members = self.suite.STRUCTS[kind.name].items()
            checks = []
            for name, of in members:
                if of.kind == "inline":
                    checks += self.same_elements(of.element, f"{place}.{name}", value[name])
                    continue
                at = f"{place}.{name}" if self.has_member(of) else f"{place}.get_{name}()"
                checks.append(self.same(of, at, value[name]))
            return " && ".join(checks)
        if value is None and kind.kind == "string":
            return f"is_null({place})"
        if value is None and kind.kind != "opaque":
            return f"{place}._is_nil()"
        if kind == self.suite.ANY_ARRAY:
            return self.same(value.kind, f"{self.type(value.kind)}({place})", value)
        if kind.kind == "array" and kind.element.kind == "struct":
            checks = [f"has_bounds({place}, {self.bounds(value)})"]
            for index, each in zip(value.indices, value.values):
                at = f"{place}.get({', '.join(f'{i}LL' for i in index)})"
                checks.append(self.same(kind.element, at, each))
            return " && ".join(checks)
        if kind.kind == "array":
            return f"same_array({place}, {self.items(kind, value)})"
        if kind.kind == "object":
            return f"number_of({place}) == {value.number}"
        return f"{place} == {self.make(kind, value)}"

    def same_elements(self, kind, place, value):
        """Conditions: those of an array in a struct."""
        for i, (_, each) in enumerate(value.columns):
            at = f"{place}[{i}]"
            if "complex" in kind.kind:
                at = f"{self.type(kind)}({at}.real, {at}.imaginary)"
            yield self.same(kind, at, each)

    # ---- implementations -------------------------------------------------------------------------

    def bodies(self):
        """Of all methods."""
        found = {}
        for name, methods in self.suite.METHODS.items():
            found[f"mx.{name}._includes"] = '#include "support.hpp"'
            for method in methods:
                found[f"mx.{name}.{method.long_name}"] = self.body(method, method.body)
        for name in ("Cell", "Value"):
            found[f"mx.{name}._implementation"] = "int32_t d_number = 11;"
        for name, body in self.suite.PACKING.items():
            found[f"mx.Value.{name}"] = self.body(None, body)
        return found

    def support(self):
        """What makes and compares values."""
        return {"support.hpp": SUPPORT.read_text()}

    def body(self, method, body):
        """The statements of a method."""
        if isinstance(body, Throw):
            make = f"mx::{body.name} thrown = mx::{body.name}::_create();"
            return f"{make}\nthrown.setNote({text(body.note)});\nthrow thrown;"
        if isinstance(body, Assign):
            return "\n".join(self.assign(method, body))
        if body.what == "scale":
            (_, kind, _), (_, matrix, _), _ = method.args
            element = self.type(kind.element)
            count = "n" if matrix.rank == 1 else "2 * n"
            x, y = ("x", "y") if "complex" not in element else [
                f"::sidl::as_complex({name})" for name in ("x", "y")]  # fmt: skip
            return (
                f"for (int32_t i = 0; i < {count}; ++i) {y}[i] += {element}(1);\n"
                f"return std::accumulate({x}, {x} + n, {element}(0));"
            )
        return {
            "get": "return d_number;",
            "set": "d_number = n;",
            "itself": "return *this;",
            "ask": "return other.number() + n;",
            "bounce": "return depth == 0 ? 0 : 1 + other.bounce(*this, depth - 1);",
            "relay": "other.oops();",
            "hello": 'return "I am " + who();',
            "chain": 'return "child>" + super.chain();',
            "double": "v.set(2 * v.number());\nreturn v;",
            "total": f"{HERE.format('a')}return std::accumulate(here.begin(), here.end(), 0.0);",
            "grow": f"{HERE.format('y')}for (double& each : here) each += 1;\n"
            "y = here.in(y.space());",
            "touch": "return a.get(0);",
            "pack": 'ser.packInt("number", d_number);',
            "unpack": 'des.unpackInt("number", d_number);',
        }[body.what]

    def assign(self, method, body):
        """Assignments, in order."""
        kinds = {name: kind for _, kind, name in method.args}
        for target, source in body.moves:
            kind = method.result if target == "result" else kinds[target]
            value = source.name if isinstance(source, From) else self.make(kind, source)
            yield f"{self.type(kind) + ' ' if target == 'result' else ''}{target} = {value};"
        yield "return result;"

    # ---- the program -----------------------------------------------------------------------------

    def program(self):
        """A function for each case."""
        parts = ['#include "support.hpp"', '#include "test_space.h"', "", "namespace {"]
        parts += ["", "const char* url = nullptr;", ""]
        calls = []
        for number, case in enumerate(self.suite.CASES):
            lines = self.cast(case) if isinstance(case, Cast) else self.call(case)
            parts += [f"void case_{number}() {{", *(f"  {line}" for line in lines), "}", ""]
            names = f"{json.dumps(case.group)}, {json.dumps(case.name, ensure_ascii=False)}"
            calls.append(f"  tell({names}, case_{number});")
        parts += ["}  // namespace", "", "int main(int count, char** arguments) {"]
        parts += ["  if (count > 1) url = arguments[1];", *calls, "}", ""]
        return {"from_cxx.cpp": "\n".join(parts), "support.hpp": SUPPORT.read_text()}

    def target(self, on):
        """What the call is made on."""
        return {
            "cell": "const mx::Cell target = target_at<mx::Cell>(url);",
            "child": "const mx::Child target = target_at<mx::Child>(url);",
            "child as cell": "const mx::Cell target = target_at<mx::Child>(url);",
            "named": "const mx::Named target = target_at<mx::Cell>(url);",
        }[on]

    def cast(self, case):
        """Whether a cast gives something."""
        yield self.target(case.on)
        yield f"const auto seen = sidl::babel_cast<mx::{case.type}>(target);"
        yield f"REQUIRE(seen._not_nil() == {'true' if case.expect else 'false'});"

    def call(self, case):
        """The call and its checks."""
        method = case.method
        if method.prefix != "static":
            yield self.target(case.on)
        given = iter(case.args)
        names, places = [], []
        for mode, kind, name in method.args:
            if kind.kind == "rarray":
                yield self.raw(kind, name, next(given))
            else:
                value = f" = {self.make(kind, next(given))}" if mode != "out" else "{}"
                yield f"{self.type(kind)} {name}{value};"
            names.append(name)
            places += [(kind, name)] if mode != "in" else []
        begin = "mx::Cell::" if method.prefix == "static" else "target."
        call = f"{begin}{method.name}({', '.join(names)})"
        if method.prefix == "nonblocking":
            sent = [name for mode, _, name in method.args if mode != "out"]
            received = [name for mode, _, name in method.args if mode != "in"]
            yield f"const auto ticket = {begin}{method.name}_send({', '.join(sent)});"
            call = f"{begin}{method.name}_recv({', '.join(['ticket', *received])})"
        if isinstance(case.expect, Raises):
            name = case.expect.name.replace(".", "::")
            yield f"REQUIRE(throws<{name}>([&] {{ {call}; }}, {text(case.expect.note)}));"
            return
        if method.result.kind != "void":
            places.insert(0, (method.result, "result"))
            call = f"const {self.type(method.result)} result = {call}"
        yield f"{call};"
        for (kind, name), value in zip(places, case.expect):
            if case.group == self.suite.ELSEWHERE and value is not None and kind.kind == "array":
                yield from self.elsewhere(kind, name, value)
                continue
            yield f"REQUIRE({self.expected(kind, name, value)});"
        if case.then is not None:
            yield f"REQUIRE(target.number() == {case.then});"

    def elsewhere(self, kind, name, value):
        """Checks of an array that may be elsewhere."""
        if value.where:
            yield f"REQUIRE(({name}.space() != nullptr) == (url == nullptr));"
        kind = value.kind or kind
        here = f"{self.type(kind)}({name}).in(sidl::host_memory)"
        yield f"REQUIRE(({self.same(kind, here, dataclasses.replace(value, kind=None))}));"

    def raw(self, kind, name, array):
        """Memory in column order."""
        values = array.values
        if kind.rank == 2:
            rows, width = array.shape
            values = [array.values[width * i + j] for j in range(width) for i in range(rows)]
        made = ", ".join(self.make(kind.element, each) for each in values)
        return f"{self.type(kind.element)} {name}[] = {{{made}}};"

    def expected(self, kind, name, value):
        """A condition, of raw arrays too."""
        if kind.kind != "rarray":
            return self.same(kind, name, value)
        wanted = self.raw(kind, "", value)
        wanted = wanted[wanted.index("{") : -1]
        vector = f"std::vector<{self.type(kind.element)}>"
        return f"({vector}(std::begin({name}), std::end({name})) == {vector}{wanted})"

    def client_project(self):
        return (
            "sidl_add_library(mx_cxx_client LANGUAGE cxx CLIENT SIDL ../../mx.sidl)\n"
            "add_executable(mx_from_cxx from_cxx.cpp)\n"
            "target_link_libraries(mx_from_cxx PRIVATE mx_cxx_client\n"
            "  $<TARGET_NAME_IF_EXISTS:mx_space>)\n"
        )


LANGUAGE = Cxx
