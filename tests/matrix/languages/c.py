"""The suite in C."""

import json
from pathlib import Path

from suite import BASIC, Assign, Cast, From, Raises, Throw

from languages import Language

SUPPORT = Path(__file__).with_name("support.h")
C_TYPES = {
    "bool": "sidl_bool",
    "char": "char",
    "int": "int32_t",
    "long": "int64_t",
    "float": "float",
    "double": "double",
    "fcomplex": "struct sidl_fcomplex",
    "dcomplex": "struct sidl_dcomplex",
    "string": "char*",
    "opaque": "void*",
}


HERE = (
    "struct sidl_double__array* const here =\n"
    "    (struct sidl_double__array*)(void*)sidl__array_in(NULL, {});\n"
)
EACH = "for (int64_t i = sidlLower(here, 0); i <= sidlUpper(here, 0); ++i) "


def text(value):
    """A string literal."""
    return json.dumps(value, ensure_ascii=False)


class C(Language):
    """C11."""

    name = sidlc = "c"
    title = "C"

    # ---- types and values -----------------------------------------------------------------------

    def type(self, kind):
        """The type of a variable."""
        if kind == self.suite.ANY_ARRAY:
            return "struct sidl__array*"
        if kind.kind == "array":
            prefix = "sidl" if kind.name in [*BASIC, "string"] else "mx"
            return f"struct {prefix}_{kind.name}__array*"
        if kind.kind == "enum":
            return f"enum mx_{kind.name}__enum"
        if kind.kind == "struct":
            return f"struct mx_{kind.name}__data"
        if kind.kind == "object":
            return f"mx_{kind.name}"
        return C_TYPES.get(kind.kind, kind.kind)

    def scalar(self, kind, value):
        """A number, or what is one in C."""
        if kind.kind == "bool":
            return "TRUE" if value else "FALSE"
        if kind.kind == "char":
            return f"'{value}'"
        if kind.kind == "enum":
            return f"mx_{kind.name}_{value}"
        if kind.kind in ("int", "long"):
            last = "" if kind.kind == "int" else "LL"
            return f"({value + 1}{last} - 1)" if value < 0 else f"{value}{last}"
        last = "f" if kind.kind in ("float", "fcomplex") else ""
        if "complex" in kind.kind:
            value = complex(value)
            return f"({self.type(kind)}){{{value.real!r}{last}, {value.imag!r}{last}}}"
        return f"{float(value)!r}{last}"

    def indices(self, values):
        """An array of them."""
        return f"(const int64_t[]){{{', '.join(f'{value}LL' for value in values)}}}"

    def bounds(self, value):
        """The arguments by which support.h knows an array's bounds."""
        lower, upper = map(self.indices, zip(*value.bounds))
        return f"{len(value.shape)}, {lower}, {upper}"

    def items(self, array):
        """As bounds, with the elements: structs belong to who gets them."""
        kind = array.kind.element
        if kind.kind == "string":
            element, values = "const char*", [text(each) for each in array.value.values]
        elif kind.kind == "object":
            element, values = "int32_t", [str(each.number) for each in array.value.values]
        else:
            element = "int64_t" if kind.kind == "enum" else self.type(kind)
            values = [self.make(kind, each) for each in array.value.values]
        list_ = ", ".join(values) or "0"
        return f"{self.bounds(array.value)}, (const {element}[]){{{list_}}}"

    def make(self, kind, value):
        """An expression that makes a value, which belongs to who evaluates it."""
        if value is None:
            return "NULL"
        if kind == self.suite.ANY_ARRAY:
            return f"({self.type(kind)}){self.make(value.kind, value)}"
        if kind.kind == "opaque":
            return f"(void*)(uintptr_t){value}"
        if kind.kind == "string":
            return f"sidl_String_strdup({text(value)})"
        if kind.kind == "inline":
            elements = [self.scalar(kind.element, each) for _, each in value.columns]
            return f"{{{', '.join(elements)}}}"
        if kind.kind == "struct":
            members = self.suite.STRUCTS[kind.name]
            parts = [f".{name} = {self.make(of, value[name])}" for name, of in members.items()]
            return f"({self.type(kind)}){{{', '.join(parts)}}}"
        if kind.kind == "object":
            return f"new_{kind.name}({value.number})"
        if kind.kind == "array":
            columns = int(kind.order == "column-major")
            made = f"make_{kind.name}({columns}, {self.items(Given(kind, value))})"
            if not value.where:
                return made
            is_part = int(value.where == "part")
            return f"({self.type(kind)})mx_there((struct sidl__array*){made}, {is_part})"
        return self.scalar(kind, value)

    def same(self, kind, place, value):
        """A condition: the place has this value."""
        if value is None:
            return f"!{place}"
        if kind == self.suite.ANY_ARRAY:
            is_of = f"sidl__array_type({place}) == sidl_{value.kind.name}_array"
            array = f"({self.type(value.kind)})(void*){place}"
            return f"({is_of} && {self.same(value.kind, array, value)})"
        if kind.kind == "opaque":
            return f"{place} == {self.make(kind, value)}"
        if kind.kind == "string":
            return f"same_text({place}, {text(value)})"
        if kind.kind == "inline":
            elements = enumerate(each for _, each in value.columns)
            checks = [self.same(kind.element, f"{place}[{i}]", each) for i, each in elements]
            return f"({' && '.join(checks)})"
        if kind.kind == "struct":
            members = self.suite.STRUCTS[kind.name]
            checks = [self.same(of, f"{place}.{name}", value[name]) for name, of in members.items()]
            return f"({' && '.join(checks)})"
        if kind.kind == "object":
            return f"({place} && number_of({place}) == {value.number})"
        if kind.kind == "array" and kind.element.kind == "struct":
            checks = [f"has_bounds({place}, {self.bounds(value)})"]
            for index, each in zip(value.indices, value.values):
                at = f"mx_{kind.name}__array_at64({place}, {self.indices(index)})"
                checks.append(self.same(kind.element, f"(*{at})", each))
            return f"({' && '.join(checks)})"
        if kind.kind == "array":
            return f"same_{kind.name}({place}, {self.items(Given(kind, value))})"
        if "complex" in kind.kind:
            wanted = self.scalar(kind, value)
            return f"({place}.real == {wanted}.real && {place}.imaginary == {wanted}.imaginary)"
        return f"{place} == {self.scalar(kind, value)}"

    def release(self, kind, place):
        """A statement that frees what the place owns."""
        if kind.kind == "string":
            return f"sidl_String_free({place});"
        if kind.kind == "struct":
            return f"mx_{kind.name}__destroy(&{place}, &ex);"
        if kind.kind == "object":
            return f"drop({place});"
        if kind.kind == "array":
            return f"sidl__array_deleteRef((struct sidl__array*){place});"
        return ""

    # ---- implementations -------------------------------------------------------------------------

    def bodies(self):
        """Of all methods."""
        found = {}
        for name, methods in self.suite.METHODS.items():
            for method in methods:
                found[f"mx.{name}.{method.long_name}"] = self.body(name, method)
        found["mx.Child._hincludes"] = '#include "support.h"'
        for name in ("Cell", "Value"):
            found[f"mx.{name}._data"] = "int32_t n;"
            found[f"mx.{name}._hincludes"] = '#include "support.h"'
            found[f"mx.{name}._ctor"] = (
                f"struct mx_{name}__data* const data = calloc(1, sizeof *data);\n"
                f"data->n = 11;\nmx_{name}__set_data(self, data);"
            )
            found[f"mx.{name}._dtor"] = f"free(mx_{name}__get_data(self));"
        for name, body in self.suite.PACKING.items():
            found[f"mx.Value.{name}"] = self.body("Value", None, body)
        return found

    def support(self):
        """What makes and compares values."""
        return {"support.h": SUPPORT.read_text()}

    def body(self, of, method, body=None):
        """The statements of a method."""
        body = body or method.body
        if isinstance(body, Throw):
            result = "0" if method.result.kind != "void" else ""
            return f"SIDL_THROW(*_ex, mx_{body.name}, {text(body.note)});\nEXIT:\nreturn {result};"
        if isinstance(body, Assign):
            return "\n".join(self.assign(method, body))
        data = f"mx_{of}__get_data(self)->n"
        if body.what == "scale":
            return self.scale(method)
        return {
            "get": f"return {data};",
            "set": f"{data} = n;",
            "itself": "mx_Cell_addRef(self, _ex);\nreturn self;",
            "ask": "const int32_t number = mx_Named_number(other, _ex);\nreturn number + n;",
            "bounce": "if (depth == 0) return 0;\n"
            "const int32_t deep = mx_Cell_bounce(other, self, depth - 1, _ex);\nreturn 1 + deep;",
            "relay": "mx_Cell_oops(other, _ex);",
            "hello": "char* const who = mx_Cell_who(self, _ex);\n"
            'char* const said = sidl_String_concat2("I am ", who);\n'
            "sidl_String_free(who);\nreturn said;",
            "chain": "char* const parent = super_chain(self, _ex);\n"
            'char* const said = sidl_String_concat2("child>", parent);\n'
            "sidl_String_free(parent);\nreturn said;",
            "double": "mx_Value_set(v, 2 * mx_Value_number(v, _ex), _ex);\n"
            "mx_Value_addRef(v, _ex);\nreturn v;",
            "total": f"{HERE.format('a')}double sum = 0;\n{EACH}sum += sidlArrayElem1(here, i);\n"
            "sidl__array_deleteRef((struct sidl__array*)here);\nreturn sum;",
            "grow": f"{HERE.format('*y')}{EACH}sidlArrayElem1(here, i) += 1;\n"
            "struct sidl__array* const grown =\n"
            "    sidl__array_in(sidl__array_space(*y), (struct sidl__array*)here);\n"
            "sidl__array_deleteRef((struct sidl__array*)here);\n"
            "sidl__array_deleteRef(*y);\n*y = grown;",
            "touch": 'if (!sidl__array_require_host((struct sidl__array*)a, "a", _ex)) return 0;\n'
            "return sidl_double__array_get1(a, 0);",
            "pack": f'sidl_io_Serializer_packInt(ser, "number", {data}, _ex);',
            "unpack": f'sidl_io_Deserializer_unpackInt(des, "number", &{data}, _ex);',
        }[body.what]

    def scale(self, method):
        """The sum of x; y grows."""
        (_, kind, _), (_, matrix, _), _ = method.args
        count = "n" if matrix.rank == 1 else "2 * n"
        number = kind.element.kind
        add = "sum.real += x[i].real;\n  sum.imaginary += x[i].imaginary;"
        if "complex" not in number:
            add = "sum += x[i];"
        grow = "y[i].real += 1;" if "complex" in number else "y[i] += 1;"
        return (
            f"{self.type(kind.element)} sum = {self.scalar(kind.element, 0)};\n"
            f"for (int32_t i = 0; i < n; ++i) {{\n  {add}\n}}\n"
            f"for (int32_t i = 0; i < {count}; ++i) {{\n  {grow}\n}}\nreturn sum;"
        )

    def assign(self, method, body):
        """Moves, in order."""
        modes = {name: (mode, kind) for mode, kind, name in method.args}
        for target, source in body.moves:
            kind = method.result if target == "result" else modes[target][1]
            to = "*" + target
            if target == "result":
                to = f"{self.type(kind)} result"
            if not isinstance(source, From):
                yield f"{to} = {self.make(kind, source)};"
            elif modes[source.name][0] == "inout":
                yield f"{to} = *{source.name};"
            elif kind.kind == "struct":
                yield f"mx_{kind.name}__copy({source.name}, {target}, _ex);"
            else:
                yield f"{to} = {self.copied(kind, source.name)};"
        if method.result.kind != "void":
            yield "return result;"

    def copied(self, kind, place):
        """An expression: a value of one's own."""
        if kind.kind == "string":
            return f"sidl_String_strdup({place})"
        if kind.kind == "object":
            return f"hold({place})"
        if kind.kind == "array":
            return f"({self.type(kind)})hold_array((struct sidl__array*){place})"
        return place

    # ---- the program -----------------------------------------------------------------------------

    def program(self):
        """A function for each case."""
        parts = ['#include "space.h"', '#include "support.h"', "", "static const char* url;"]
        parts += ["", TARGETS]
        calls = []
        for number, case in enumerate(self.suite.CASES):
            parts += [f"static const char* case_{number}(void) {{", "  SETUP;"]
            lines = self.cast(case) if isinstance(case, Cast) else self.call(case)
            parts += [f"  {line}" for line in lines] + ["}", ""]
            calls.append(f"  tell({text(case.group)}, {text(case.name)}, case_{number}());")
        parts += ["int main(int count, char** arguments) {"]
        parts += ["  url = count > 1 ? arguments[1] : NULL;", *calls, "  return 0;", "}", ""]
        return {"from_c.c": "\n".join(parts), "support.h": SUPPORT.read_text()}

    def cast(self, case):
        """Whether a cast gives something."""
        yield f"mx_{case.on.capitalize()} target = {case.on}_at(url, &ex);"
        yield "if (ex) return told(&ex);"
        yield f"void* const seen = mx_{case.type}__cast(target, &ex);"
        yield f"const int is_right = (seen != NULL) == {int(case.expect)};"
        yield "drop(seen);\n  drop(target);"
        yield "if (ex) return told(&ex);"
        yield 'return is_right ? NULL : "the cast";'

    def call(self, case):
        """The call, its checks, and the end of what it left."""
        method = case.method
        seen = {"named": "Named", "child": "Child"}.get(case.on, "Cell")
        if method.prefix != "static":
            yield f"mx_{seen} target = {case.on.replace(' ', '_')}_at(url, &ex);"
            yield "if (ex) return told(&ex);"
        given = iter(case.args)
        places, passed, sent, received, owned = [], [], [], [], []
        for mode, kind, name in method.args:
            if kind.kind == "rarray":
                value = next(given)
                yield self.raw(kind, name, value)
                passed.append(name)
                places += [(kind, name)] if mode == "inout" else []
                continue
            value = "" if mode == "out" else f" = {self.make(kind, next(given))}"
            if mode == "out":
                value = " = {0}" if kind.kind == "struct" or "complex" in kind.kind else " = 0"
            yield f"{self.type(kind)} {name}{value};"
            owned.append((kind, name))
            is_address = mode != "in" or kind.kind == "struct"
            passed.append(f"&{name}" if is_address else name)
            sent += [name] if mode != "out" else []
            received += [f"&{name}"] if mode != "in" else []
            places += [(kind, name)] if mode != "in" else []
        function = f"mx_{seen}_{method.long_name}"
        begin = [] if method.prefix == "static" else ["target"]
        result = "" if method.result.kind == "void" else f"{self.type(method.result)} result = "
        if method.prefix == "nonblocking":
            yield f"sidl_rmi_Ticket ticket = {function}_send({', '.join([*begin, *sent, '&ex'])});"
            yield "if (ex) return told(&ex);"
            parts = ", ".join([*begin, "ticket", *received, "&ex"])
            yield f"{result}{function}_recv({parts});"
            yield "drop(ticket);"
        else:
            yield f"{result}{function}({', '.join([*begin, *passed, '&ex'])});"
        if isinstance(case.expect, Raises):
            raises = f"{text(case.expect.name)}, {text(case.expect.note)}"
            yield f"failure = thrown(&ex, {raises});"
        else:
            yield "if (ex) return told(&ex);"
            if result:
                places.insert(0, (method.result, "result"))
                owned.append((method.result, "result"))
            for (kind, name), value in zip(places, case.expect):
                if case.group == self.suite.ELSEWHERE and kind.kind == "array":
                    yield from self.bring(kind, name, value)
                yield f'if (!{self.expected(kind, name, value)}) failure = "{name}";'
        if case.then is not None:
            yield f'if (mx_Cell_number(target, &ex) != {case.then}) failure = "then";'
        for kind, name in owned:
            yield self.release(kind, name)
        if begin:
            yield "drop(target);"
        yield "return failure;"

    def bring(self, kind, name, value):
        """Statements that see where an array is, and bring it to host memory."""
        array = f"(struct sidl__array*){name}"
        if value is not None and value.where:
            is_wrong = f"(sidl__array_space({array}) != NULL) != (url == NULL)"
            yield f'if ({is_wrong}) failure = "the place of {name}";'
        yield f"{name} = ({self.type(kind)})mx_here({array});"

    def raw(self, kind, name, array):
        """Memory in column order."""
        columns = array.values
        if kind.rank == 2:
            rows, width = array.shape
            columns = [array.values[width * i + j] for j in range(width) for i in range(rows)]
        values = ", ".join(self.scalar(kind.element, each) for each in columns)
        return f"{self.type(kind.element)} {name}[] = {{{values}}};"

    def expected(self, kind, name, value):
        """A condition, of raw arrays too."""
        if kind.kind != "rarray":
            return f"({self.same(kind, name, value)})"
        wanted = self.raw(kind, "", value)
        wanted = f"(const {self.type(kind.element)}[]){wanted[wanted.index('{') : -1]}"
        return f"(memcmp({name}, {wanted}, sizeof {name}) == 0)"

    def client_project(self):
        return (
            "sidl_add_library(mx_c_client LANGUAGE c CLIENT SIDL ../../mx.sidl)\n"
            "add_executable(mx_from_c from_c.c)\n"
            "target_link_libraries(mx_from_c PRIVATE mx_c_client\n"
            "  $<TARGET_NAME_IF_EXISTS:mx_space>)\n"
        )


class Given:
    """An array's type and value."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value


TARGETS = """
static mx_Cell cell_at(const char* where, sidl_BaseInterface* ex) {
  return where ? mx_Cell__createRemote(where, ex) : mx_Cell__create(ex);
}

static mx_Child child_at(const char* where, sidl_BaseInterface* ex) {
  return where ? mx_Child__createRemote(where, ex) : mx_Child__create(ex);
}

static mx_Named named_at(const char* where, sidl_BaseInterface* ex) {
  mx_Cell cell = cell_at(where, ex);
  mx_Named named = cell ? mx_Named__cast(cell, ex) : NULL;
  drop(cell);
  return named;
}

static mx_Cell child_as_cell_at(const char* where, sidl_BaseInterface* ex) {
  return (mx_Cell)child_at(where, ex);
}
"""

LANGUAGE = C
