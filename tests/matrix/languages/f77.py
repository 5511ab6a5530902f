"""The suite in Fortran 77: fixed source, no modules, callers only."""

from pathlib import Path

from suite import Case, Cast, Raises

from languages import Language

SUPPORT = Path(__file__).with_name("support.f")
F77_TYPES = {
    "bool": "logical",
    "char": "character*1",
    "int": "integer*4",
    "long": "integer*8",
    "float": "real",
    "double": "double precision",
    "fcomplex": "complex",
    "dcomplex": "double complex",
    "string": "character*10000",
    "enum": "integer*4",
}
BLANKS = "blanks at the end of a string are not kept"
NULL_STRING = "a null string is an empty one"
LABEL, BODY = 6, 66  # bytes of a line of fixed source: in front of statements, and for them


def text(value):
    """A literal."""
    return "'" + value.replace("'", "''") + "'"


def folded(statement):
    """A statement on as many lines of fixed source as it needs. It may be broken anywhere but
    within a character: then it begins some blanks later."""
    for blanks in range(BODY):
        code = (" " * blanks + statement).encode()
        parts = [code[at : at + BODY] for at in range(0, len(code), BODY)]
        try:
            return ("\n     &").join(
                [" " * LABEL + parts[0].decode(), *(p.decode() for p in parts[1:])]
            )
        except UnicodeDecodeError:
            continue
    raise ValueError(statement)


class Body:
    """A subroutine that is being written."""

    def __init__(self, end="ok"):
        self.end = end  # what it says if all is as it should be
        self.declarations = []
        self.statements = []

    def __iadd__(self, statement):
        self.statements.append(statement)
        return self

    def variable(self, kind, name="", of=0):
        """A new variable of a type, or an array of so many."""
        name = name or f"v{len(self.declarations)}"
        self.declarations.append(f"{kind} {name}" + (f"({of})" if of else ""))
        return name

    def unless(self, condition):
        """Ends the subroutine if something is not as it should be."""
        self.statements.append(f"if ({condition}) return")

    def lines(self, head):
        """The text."""
        found = [head, "implicit none", "character*(*) url, said", "include 'mx.inc'"]
        found += ["include 'sidl_array.inc'", "integer*8 ex", *self.declarations]
        return [
            folded(line) for line in [*found, *self.statements, f"said = {text(self.end)}", "end"]
        ]


class F77(Language):
    """Fortran 77, as old codes are written."""

    name = "f77"
    title = "F77"
    serves = False
    classes = "c"

    def cannot_call(self, case):
        if case.group == "null strings":
            return NULL_STRING
        given = case.args if isinstance(case, Case) else ()
        has_blanks = any(isinstance(value, str) and value.endswith(" ") for value in given)
        return BLANKS if has_blanks else ""

    def bodies(self):
        return {}

    # ---- values ----------------------------------------------------------------------------------

    def type(self, kind):
        """Of a variable; handles are integer*8."""
        return F77_TYPES.get(kind.kind, "integer*8")

    def scalar(self, kind, value):
        """A literal of a value that has one."""
        if kind.kind == "bool":
            return ".true." if value else ".false."
        if kind.kind in ("char", "string"):
            return text(value)
        if kind.kind == "enum":
            return f"mx_{kind.name}_{value}"
        if kind.kind in ("int", "long", "opaque"):
            last = "" if kind.kind == "int" else "_8"
            return f"({value + 1}{last} - 1{last})" if value < 0 else f"{value}{last}"
        letter = "e" if kind.kind in ("float", "fcomplex") else "d"
        if "complex" in kind.kind:
            value = complex(value)
            return f"({self.real(value.real, letter)}, {self.real(value.imag, letter)})"
        return self.real(value, letter)

    def real(self, value, letter):
        """A number, with the letter that says how exact it is."""
        digits, _, exponent = repr(float(value)).partition("e")
        return f"{digits}{letter}{exponent or 0}"

    def element(self, kind, value):
        """As scalar, of an array: enumerators are long there."""
        if kind.kind == "enum":
            return f"{self.suite.ENUMS[kind.name][value]}_8"
        return self.scalar(kind, value)

    def functions(self, kind):
        """What the names of an array's subroutines begin with."""
        if kind == self.suite.ANY_ARRAY or kind.element.kind == "struct":
            return "sidl__array"
        of = {"enum": "long", "object": "interface"}.get(kind.element.kind, kind.name)
        return f"sidl_{of}__array"

    def own_functions(self, kind):
        """As functions, of those that know the elements, and what their arguments end with."""
        if kind.element.kind == "struct":
            return f"mx_{kind.name}__array", ", ex"
        return self.functions(kind), ""

    def make(self, body, kind, name, value):
        """Gives a variable a value."""
        if value is None:
            body += f"{name} = {text(' ') if kind.kind == 'string' else 0}"
        elif kind.kind == "object":
            of = "Value" if kind.name == "Value" else "Cell"
            body += f"call mx_{of}__create_f({name}, ex)"
            body += f"call mx_{of}_set_f({name}, {value.number}, ex)"
        elif kind.kind == "struct":
            self.make_struct(body, kind, name, value)
        elif kind.kind == "array":
            self.make_array(body, kind, name, value)
        elif kind.kind == "rarray":
            for index, each in zip(value.indices, value.values):
                at = ", ".join(str(i + 1) for i in index)
                body += f"{name}({at}) = {self.scalar(kind.element, each)}"
        else:
            body += f"{name} = {self.scalar(kind, value)}"

    def make_struct(self, body, kind, name, value):
        """As make."""
        body += f"call mx_{kind.name}__create_f({name}, ex)"
        for member, of in self.suite.STRUCTS[kind.name].items():
            given = value[member]
            if of.kind == "inline":
                part = body.variable(self.type(of.element), of=len(given.values))
                for i, (_, each) in enumerate(given.columns, 1):
                    body += f"{part}({i}) = {self.scalar(of.element, each)}"
                body += f"call mx_{kind.name}_set_{member}_f({name}, {part}, ex)"
            elif of.kind in ("struct", "array"):
                part = body.variable("integer*8")
                self.make(body, of, part, given)
                body += f"call mx_{kind.name}_set_{member}_f({name}, {part}, ex)"
                self.release(body, of, part)
            else:
                literal = self.scalar(of, given)
                body += f"call mx_{kind.name}_set_{member}_f({name}, {literal}, ex)"

    def make_array(self, body, kind, name, value):
        """As make."""
        kind = value.kind or kind
        (functions, end), rank = self.own_functions(kind), len(value.shape)
        order = "Col" if kind.order == "column-major" else "Row"
        of, bits = self.indices(value)
        lower, upper = (body.variable(self.type(of), of=rank) for _ in range(2))
        for d, (low, high) in enumerate(value.bounds, 1):
            body += f"{lower}({d}) = {self.scalar(of, low)}"
            body += f"{upper}({d}) = {self.scalar(of, high)}"
        body += f"call {functions}_create{order}{bits}_f({rank}, {lower}, {upper}, {name}{end})"
        for suffix, at, each in self.elements(body, value):
            if kind.element.kind in ("object", "struct"):
                part = body.variable("integer*8")
                self.make(body, kind.element, part, each)
                body += f"call {functions}_set{suffix}({name}, {at}, {part}{end})"
                self.release(body, kind.element, part)
            else:
                literal = self.element(kind.element, each)
                body += f"call {functions}_set{suffix}({name}, {at}, {literal})"
        if value.where:
            body += f"call mxthere({name}, {int(value.where == 'part')})"

    def bring(self, body, name, value):
        """Ends the subroutine unless an array is where it has to be; brings it to host memory."""
        number = body.variable("integer*4")
        body += f"call mxhere({name}, {number})"
        if value is not None and value.where:
            body.unless(f"({number} .eq. 1) .neqv. (url .eq. ' ')")

    def indices(self, array):
        """Their type, and what the names of subroutines with such bounds end with: old codes know
        nothing of wide ones, and what begins at 0 needs none."""
        return (self.suite.LONG, "64") if array.lower else (self.suite.INT, "")

    def elements(self, body, array):
        """The elements, and in front of each the end of the name of a subroutine for it, and the
        arguments that say where it is."""
        rank = len(array.shape)
        place = body.variable("integer*8", of=rank) if array.lower else ""
        for index, each in zip(array.indices, array.values):
            if not array.lower:
                yield f"{rank}_f", ", ".join(map(str, index)), each
                continue
            for d, i in enumerate(index, 1):
                body += f"{place}({d}) = {self.scalar(self.suite.LONG, i)}"
            yield "64_f", place, each

    def release(self, body, kind, name):
        """Gives back what a variable holds."""
        if kind.kind == "object":
            body += f"call mx_{kind.name}_deleteRef_f({name}, ex)"
        elif kind.kind == "array":
            body += f"call {self.functions(kind)}_deleteRef_f({name})"
        elif kind.kind == "struct":
            body += f"call mx_{kind.name}__destroy_f({name}, ex)"

    def check(self, body, kind, name, value):
        """Ends the subroutine if a variable has not this value."""
        if value is None:
            body.unless(f"{name} .ne. {text(' ') if kind.kind == 'string' else 0}")
        elif kind.kind == "object":
            number = body.variable("integer*4")
            body.unless(f"{name} .eq. 0")
            body += f"call mx_{kind.name}_number_f({name}, {number}, ex)"
            body.unless(f"ex .ne. 0 .or. {number} .ne. {value.number}")
        elif kind.kind == "struct":
            for member, of in self.suite.STRUCTS[kind.name].items():
                is_inline = of.kind == "inline"
                count = len(value[member].values) if is_inline else 0
                part = body.variable(self.type(of.element if is_inline else of), of=count)
                body += f"call mx_{kind.name}_get_{member}_f({name}, {part}, ex)"
                body.unless("ex .ne. 0")
                if is_inline:
                    for i, (_, each) in enumerate(value[member].columns, 1):
                        self.check(body, of.element, f"{part}({i})", each)
                    continue
                self.check(body, of, part, value[member])
                self.release(body, of, part)
        elif kind.kind == "array":
            self.check_array(body, kind, name, value)
        elif kind.kind == "rarray":
            for index, each in zip(value.indices, value.values):
                at = ", ".join(str(i + 1) for i in index)
                body.unless(f"{name}({at}) .ne. {self.scalar(kind.element, each)}")
        else:
            operator = ".neqv." if kind.kind == "bool" else ".ne."
            body.unless(f"{name} {operator} {self.scalar(kind, value)}")

    def check_array(self, body, kind, name, value):
        """As check."""
        is_declared = value.kind is None
        kind = value.kind or kind
        functions, rank = self.functions(kind), len(value.shape)
        number = body.variable("integer*4")
        body += f"call {functions}_dimen_f({name}, {number})"
        body.unless(f"{name} .eq. 0 .or. {number} .ne. {rank}")
        of, bits = self.indices(value)
        bound = body.variable(self.type(of))
        for d, (low, high) in enumerate(value.bounds, 1):
            for what, wanted in (("lower", low), ("upper", high)):
                body += f"call {functions}_{what}{bits}_f({name}, {d}, {bound})"
                body.unless(f"{bound} .ne. {self.scalar(of, wanted)}")
        if kind.order or not is_declared:
            body += f"call {functions}_type_f({name}, {number})"
            is_struct = kind.element.kind == "struct"
            of = "sidl_struct" if is_struct else functions.removesuffix("__array")
            body.unless(f"{number} .ne. {of}_array")
        is_enum = kind.element.kind == "enum"
        element = body.variable("integer*8" if is_enum else self.type(kind.element))
        own, end = self.own_functions(kind)
        for suffix, at, each in self.elements(body, value):
            body += f"call {own}_get{suffix}({name}, {at}, {element}{end})"
            if kind.element.kind in ("object", "struct"):
                self.check(body, kind.element, element, each)
                self.release(body, kind.element, element)
            else:
                operator = ".neqv." if kind.element.kind == "bool" else ".ne."
                body.unless(f"{element} {operator} {self.element(kind.element, each)}")

    # ---- the program -----------------------------------------------------------------------------

    def program(self):
        """A subroutine for each case."""
        lines = ["program from77", "character*200 url, said", "call getarg(1, url)"]
        cases = []
        for number, case in enumerate(self.suite.CASES):
            names = f"{text(case.group)}, {text(case.name)}"
            lines += [f"call case{number}(url, said)", f"call tell({names}, said)"]
            # Blanks at the end make no difference, and nothing tells null from empty.
            body = Body(self.cannot_call(case) or "ok")
            if isinstance(case, Cast):
                self.cast(body, case)
            else:
                self.call(body, case)
            cases += ["", *body.lines(f"subroutine case{number}(url, said)")]
        source = ["C     Makes the calls of the suite.", *map(folded, [*lines, "end"]), *cases, ""]
        return {"from_f77.f": "\n".join(source), "support.f": SUPPORT.read_text()}

    def target(self, body, on):
        """Makes what the call is made on."""
        made = "child" if on.startswith("child") else "cell"
        seen = {"named": "mx_Named", "child": "mx_Child"}.get(on, "mx_Cell")
        body.variable("integer*8", "made")
        body.variable("integer*8", "target")
        body += "said = 'target'"
        body += f"call mk{made}(url, made, ex)"
        body.unless("ex .ne. 0")
        body += f"call {seen}__cast_f(made, target, ex)"
        body += f"call mx_{made.capitalize()}_deleteRef_f(made, ex)"

    def cast(self, body, case):
        """Whether a cast gives something."""
        self.target(body, case.on)
        seen = body.variable("integer*8")
        body += "said = 'cast'"
        body += f"call mx_{case.type}__cast_f(target, {seen}, ex)"
        body.unless(f"ex .ne. 0 .or. {seen} {'.eq.' if case.expect else '.ne.'} 0")
        body += f"call mx_{case.type}_deleteRef_f({seen}, ex)"
        body += "call mx_Cell_deleteRef_f(target, ex)"

    def declare(self, body, mode, kind, name, value):
        """A variable, with its value if there is one."""
        if kind.kind == "rarray":
            shape = ", ".join(map(str, value.shape))
            body.declarations.append(f"{self.type(kind.element)} {name}({shape})")
        else:
            body.variable(self.type(kind), name)
        if mode != "out":
            self.make(body, kind, name, value)

    def call(self, body, case):
        """The call and its checks."""
        method = case.method
        begin = [] if method.prefix == "static" else ["target"]
        if begin:
            self.target(body, case.on)
        given, places, owned = iter(case.args), [], []
        for mode, kind, name in method.args:
            self.declare(body, mode, kind, name, None if mode == "out" else next(given))
            places += [(kind, name)] if mode != "in" else []
            owned.append((kind, name))
        if method.result.kind != "void":
            self.declare(body, "out", method.result, "result", None)
            places.insert(0, (method.result, "result"))
            owned.append((method.result, "result"))
        result = [] if method.result.kind == "void" else ["result"]
        seen = {"named": "mx_Named", "child": "mx_Child"}.get(case.on, "mx_Cell")
        function = f"{seen}_{method.long_name}"
        modes = [(mode, name) for mode, _, name in method.args]
        body += "said = 'call'"
        if method.prefix == "nonblocking":
            body.variable("integer*8", "ticket")
            sent = [name for mode, name in modes if mode != "out"]
            body += f"call {function}_send_f({', '.join([*begin, *sent, 'ticket', 'ex'])})"
            body.unless("ex .ne. 0")
            back = ["ticket", *(name for mode, name in modes if mode != "in"), *result]
            body += f"call {function}_recv_f({', '.join([*begin, *back, 'ex'])})"
        else:
            names = [*begin, *(name for _, name in modes), *result, "ex"]
            body += f"call {function}_f({', '.join(names)})"
        if isinstance(case.expect, Raises):
            body += f"call thrown(ex, {text(case.expect.name)}, {text(case.expect.note)}, said)"
            body.unless("said .ne. 'ok'")
        else:
            body += "if (ex .ne. 0) then"
            body += "call told(ex, said)"
            body += "return"
            body += "end if"
            for (kind, name), value in zip(places, case.expect):
                body += f"said = '{name}'"
                if case.group == self.suite.ELSEWHERE and kind.kind == "array":
                    self.bring(body, name, value)
                self.check(body, kind, name, value)
        if case.then is not None:
            number = body.variable("integer*4")
            body += "said = 'then'"
            body += f"call mx_Cell_number_f(target, {number}, ex)"
            body.unless(f"{number} .ne. {case.then}")
        if method.prefix == "nonblocking":
            owned.append((self.suite.Type("object", "Cell"), "ticket"))
        for kind, name in [*owned, *((self.suite.CELL, each) for each in begin)]:
            self.release(body, kind, name)

    def client_project(self):
        return (
            "sidl_add_library(mx_f77_client LANGUAGE f77 CLIENT SIDL ../../mx.sidl)\n"
            "add_executable(mx_from_f77 from_f77.f support.f)\n"
            "target_compile_options(mx_from_f77 PRIVATE -std=legacy)\n"
            "target_link_libraries(mx_from_f77 PRIVATE mx_f77_client\n"
            "  $<TARGET_NAME_IF_EXISTS:mx_space>)\n"
        )


LANGUAGE = F77
