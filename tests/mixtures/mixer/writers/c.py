"""Mixtures in C."""

from pathlib import Path

from languages.c import C
from suite import From

from mixer.packages import ANY_ARRAY
from mixer.writers import Mixed

HERE = Path(__file__).parent
SIZES = {"bool": "sidl_bool", "char": "char", "int": "int32_t", "long": "int64_t",
         "float": "float", "double": "double", "fcomplex": "struct sidl_fcomplex",
         "dcomplex": "struct sidl_dcomplex"}  # fmt: skip


class MixedC(Mixed, C):
    """C11."""

    def support(self):
        return {"mix.h": (HERE / "mix.h").read_text(), "mixed.h": self.header()}

    def program(self):
        driver = (HERE / "driver.c").read_text()
        return {**self.support(), "dispatch.h": "\n".join(self.dispatch()), "from_c.c": driver}

    def dispatch(self):
        """A call by a method's number, and how many objects come of it."""
        yield '#include "mixed.h"\n'
        yield "static int64_t dispatch(int64_t method, mx_Cell target, int64_t k, mx_Cell* in,"
        yield "                        mx_Cell* out, char* text) {"
        yield "  sidl_BaseInterface ex = NULL;\n  int64_t found = -2;\n  switch (method) {"
        for n, of, _ in self.called():
            yield f"    case {n}: {{\n      mx_{of} seen = mx_{of}__cast(target, &ex);"
            yield f"      if (seen) found = tell_{n}(seen, k, in, out, text);"
            yield "      drop(seen);\n      break;\n    }"
        yield "    default: break;\n  }\n  return found;\n}"
        numbers = ", ".join(str(method.got()) for _, _, method in self.called())
        yield "\nstatic int got_by(int64_t method) {"
        yield f"  return (const int[]){{{numbers}}}[method];\n}}\n"

    # ---- values ----------------------------------------------------------------------------------

    def made(self, kind, key, nulls=True, room="NULL"):
        """An expression: the value of a key."""
        nulls = int(nulls)
        if kind == ANY_ARRAY:
            return f"make_any({key}, {nulls})"
        if kind.kind == "array":
            return f"make_{kind.name}_array({key}, {nulls}, {kind.rank}, {room})"
        return f"make_{kind.name or kind.kind}({key})"

    def code(self, kind, place):
        """An expression: the code of a value."""
        if kind == ANY_ARRAY:
            return f"code_any({place})"
        if kind.kind == "array":
            return f"code_{kind.name}_array({place})"
        if kind.kind == "struct":
            return f"code_{kind.name}(&{place})"
        return f"code_{kind.name or kind.kind}({place})"

    def header(self):
        """Values of the package's own types, and a function for each call."""
        parts = ["#ifndef MIXED_H", "#define MIXED_H", '#include "mix.h"']
        for name, values in self.package.ENUMS.items():
            numbers = ", ".join(map(str, values.values()))
            parts += [
                f"static inline int64_t make_{name}_item(int64_t k) {{",
                f"  static const int64_t all[] = {{{numbers}}};",
                "  return all[k % MIX_COUNT(all)];",
                "}",
                f"static inline enum mx_{name}__enum make_{name}(int64_t k) {{",
                f"  return (enum mx_{name}__enum)make_{name}_item(k);",
                "}",
                f"static inline int64_t code_{name}(int64_t v) {{ return code_long(v); }}",
                f"MIX_ARRAYS({name}, mx_{name}, int64_t, 0, MIX_BORROW, make_{name}_item,"
                " code_long, MIX_NOTHING)",
            ]
        for name, members in self.package.STRUCTS.items():
            parts += self.struct(name, members)
        for n, of, method in self.called():
            parts += self.caller(n, of, method)
        return "\n".join([*parts, "#endif", ""])

    def struct(self, name, members):
        """Its two functions."""
        kind = f"struct mx_{name}__data"
        yield f"static inline {kind} make_{name}(int64_t k) {{"
        yield f"  {kind} made;\n  mx_{name}__init(&made);"
        for j, (member, of) in enumerate(members.items()):
            value = self.made(of, f"mix(k, {20 + j})")
            yield f"  made.{member} = {value};"
        yield "  return made;\n}"
        yield f"static inline int64_t code_{name}(const {kind}* v) {{\n  int64_t h = 11;"
        for member, of in members.items():
            yield f"  h = mix(h, {self.code(of, f'v->{member}')});"
        yield "  return h;\n}"

    # ---- calls -----------------------------------------------------------------------------------

    def caller(self, n, of, method):
        """A function that makes arguments, calls, and gives the code of what came back."""
        yield f"static inline int64_t tell_{n}(mx_{of} self, int64_t key, mx_Cell* in,"
        yield "                               mx_Cell* out, char* text) {"
        yield "  sidl_BaseInterface ex = NULL;\n  int64_t total = 17;"
        yield "  (void)key, (void)in, (void)out;"
        names, sent, received, owned, raw = [], [], [], [], []
        given = 0
        for j, (mode, kind, name) in enumerate(method.args):
            address = f"&{name}" if mode != "in" or kind.kind == "struct" else name
            if kind.kind == "rarray" or name == "n" and method.args[0][1].kind == "rarray":
                yield from self.raw_argument(j, kind, name, method)
                names.append(name)
                raw += [name] if kind.kind == "rarray" else []
                continue
            yield from self.argument(j, mode, kind, name, method, given)
            given += self.is_object(kind) and mode != "out"
            names.append(address)
            sent += [f"&{name}" if kind.kind == "struct" else name] if mode != "out" else []
            received += [f"&{name}"] if mode != "in" else []
            owned.append((kind, name))
        function = f"mx_{of}_{method.long_name}"
        result = "" if method.result.kind == "void" else "result = "
        if result:
            zero = "{0}" if method.result.kind == "struct" or "complex" in method.result.kind else 0
            yield f"  {self.type(method.result)} result = {zero};"
            owned.append((method.result, "result"))
        if method.prefix == "nonblocking":
            yield "  if (key % 2) {"
            begin = f"{function}_send({', '.join(['self', *sent, '&ex'])})"
            yield f"    sidl_rmi_Ticket ticket = {begin};"
            back = ", ".join(["self", "ticket", *received, "&ex"])
            yield f"    if (!ex) {result}{function}_recv({back});\n    drop(ticket);\n  }} else"
        yield f"  {result}{function}({', '.join(['self', *names, '&ex'])});"
        yield "  if (ex) {\n    total = mix_thrown(&ex, text);\n    if (text) total = -1;"
        yield "  } else {"
        got = 0
        for kind, name in self.places(method):
            yield f"    total = mix(total, {self.code_back(kind, name)});"
            if self.is_object(kind):
                yield f"    if (out) out[{got}] = mx_Cell__cast({name}, &ex);"
                got += 1
        yield "  }"
        for kind, name in owned:
            if release := self.release(kind, name):
                yield f"  {release}"
        yield from (f"  let_go(raw_{name});\n  free({name});" for name in raw)
        yield "  return total;\n}"

    def code_back(self, kind, name):
        """The code of what came back, a raw array too."""
        if kind.kind == "rarray":
            return f"code_{kind.name}_array(raw_{name})"
        return self.code(kind, name)

    def argument(self, j, mode, kind, name, method, given):
        """A variable and its value."""
        if mode == "out":
            zero = "{0}" if kind.kind == "struct" or "complex" in kind.kind else 0
            yield f"  {self.type(kind)} {name} = {zero};"
            return
        key, room = f"mix(key, {100 + j})", "NULL"
        if self.is_object(kind):
            cast = f"mx_{kind.name}__cast(in[{given}], &ex)"
            yield f"  {self.type(kind)} {name} = in ? {cast} : NULL;"
            return
        is_lent = method.lent and kind.kind == "array" and kind.name in SIZES
        if is_lent and not kind.order:
            room = f"alloca(mix_room({kind.rank}, {key}, sizeof({SIZES[kind.name]})))"
            yield f"  void* const room_{name} = {room};"
            room = f"room_{name}"
        yield f"  {self.type(kind)} {name} = {self.made(kind, key, method.nulls, room)};"

    def raw_argument(self, j, kind, name, method):
        """Memory of the caller's, or how long it is."""
        (_, _, _), (_, y, _), _ = method.args
        lengths = "mix_few[mix(key, 102) % 5]" if y.rank == 2 else "mix_lengths[mix(key, 102) % 24]"
        if name == "n":
            return
        if name == "x":
            yield f"  const int32_t n = {lengths};"
        element = SIZES[kind.name]
        yield f"  {element}* const {name} = malloc(sizeof({element}) * (size_t)(2 * n + 1));"
        yield f"  const int32_t lower_{name}[] = {{0, 0}}, upper_{name}[] = {{n - 1, 1}};"
        yield f"  const int32_t stride_{name}[] = {{1, n}};"
        yield f"  struct sidl_{kind.name}__array* const raw_{name} ="
        yield f"      sidl_{kind.name}__array_borrow({name}, {kind.rank}, lower_{name},"
        yield f"                                     upper_{name}, stride_{name});"
        yield f"  fill_{kind.name}_array(raw_{name}, mix(key, {100 + j}));"

    # ---- implementations -------------------------------------------------------------------------

    def blocks(self):
        found = {"mx.Child._hincludes": '#include "mixed.h"'}
        for name, members in (
            ("Cell", "int64_t n, total;\nmx_Named object;\nchar* text;\n"
             "struct sidl_double__array *numbers, *traded;"),
            ("Value", "int64_t n;"),
        ):  # fmt: skip
            found[f"mx.{name}._data"] = members
            found[f"mx.{name}._hincludes"] = '#include "mixed.h"'
            found[f"mx.{name}._ctor"] = (
                f"struct mx_{name}__data* const data = calloc(1, sizeof *data);\n"
                f"mx_{name}__set_data(self, data);"
            )
            found[f"mx.{name}._dtor"] = f"free(mx_{name}__get_data(self));"
        found["mx.Cell._includes"] = "static int64_t alive;"
        found["mx.Cell._ctor"] += "\n__atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);"
        found["mx.Cell._dtor"] = (
            "struct mx_Cell__data* const data = mx_Cell__get_data(self);\n"
            "__atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);\ndrop(data->object);\n"
            "free(data->text);\nlet_go(data->numbers);\nlet_go(data->traded);\nfree(data);"
        )
        return found

    def transform(self, of, method):
        """The code of what came in makes what goes out."""
        kinds = {name: (mode, kind) for mode, kind, name in method.args}
        kinds["result"] = ("out", method.result)
        result = "return result;" if method.result.kind != "void" else ""
        yield f"int64_t h = {method.number};"
        for mode, kind, name in method.of_mode("in", "inout"):
            yield f"h = mix(h, {self.code_in(mode, kind, name)});"
        if method.result.kind != "void":
            zero = method.result.kind == "struct" or "complex" in method.result.kind
            yield f"{self.type(method.result)} result = {'{0}' if zero else '0'};"
        if method.throws:
            for i, name in enumerate(("Oops", "Worse", "Sudden")):
                yield f"if (h % 6 == {i}) {{\n  char note[40];"
                yield '  snprintf(note, sizeof note, "n%lld", (long long)h);'
                yield f"  SIDL_THROW(*_ex, mx_{name}, note);\n}}"
        if of == "Child":
            yield "mx_Child_add(self, h, _ex);"
        else:
            yield "mix_add(&mx_Cell__get_data(self)->total, h);"
        moved = {source.name for _, source in method.body.moves if isinstance(source, From)}
        for target, source in method.body.moves:
            mode, kind = kinds[target]
            to = "result" if target == "result" else f"*{target}"
            if isinstance(source, From):
                yield from self.moved(kind, target, to, source.name, kinds[source.name][0])
                continue
            key = f"mix(h, {source.number})"
            if kind.kind == "rarray":
                yield from self.grow(kind, target, key)
            elif source.fills:
                yield f"fill_{kind.name}_array({to}, {key});"
            else:
                release = self.release(kind, f"({to})") if mode == "inout" else ""
                if release and target not in moved:
                    yield release.replace("&ex", "_ex")
                yield f"{to} = {self.made(kind, key, method.nulls)};"
        if method.throws:
            yield "EXIT:;"
        yield result

    def code_in(self, mode, kind, name):
        """The code of an argument."""
        if kind.kind == "rarray":
            rank, lengths = kind.rank, "n - 1, 1"
            return (
                f"({{\n  const int32_t low[] = {{0, 0}}, high[] = {{{lengths}}}, by[] = {{1, n}};\n"
                f"  struct sidl_{kind.name}__array* const seen =\n"
                f"      sidl_{kind.name}__array_borrow({name}, {rank}, low, high, by);\n"
                f"  const int64_t code = code_{kind.name}_array(seen);\n"
                "  let_go(seen);\n  code;\n})"
            )
        if kind.kind == "struct":
            return f"code_{kind.name}({name})"
        return self.code(kind, name if mode == "in" else f"*{name}")

    def grow(self, kind, name, key):
        """Other elements of a raw array."""
        columns = 1 if kind.rank == 1 else 2
        yield f"for (int32_t i = 0; i < n; ++i) {{\n  for (int32_t j = 0; j < {columns}; ++j) {{"
        yield f"    {name}[i + n * j] = make_{kind.name}(mix({key}, 1000 + i * {columns} + j));"
        yield "  }\n}"

    def moved(self, kind, target, to, name, mode):
        """What was given goes back."""
        if mode == "inout":
            yield f"{to} = *{name};"
        elif kind.kind == "struct":
            address = "&result" if target == "result" else target
            if target != "result":
                yield f"mx_{kind.name}__init({address});"
            yield f"mx_{kind.name}__copy({name}, {address}, _ex);"
        elif kind.kind == "array":
            yield f"{to} = kept({name});"
        else:
            yield f"{to} = {self.copied(kind, name)};"

    def special(self, of, method, what):
        """See model.py."""
        data = f"mx_{of}__get_data(self)"
        if what == "relay":
            n = self.relayed(method)
            return f"return other ? tell_{n}(other, positive(k), NULL, NULL, NULL) : 1;"
        if what.startswith("hold"):
            kind = what.removeprefix("hold").lower()
            number = "const int64_t id = code_Named(a);\n" if kind == "object" else ""
            keep = {
                "object": f"a && id < {data}->n ? hold(a) : NULL",
                "text": "sidl_String_strdup(a)",
                "numbers": "kept(a)",
            }[kind]
            holds = self.type(method.result)
            place = f"{data}->{kind}"
            return f"{number}{holds} const before = {place};\n{place} = {keep};\nreturn before;"
        return {
            "id": f"return {data}->n;",
            "setId": f"{data}->n = n;",
            "total": f"return {data}->total;",
            "alive": "return __atomic_load_n(&alive, __ATOMIC_RELAXED);",
            "used": "return mix_used();",
            "note": f"mix_add(&{data}->total, positive(k));",
            "trade": f"struct sidl_double__array* const before = {data}->traded;\n"
            f"{data}->traded = *a;\n"
            "if (before && sidlLength(before, 0) == sidlLength(*a, 0)) {\n  *a = before;\n"
            "} else {\n  sidl_double__array_addRef(*a);\n  let_go(before);\n}",
            "swap": "mx_Value const before = *w;\n*w = hold(v);\nreturn before;",
            "pack": f'sidl_io_Serializer_packLong(ser, "number", {data}->n, _ex);',
            "unpack": f'sidl_io_Deserializer_unpackLong(des, "number", &{data}->n, _ex);',
            "later": "return a->m;",
        }[what]


WRITER = MixedC
