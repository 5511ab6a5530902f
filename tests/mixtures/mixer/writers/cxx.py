"""Mixtures in C++."""

from pathlib import Path

from languages.cxx import Cxx
from suite import BASIC, From

from mixer.packages import ANY_ARRAY
from mixer.writers import Mixed

HERE = Path(__file__).parent
LENT = ("char", "int", "long", "float", "double")  # what callers lend


def is_plain(kind):
    """Whether a member of a struct is what it is in C."""
    return kind.kind in BASIC


class MixedCxx(Mixed, Cxx):
    """C++17."""

    def support(self):
        return {"mix.hpp": (HERE / "mix.hpp").read_text(), "mixed.hpp": self.header()}

    def program(self):
        driver = (HERE / "driver.cpp").read_text()
        dispatch = "\n".join(self.dispatch())
        return {**self.support(), "dispatch.hpp": dispatch, "from_cxx.cpp": driver}

    def dispatch(self):
        """A call by a method's number."""
        yield '#include "mixed.hpp"\n'
        yield "inline std::optional<int64_t> dispatch(int64_t method, const mx::Cell& target,"
        yield "                                       int64_t key, const Cells& in, Cells& out) {"
        yield "  switch (method) {"
        for n, of, _ in self.called():
            yield f"    case {n}: {{\n      const auto seen = sidl::babel_cast<mx::{of}>(target);"
            yield "      if (seen._is_nil()) return {};"
            yield f"      return tell_{n}(seen, key, in, out);\n    }}"
        yield "    default: return {};\n  }\n}\n"

    # ---- values ----------------------------------------------------------------------------------

    def made(self, kind, key, nulls=True, room="nullptr"):
        """An expression: the value of a key."""
        nulls = "true" if nulls else "false"
        if kind == ANY_ARRAY:
            return f"make_any({key}, {nulls})"
        if kind.kind == "array":
            return f"make_array<{self.type(kind.element)}>({key}, {nulls}, {kind.rank}, {room})"
        return f"make<{self.type(kind)}>({key})"

    def header(self):
        """Values of the package's own types, and a function for each call."""
        parts = ["#pragma once\n#include <alloca.h>\n#include <optional>\n", '#include "mix.hpp"\n']
        for name, values in self.package.ENUMS.items():
            numbers = ", ".join(f"mx::{name}_{each}" for each in values)
            parts += [
                f"template <>\nstruct Mixed<mx::{name}> {{",
                f"  static mx::{name} make(int64_t k) {{",
                f"    constexpr mx::{name} all[] = {{{numbers}}};",
                "    return all[static_cast<size_t>(k) % std::size(all)];\n  }",
                f"  static int64_t code(mx::{name} v) {{ return ::code(int64_t{{v}}); }}\n}};",
            ]
        for name, members in self.package.STRUCTS.items():
            parts += self.struct(name, members)
        parts += ["using Cells = std::vector<mx::Cell>;\n"]
        for n, of, method in self.called():
            parts += self.caller(n, of, method)
        return "\n".join([*parts, ""])

    def struct(self, name, members):
        """How it is made and read."""
        yield f"template <>\nstruct Mixed<mx::{name}> {{\n  static mx::{name} make(int64_t k) {{"
        yield f"    mx::{name} made;\n    (void)k;"
        for j, (member, of) in enumerate(members.items()):
            value = self.made(of, f"mix(k, {20 + j})")
            put = f"made.{member} = {value}"
            if not is_plain(of):
                put = f"made.set_{member}({value})"
            elif "complex" in of.kind:
                put = f"made.{member} = in_c({value})"
            yield f"    {put.replace('make<', '::make<')};"
        yield f"    return made;\n  }}\n  static int64_t code(const mx::{name}& v) {{"
        yield "    int64_t h = 11;"
        for member, of in members.items():
            got = f"v.{member}" if is_plain(of) else f"v.get_{member}()"
            got = f"static_cast<bool>({got})" if of.kind == "bool" else got
            got = f"in_cxx({got})" if "complex" in of.kind else got
            yield f"    h = mix(h, ::code({got}));"
        yield "    return h;\n  }\n};"

    # ---- calls -----------------------------------------------------------------------------------

    def caller(self, n, of, method):
        """A function that makes arguments, calls, and gives the code of what came back."""
        yield f"inline int64_t tell_{n}(const mx::{of}& self, int64_t key, const Cells& in,"
        yield "                      Cells& out) {"
        yield "  int64_t total = 17;\n  (void)key, (void)in, (void)out;"
        names, given = [], 0
        for j, (mode, kind, name) in enumerate(method.args):
            names.append(name)
            if kind.kind == "rarray" or name == "n" and method.args[0][1].kind == "rarray":
                yield from self.raw_argument(j, kind, name, method)
                continue
            value = "{}"
            if mode != "out":
                value = f" = {self.argument(j, kind, method, given)}"
                given += self.is_object(kind)
            yield f"  {self.type(kind)} {name}{value};"
        call = f"self.{method.name}({', '.join(names)})"
        if method.prefix == "nonblocking":
            sent = ", ".join(name for mode, _, name in method.args if mode != "out")
            back = ", ".join(["ticket", *(name for mode, _, name in method.args if mode != "in")])
            halves = f"const auto ticket = self.{method.name}_send({sent});"
            take = "" if method.result.kind == "void" else "result = "
            if take:
                yield f"  {self.type(method.result)} result{{}};"
            yield f"  if (key % 2) {{\n    {halves}\n    {take}self.{method.name}_recv({back});"
            yield f"  }} else {{\n    {take}{call};\n  }}"
        elif method.result.kind == "void":
            yield f"  {call};"
        else:
            yield f"  {self.type(method.result)} result = {call};"
        for kind, name in self.places(method):
            seen = f"raw_{name}" if kind.kind == "rarray" else name
            yield f"  total = mix(total, code({seen}));"
            if self.is_object(kind):
                yield f"  out.push_back(sidl::babel_cast<mx::Cell>({name}));"
        yield "  return total;\n}"

    def argument(self, j, kind, method, given):
        """An expression of what goes in."""
        if self.is_object(kind):
            got = f"in.empty() ? mx::Cell() : in[{given}]"
            return f"{self.type(kind)}({got})"
        key, room = f"mix(key, {100 + j})", "nullptr"
        if method.lent and kind.kind == "array" and kind.name in LENT and not kind.order:
            room = f"alloca(mix_room<{self.type(kind.element)}>({key}, {kind.rank}))"
        return self.made(kind, key, method.nulls, room)

    def raw_argument(self, j, kind, name, method):
        """Memory of the caller's, or how long it is."""
        _, (_, y, _), _ = method.args
        lengths = "mix_few[mix(key, 102) % 5]" if y.rank == 2 else "mix_lengths[mix(key, 102) % 24]"
        if name == "n":
            return
        if name == "x":
            yield f"  const int32_t n = {lengths};"
        element = self.type(kind.element)
        yield f"  std::vector<{element}> room_{name}(static_cast<size_t>(2 * n + 1));"
        yield f"  {element}* const {name} = room_{name}.data();"
        yield f"  const auto raw_{name} = {self.lent(kind, name)};"
        yield f"  fill_array(raw_{name}, mix(key, {100 + j}));"

    def lent(self, kind, name):
        """A raw array as an array: an expression."""
        return (
            f"[&] {{\n    const int32_t low[] = {{0, 0}}, high[] = {{n - 1, 1}}, by[] = {{1, n}};\n"
            f"    return borrowed({name}, {kind.rank}, low, high, by);\n  }}()"
        )

    def got(self, kind, name):
        """The same of an implementation's, which has the structs of C for complex numbers."""
        is_complex = kind.name in ("fcomplex", "dcomplex")
        return self.lent(kind, f"sidl::as_complex({name})" if is_complex else name)

    # ---- implementations -------------------------------------------------------------------------

    def blocks(self):
        found = {
            f"mx.{name}._includes": '#include "mixed.hpp"' for name in ("Cell", "Child", "Value")
        }
        found["mx.Cell._implementation"] = (
            "int64_t d_n = 0, d_total = 0;\n"
            "static inline std::atomic<int64_t> s_alive = 0;\nmx::Named d_object;\n"
            "std::string d_text;\nsidl::array<double> d_numbers, d_traded;"
        )
        found["mx.Cell._hincludes"] = '#include <atomic>\n#include "mx_Named.hxx"'
        found["mx.Cell._ctor"] = "++s_alive;"
        found["mx.Cell._dtor"] = "--s_alive;"
        found["mx.Value._implementation"] = "int64_t d_n = 0;"
        return found

    def transform(self, of, method):
        """The code of what came in makes what goes out."""
        kinds = {name: (mode, kind) for mode, kind, name in method.args}
        kinds["result"] = ("out", method.result)
        yield f"int64_t h = {method.number};"
        for _, kind, name in method.of_mode("in", "inout"):
            seen = self.got(kind, name) if kind.kind == "rarray" else name
            yield f"h = mix(h, code({seen}));"
        if method.throws:
            for i, name in enumerate(("Oops", "Worse", "Sudden")):
                yield f"if (h % 6 == {i}) mix_throw<mx::{name}>(h);"
        yield "add(h);" if of == "Child" else "mix_add(d_total, h);"
        for target, source in method.body.moves:
            _, kind = kinds[target]
            declare = f"{self.type(kind)} " if target == "result" else ""
            if isinstance(source, From):
                yield f"{declare}{target} = {source.name};"
                continue
            key = f"mix(h, {source.number})"
            if kind.kind == "rarray":
                yield f"fill_array({self.got(kind, target)}, {key});"
            elif source.fills:
                yield f"fill_array({target}, {key});"
            else:
                yield f"{declare}{target} = {self.made(kind, key, method.nulls)};"
        if method.result.kind != "void":
            yield "return result;"

    def special(self, of, method, what):
        """See model.py."""
        if what == "relay":
            return (
                "if (other._is_nil()) return 1;\nCells out;\ntry {\n"
                f"  return tell_{self.relayed(method)}(other, positive(k), {{}}, out);\n"
                "} catch (const sidl::BaseException& thrown) {\n  return mix_thrown(thrown);\n}"
            )
        return {
            "id": "return d_n;",
            "setId": "d_n = n;",
            "alive": "return s_alive;",
            "total": "return d_total;",
            "used": "return mix_used();",
            "note": "mix_add(d_total, positive(k));",
            "holdObject": "const int64_t id = code(a);\nmx::Named before = d_object;\n"
            "d_object = a._not_nil() && id < d_n ? a : mx::Named();\nreturn before;",
            "holdText": "std::string before = d_text;\nd_text = a;\nreturn before;",
            "holdNumbers": "sidl::array<double> before = d_numbers;\nd_numbers = a;\n"
            "if (d_numbers._not_nil()) d_numbers.smartCopy();\nreturn before;",
            "trade": "const sidl::array<double> before = d_traded;\nd_traded = a;\n"
            "d_traded.smartCopy();\n"
            "if (before._not_nil() && before.length() == a.length()) a = before;",
            "swap": "mx::Value before = w;\nw = v;\nreturn before;",
            "pack": 'ser.packLong("number", d_n);',
            "unpack": 'des.unpackLong("number", d_n);',
            "later": "return a.get_m();",
        }[what]


WRITER = MixedCxx
