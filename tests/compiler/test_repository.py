"""Repositories (-R): types from compiled packages, without their .sidl files."""

import json
import os
import subprocess

import pytest

BASE = """
/** What users build upon. */
final package base version 1.2 {
  enum Color { red, green = 5, blue }
  struct Point { double x; double y; Color color; }
  interface Shape { double area() throws Trouble; Point corner(in Color c); }
  abstract class Square implements Shape {
    double area() throws Trouble;
    abstract Point corner(in Color c);
  }
  class Trouble extends sidl.SIDLException {}
  package deep { interface Inner extends base.Shape { void inner(); } }
}
"""
USER = """
package user version 2.0 {
  class Mine extends base.Square {
    base.Point corner(in base.Color c);
    void own() throws base.Trouble;
  }
  class Other implements-all base.deep.Inner {}
}
"""


@pytest.fixture
def world(sidlc, run, root, tmp_path):
    """Files and compilations in one folder."""

    class World:
        path = tmp_path

        def write(self, name, text):
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            return file

        def sidlc(self, *arguments, status=0):
            return run([sidlc, *arguments], status=status, cwd=tmp_path)

        def compile(self, text, name, *options):
            """A compiled package at `name`; its text is gone."""
            source = self.write("compiled.sidl", text)
            self.sidlc("--emit=ir", "-o", name, *options, source.name)
            source.unlink()
            return tmp_path / name

        def check(self, text, *options, status=0):
            self.write("user.sidl", text)
            return self.sidlc("--check", *options, "user.sidl", status=status).stderr

        def edit(self, name, *changes):
            """Changes a compiled package as text."""
            file = tmp_path / name
            proto = ["-I", root / "compiler/ir", "sidl_ir.proto"]

            def protoc(action, data):
                command = ["protoc", f"--{action}=shinar.ir.Module", *proto]
                return subprocess.run(command, input=data, capture_output=True, check=True).stdout

            text = protoc("decode", file.read_bytes()).decode()
            for old, new in changes:
                assert old in text
                text = text.replace(old, new, 1)
            file.write_bytes(protoc("encode", text.encode()))

    return World()


def generated(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_types_come_from_a_repository(world):
    world.compile(BASE, "repo/base.sidlir")
    assert world.check(USER, "-R", "repo") == ""
    assert "unknown type 'base.Square'" in world.check(USER, status=1)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("side", ["client", "server"])
def test_generated_code_is_the_same_as_with_the_source(language, side, world):
    world.compile(BASE, "repo/base.sidlir")
    world.write("base.sidl", BASE)
    world.write("user.sidl", USER)
    world.sidlc(f"--{side}={language}", "-o", "one", "-R", "repo", "user.sidl")
    world.sidlc(f"--{side}={language}", "-o", "two", "-I", "base.sidl", "user.sidl")
    assert generated(world.path / "one") == generated(world.path / "two")
    assert "user_Mine.h" in generated(world.path / "one") or language == "c++"
    assert not any("base" in name for name in generated(world.path / "one"))


def test_compiled_packages_as_files(world):
    world.compile(BASE, "base.sidlir")
    world.write("base.sidl", BASE)
    world.sidlc("--client=c", "-o", "one", "base.sidlir")
    world.sidlc("--client=c", "-o", "two", "base.sidl")
    one, two = generated(world.path / "one"), generated(world.path / "two")
    assert one.keys() == two.keys()
    for name, text in one.items():
        assert text.replace(b"base.sidlir", b"base.sidl") == two[name]
    assert world.check(USER, "-I", "base.sidlir") == ""
    assert world.sidlc("--emit=sidl", "base.sidlir").stdout == (
        world.sidlc("--emit=sidl", "base.sidl").stdout
    )


def test_several_folders_and_spellings(world):
    world.compile(BASE, "one/base.sidlir")
    world.compile("package other version 1.0 { interface I {} }", "two/x.sidlir")
    text = USER + "package more version 1.0 { interface J extends other.I {} }"
    for options in [
        ["-R", "one;two"],
        ["-Rone", "-R", "two"],
        ["--repository-path=two;one;"],
        ["--repository-path=one", "--repository-path=two"],
    ]:
        assert world.check(text, *options) == ""


def test_a_folder_with_a_semicolon_in_its_name(world):
    world.compile(BASE, "one;two/base.sidlir")
    assert world.check(USER, "-R", "one;two") == ""
    (world.path / "three").mkdir()
    assert world.check(USER, "-R", "one;two", "-R", "three") == ""
    (world.path / "one;two").rename(world.path / "one")
    (world.path / "two").mkdir()
    assert world.check(USER, "-R", "one;two") == ""


def test_imports_lead_to_packages(world):
    world.compile(BASE, "repo/base.sidlir")
    assert (
        world.check("import base; package u version 1.0 { class C extends Trouble {} }", "-Rrepo")
        == ""
    )
    text = "import base.deep version 1.2.0; package u version 1.0 { interface C extends Inner {} }"
    assert world.check(text, "-R", "repo") == ""
    text = "import base.deep.Inner; package u version 1.0 { interface C extends Inner {} }"
    assert world.check(text, "-R", "repo") == ""
    text = "import base; package u version 1.0 { interface C extends deep.Inner {} }"
    assert world.check(text, "-R", "repo") == ""
    assert world.check("require base version 1.2; package u version 1.0 {}", "-R", "repo") == ""


def test_a_package_of_the_run_wins(world):
    world.compile(BASE, "repo/base.sidlir")
    text = (
        "package base version 3.0 { interface Mine {} } "
        "package u version 1.0 { class C implements base.Mine {} }"
    )
    assert world.check(text, "-R", "repo") == ""
    done = world.check(text.replace("base.Mine {}", "base.Shape {}"), "-R", "repo", status=1)
    assert "unknown type 'base.Shape'" in done


def test_packages_inside_packages_of_the_run(world):
    world.compile(BASE, "repo/base.sidlir")
    text = "package base.more version 1.2 { class Good extends base.Trouble {} }"
    assert world.check(text, "-R", "repo") == ""


def test_a_package_in_pieces(world):
    world.compile("package p version 1.0 { interface A {} }", "repo/a.sidlir")
    world.compile("package p version 1.0 { interface B {} }", "repo/b.sidlir")
    world.compile("package p version 2.0 { interface C {} }", "elsewhere/c.sidlir")
    text = "require p version 1; package u version 1.0 { class C implements p.A, p.B {} }"
    assert world.check(text, "-R", "repo;elsewhere") == ""


def test_dependencies_are_found_as_well(world):
    world.compile("package a version 1.0 { interface A {} }", "repo/a.sidlir")
    world.compile(
        "package b version 1.0 { interface B extends a.A {} }", "repo/b.sidlir", "-R", "repo"
    )
    world.compile(
        "package c version 1.0 { interface C extends b.B {} }", "repo/c.sidlir", "-R", "repo"
    )
    world.write("user.sidl", "package u version 1.0 { class U implements c.C {} }")
    ir = json.loads(world.sidlc("--emit=ir-json", "-R", "repo", "user.sidl").stdout)
    names = {item["name"]: item.get("external", False) for item in ir["types"]}
    assert names["a.A"] and names["b.B"] and names["c.C"] and not names["u.U"]
    assert ir["files"] == ["user.sidl"]


def test_depfile_names_what_was_read(world):
    world.compile(BASE, "repo/base.sidlir")
    world.compile("package x version 1.0 { interface X {} }", "repo/x.sidlir")
    world.write("user.sidl", USER)
    world.sidlc("--client=c", "-o", "out", "--depfile", "d", "-R", "repo", "user.sidl")
    rule = (world.path / "d").read_text().rsplit(": ", 1)[1]
    assert rule.replace("\\\n", " ").split() == ["user.sidl", "repo/base.sidlir"]


# ---- versions -----------------------------------------------------------------------------------


@pytest.fixture
def versions(world):
    for version in ["1.0", "1.9", "1.10.0"]:
        name = "V" + version.replace(".", "x")
        world.compile(
            f"package p version {version} {{ interface {name} {{}} interface All {{}} }}",
            f"repo/p-{version}.sidlir",
        )
    return world


@pytest.mark.parametrize(
    "statement, name",
    [
        ("", "p.V1x10x0"),
        ("import p;", "V1x10x0"),
        ("import p version 1.9;", "V1x9"),
        ("require p version 1.9.0;", "p.V1x9"),
        ("require p version 1;", "p.V1x0"),
        ("require p version 1.10;", "p.V1x10x0"),
        ("import p.All version 1.9;", "p.V1x9"),
    ],
)
def test_versions(statement, name, versions):
    text = statement + f"package u version 1.0 {{ class C implements {name} {{}} }}"
    assert versions.check(text, "-R", "repo") == ""


def test_a_version_that_is_not_there(versions):
    text = "require p version 2.0; package u version 1.0 { class C implements p.All {} }"
    done = versions.check(text, "-R", "repo", status=1)
    assert done.startswith(
        "user.sidl:1:19: error: the package 'p' is not available in version 2.0 [SIDL0312]\n"
    )
    for version in ["1.0", "1.9", "1.10.0"]:
        assert f"version {version} is in 'repo/p-{version}.sidlir'" in done
    assert "'repo' was searched" in done
    assert done.count("error:") == 1


def test_a_package_that_is_not_there(versions):
    text = "import q; package u version 1.0 { class C implements p.All {} }"
    done = versions.check(text, "-R", "repo", status=1)
    assert "user.sidl:1:8: error: the package 'q' is neither in an input file nor in " in done
    assert "[SIDL0311]" in done
    assert "'repo' was searched" in done


def test_compiled_with_another_version(versions):
    versions.compile(
        "require p version 1.9; package b version 1.0 { interface B extends p.All {} }",
        "repo/b.sidlir",
        "-R",
        "repo",
    )
    text = "package u version 1.0 { class C implements b.B {} }"
    assert versions.check(text, "-R", "repo") == ""
    for start in ["import p version 1.0;", "package p version 1.0 { interface All {} }"]:
        done = versions.check(start + text, "-R", "repo", status=1)
        assert (
            "'b' in 'repo/b.sidlir' was compiled with version 1.9 of the package 'p', but " in done
        )
        assert "version 1.0 is used here" in done
        assert "[SIDL0313]" in done


def test_compiled_with_a_package_that_is_gone(versions):
    versions.compile(
        "package b version 1.0 { interface B extends p.All {} }", "repo/b.sidlir", "-R", "repo"
    )
    text = "package u version 1.0 { class C implements b.B {} }"
    (versions.path / "repo/p-1.10.0.sidlir").unlink()
    done = versions.check(text, "-R", "repo", status=1)
    assert "'p', which 'repo/b.sidlir' needs, is not available in version 1.10.0 [SIDL0312]" in done
    for file in (versions.path / "repo").glob("p-*"):
        file.unlink()
    done = versions.check(text, "-R", "repo", status=1)
    assert "'p' version 1.10.0, which 'repo/b.sidlir' needs, is neither" in done


def test_compiled_with_another_standard_library(world):
    world.compile(BASE, "repo/base.sidlir")
    place = 'local_name: "BaseInterface"\n  version: '
    world.edit("repo/base.sidlir", (place + '"0.9.17"', place + '"0.1"'))
    done = world.check(USER, "-R", "repo", status=1)
    assert "[SIDL0313]" in done
    assert "sidlc's standard library" in done


# ---- files that are no compiled packages --------------------------------------------------------


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"", "it is not a compiled package"),
        (b"Hello, I am a text.", "it is damaged, or not a compiled package at all"),
        (b"\x08\x02", "it is not a compiled package"),
        (
            b"\x08\x63\x22\x00",
            "it was made by a newer sidlc (schema 99; this one reads schemas up to 2)",
        ),
        (b"\x08\x02\x22\x00", "it is inconsistent"),
        (b"\x08\x02\x22\x05\x0a\x03\xff\xff\xff", "it is damaged"),
    ],
)
def test_files_that_are_no_packages(content, reason, world):
    (world.path / "bad.sidlir").write_bytes(content)
    done = world.sidlc("--check", "bad.sidlir", status=1)
    assert f"sidlc: error: cannot use 'bad.sidlir': {reason}" in done.stderr
    assert done.stderr.endswith("[SIDL0310]\n")
    assert done.stderr.count("\n") == 1


def test_depth_is_limited(world):
    expression = b""
    for _ in range(5000):
        size = len(expression)
        prefix = []
        while True:
            prefix.append(size & 127 | (128 if size > 127 else 0))
            size >>= 7
            if size == 0:
                break
        expression = b"\x08\x04\x2a" + bytes(prefix) + expression
    world.compile(BASE, "bad.sidlir")
    whole = (world.path / "bad.sidlir").read_bytes()

    def field(tag, data):
        size = len(data)
        prefix = b""
        while size > 127:
            prefix += bytes([size & 127 | 128])
            size >>= 7
        return tag + prefix + bytes([size]) + data

    invariant = field(b"\x62", field(b"\x12", expression))
    (world.path / "bad.sidlir").write_bytes(whole + field(b"\x22", field(b"\x5a", invariant)))
    done = world.sidlc("--check", "bad.sidlir", status=1)
    assert "it is damaged" in done.stderr


@pytest.mark.parametrize("step", [1, 7, 31])
def test_damaged_files_are_errors_not_crashes(step, world):
    file = world.compile(BASE, "bad.sidlir")
    whole = file.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 40) * step // step + step):
        for damaged in [whole[:at], whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :]]:
            file.write_bytes(damaged)
            done = world.sidlc("--emit=sidl", "bad.sidlir", status=None)
            assert done.returncode in (0, 1)
            assert "internal error" not in done.stderr
            assert "protobuf" not in done.stderr


def test_text_that_is_no_sidl(world):
    world.compile(BASE, "repo/base.sidlir")
    world.edit("repo/base.sidlir", ('name: "red"', 'name: "red wine"'))
    done = world.check(USER, "-R", "repo", status=1)
    assert "cannot use 'repo/base.sidlir': it does not contain valid SIDL: " in done
    assert done.count("error:") == 1


# Every place of a compiled file that holds words, and what it cannot hold.
STRANGE = """
%attrib{purpose = "words"} package strange version 1.0 {
  interface Shape {
    double area[Exact](in int count, in rarray<double,1> sides(count + 1));
      require enough: not (size(sides) < 2) and count > 3;
  }
  class Square implements Shape {
    double area[Rough](in int count, in rarray<double,1> sides(count + 1)) from Shape.area[Exact];
  }
  struct Corner { double x; }
  enum Side { left }
}
"""


@pytest.mark.parametrize(
    "old, new",
    [
        ('key: "purpose"', 'key: "pur pose"'),
        ('version: "1.0"', 'version: "one"'),
        ('name: "count"', 'name: "class"'),
        ('name: "count"', 'name: "count, in int other"'),
        ('name: "count"', f'name: "{"c" * 1001}"'),
        ('name: "enough"', 'name: "e: true; enough"'),
        ('name: "x"', 'name: "x; double y"'),
        ('name: "left"', 'name: "2"'),
        ('long_name: "areaExact"\n      }', 'long_name: "areaExact]"\n      }'),
        ('text: "1"', 'text: "f(1)"'),
        ('text: "1"', 'text: "\\"one\\""'),
        ('text: "2"', 'text: "2 > 1 or 3"'),
        ('text: "3"', "text: \"'three''\""),
        ('text: "size"', 'text: "size of"'),
        ('operators: "not"', 'operators: "!"'),
        ('operators: "<"', 'operators: "<>"'),
        ('operators: "+"', 'operators: "**"'),
    ],
    ids=lambda each: each[:30],
)
def test_words_that_are_no_sidl(old, new, world):
    file = world.compile(STRANGE, "strange.sidlir")
    world.sidlc("--check", file)
    world.edit("strange.sidlir", (old, new))
    done = world.sidlc("--emit=sidl", file, status=1)
    is_version = "version" in old
    assert (
        "'one' is not a version" if is_version else "it does not contain valid SIDL: "
    ) in done.stderr
    assert "internal error" not in done.stderr
    assert done.stdout == ""


def test_conflicts_point_into_the_package(world):
    """Its text, as people read it: nobody else has ever seen the one it was compiled from."""
    world.compile(BASE, "repo/base.sidlir")
    text = "package u version 1.0 { abstract class C extends base.Square { int area(); } }"
    done = world.check(text, "-R", "repo", status=1)
    assert "repo/base.sidlir:" in done
    assert "\n      double area() throws .base.Trouble;\n             ^~~~\n" in done


def test_broken_files_that_nobody_needs(world):
    world.compile(BASE, "repo/base.sidlir")
    (world.path / "repo/bad.sidlir").write_text("nonsense")
    (world.path / "repo/readme.txt").write_text("nonsense")
    assert world.check(USER, "-R", "repo") == ""
    text = "import lost; package u version 1.0 {}"
    done = world.check(text, "-R", "repo", status=1)
    assert "the package 'lost' is neither" in done
    assert "cannot use 'repo/bad.sidlir': it is damaged" in done


def test_broken_file_and_unknown_type(world):
    (world.path / "repo").mkdir()
    (world.path / "repo/bad.sidlir").write_text("nonsense")
    done = world.check("package u version 1.0 { class C extends bad.T {} }", "-R", "repo", status=1)
    assert "cannot use 'repo/bad.sidlir'" in done
    assert "unknown type 'bad.T'" in done


def test_a_contradiction_is_found_when_it_is_needed(world):
    world.compile(BASE, "repo/base.sidlir")
    world.edit("repo/base.sidlir", ('owner: "base.Shape"', 'owner: "base.Nothing"'))
    done = world.check(USER, "-R", "repo", status=1)
    assert "cannot use 'repo/base.sidlir': it is inconsistent" in done
    assert world.check("package u version 1.0 { interface I {} }", "-R", "repo") == ""


def test_missing_folder(world):
    done = world.check("package u version 1.0 { interface I {} }", "-R", "nowhere", status=1)
    assert "cannot read the repository 'nowhere': No such file or directory [SIDL0001]" in done


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_unreadable_file(world):
    world.compile(BASE, "repo/base.sidlir").chmod(0)
    done = world.check(USER, "-R", "repo", status=1)
    assert "cannot use 'repo/base.sidlir': Permission denied" in done
