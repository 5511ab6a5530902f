"""SIDL that is deep or wide in one way each, of any size: shape(n) gives a text whose length is
linear in n."""


def package(*lines):
    return "package p version 1.0 {\n" + "\n".join(lines) + "\n}\n"


def structs_in_structs(n):
    users = (f"interface I{i} {{ void f(in S{i} s, inout S{i} t); }}" for i in range(0, n, 4))
    deeper = (
        f"struct S{i} {{ S{i - 1} a; array<S{i - 1}> b; array<S{i - 1}> c; }}" for i in range(1, n)
    )
    return package("struct S0 { int i; array<double,2> d; }", *deeper, *users)


def struct_of_many_members(n):
    members = (f"int m{i}; rarray<double,1> r{i}(n);" for i in range(n))
    return package("struct S { int n;", *members, "}", "class C { void f(in S s); }")


def diamonds(n):
    lines = ["interface D0 { void f(); }"]
    for i in range(1, n):
        lines.append(f"interface L{i} extends D{i - 1} {{ void l{i}(); }}")
        lines.append(f"interface R{i} extends D{i - 1} {{ void r{i}(); }}")
        lines.append(f"interface D{i} extends L{i}, R{i} {{ }}")
    return package(*lines, f"class C implements-all D{n - 1} {{ }}")


def chain_of_classes(n):
    rest = (f"class C{i} extends C{i - 1} {{ void f{i}(); }}" for i in range(1, n))
    return package("class C0 { void f0(); }", *rest)


def overloads(n):
    structs = (f"struct S{i} {{ int i; }}" for i in range(n))
    return package(*structs, "class C {", *(f"void f[E{i}](in S{i} s);" for i in range(n)), "}")


def methods(n):
    declared = (f"int m{i}(in int a, in array<double,2> b, inout string s);" for i in range(n))
    return package("class C {", *declared, *(f"static int s{i}();" for i in range(n)), "}")


def arguments(n):
    listed = ", ".join(f"in int a{i}, in rarray<double,1> r{i}(a{i})" for i in range(n))
    return package("class C { void f(" + listed + "); }")


def enumerators(n):
    return package("enum E {", *(f"a{i} = {2 * (n - i)}, b{i}," for i in range(n)), "}")


def long_comments(n):
    lines = "\n  * ".join(f"Line {i} of a long comment." for i in range(n))
    return package(f"/** {lines} */", f"class C {{ /** {'word ' * 5 * n} */ void f(); }}")


def contracts(n):
    total = " + ".join(["x"] * n)
    demands = (f"b{i} : x > {i} and y < {i};" for i in range(n))
    deep = "(" * 90 + "x" + ")" * 90
    method = f"double f(in double x, in double y); require a : {total} > 0; d : {deep} > 0;"
    return package("class C {", method, *demands, "}")


def many_interfaces(n):
    interfaces = (f"interface I{i} {{ void m{i}(); }}" for i in range(n))
    listed = ", ".join(f"I{i}" for i in range(n))
    return package(*interfaces, f"class C implements-all {listed} {{ }}")


def from_clauses(n):
    interface = ("interface I {", *(f"void m{i}();" for i in range(n)), "}")
    renamed = (f"void m{i}[E]() from I.m{i};" for i in range(n))
    return package(*interface, "class C implements-all I {", *renamed, "}")


def inner_packages(n):
    return package(
        *(f"package q{i} {{ class C {{ void f(in p.q{max(i - 1, 0)}.C c); }} }}" for i in range(n))
    )


def types_that_mention_each_other(n):
    def interface(i):
        result, first, second = ((i * factor + 1) % n for factor in (7, 3, 5))
        return f"interface I{i} {{ I{result} f(in I{first} a, in array<I{second}> b); }}"

    return package(*(interface(i) for i in range(n)))


def one_that_mentions_all(n):
    enums = (f"enum E{i} {{ a{i} }}" for i in range(n))
    return package(*enums, "class C {", *(f"E{i} f{i}(in E{n - 1 - i} e);" for i in range(n)), "}")


def exceptions(n):
    classes = (f"class X{i} extends sidl.SIDLException {{ }}" for i in range(n))
    return package(
        *classes, "class C { void f() throws", ", ".join(f"X{i}" for i in range(n)), "; }"
    )


# By name: the shape, and a size that takes sidlc a fraction of a second.
SHAPES = {
    "structs_in_structs": (structs_in_structs, 100),
    "struct_of_many_members": (struct_of_many_members, 250),
    "diamonds": (diamonds, 12),
    "chain_of_classes": (chain_of_classes, 25),
    "overloads": (overloads, 60),
    "methods": (methods, 150),
    "arguments": (arguments, 200),
    "enumerators": (enumerators, 1000),
    "long_comments": (long_comments, 1000),
    "contracts": (contracts, 150),
    "many_interfaces": (many_interfaces, 40),
    "from_clauses": (from_clauses, 150),
    "inner_packages": (inner_packages, 40),
    "types_that_mention_each_other": (types_that_mention_each_other, 60),
    "one_that_mentions_all": (one_that_mentions_all, 100),
    "exceptions": (exceptions, 40),
}
