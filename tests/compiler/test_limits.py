"""Limits name themselves, and what is just within them works. Messages stay short."""

import pytest


@pytest.fixture
def check(sidlc, run, tmp_path):
    def check_it(text, status=1):
        path = tmp_path / "big.sidl"
        path.write_text(text)
        return run([sidlc, "--check", path.name], status=status, cwd=tmp_path).stderr

    return check_it


def package(*lines):
    return "package p version 1.0 {\n" + "".join(lines) + "}\n"


def chain(kind, count):
    first = f"{kind} T0 {{ void f(); }}\n"
    return package(
        first, *(f"{kind} T{i} extends T{i - 1} {{ void f{i}(); }}\n" for i in range(1, count))
    )


# A class without a parent is a child of sidl.BaseClass, which implements sidl.BaseInterface.
@pytest.mark.parametrize(("kind", "most"), [("interface", 1000), ("class", 999)])
def test_levels_of_inheritance(kind, most, check):
    assert check(chain(kind, most), status=0) == ""
    errors = check(chain(kind, 10000))
    assert f"big.sidl:{most + 2}:" in errors
    assert f"'T{most}' exceeds the limit of 1000 levels of inheritance" in errors
    assert errors.count("error:") == 1


@pytest.mark.parametrize("verb", ["extends", "implements-all"])
def test_inherited_methods(verb, check):
    many = "".join(f"void m{i}();" for i in range(10000))
    kind = "class" if verb == "extends" else "interface"
    errors = check(
        package(f"{kind} B {{ {many} }}", *(f"class C{i} {verb} B {{ }}\n" for i in range(2000)))
    )
    assert "exceed the limit of 10000000 entries" in errors
    assert errors.count("error:") == 1


def test_names_and_numbers(check):
    assert check(package("enum E { " + "a" * 1000 + " }"), status=0) == ""
    assert "the name has 1000000 characters; the limit is 1000" in check(
        package("enum E { " + "a" * 1000000 + " }")
    )
    assert "the number has 1000000 characters; the limit is 1000" in check(
        package("enum E { a = " + "1" * 1000000 + " }")
    )


def test_full_names_of_packages(check):
    nested = "".join(f"package {'a' * 99} version 1.0 {{" for _ in range(50)) + "}" * 50
    errors = check(nested)
    assert "big.sidl:1:" in errors
    assert "the full name of the package has 1099 characters; the limit is 1000" in errors
    assert errors.count("error:") == 1


def test_size_of_a_file(sidlc, run, tmp_path):
    path = tmp_path / "big.sidl"
    with path.open("wb") as file:
        file.truncate((128 << 20) + 1)
    errors = run([sidlc, "--check", path], status=1).stderr
    assert errors == f"sidlc: error: cannot read '{path}': it is larger than 128 MiB [SIDL0001]\n"


def test_many_errors(check):
    errors = check(package("class C { ", "void f(in a);\n" * 100000, "}"))
    assert errors.count("error:") == 20
    assert errors.endswith("sidlc: 99980 more errors not shown\n")


def test_more_errors_than_anybody_reads(check):
    errors = check(package("@ " * 200000))
    assert errors.count("error:") == 20
    assert errors.endswith("sidlc: at least 99981 more errors not shown\n")


def test_many_unknown_types(check):
    types = "".join(f"enum Foe{i} {{ a }}\n" for i in range(20000))
    errors = check(package(types, "class C { ", *(f"Fo{i} f{i}();\n" for i in range(20000)), "}"))
    assert "unknown type 'Fo1'; did you mean 'Foe1'?" in errors
    assert errors.endswith("sidlc: 19980 more errors not shown\n")


def test_many_warnings(check):
    errors = check(package("enum E { ", *(f"a{i} = {i}l,\n" for i in range(5000)), "}"), status=0)
    assert errors.count("warning:") == 1000
    assert errors.endswith("sidlc: 4000 more warnings not shown\n")


def test_the_excerpt_of_a_long_line(check):
    line = "enum E { " + ", ".join(f"item{i}" for i in range(1000)) + " } enum E { b }"
    errors = check(package(line)).split("\n")
    assert errors[0].startswith("big.sidl:2:")
    assert "the type name 'E' is used twice" in errors[0]
    assert len(errors[1]) < 200
    assert errors[1][errors[2].index("^")] == "E"
