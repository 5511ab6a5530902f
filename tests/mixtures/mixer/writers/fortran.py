"""Mixtures in Fortran."""

from pathlib import Path

from languages.fortran import Declaration, Fortran, folded
from suite import From

from mixer import values
from mixer.packages import ANY_ARRAY, Type
from mixer.writers import Mixed
from mixer.writers.fortran_values import COPIED, Arrays

HERE = Path(__file__).parent


def in_order(lines):
    """Declarations before statements."""
    return sorted(lines, key=lambda line: not isinstance(line, Declaration))


class MixedFortran(Mixed, Fortran):
    """Fortran 2018."""

    def support(self):
        return {"mix.f90": (HERE / "mix.f90").read_text(), "mixed.f90": self.module()}

    def program(self):
        driver = (HERE / "driver.f90").read_text()
        return {**self.support(), "dispatch.f90": self.dispatch(), "from_fortran.f90": driver}

    def client_project(self):
        sources = "from_fortran.f90 dispatch.f90 mixed.f90 mix.f90"
        project = super().client_project().replace("from_fortran.f90 support.f90", sources)
        return (
            project + "target_compile_options(mx_from_fortran PRIVATE -fopenmp)\n"
            "target_link_options(mx_from_fortran PRIVATE -fopenmp)\n"
        )

    def server_project(self):
        more = "target_sources(mx_fortran PRIVATE impl/mix.f90 impl/mixed.f90)\n"
        return super().server_project() + more

    def dispatch(self):
        """A call by a method's number, and how many objects come of it."""
        lines = ["module dispatching", "use mixed", "use mx", "implicit none", "contains"]
        lines += ["recursive function dispatch(number, target, key, in, out, said) result(found)"]
        lines += [
            "integer(int64), intent(in) :: number, key",
            "type(mx_Cell), intent(in) :: target",
        ]
        lines += ["type(mx_Cell), intent(in) :: in(:)", "type(mx_Cell), intent(inout) :: out(:)"]
        lines += ["character(*), intent(inout) :: said", "integer(int64) :: found"]
        lines += ["type(mx_Named) :: named", "type(mx_Child) :: child", "found = -2"]
        lines += ["named = target", "child = target", "select case (number)"]
        for n, of, _ in self.called():
            seen = {"Cell": "target"}.get(of, of.lower())
            lines += [f"case ({n})"]
            condition = "if (child%not_null()) " if of == "Child" else ""
            lines += [f"{condition}found = tell_{n}({seen}, key, in, out, said)"]
        lines += ["end select", "end function dispatch"]
        lines += ["integer function got_by(number)", "integer(int64), intent(in) :: number"]
        numbers = ", ".join(str(method.got()) for _, _, method in self.called())
        count = len(self.called())
        lines += [f"integer, parameter :: all({count}) = [{numbers}]", "got_by = all(number + 1)"]
        lines += ["end function got_by", "end module dispatching", ""]
        return "\n".join(map(folded, lines))

    # ---- values ----------------------------------------------------------------------------------

    def kinds(self):
        """All types of arrays that the package has, by element and rank."""
        found = {}

        def note(kind):
            if kind == ANY_ARRAY:
                for name in values.ANY:
                    for rank in (1, 2, 3):
                        note(Type("array", name, rank))
            elif kind.kind in ("array", "rarray"):
                found[kind.name, kind.rank] = Type("array", kind.name, kind.rank)

        for _, method in self.package.methods():
            for _, kind, _ in [("", method.result, ""), *method.args]:
                note(kind)
        for members in self.package.STRUCTS.values():
            for kind in members.values():
                note(kind)
        return found.values()

    def module(self):
        """The package's values, and a function for each call."""
        lines = [
            "module mixed",
            "use, intrinsic :: iso_c_binding",
            "use, intrinsic :: iso_fortran_env",
        ]
        lines += ["use sidl", "use sidl_rmi", "use mx", "use mixing", "implicit none", "contains"]
        for name in ("Cell", "Named", "Value"):
            lines += self.object(name)
        for name, items in self.package.ENUMS.items():
            lines += self.enum(name, items)
        for kind in self.kinds():
            lines += "\n".join(Arrays(self, kind).text()).split("\n")
        if any(kind == ANY_ARRAY for _, m in self.package.methods()
               for kind in (m.result, *(k for _, k, _ in m.args))):  # fmt: skip
            lines += self.any()
        for name, members in self.package.STRUCTS.items():
            lines += self.struct(name, members)
        for n, of, method in self.called():
            lines += self.caller(n, of, method)
        lines += ["end module mixed", ""]
        return "\n".join(map(folded, lines))

    def object(self, name):
        """How one is made, and its code."""
        made = {"Named": "cell", "Cell": "x", "Value": "x"}[name]
        yield f"recursive subroutine make_{name}(x, k)"
        yield from [f"type(mx_{name}), intent(inout) :: x", "integer(int64), intent(in) :: k"]
        if name == "Named":
            yield "type(mx_Cell) :: cell"
        yield from ["call x%deleteRef()", "if (mod(k, 8_int64) == 0) return"]
        yield from [f"call {made}%create()", f"call {made}%setId(mix(k, 9_int64))"]
        if name == "Named":
            yield "x = cell"
        yield f"end subroutine make_{name}"
        yield f"recursive integer(int64) function code_{name}(x)"
        yield from [f"type(mx_{name}), intent(in) :: x", f"code_{name} = 3"]
        yield f"if (x%not_null()) code_{name} = x%id()"
        yield f"end function code_{name}"

    def enum(self, name, items):
        """As object."""
        all_ = ", ".join(f"{value}_sidl_enum" for value in items.values())
        yield f"elemental integer(sidl_enum) function make_{name}(k)"
        yield "integer(int64), intent(in) :: k"
        yield f"integer(sidl_enum), parameter :: all(0:{len(items) - 1}) = [{all_}]"
        yield f"make_{name} = all(mod(k, {len(items)}_int64))"
        yield f"end function make_{name}"
        yield f"elemental integer(int64) function code_{name}(x)"
        yield from ["integer(sidl_enum), intent(in) :: x", f"code_{name} = code_long(x)"]
        yield f"end function code_{name}"

    def any(self):
        """Arrays of any type."""
        yield "recursive subroutine make_any(x, k, nulls)"
        yield from ["type(sidl_array), intent(inout) :: x", "integer(int64), intent(in) :: k"]
        yield from ["logical, intent(in) :: nulls", "call x%deleteRef()"]
        yield "if (nulls .and. is_null_key(k)) return"
        yield "select case (10 * mod(mix(k, 6_int64), 9_int64) + mod(mix(k, 7_int64), 3_int64))"
        for i, name in enumerate(values.ANY):
            for rank in (1, 2, 3):
                yield f"case ({10 * i + rank - 1})"
                yield f"call grip_{name}_{rank}(x, k, .false.)"
        yield from ["end select", "end subroutine make_any"]
        yield "recursive integer(int64) function code_any(x)"
        yield from ["type(sidl_array), intent(in) :: x", "code_any = 5"]
        for i, name in enumerate(values.ANY):
            for rank in (1, 2, 3):
                is_it = f"x%kind() == sidl_{name}_array .and. x%rank() == {rank}"
                yield f"if ({is_it}) code_any = mix(gseen_{name}_{rank}(x), {i}_int64)"
        yield "end function code_any"

    def struct(self, name, members):
        """How one is made, and its code."""
        yield f"recursive subroutine make_{name}(x, k)"
        yield from [f"type(mx_{name}), intent(inout) :: x", "integer(int64), intent(in) :: k"]
        for j, (member, of) in enumerate(members.items()):
            yield from self.put(of, f"x%{member}", f"mix(k, {20 + j}_int64)", ".true.", "handle")
        yield f"end subroutine make_{name}"
        yield f"recursive integer(int64) function code_{name}(x) result(h)"
        yield from [f"type(mx_{name}), intent(in) :: x", "h = 11"]
        for member, of in members.items():
            code = self.code(of, f"x%{member}", "handle")
            code = f"code_allocated(x%{member})" if of.kind == "string" else code
            yield f"h = mix(h, {code})"
        yield f"end function code_{name}"

    def put(self, kind, place, key, nulls, form):
        """Statements that give a place the value of a key; arrays are handles, allocatables or
        pointers to SIDL arrays."""
        if kind == ANY_ARRAY:
            yield f"call make_any({place}, {key}, {nulls})"
        elif kind.kind == "array":
            form = "allocatable" if form == "pointer" and kind.name in COPIED else form
            maker = {"handle": "grip", "allocatable": "new", "pointer": "point"}[form]
            yield f"call {maker}_{kind.name}_{kind.rank}({place}, {key}, {nulls})"
        elif kind.kind in ("struct", "object"):
            yield f"call make_{kind.name}({place}, {key})"
        else:
            yield f"{place} = make_{kind.name or kind.kind}({key})"

    def code(self, kind, place, form):
        """An expression: the code of a value."""
        if kind == ANY_ARRAY:
            return f"code_any({place})"
        if kind.kind == "rarray":
            return f"code_{kind.name}_{kind.rank}({place})"
        if kind.kind == "array":
            form = "allocatable" if form == "pointer" and kind.name in COPIED else form
            reader = {"handle": "gseen", "allocatable": "seen", "pointer": "pseen"}[form]
            return f"{reader}_{kind.name}_{kind.rank}({place})"
        return f"code_{kind.name or kind.kind}({place})"

    def variable(self, kind, name, form):
        """A declaration."""
        if kind == ANY_ARRAY or (kind.kind == "array" and form == "handle"):
            return Declaration(f"type(sidl_array) :: {name}")
        if kind.kind == "array":
            of = "character(:)" if kind.name == "string" else self.type(kind.element)
            form = "allocatable" if kind.name in COPIED else form
            return Declaration(f"{of}, {form} :: {name}({', '.join(':' * kind.rank)})")
        return Declaration(f"{self.type(kind)} :: {name}")

    # ---- calls -----------------------------------------------------------------------------------

    def caller(self, n, of, method):
        """A function that makes arguments, calls, and gives the code of what came back."""
        yield f"recursive function tell_{n}(self, key, in, out, said) result(total)"
        yield f"type(mx_{of}), intent(in) :: self"
        yield from ["integer(int64), intent(in) :: key", "type(mx_Cell), intent(in) :: in(:)"]
        yield "type(mx_Cell), intent(inout) :: out(:)"
        yield "character(*), intent(inout), optional :: said"
        yield from ["integer(int64) :: total", "type(sidl_BaseException) :: ex"]
        yield from in_order(self.call_lines(method))
        yield f"end function tell_{n}"

    def call_lines(self, method):
        """Its body."""
        given, names, sent, back = 0, [], [], []
        yield "total = 17"
        forms = {}
        for j, (mode, kind, name) in enumerate(method.args):
            # A caller's own in and inout arrays are allocatables, but for what comes back.
            forms[name] = method.form
            if method.form == "pointer" and mode != "out":
                forms[name] = "allocatable"
            names.append(name)
            if kind.kind == "rarray" or name == "n" and method.args[0][1].kind == "rarray":
                yield from self.raw_argument(j, kind, name, method)
                continue
            key = f"mix(key, {100 + j}_int64)"
            if mode == "in" and self.is_object(kind):
                yield Declaration(f"type(mx_Cell) :: {name}")
            else:
                yield self.variable(kind, name, forms[name])
            if self.is_object(kind) and mode != "out":
                yield f"if (size(in) > 0) {name} = in(min({given + 1}, size(in)))"
                given += 1
            elif mode != "out":
                nulls = ".true." if method.nulls else ".false."
                yield from self.put(kind, name, key, nulls, forms[name])
            sent += [name] if mode != "out" else []
            back += [name] if mode != "in" else []
        result = ["result"] if method.result.kind != "void" else []
        if result:
            yield self.variable(method.result, "result", method.form)
            forms["result"] = method.form
        yield from self.calls(method, names, sent, back)
        yield from ["if (ex%not_null()) then", "total = code_thrown(ex, said)"]
        yield from ["if (present(said)) total = -1", "return", "end if"]
        got = 0
        for kind, name in self.places(method):
            code = self.code(kind, name, forms[name])
            code = f"code_allocated({name})" if kind.kind == "string" else code
            yield f"total = mix(total, {code})"
            if self.is_object(kind):
                got += 1
                yield f"if (size(out) >= {got}) out(min({got}, size(out))) = {name}"
            if self.is_native(kind, forms[name]) and kind.element.kind == "object":
                yield f"if (allocated({name})) call {name}%deleteRef()"  # see docs/fortran.md
            is_pointer = kind.kind == "array" and forms[name] == "pointer"
            if is_pointer and kind.name not in COPIED:
                yield f"if (associated({name})) call sidl_free({name})"

    @staticmethod
    def is_native(kind, form):
        """Whether it is an array of Fortran's own."""
        return kind.kind == "array" and kind != ANY_ARRAY and form != "handle"

    def calls(self, method, names, sent, back):
        """The call, or its two halves."""
        is_value = method.result.kind not in ("void", "struct", "object", "array")
        more = ["result"] if method.result.kind != "void" and not is_value else []

        def call(function, arguments):
            arguments = ", ".join([*arguments, *more, "ex"])
            if is_value:
                return f"result = self%{function}({arguments})"
            return f"call self%{function}({arguments})"

        name = method.long_name
        is_text = method.result.kind == "string"
        yield from ["call begin_text()"] if is_text else []
        if method.prefix != "nonblocking":
            yield call(name, names)
        else:
            yield from self.halves(name, sent, back, call, names)
        yield from ["call end_text()"] if is_text else []

    @staticmethod
    def halves(name, sent, back, call, names):
        """Every other time it is called so."""
        yield Declaration("type(sidl_rmi_Ticket) :: ticket")
        yield "if (mod(key, 2_int64) == 1) then"
        yield f"call self%{name}_send({', '.join([*sent, 'ticket', 'ex'])})"
        yield f"if (ex%is_null()) {call(name + '_recv', ['ticket', *back])}"
        yield from ["else", call(name, names), "end if"]

    def raw_argument(self, j, kind, name, method):
        """Memory of the caller's, or how long it is."""
        _, (_, y, _), _ = method.args
        if name == "n":
            yield Declaration("integer(int32) :: n")
            return
        shape = "n" if kind.rank == 1 else "n, 2"
        yield Declaration(
            f"{self.type(kind.element)}, allocatable :: {name}({', '.join(':' * kind.rank)})"
        )
        if name == "x":
            yield f"n = extent({y.rank}, key)"
        yield f"allocate ({name}({shape}))"
        yield f"call fill_{kind.name}_{kind.rank}({name}, mix(key, {100 + j}_int64))"

    # ---- implementations -------------------------------------------------------------------------

    def bodies(self):
        found = Mixed.bodies(self)
        return {name: "\n".join(map(folded, body.split("\n"))) for name, body in found.items()}

    def blocks(self):
        use = "use mixing\nuse mixed\nuse mx"
        return {
            **{f"mx.{name}._use": use for name in ("Cell", "Child", "Value")},
            "mx.Cell._data": "integer(int64) :: n = 0, total = 0\ntype(mx_Named) :: object\n"
            "character(:), allocatable :: text\nreal(real64), allocatable :: numbers(:), traded(:)",
            "mx.Cell._module": "integer(int64) :: alive_now = 0",
            "mx.Cell._ctor": "call mix_count(alive_now, 1)",
            "mx.Cell._dtor": "call mix_count(alive_now, -1)",
            "mx.Value._data": "integer(int64) :: n = 0",
        }

    def transform(self, of, method):
        """The code of what came in makes what goes out."""
        return in_order(self.steps(of, method))

    def steps(self, of, method):
        """As transform, in any order."""
        kinds = {name: kind for _, kind, name in method.args} | {"result": method.result}
        yield Declaration("integer(int64) :: h")
        yield f"h = {method.number}"
        for _, kind, name in method.of_mode("in", "inout"):
            form = "allocatable" if kind.name in COPIED else "pointer"
            yield f"h = mix(h, {self.code(kind, name, form)})"
        nulls = ".true." if method.nulls else ".false."
        if method.throws:
            yield from self.throws(method)
        yield "call self%this%add(h)" if of == "Child" else "call mix_add(self%total, h)"
        for target, source in method.body.moves:
            kind = kinds[target]
            to = "retval" if target == "result" else target
            if isinstance(source, From):
                if kind.kind == "array" and kind.element.kind == "object":
                    yield f"if (allocated({to})) call {to}%deleteRef()"  # see docs/fortran.md
                if kind.kind == "array" and kind.name in COPIED:
                    yield f"if (allocated({to})) deallocate ({to})"
                yield from self.moved_here(kind, to, source.name)
                continue
            key = f"mix(h, {source.number}_int64)"
            if source.fills:
                asks = "allocated" if kind.name in COPIED else "associated"
                is_there = f"if ({asks}({to})) " if kind.kind == "array" else ""
                yield f"{is_there}call fill_{kind.name}_{kind.rank}({to}, {key})"
            else:
                yield from self.put(kind, to, key, nulls, "pointer")

    def moved_here(self, kind, to, place):
        """What is at another place; as Fortran's `moved`, with arrays of any class's objects."""
        if kind.kind == "array" and kind.name == "Cell":
            yield f"if (allocated({place})) then"
            bounds = ", ".join(
                f"lbound({place}, {d}):ubound({place}, {d})" for d in range(1, kind.rank + 1)
            )
            yield from [f"  allocate ({to}({bounds}))", f"  {to} = {place}", "end if"]
        else:
            yield from self.moved(kind, to, place)

    def throws(self, method):
        """One in two calls ends so."""
        for i, name in enumerate(("Oops", "Worse", "Sudden")):
            yield Declaration(f"type(mx_{name}) :: {name.lower()}")
            yield f"if (mod(h, 6_int64) == {i}) then"
            yield from self.nothing(method)
            yield f"  call sidl_throw(exception, {name.lower()}, trim(note_of(h)), '{method.name}')"
            yield from ["  return", "end if"]

    def nothing(self, method):
        """A value for a function that throws."""
        zero = {"string": "''", "char": "' '", "bool": ".false."}.get(method.result.kind, "0")
        if method.result.kind not in ("void", "struct", "object", "array"):
            yield f"  retval = {zero}"
        is_pointer = method.result.kind == "array" and method.result.name not in ("", *COPIED)
        if is_pointer:
            yield "  nullify (retval)"

    def special(self, of, method, what):
        """See model.py."""
        if what == "relay":
            return (
                "type(mx_Cell) :: none(0), nobody(0)\nretval = 1\n"
                f"if (other%not_null()) retval = tell_{self.relayed(method)}"
                "(other, positive(k), none, nobody)"
            )
        return {
            "id": "retval = self%n",
            "setId": "self%n = n",
            "alive": "retval = alive_now",
            "total": "retval = self%total",
            "used": "retval = mix_used()",
            "note": "call mix_add(self%total, positive(k))",
            "holdObject": "integer(int64) :: id\nid = code_Named(a)\nretval = self%object\n"
            "call self%object%deleteRef()\n"
            "if (a%not_null() .and. id < self%n) self%object = a",
            "holdText": "retval = ''\nif (allocated(self%text)) retval = self%text\nself%text = a",
            "holdNumbers": "nullify (retval)\nif (allocated(self%numbers)) then\n"
            "  call sidl_allocate(retval, [size(self%numbers) - 1], [0])\n"
            "  retval = self%numbers\n  deallocate (self%numbers)\nend if\n"
            "if (associated(a)) self%numbers = a",
            "trade": "real(real64), allocatable :: given(:)\nallocate (given, source=a)\n"
            "if (allocated(self%traded)) then\n"
            "  if (size(self%traded) == size(a)) a = self%traded\nend if\n"
            "call move_alloc(given, self%traded)",
            "swap": "retval = w\nw = v",
            "pack": "call ser%packLong('number', self%n, exception)",
            "unpack": "call des%unpackLong('number', self%n, exception)",
            "later": "retval = a%m",
        }[what]


WRITER = MixedFortran
