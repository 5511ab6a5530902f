"""Procedures for the arrays that a package has, in Fortran: for each type of elements and rank

fill_double_2(x, k)        gives an array's elements their values
code_double_2(x)           the code of an array that is there
new_double_2(x, k, nulls)  makes an allocatable; `point_`, a SIDL array; `grip_`, one as a handle
seen_double_2(x)           the code of an allocatable, `pseen_` of a pointer, `gseen_` of a handle
"""

COPIED = ("char", "string", "Named", "Cell")


class Arrays:
    """Writes them; `type(element)` is the writer's."""

    def __init__(self, writer, kind):
        self.kind, self.rank, self.name = kind, kind.rank, kind.name
        self.tag = f"{kind.name}_{kind.rank}"
        element = kind.element
        self.is_text = kind.name == "string"
        self.is_object = element.kind == "object"
        self.is_copied = kind.name in COPIED
        self.is_small = ".true." if self.is_text or self.is_object else ".false."
        self.type = writer.type(element)
        self.dims = ", ".join(":" * self.rank)
        self.at = ", ".join(f"i{d}" for d in range(1, self.rank + 1))
        self.constant = {"object": "interface", "enum": "long"}.get(element.kind, kind.name)

    def declared(self, attribute, name="x"):
        """The dummy argument."""
        of = "character(:)" if self.is_text and attribute == "allocatable" else self.type
        of = "character(*)" if self.is_text and not attribute else of
        attribute = f", {attribute}" if attribute else ""
        return f"    {of}{attribute}, intent(inout) :: {name}({self.dims})"

    def loop(self, body, bounds):
        """Statements for each element in row order."""
        yield "    i = 0"
        for d in range(1, self.rank + 1):
            low, high = bounds(d)
            yield f"    do i{d} = {low}, {high}"
        yield from (f"      {line}" for line in body)
        yield "      i = i + 1"
        yield from ["    end do"] * self.rank

    def indices(self):
        """Their declaration."""
        return f"    integer :: {self.at}\n    integer(int64) :: i"

    def text(self):
        """All of the procedures."""
        parts = [*self.fill(), *self.code(), *self.new(), *self.seen()]
        if not self.is_copied:
            parts += [*self.point(), *self.pseen()]
        return [*parts, *self.grip(), *self.gseen()]

    def fill(self):
        yield f"  recursive subroutine fill_{self.tag}(x, k)"
        yield self.declared("")
        yield "    integer(int64), intent(in) :: k"
        yield self.indices()
        yield "    integer(int64) :: e"
        body = ["e = mix(k, 1000 + i)"]
        if self.is_object:
            body += [f"call make_{self.name}(x({self.at}), e)"]
        elif self.is_text:
            body += [f"x({self.at}) = make_text(e, int(mod(e, 7_int64)))"]
        else:
            body += [f"x({self.at}) = make_{self.name}(e)"]
        yield from self.loop(body, lambda d: (1, f"size(x, {d})"))
        yield f"  end subroutine fill_{self.tag}\n"

    def code(self):
        of = "character(*)" if self.is_text else self.type
        yield f"  recursive function code_{self.tag}(x) result(found)"
        yield f"    {of}, intent(in) :: x({self.dims})"
        yield "    integer(int64) :: found, total"
        yield self.indices()
        yield f"    found = {self.rank}"
        yield from (f"    found = mix(found, size(x, {d}, int64))" for d in range(1, self.rank + 1))
        yield "    total = 0"
        step = f"mod(code_{self.name}(x({self.at})) * weight(i), mix_m)"
        yield from self.loop(
            [f"total = mod(total + {step}, mix_m)"], lambda d: (1, f"size(x, {d})")
        )
        yield f"    found = mix(found, total)\n  end function code_{self.tag}\n"

    def bounds(self):
        """0 to the lengths."""
        return ", ".join(f"0:n({d}) - 1" for d in range(1, self.rank + 1))

    def maker(self, name, declaration, clear, make):
        """A procedure that makes one."""
        yield f"  recursive subroutine {name}_{self.tag}(x, k, nulls)"
        yield declaration
        yield "    integer(int64), intent(in) :: k\n    logical, intent(in) :: nulls"
        yield f"    integer :: n({self.rank})"
        yield f"    {clear}\n    if (nulls .and. is_null_key(k)) return"
        yield f"    n = lengths({self.is_small}, {self.rank}, k)"
        yield from (f"    {line}" for line in make)
        yield f"  end subroutine {name}_{self.tag}\n"

    def new(self):
        of = "character(6) :: " if self.is_text else ""
        make = [f"allocate ({of}x({self.bounds()}))", f"call fill_{self.tag}(x, k)"]
        clear = "if (allocated(x)) deallocate (x)"
        if self.is_object:  # gfortran 12 may forget them: docs/fortran.md
            clear = f"if (allocated(x)) call x%deleteRef()\n    {clear}"
        yield from self.maker("new", self.declared("allocatable"), clear, make)

    def point(self):
        lower = f"[{', '.join('0' * self.rank)}]"
        make = [f"call sidl_allocate(x, n - 1, {lower})", f"call fill_{self.tag}(x, k)"]
        yield from self.maker("point", self.declared("pointer"), "nullify (x)", make)

    def grip(self):
        shape = f"lower({self.rank})"
        make = ["lower = 0", "if (mod(k, 3_int64) == 0) lower = int(mod(k, 7_int64)) - 3"]
        make += [
            f"call x%create(sidl_{self.constant}_array, lower + n - 1, lower, mod(k, 2_int64) == 0)"
        ]
        declaration = f"    type(sidl_array), intent(inout) :: x\n    integer :: {shape}"
        if self.is_copied:
            declaration += f"\n{self.indices()}\n    integer(int64) :: e"
            value = "make_text(e, int(mod(e, 7_int64)))" if self.is_text else f"make_{self.name}(e)"
            body = ["e = mix(k, 1000 + i)", f"call x%set([{self.at}], {value})"]
            if self.is_object:
                declaration += f"\n    {self.type} :: item"
                body[1:] = [f"call make_{self.name}(item, e)", f"call x%set([{self.at}], item)"]
            make += self.loop(body, lambda d: (f"lower({d})", f"lower({d}) + n({d}) - 1"))
        else:
            declaration += f"\n    {self.type}, pointer :: seen({self.dims})"
            make += [
                "nullify (seen)",
                "call sidl_view_array(seen, x%d_array)",
                f"call fill_{self.tag}(seen, k)",
            ]
        yield from self.maker("grip", declaration, "call x%deleteRef()", make)

    def reader(self, name, declaration, is_there, lines):
        """A function that gives the code of what may be null."""
        yield f"  recursive function {name}_{self.tag}(x) result(found)"
        yield f"{declaration}\n    integer(int64) :: found\n    found = 5"
        yield f"    if (.not. {is_there}) return"
        yield from (f"    {line}" for line in lines)
        yield f"  end function {name}_{self.tag}\n"

    def seen(self):
        declaration = self.declared("allocatable").replace("inout", "in")
        yield from self.reader("seen", declaration, "allocated(x)", [f"found = code_{self.tag}(x)"])

    def pseen(self):
        declaration = self.declared("pointer").replace("inout", "in")
        yield from self.reader(
            "pseen", declaration, "associated(x)", [f"found = code_{self.tag}(x)"]
        )

    def gseen(self):
        declaration = "    type(sidl_array), intent(in) :: x"
        if not self.is_copied:
            declaration += f"\n    {self.type}, pointer :: items({self.dims})"
            lines = [
                "nullify (items)",
                "call sidl_view_array(items, x%d_array)",
                f"found = code_{self.tag}(items)",
            ]
        else:
            item = self.type if self.is_object else "character(:), allocatable"
            declaration += f"\n{self.indices()}\n    integer(int64) :: total\n    {item} :: item"
            lines = ["total = 0"]
            body = [f"call x%get([{self.at}], item)"]
            code = {"char": "code_char(item(1:1))", "string": "code_allocated(item)"}.get(
                self.name, f"code_{self.name}(item)"
            )
            body += [f"total = mod(total + mod({code} * weight(i), mix_m), mix_m)"]
            lines += self.loop(body, lambda d: (f"x%lower({d})", f"x%upper({d})"))
            lines += [f"found = {self.rank}"]
            for d in range(1, self.rank + 1):
                length = f"x%upper({d}) - x%lower({d}) + 1"
                lines += [f"found = mix(found, int({length}, int64))"]
            lines += ["found = mix(found, total)"]
        yield from self.reader("gseen", declaration, "x%not_null()", lines)
