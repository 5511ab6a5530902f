"""The suite in Fortran."""

from pathlib import Path

from suite import Assign, Case, Cast, From, Raises, Throw

from languages import Language

SUPPORT = Path(__file__).with_name("support.f90")
FORTRAN_TYPES = {
    "bool": "logical",
    "char": "character(kind=c_char)",
    "int": "integer(int32)",
    "long": "integer(int64)",
    "float": "real(real32)",
    "double": "real(real64)",
    "fcomplex": "complex(real32)",
    "dcomplex": "complex(real64)",
    "string": "character(:), allocatable",
    "enum": "integer(sidl_enum)",
    "opaque": "type(c_ptr)",
}
WIDTH = 90  # of lines; the compiler counts bytes, up to 132
OWNERS = ("Named", "Point", "Line")  # objects, and structs that own something
COPIED = ("char", "string", *OWNERS)  # arrays of these are allocatables of an implementation
CHANGEABLE = ("string", *OWNERS)  # and of these are allocatables of a caller, if they are inout

HERE = (
    "type(sidl_array) :: here\nreal(real64), pointer :: elements(:)\n"
    "call here%to_host({}, exception)\ncall sidl_view_array(elements, here%d_array)\n"
)

ON_HOST = "in one process, arrays of its own are in host memory"
NULL_STRING = "a null string is an empty one"
BLANKS = "blanks at the end of a string are not kept"


class Declaration(str):
    """A line that has to stand before all statements."""


def text(value):
    """A literal."""
    return "'" + value.replace("'", "''") + "'"


def folded(line):
    """A statement on as many lines as it needs."""
    parts = [line[at : at + WIDTH] for at in range(0, len(line), WIDTH)] or [""]
    return "&\n&".join(parts)


def indices(value):
    """Those of the elements, in the order in which Fortran has them."""
    return sorted(value.indices, key=lambda index: index[::-1])


def by_columns(value):
    """The elements in that order."""
    elements = dict(zip(value.indices, value.values))
    return [elements[index] for index in indices(value)]


def has_parts(kind):
    """Whether an array has objects or structs: elements that are written down one by one."""
    return kind.element.kind in ("object", "struct")


def whole(numbers, is_wide=True):
    """An expression of an array of bounds."""
    bits = "_int64" if is_wide else ""
    return f"[{', '.join(f'{number}{bits}' for number in numbers)}]"


class Fortran(Language):
    """Fortran 2018."""

    name = sidlc = "fortran"
    title = "Fortran"

    # ---- what cannot be --------------------------------------------------------------------------

    def cannot_call(self, case):
        reason = self.cannot_serve(case)
        return "" if reason == ON_HOST else reason  # it has handles for them

    def cannot_serve(self, case):
        if case.group == "null strings":
            return NULL_STRING
        given = case.args if isinstance(case, Case) else ()
        if case.group == self.suite.ELSEWHERE and case.method.args[0][1].name:
            return ON_HOST
        has_blanks = any(isinstance(value, str) and value.endswith(" ") for value in given)
        return BLANKS if has_blanks else ""

    def form(self, case):
        """How the call has its arrays: "handle", as type(sidl_array), where Fortran's own cannot be
        what the case says; else what comes back is "pointer" or "allocatable"."""
        kinds = [(mode, kind) for mode, kind, _ in case.method.args if mode != "out"]
        changes = dict(case.method.body.moves) if isinstance(case.method.body, Assign) else {}
        for (mode, kind), value in zip(kinds, case.args):
            is_changeable = mode == "inout" and kind.name in CHANGEABLE
            if kind.kind != "array" or kind == self.suite.ANY_ARRAY or is_changeable:
                continue
            if value is None or value.lower or value.where:
                return "handle"
            if mode == "inout" and changes["io"].shape != value.shape:
                return "handle"
        if case.group == "arrays" or any(kind.order == "column-major" for _, kind in kinds):
            return "allocatable"
        return "pointer"

    # ---- types and values -----------------------------------------------------------------------

    def type(self, kind):
        """The type of a variable that is no array."""
        if kind.kind in ("struct", "object"):
            return f"type(mx_{kind.name})"
        return FORTRAN_TYPES[kind.kind]

    def scalar(self, kind, value):
        """An expression of a value that is no array, struct or object."""
        if kind.kind == "bool":
            return ".true." if value else ".false."
        if kind.kind in ("char", "string"):
            return text(value)
        if kind.kind == "opaque":
            return f"transfer({value or 0}_c_intptr_t, c_null_ptr)"
        if kind.kind == "enum":
            return f"mx_{kind.name}_{value}"
        if kind.kind in ("int", "long"):
            bits = "int32" if kind.kind == "int" else "int64"
            return f"({value + 1}_{bits} - 1_{bits})" if value < 0 else f"{value}_{bits}"
        bits = "real32" if kind.kind in ("float", "fcomplex") else "real64"
        if "complex" in kind.kind:
            value = complex(value)
            return f"({value.real!r}_{bits}, {value.imag!r}_{bits})"
        return f"{float(value)!r}_{bits}"

    def length(self, value):
        """Of the characters that hold each string of an array."""
        return max((len(each.encode()) for each in value.values), default=1)

    def items(self, kind, value):
        """An expression of an array that has no objects."""
        element = self.type(kind.element)
        if kind.name == "string":
            element = f"character({self.length(value)})"
        values = ", ".join(self.scalar(kind.element, each) for each in by_columns(value))
        made = f"[{element} :: {values}]"
        if len(value.shape) == 1:
            return made
        return f"reshape({made}, [{', '.join(map(str, value.shape))}])"

    def set(self, kind, place, value):
        """Statements that give a value to a place that has room for it."""
        if kind.kind == "object":
            if value is not None and kind.name == "Named":
                yield from ["block", "  type(mx_Cell) :: cell", "  call cell%create()"]
                yield from [f"  call cell%set({value.number})", f"  {place} = cell", "end block"]
            elif value is not None:
                yield from [f"call {place}%create()", f"call {place}%set({value.number})"]
        elif kind.kind == "struct":
            for name, of in self.suite.STRUCTS[kind.name].items():
                yield from self.set(of, f"{place}%{name}", value[name])
        elif kind.kind == "inline":
            for index, each in value.columns:
                at = f"{place}({', '.join(str(i + 1) for i in index)})"
                yield from self.set(kind.element, at, each)
        elif kind.kind == "array" and has_parts(kind):
            for at, each in self.items_at(place, value):
                yield from self.set(kind.element, at, each)
        elif kind.kind in ("array", "rarray"):
            if "%" in place:
                yield f"call sidl_make({place}%d_array, {self.items(kind, value)}, [0])"
            else:
                yield f"{place} = {self.items(kind, value)}"
        else:
            yield f"{place} = {self.scalar(kind, value)}"

    def items_at(self, place, value):
        """The places of elements and their values, wherever the array begins."""
        for index, each in zip(indices(value), by_columns(value)):
            at = [
                f"lbound({place}, {d}, int64) + {i - low}"
                for d, (i, (low, _)) in enumerate(zip(index, value.bounds), 1)
            ]
            yield f"{place}({', '.join(at)})", each

    def allocate(self, kind, place, value):
        """A statement that makes room for an array in an allocatable."""
        bounds = ", ".join(f"{low}_int64:{high}_int64" for low, high in value.bounds)
        of = f"character({self.length(value)}) :: " if kind.name == "string" else ""
        return f"allocate ({of}{place}({bounds}))"

    def make(self, kind, place, value):
        """Statements that make a sidl_array."""
        lower = whole((low for low, _ in value.bounds), value.lower)
        kind = value.kind or kind
        if has_parts(kind):
            shape = ", ".join(f"0:{length - 1}" for length in value.shape)
            yield from ["block", f"  {self.type(kind.element)} :: items({shape})"]
            yield from (f"  {line}" for line in self.set(kind, "items", value))
            maker, items = "sidl_make_structs", "items"
            if kind.element.kind == "object":
                maker, items = "sidl_make_handles", "items%d_ior"
            yield f"  call {maker}({place}%d_array, {items}, {lower})"
            yield "end block"
        else:
            maker = "sidl_make_text" if kind.name == "string" else "sidl_make"
            yield f"call {maker}({place}%d_array, {self.items(kind, value)}, {lower})"
        if value.where:
            is_part = int(value.where == "part")
            yield f"{place}%d_array = mx_there({place}%d_array, {is_part}_c_int32_t)"

    def bring(self, name, value):
        """Statements that see where a sidl_array is, and bring it to host memory."""
        if value.where:
            yield f"said = 'the place of {name}'"
            yield f"if ({name}%is_on_host() .eqv. url == '') return"
        yield Declaration(f"type(sidl_array) :: here_{name}")
        yield f"call here_{name}%to_host({name})"
        yield f"{name} = here_{name}"

    def check_handle(self, kind, name, value):
        """Statements that leave the function if a sidl_array is not one with the value."""
        if value is None:
            yield f"if ({name}%not_null()) return"
            return
        if value.kind:
            kind = value.kind
            yield f"if ({name}%kind() /= sidl_{kind.name}_array) return"
        lower, upper = map(whole, zip(*value.bounds))
        yield f"if (.not. has_bounds({name}, {lower}, {upper})) return"
        if kind.element.kind == "struct":
            yield Declaration(f"{self.type(kind.element)} :: item_{name}")
            for index, each in zip(indices(value), by_columns(value)):
                yield f"call sidl_get({name}%d_array, {whole(index)}, item_{name})"
                for condition in self.differs(kind.element, f"item_{name}", each):
                    yield f"if ({condition}) return"
            return
        if kind.name in COPIED:
            for index, each in zip(indices(value), by_columns(value)):
                at = f"{name}, {whole(index)}"
                wrong = (
                    f"number_at({at}) /= {each.number}"
                    if kind.name == "Named"
                    else f".not. same_text(text_at({at}), {text(each)})"
                )
                yield f"if ({wrong}) return"
            return
        yield Declaration(
            f"{self.type(kind.element)}, pointer :: seen_{name}({', '.join(':' * kind.rank)})"
        )
        yield f"call sidl_view_array(seen_{name}, {name}%d_array)"
        operator = ".neqv." if kind.name == "bool" else "/="
        yield f"if (any(seen_{name} {operator} {self.items(kind, value)})) return"

    def differs(self, kind, place, value, form="allocatable"):
        """Conditions, to be looked at in order: the place has another value. `form` is that of an
        array; "" if it is the caller's own."""
        if kind.kind == "struct":
            for name, of in self.suite.STRUCTS[kind.name].items():
                yield from self.differs(of, f"{place}%{name}", value[name])
        elif kind.kind == "inline":
            for index, each in value.columns:
                at = f"{place}({', '.join(str(i + 1) for i in index)})"
                yield from self.differs(kind.element, at, each)
        elif kind.kind == "object":
            yield f"{place}%is_null()" if value else f"{place}%not_null()"
            if value:
                yield f"{place}%number() /= {value.number}"
        elif kind.kind in ("array", "rarray"):
            yield from self.differs_array(kind, place, value, form)
        elif kind.kind == "opaque":
            yield f"transfer({place}, 0_c_intptr_t) /= {value or 0}_c_intptr_t"
        elif kind.kind == "string":
            yield f".not. allocated({place})"
            yield f".not. same_text({place}, {text(value)})"
        elif kind.kind == "bool":
            yield f"{place} .neqv. {self.scalar(kind, value)}"
        else:
            yield f"{place} /= {self.scalar(kind, value)}"

    def differs_array(self, kind, place, value, form):
        """As differs."""
        if "%" in place:
            yield f".not. same_array({place}, {self.items(kind, value)})"
            return
        state = "associated" if form == "pointer" else "allocated"
        if value is None:
            yield f"{state}({place})"
            return
        if form:
            yield f".not. {state}({place})"
            yield f"any(shape({place}) /= [{', '.join(map(str, value.shape))}])"
            if value.values:
                lower = whole(low for low, _ in value.bounds)
                yield f"any(lbound({place}, kind=int64) /= {lower})"
        if has_parts(kind):
            for at, each in self.items_at(place, value):
                yield from self.differs(kind.element, at, each)
        else:
            operator = ".neqv." if kind.name == "bool" else "/="
            yield f"any({place} {operator} {self.items(kind, value)})"

    # ---- implementations -------------------------------------------------------------------------

    def bodies(self):
        """Of all methods."""
        found = {}
        for name, methods in self.suite.METHODS.items():
            for method in methods:
                found[f"mx.{name}.{method.long_name}"] = self.body(method, method.body)
        found["mx.Cell._use"] = "use mx_Worse__m\nuse mx_Sudden__m"
        for name in ("Cell", "Value"):
            found[f"mx.{name}._data"] = "integer(int32) :: n = 11"
        for name, body in self.suite.PACKING.items():
            found[f"mx.Value.{name}"] = self.body(None, body)
        return {name: "\n".join(map(folded, body.split("\n"))) for name, body in found.items()}

    def body(self, method, body):
        """The statements of a method."""
        if isinstance(body, Throw):
            result = "" if method.result.kind == "void" else "retval = 0\n"
            return (
                f"type(mx_{body.name}) :: thrown\n{result}"
                f"call sidl_throw(exception, thrown, {text(body.note)}, '{method.name}')"
            )
        if isinstance(body, Assign):
            return "\n".join(self.assign(method, body))
        return {
            "get": "retval = self%n",
            "set": "self%n = n",
            "itself": "retval = self%this",
            "ask": "retval = other%number(exception) + n",
            "bounce": "retval = 0\n"
            "if (depth > 0) retval = 1 + other%bounce(self%this, depth - 1, exception)",
            "relay": "call other%oops(exception)",
            "hello": "retval = 'I am ' // self%this%who(exception)",
            "chain": "retval = 'child>' // super_chain(self, exception)",
            "double": "call v%set(2 * v%number())\nretval = v",
            "scale": "retval = sum(x)\ny = y + 1",
            "total": f"{HERE.format('a')}retval = sum(elements)",
            "grow": f"{HERE.format('y')}elements = elements + 1\ny = here",
            "touch": "retval = a(0)",
            "pack": "call ser%packInt('number', self%n, exception)",
            "unpack": "call des%unpackInt('number', self%n, exception)",
        }[body.what]

    def assign(self, method, body):
        """Moves, in order."""
        kinds = {name: kind for _, kind, name in method.args} | {"result": method.result}
        for target, source in body.moves:
            kind = kinds[target]
            to = "retval" if target == "result" else target
            if isinstance(source, From):
                yield from self.moved(kind, to, source.name)
                continue
            if kind == self.suite.ANY_ARRAY:
                yield from self.make(kind, to, source)
                continue
            if kind.kind == "array" and kind.name in COPIED:
                yield f"if (allocated({to})) deallocate ({to})"
                yield self.allocate(kind, to, source)
            elif kind.kind == "array":
                lower, upper = (whole(bounds, source.lower) for bounds in zip(*source.bounds))
                yield f"call sidl_allocate({to}, {upper}, {lower})"
            yield from self.set(kind, to, source)

    def moved(self, kind, to, place):
        """Statements: what is at another place."""
        if kind.kind != "array" or kind == self.suite.ANY_ARRAY:
            yield f"{to} = {place}"
        elif kind.name in COPIED:
            bounds = ", ".join(
                f"lbound({place}, {d}, int64):ubound({place}, {d}, int64)"
                for d in range(1, kind.rank + 1)
            )
            of = f"character(len({place})) :: " if kind.name == "string" else ""
            yield f"if (allocated({place})) then"
            yield from [f"  allocate ({of}{to}({bounds}))", f"  {to} = {place}", "end if"]
        else:
            yield f"{to} => {place}"

    # ---- the program -----------------------------------------------------------------------------

    def program(self):
        """A function for each case."""
        parts = ["! Makes the calls of the suite.", "program from_fortran"]
        parts += ["  use, intrinsic :: iso_c_binding", "  use, intrinsic :: iso_fortran_env"]
        parts += ["  use sidl", "  use sidl_rmi", "  use mx", "  use support", "  implicit none"]
        parts += ["  character(200) :: url", "  call get_command_argument(1, url)"]
        functions = []
        for number, case in enumerate(self.suite.CASES):
            names = f"{text(case.group)}, {text(case.name)}"
            parts.append(f"  call tell({names}, case_{number}())")
            lines = list(self.cast(case) if isinstance(case, Cast) else self.call(case))
            lines.sort(key=lambda line: not isinstance(line, Declaration))
            functions += ["", f"  function case_{number}() result(said)"]
            functions += ["    character(:), allocatable :: said"]
            functions += [f"    {line}" for line in lines]
            functions += [f"  end function case_{number}"]
        parts += ["", "contains", *functions, "", "end program from_fortran", ""]
        source = "\n".join(map(folded, "\n".join(parts).split("\n")))
        return {"from_fortran.f90": source, "support.f90": SUPPORT.read_text()}

    def target(self, on):
        """Makes what the call is made on."""
        made = "child" if on.startswith("child") else "cell"
        seen = {"named": "mx_Named", "child": "mx_Child"}.get(on, "mx_Cell")
        yield Declaration(f"type({seen}) :: target")
        yield Declaration(f"type(mx_{made.capitalize()}) :: made")
        yield "if (url == '') then"
        yield from ["  call made%create()", "else", "  call made%create_remote(url)", "end if"]
        yield "target = made"

    def cast(self, case):
        """Whether a cast gives something."""
        yield from self.target(case.on)
        yield Declaration(f"type(mx_{case.type}) :: seen")
        yield "seen = target"
        yield "said = 'the cast'"
        yield f"if (seen%{'not_null' if case.expect else 'is_null'}()) said = 'ok'"

    def declare(self, mode, kind, name, value, form):
        """A variable, with its value if there is one."""
        returns = mode == "out" or (mode == "inout" and kind.name in CHANGEABLE)
        if kind.kind not in ("array", "rarray"):
            yield Declaration(f"{self.type(kind)} :: {name}")
        elif kind == self.suite.ANY_ARRAY or (kind.kind == "array" and form == "handle"):
            yield Declaration(f"type(sidl_array) :: {name}")
            if mode != "out" and value is not None:
                yield from self.make(kind, name, value)
            return
        elif kind.kind == "array" and returns:
            element = "character(:)" if kind.name == "string" else self.type(kind.element)
            attribute = "allocatable" if kind.name in COPIED else form
            yield Declaration(f"{element}, {attribute} :: {name}({', '.join(':' * kind.rank)})")
            if mode == "inout" and value is not None:
                yield self.allocate(kind, name, value)
        else:
            element = self.type(kind.element)
            if kind.name == "string":
                element = f"character({self.length(value)})"
            yield Declaration(f"{element} :: {name}({', '.join(map(str, value.shape))})")
        if mode != "out" and (value is not None or kind.kind == "opaque"):
            yield from self.set(kind, name, value)

    def check(self, mode, kind, name, value, form):
        """Statements that leave the function if what came back is not the value."""
        yield f"said = '{name}'"
        if kind == self.suite.ANY_ARRAY or (kind.kind == "array" and form == "handle"):
            yield from self.check_handle(kind, name, value)
            return
        returns = kind.kind == "array" and (mode == "out" or kind.name in CHANGEABLE)
        attribute = "allocatable" if kind.name in COPIED else form
        for condition in self.differs(kind, name, value, attribute if returns else ""):
            yield f"if ({condition}) return"
        if returns and attribute == "pointer":
            yield f"call sidl_free({name})"

    def call(self, case):
        """The call and its checks."""
        method = case.method
        if case.group == "null strings":
            yield f"said = {text(NULL_STRING)}"  # there is no way to write it
            return
        form = self.form(case)
        yield Declaration("type(sidl_BaseException) :: ex")
        if method.prefix == "static":
            yield Declaration("type(mx_Cell) :: target")
        else:
            yield from self.target(case.on)
        given = iter(case.args)
        places = []
        for mode, kind, name in method.args:
            value = None if mode == "out" else next(given)
            yield from self.declare(mode, kind, name, value, form)
            places += [(mode, kind, name)] if mode != "in" else []
        names = [name for _, _, name in method.args]
        function = f"target%{method.name}"
        if method.prefix == "nonblocking":
            sent = [name for mode, _, name in method.args if mode != "out"]
            yield Declaration("type(sidl_rmi_Ticket) :: ticket")
            yield f"call {function}_send({', '.join([*sent, 'ticket', 'ex'])})"
            yield from ["said = 'send'", "if (ex%not_null()) return"]
            names = ["ticket", *(name for mode, _, name in method.args if mode != "in")]
            function += "_recv"
        if method.result.kind == "void":
            yield f"call {function}({', '.join([*names, 'ex'])})"
        else:
            yield from self.declare("out", method.result, "result", None, form)
            places.insert(0, ("out", method.result, "result"))
            if method.result.kind in ("struct", "object", "array"):
                yield f"call {function}({', '.join([*names, 'result', 'ex'])})"
            else:
                yield f"result = {function}({', '.join([*names, 'ex'])})"
        if isinstance(case.expect, Raises):
            yield f"said = thrown(ex, {text(case.expect.name)}, {text(case.expect.note)})"
            return
        yield from ["if (ex%not_null()) then", "  said = told(ex)", "  return", "end if"]
        for (mode, kind, name), value in zip(places, case.expect):
            is_elsewhere = case.group == self.suite.ELSEWHERE and kind.kind == "array"
            if is_elsewhere and value is not None:
                yield from self.bring(name, value)
            yield from self.check(mode, kind, name, value, form)
        if case.then is not None:
            yield from ["said = 'then'", f"if (target%number() /= {case.then}) return"]
        yield "said = 'ok'"

    def client_project(self):
        return (
            "sidl_add_library(mx_fortran_client LANGUAGE fortran CLIENT SIDL ../../mx.sidl)\n"
            "add_executable(mx_from_fortran from_fortran.f90 support.f90)\n"
            # CMake does not look at modules that are installed
            "set_property(SOURCE from_fortran.f90 support.f90 PROPERTY OBJECT_DEPENDS\n"
            "             ${CMAKE_PREFIX_PATH}/include/shinar/fortran/sidl.mod)\n"
            "target_link_libraries(mx_from_fortran PRIVATE mx_fortran_client\n"
            "  $<TARGET_NAME_IF_EXISTS:mx_space>)\n"
        )


LANGUAGE = Fortran
