"""--breaking OLD NEW: one pair of interfaces for each rule, and changes that break nobody."""

import json
import re

import pytest

# rule: (old, new), bodies of `package p version 1.0`; or whole files
PAIRS = {
    "PACKAGE_DELETED": (
        "package p version 1.0 { enum E { a } } package q version 1.0 { enum F { a } }",
        "package p version 1.0 { enum E { a } } package q version 1.0 {}",
    ),
    "PACKAGE_VERSION_LOWERED": (
        "package p version 1.10 { enum E { a } }",
        "package p version 1.9 { enum E { a } }",
    ),
    "PACKAGE_FINAL_ADDED": (
        "package p version 1.0 { enum E { a } }",
        "final package p version 1.0 { enum E { a } }",
    ),
    "TYPE_DELETED": ("enum E { a } enum F { a }", "enum F { a }"),
    "TYPE_KIND_CHANGED": ("class C { void f(); }", "interface C { void f(); }"),
    "ENUMERATOR_DELETED": ("enum E { a, b = 1 }", "enum E { a }"),
    "ENUMERATOR_ADDED": ("enum E { a }", "enum E { a, b = 1 }"),
    "ENUMERATOR_VALUE_CHANGED": ("enum E { a, b }", "enum E { a = 2, b = 1 }"),
    "MEMBER_DELETED": ("struct S { int a; int b; }", "struct S { int a; }"),
    "MEMBER_ADDED": ("struct S { int a; }", "struct S { int a; int b; }"),
    "MEMBER_TYPE_CHANGED": ("struct S { int a; }", "struct S { long a; }"),
    "MEMBER_RENAMED": ("struct S { int a; int b; }", "struct S { int a; int c; }"),
    "MEMBER_ORDER_CHANGED": ("struct S { int a; int b; }", "struct S { int b; int a; }"),
    "PARENT_CHANGED": (
        "class A {} class B {} class C extends A {}",
        "class A {} class B {} class C extends B {}",
    ),
    "PARENT_INSERTED": (
        "class A {} class B extends A {} class C extends A {}",
        "class A {} class B extends A {} class C extends B {}",
    ),
    "INTERFACE_REMOVED": (
        "interface I { void f(); } class C implements-all I {}",
        "interface I { void f(); } class C {}",
    ),
    "INTERFACE_ADDED": ("interface I {} class C {}", "interface I {} class C implements I {}"),
    "ABSTRACT_ADDED": (
        "interface I { void f(); } class C implements-all I {}",
        "interface I { void f(); } abstract class C implements I {}",
    ),
    "METHOD_DELETED": (
        "class C { void f(); static void g(); }",
        "class C { void f(); }",
    ),
    "METHOD_SIGNATURE_CHANGED": (
        "class C { void f(in int a); }",
        "class C { void f(in long a); }",
    ),
    "METHOD_STATIC_CHANGED": ("class C { static void f(); }", "class C { void f(); }"),
    "METHOD_ABSTRACT_ADDED": (
        "abstract class C { abstract void f(); void g(); }",
        "abstract class C { abstract void f(); abstract void g(); }",
    ),
    "METHOD_FINAL_ADDED": ("class C { void f(); }", "class C { final void f(); }"),
    "METHOD_ADDED_TO_INTERFACE": (
        "interface I { void f(); }",
        "interface I { void f(); void g(); }",
    ),
    "METHOD_ADDED_TO_CLASS": ("class C { void f(); }", "class C { void f(); void g(); }"),
    "ABSTRACT_METHOD_ADDED": (
        "abstract class C { abstract void f(); }",
        "abstract class C { abstract void f(); abstract void g(); }",
    ),
    "SLOT_ORDER_CHANGED": (
        "interface I { void f(); void g(); }",
        "interface I { void g(); void f(); }",
    ),
    "ARGUMENT_RENAMED": ("class C { void f(in int a); }", "class C { void f(in int b); }"),
    "EXTENT_CHANGED": (
        "class C { void f(in rarray<int> a(n), in int n); }",
        "class C { void f(in rarray<int> a(n + 1), in int n); }",
    ),
    "THROWS_ADDED": (
        "class C { void f(); }",
        "class C { void f() throws sidl.SIDLException; }",
    ),
    "THROWS_REMOVED": (
        "class C { void f() throws sidl.SIDLException; }",
        "class C { void f(); }",
    ),
    "ONEWAY_CHANGED": ("class C { oneway void f(); }", "class C { void f(); }"),
    "NONBLOCKING_CHANGED": ("class C { void f(); }", "class C { nonblocking void f(); }"),
    "LOCAL_CHANGED": ("class C { void f(); }", "class C { local void f(); }"),
    "COPY_CHANGED": (
        "class C { void f(in sidl.SIDLException e); }",
        "class C { void f(copy in sidl.SIDLException e); }",
    ),
    "PURE_REMOVED": ("class C { int f(); ensure is pure; }", "class C { int f(); }"),
    "PRECONDITION_ADDED": (
        "class C { int f(in int i); require i > 0; }",
        "class C { int f(in int i); require i > 0; i < 9; }",
    ),
    "POSTCONDITION_REMOVED": (
        "interface C { int f(); ensure result > 0; }",
        "interface C { int f(); ensure result > -1; }",
    ),
    "INVARIANT_REMOVED": (
        "class C { invariant f() > 0; int f(); ensure is pure; }",
        "class C { int f(); ensure is pure; }",
    ),
}

COMPATIBLE = {
    "a weaker precondition, a stronger postcondition": (
        "class C { int f(in int i); require i > 0; i < 9; ensure result > 0; }",
        "class C { int f(in int i); require positive : i > 0; ensure result > 0; result < 9; }",
    ),
    "another invariant": (
        "class C { int f(); ensure is pure; }",
        "class C { invariant f() > 0; int f(); ensure is pure; }",
    ),
    "a new type": ("enum E { a }", "enum E { a } enum F { a } class C { void f(); }"),
    "a new package": (
        "package p version 1.0 { enum E { a } }",
        "package p version 1.0 { enum E { a } } package q version 1.0 { enum E { a } }",
    ),
    "a higher version": (
        "package p version 1.9 { enum E { a } }",
        "package p version 1.10 { enum E { a } }",
    ),
    "explicit values": ("enum E { a, b = 5, c }", "enum E { c = 1, b = 5, a = 0 }"),
    "a new static method": (
        "class C { static void f(); }",
        "class C { static void f(); static void g(); }",
    ),
    "comments": ("class C { void f(); }", "/** C */ class C { /** f */ void f(); }"),
    "types in another order": ("enum E { a } struct S { E e; }", "struct S { E e; } enum E { a }"),
    "a method that moved to the parent": (
        "class A { void f(); } class B extends A { void f(); }",
        "class A { void f(); } class B extends A {}",
    ),
    "implements-all in words": (
        "interface I { void f(); } class C implements-all I {}",
        "interface I { void f(); } class C implements I { void f(); }",
    ),
    "an override": (
        "class A { void f(); } class B extends A {}",
        "class A { void f(); } class B extends A { void f(); }",
    ),
    "a method that is final no longer": ("class C { final void f(); }", "class C { void f(); }"),
    "attributes": ("class C { void f(); }", '%attrib{a} class C { %attrib{b = "c"} void f(); }'),
    "renamed arguments that extents name": (
        "class C { void f(in rarray<int> a(n), in int n); }",
        "class C { void f(in rarray<int> a(n), in int n); } enum E { a }",
    ),
}

# (old, new, what is said): consequences in other types are not reported.
TOGETHER = {
    "a parent's change": (
        "interface I { void f(); } interface J extends I { void g(); } class C implements-all J {}",
        "interface I { void f(); void h(); } interface J extends I { void g(); } "
        "class C implements-all J {}",
        ["METHOD_ADDED_TO_INTERFACE"],
    ),
    "an inherited signature": (
        "interface I { void f(); } class C implements I { void f(); }",
        "interface I { void f(in int a); } class C implements I { void f(in int a); }",
        ["METHOD_SIGNATURE_CHANGED"],
    ),
    "an inherited method that is gone": (
        "interface I { void f(); void g(); } class C implements I { void f(); void g(); }",
        "interface I { void f(); } class C implements I { void f(); }",
        ["METHOD_DELETED"],
    ),
    "a method before others": (
        "class C { void f(); void g(); } class D extends C { void h(); }",
        "class C { void f(); void x(); void g(); } class D extends C { void h(); }",
        ["METHOD_ADDED_TO_CLASS", "SLOT_ORDER_CHANGED"],
    ),
    "types of a package that is gone": (
        "package p version 1.0 { enum E { a } package q { enum E { a } enum F { a } } }",
        "package p version 1.0 { enum E { a } }",
        ["PACKAGE_DELETED"],
    ),
    "interfaces in another order": (
        "interface A { void a(); } interface B { void b(); } class C implements-all A, B {}",
        "interface A { void a(); } interface B { void b(); } class C implements-all B, A {}",
        ["SLOT_ORDER_CHANGED"],
    ),
    "one that is gone and one that is new": (
        "struct S { int a; int b; }",
        "struct S { int a; long c; }",
        ["MEMBER_ADDED", "MEMBER_DELETED"],
    ),
}


@pytest.fixture
def breaking(sidlc, run, tmp_path):
    """breaking(old, new) gives the JSON that says what breaks."""

    def compare(old, new, *options):
        for name, text in (("old", old), ("new", new)):
            if not text.lstrip().startswith(("package", "final")):
                text = "package p version 1.0 {\n" + text + "\n}\n"
            (tmp_path / f"{name}.sidl").write_text(text)
        command = [sidlc, "--breaking", "--error-format=json", *options, "old.sidl", "new.sidl"]
        done = run(command, status=None, cwd=tmp_path)
        found = [item for item in json.loads(done.stderr) if item["severity"] == "error"]
        assert done.stdout == ""
        assert done.returncode == (1 if found else 0)
        return found

    return compare


@pytest.fixture(scope="session")
def rules(root):
    text = (root / "compiler/ir/breaking_rules.def").read_text()
    rows = re.findall(r'^BREAKING_RULE\((\w+), ([k\w |]+),\s*"(.*)"\)', text, re.MULTILINE)
    return {
        name: (breaks.replace("k", "").replace(" |", ",").lower(), summary)
        for name, breaks, summary in rows
    }


def test_every_rule_has_a_pair(rules):
    assert list(PAIRS) == [name for name in rules]


@pytest.mark.parametrize("rule", PAIRS)
def test_rule(rule, breaking, rules):
    (found,) = breaking(*PAIRS[rule])
    assert (found["rule"], found["breaks"]) == (rule, rules[rule][0])
    assert found["code"] == "SIDL0350"
    assert found["message"].startswith(rule + ": ")
    gone = rule.endswith("_DELETED")
    assert found["file"] == ("old.sidl" if gone else "new.sidl")
    assert found["line"] >= 1


@pytest.mark.parametrize("rule", PAIRS)
def test_nothing_breaks_when_nothing_changes(rule, breaking):
    for text in PAIRS[rule]:
        assert breaking(text, text) == []


@pytest.mark.parametrize("name", COMPATIBLE)
def test_compatible(name, breaking):
    assert breaking(*COMPATIBLE[name]) == []


@pytest.mark.parametrize("name", TOGETHER)
def test_consequences_are_not_repeated(name, breaking):
    old, new, said = TOGETHER[name]
    assert sorted(item["rule"] for item in breaking(old, new)) == sorted(said)


def test_text_form(sidlc, run, tmp_path):
    (tmp_path / "old.sidl").write_text("package p version 1.0 {\n  enum E { a, b }\n}\n")
    (tmp_path / "new.sidl").write_text("package p version 1.0 {\n  enum E { a = 3 }\n}\n")
    done = run([sidlc, "--breaking", "old.sidl", "new.sidl"], status=1, cwd=tmp_path)
    assert done.stderr == (
        "old.sidl:2:15: error: ENUMERATOR_DELETED: the enumerator 'p.E.b' is gone "
        "(breaks source, binary, wire) [SIDL0350]\n"
        "    enum E { a, b }\n"
        "                ^\n"
        "new.sidl:2:12: error: ENUMERATOR_VALUE_CHANGED: the enumerator 'p.E.a' is 3, and was 0 "
        "(breaks binary, wire) [SIDL0350]\n"
        "    enum E { a = 3 }\n"
        "             ^\n"
    )


def test_everything_is_listed(breaking):
    methods = [f"void m{i}();" for i in range(50)]
    assert len(breaking(f"class C {{ {' '.join(methods)} }}", "class C {}")) == 50


@pytest.mark.parametrize(
    "breaks, said",
    [
        ("source", ["ENUMERATOR_DELETED"]),
        ("binary", ["ENUMERATOR_DELETED", "ENUMERATOR_VALUE_CHANGED"]),
        ("wire", ["ENUMERATOR_DELETED", "ENUMERATOR_VALUE_CHANGED"]),
        ("source,wire", ["ENUMERATOR_DELETED", "ENUMERATOR_VALUE_CHANGED"]),
    ],
)
def test_what_breaks_can_be_chosen(breaks, said, breaking):
    found = breaking("enum E { a, b }", "enum E { a = 2 }", f"--breaks={breaks}")
    assert [item["rule"] for item in found] == said


# ---- what can be compared -----------------------------------------------------------------------

OLD = "package a version 1.0 { interface I { void f(); } }"
NEW = "package a version 1.0 { interface I { void g(); } }"
USER = "package b version 1.0 { class C implements-all a.I {} }"


@pytest.fixture
def tree(sidlc, run, tmp_path):
    """Two folders, old and new, of the same files: texts, and compiled packages in oldc, newc."""
    for folder, text in [("old", OLD), ("new", NEW)]:
        (tmp_path / folder / "deep").mkdir(parents=True)
        (tmp_path / folder / "a.sidl").write_text(text)
        (tmp_path / folder / "deep/b.sidl").write_text(USER)
        (tmp_path / folder / "readme.txt").write_text("nothing")
        command = [sidlc, "--emit=ir", "-o", f"{folder}c/a.sidlir", f"{folder}/a.sidl"]
        run(command, cwd=tmp_path)
        command = [sidlc, "--emit=ir", "-o", f"{folder}c/b.sidlir", "-I", f"{folder}/a.sidl"]
        run([*command, f"{folder}/deep/b.sidl"], cwd=tmp_path)
    return tmp_path


def rules_in(text):
    return re.findall(r"^(\S+):\d+:\d+: error: ([A-Z_]+): ", text, re.MULTILINE)


@pytest.mark.parametrize(
    "old, new",
    [
        ("old", "new"),
        ("old/a.sidl", "new/a.sidl"),
        ("oldc/a.sidlir", "new/a.sidl"),
        ("old", "newc"),
        ("oldc", "newc"),
    ],
)
def test_files_and_folders(old, new, sidlc, run, tree):
    done = run([sidlc, "--breaking", old, new], status=1, cwd=tree)
    found = rules_in(done.stderr)
    assert [rule for _, rule in found] == ["METHOD_DELETED", "METHOD_ADDED_TO_INTERFACE"]
    for file, side in zip((file for file, _ in found), (old, new), strict=True):
        assert file.startswith(side)
    run([sidlc, "--breaking", old, old], cwd=tree)


def test_folders_that_are_called_like_files(sidlc, run, tree):
    """CMake makes some, for what belongs to a target that is called like its file."""
    for folder in ("old", "new"):
        (tree / folder / "CMakeFiles" / "a.sidl").mkdir(parents=True)
    for folder in ("oldc", "newc"):
        (tree / folder / "a.sidlir.dir.sidlir").mkdir()
    for old, new in (("old", "new"), ("oldc", "newc")):
        done = run([sidlc, "--breaking", old, new], status=1, cwd=tree)
        assert [rule for _, rule in rules_in(done.stderr)] == [
            "METHOD_DELETED",
            "METHOD_ADDED_TO_INTERFACE",
        ]
    run([sidlc, "--check", "-R", "oldc", "old/deep/b.sidl"], cwd=tree)


@pytest.mark.parametrize(
    "old, new, options",
    [
        ("old/deep/b.sidl", "new/deep/b.sidl", ["-I", "old/a.sidl"]),
        ("old/deep/b.sidl", "new/deep/b.sidl", ["-R", "oldc"]),
        ("oldc/b.sidlir", "newc/b.sidlir", []),
    ],
)
def test_what_is_not_part_of_the_interface(old, new, options, sidlc, run, tree):
    done = run([sidlc, "--breaking", *options, old, new], cwd=tree)
    assert done.stderr == ""


def test_errors_in_the_files(sidlc, run, tree):
    (tree / "new/a.sidl").write_text("package a version 1.0 {")
    done = run([sidlc, "--breaking", "old", "new"], status=1, cwd=tree)
    assert "new/a.sidl:1:23: error: " in done.stderr
    assert "SIDL0350" not in done.stderr
    (tree / "empty").mkdir()
    done = run([sidlc, "--breaking", "old", "empty"], status=1, cwd=tree)
    assert "'empty' contains neither .sidl nor .sidlir files" in done.stderr
    done = run([sidlc, "--breaking", "old", "nowhere"], status=1, cwd=tree)
    assert "cannot read 'nowhere'" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--breaking"],
        ["--breaking", "old"],
        ["--breaking", "old", "new", "third"],
        ["--breaking", "--check", "old", "new"],
        ["--breaking", "--breaks=everything", "old", "new"],
        ["--check", "--breaks=wire", "old/a.sidl"],
        ["--breaking", "--list-outputs", "old", "new"],
    ],
)
def test_wrong_command_line(arguments, sidlc, run, tree):
    done = run([sidlc, *arguments], status=2, cwd=tree)
    assert done.stderr.startswith("sidlc: ")


def test_the_page_shows_the_rules(root, rules):
    page = (root / "docs/breaking-changes.md").read_text()
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([a-z, ]+?) \| (.*?) \|$", page, re.MULTILINE)
    assert {name: (breaks, text) for name, breaks, text in rows} == rules
