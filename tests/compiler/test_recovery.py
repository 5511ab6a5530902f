"""A text with errors keeps what is intact, and texts need not be files."""

import json

import pytest

SIDL = [
    "runtime/sidl/sidl.sidl",
    "tests/types/types.sidl",
    "tests/emission/kitchen_sink.sidl",
    "tests/golden/family.sidl",
    "examples/heat/heat.sidl",
    "tests/cxx/zoo.sidl",
    "tests/contracts/sums.sidl",
]


def test_one_damaged_token_costs_what_it_is_in(build_dir, run, root):
    """Thirty places in each file; compiler/driver/recovery_test.cpp says what must be left."""
    run([build_dir / "bin" / "sidl_recovery_test", "30", *(root / path for path in SIDL)])


CONTRACTS = """package con version 1.0 {
  interface Range {
    int first();
      ensure is pure;
    int last();
      ensure
        is pure;
        result >= first();
  }

  class Solver implements Range {
    invariant
      ordered : first() <= last();

    int first();
      ensure is pure;
    int last();
      ensure is pure;

    double root(in double x)
      throws sidl.PreViolation;
      require
        pos : x >= 0.0;
        x < 1000.0;
      ensure
        result >= 0.0;
        near : result * result <= x + 0.5;

    static double mean(in array<double,1> values, in int n);
      require
        values != null;
        n > 0 and n <= size(values);
      ensure
        is pure;

    void set(in rarray<double> values(n), in int n, out int status);
      require some : n > 0;
      ensure status == 0 or status == 1;

    void done();
  }

  class Last {
    void f(in string name);
      require
        name != "" and not (name == "none");
    void g();
  }
}
"""


def test_a_damaged_token_in_or_before_clauses_is_one_error(build_dir, run, tmp_path):
    (tmp_path / "con.sidl").write_text(CONTRACTS)
    for places in ["97", "300"]:
        run([build_dir / "bin" / "sidl_recovery_test", places, tmp_path / "con.sidl"])


CLAUSES = """      require
        pos : x >= 0.0;
        x < 9.0;
      ensure
        result >= 0.0;
"""


@pytest.mark.parametrize(
    "damaged",
    [
        f"    double root(in double x)\n{CLAUSES}",
        f"    double root(in double x);;\n{CLAUSES}",
        f"    class double root(in double x);\n{CLAUSES}",
        f"    double root(in double x; in double y);\n{CLAUSES}",
        f"    double root(in double x;\n                in double y);\n{CLAUSES}",
        f"    root(in double x);\n{CLAUSES}",
        "    double root(in double x);\n" + CLAUSES.replace("require", ", require"),
        "    double root(in double x);\n" + CLAUSES.replace("require", ""),
        "    double root(in double x);\n" + CLAUSES.replace("require", "requires"),
        "    double root(in double x);\n" + CLAUSES.replace("ensure", "ensures"),
        "    double root(in double x);\n" + CLAUSES.replace("x < 9.0", "x <"),
        "    double root(in double x);\n" + CLAUSES.replace("pos", ""),
    ],
)
def test_one_mistake_in_a_method_with_clauses_is_one_error(messages, damaged):
    found = messages(
        f"package p version 1.0 {{\n  class A {{\n{damaged}    void fine();\n  }}\n}}\n"
    )
    assert len(found) == 1, found


@pytest.fixture
def messages(sidlc, run, tmp_path):
    """messages(text): [(line, message)] of a check of the text."""

    def it(text, **options):
        (tmp_path / "a.sidl").write_text(text)
        done = run(
            [sidlc, "--check", "--error-format=json", "a.sidl"],
            status=None,
            cwd=tmp_path,
            timeout=60,
            **options,
        )
        return [(each["line"], each["message"]) for each in json.loads(done.stderr)]

    return it


def test_errors_of_all_kinds_are_found_at_once(messages):
    found = messages(
        """package p version 1.0 {
  class A implements-all I { void f(; }
  interface I { void g(in Nobody x); }
  enum E { a, = 3, c }
  struct S { int x; double ; E e; }
  class B extends A { void g(in int x) }
  class D extends Nobody2 {}
}
"""
    )
    assert [line for line, _ in found] == [2, 3, 4, 5, 6, 7]
    assert "unknown type 'Nobody'" in found[1][1]
    assert "unknown type 'Nobody2'" in found[5][1]


@pytest.mark.parametrize(
    "damaged",
    [
        "class A extends { void f(); }",  # the parent is not known
        "class { void f(); }",  # the name is not known
        "A { void f(); }",  # the kind is not known
        "clas A implements I { void f(); }",
        "interface A extends I { void f( }",
        "class A implements I { void f() void g(in; }",
        "exception A {}",
    ],
)
def test_nothing_is_said_of_what_depends_on_a_damaged_type(messages, damaged):
    found = messages(
        f"""package p version 1.0 {{
  interface I {{ void f(); void g(); }}
  {damaged}
  class B extends A {{ void h(in A a, in array<A> b, out .p.A c) throws A; }}
  interface J extends A {{ void i(copy in A x); }}
  class C implements A, J {{ void f() throws A; }}
  class D implements-all A {{ void f[X]() from A.f; }}
  package q {{ interface K {{ void f(in A a); }} }}
}}
"""
    )
    assert found and {line for line, _ in found} == {3}


def test_a_damaged_package_or_import_hides_what_it_might_have_brought(messages):
    assert {
        line for line, _ in messages("import ;\npackage p version 1.0 { class A extends X.Y {} }")
    } == {1}
    found = messages("package { class A {} }\npackage q version 1.0 { class B extends p.A {} }\n")
    assert {line for line, _ in found} == {1}


@pytest.mark.parametrize("word", ["import foo", "require foo version 1.0"])
def test_what_an_unknown_import_might_have_brought_is_not_missed(messages, word):
    found = messages(
        f"""{word};
package p version 1.0 {{
  class A extends foo.B {{ void f(in foo.bar.C c, in .foo.D d); }}
  class X extends foobar.B {{ void f(in fo.C c); }}
}}
"""
    )
    assert [line for line, _ in found] == [1, 4, 4]


def test_names_without_a_package_may_be_of_an_unknown_import(messages):
    class_ = "package p version 1.0 { class A extends B { void f(in C c); } }"
    assert len(messages("import foo;\n" + class_)) == 1
    assert len(messages("require foo version 1.0;\n" + class_)) == 3


def test_a_file_that_ends_too_early_may_have_held_anything(sidlc, run, tmp_path):
    (tmp_path / "a.sidl").write_text("package p version 1.0 {\n class A { void f();")
    (tmp_path / "b.sidl").write_text("package q version 1.0 { class B extends p.C {} }")
    done = run([sidlc, "--check", "a.sidl", "b.sidl"], status=1, cwd=tmp_path)
    assert done.stderr.count("error: ") == done.stderr.count("this '{' is not closed") == 2


def test_lost_assertions_are_not_missed(messages):
    found = messages(
        """package p version 1.0 {
  class A {
    int size();
      ensure is pure pure;
    void f(in int i);
      require ok: i < size();
              i >> 2;
              i >= 0; wrong: j > 0;
  }
}
"""
    )
    assert [line for line, _ in found] == [4, 7, 8]
    assert "'j' is not an argument" in found[2][1]


def test_text_that_is_no_token_costs_its_statement(messages):
    found = messages(
        "package p version 1.0 { interface I {\n void $();\n void f(in X x);\n"
        ' %attrib{a="b} void g();\n void h(in Y y);\n} }\n'
    )
    assert [line for line, _ in found] == [2, 3, 4, 5]


def test_nothing_is_generated_from_what_is_left(sidlc, run, tmp_path):
    (tmp_path / "a.sidl").write_text(
        "package p version 1.0 { class A { void f(; } class B { void g(); } }"
    )
    for action in ["--server=c", "--client=c++", "--emit=ir", "--text=sidl"]:
        done = run([sidlc, action, "-o", "out", "a.sidl"], status=1, cwd=tmp_path)
        assert done.stdout == "" and done.stderr.count("error: ") == 1
        assert not (tmp_path / "out").exists()


# ---- texts that are no files --------------------------------------------------------------------


def test_standard_input_is_the_file_it_is_named_after(sidlc, run, tmp_path):
    (tmp_path / "a.sidl").write_text("package p version 1.0 { nonsense")
    (tmp_path / "b.sidl").write_text("package q version 1.0 { class B extends p.A {} }")
    unsaved = "package p version 1.0 {\n  class A {}\n}\n"
    check = [sidlc, "--check", "--stdin-name", "./a.sidl", "-"]
    done = run([*check, "b.sidl", "-I", "a.sidl"], cwd=tmp_path, input=unsaved)
    assert done.stderr == ""
    done = run(check, cwd=tmp_path, status=1, input=unsaved + "class X {}\n")
    assert done.stderr.startswith("./a.sidl:4:7: error: ")
    rule = run(
        [sidlc, "--emit=ir-json", "--depfile", "d", "--stdin-name=new.sidl", "-"],
        cwd=tmp_path,
        input=unsaved,
    )
    assert json.loads(rule.stdout)["files"] == ["new.sidl"]
    assert "new.sidl" in (tmp_path / "d").read_text()


def test_standard_input_is_formatted_under_its_name(sidlc, run):
    command = [sidlc, "--format", "--diff", "--stdin-name=some.sidl", "-"]
    done = run(command, status=1, input="package p version 1.0 {class A{}}\n")
    assert "some.sidl" in done.stdout.splitlines()[0]


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["--check", "--stdin-name=a.sidl", "b.sidl"], "'-' is not among the input files"),
        (["--check", "--stdin-name", "", "-"], "--stdin-name needs a name"),
        (["--breaking", "--stdin-name=a", "-", "b"], "cannot be used with --breaking"),
    ],
)
def test_a_name_without_standard_input_is_refused(sidlc, run, arguments, complaint):
    assert complaint in run([sidlc, *arguments], status=2).stderr


def test_the_shells_know_the_option(sidlc, run):
    for shell in ["bash", "zsh", "fish"]:
        assert "stdin-name" in run([sidlc, f"--completion={shell}"]).stdout
    assert "--stdin-name" in run([sidlc, "--help"]).stdout
