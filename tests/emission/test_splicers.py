"""What the user writes between splicer marks survives, whatever happens to the SIDL around it."""

import pytest

SIDL = """package keep version 1.0 {{
  class Things {{
{methods}
  }}
}}
"""


IMPL_FILES = {
    "c": "keep_Things_Impl.c",
    "c++": "keep_Things_Impl.cxx",
    "fortran": "keep_Things_Impl.f90",
    "java": "keep/Things_Impl.java",
    "python": "keep/Things_Impl.py",
}
# A line of what the file needs from elsewhere, and its block.
INCLUDES = {
    "c": (b"#include <math.h>\n", "_includes"),
    "c++": (b"#include <math.h>\n", "_includes"),
    "fortran": (b"use iso_c_binding\n", "_use"),
    "java": (b"import java.util.List;\n", "_imports"),
    "python": (b"import math\n", "_imports"),
}
COMMENTS = {"c": "/* {} */", "c++": "// {}", "fortran": "! {}", "java": "// {}", "python": "# {}"}
# What lines begin with that must not run, where compilers cannot be told to skip text.
DEAD = {"fortran": b"!| ", "java": b"//| ", "python": b"#| "}


@pytest.fixture(params=sorted(IMPL_FILES))
def project(request, run, sidlc, tmp_path):
    return Project(request.param, run, sidlc, tmp_path)


class Project:
    """A class with an Impl in one language, regenerated at will."""

    def __init__(self, language, run, sidlc, folder):
        self.language = language
        self.run = run
        self.sidlc = sidlc
        self.folder = folder
        self.impl = folder / IMPL_FILES[language]
        self.include, self.includes = INCLUDES[language]

    def generate(self, *methods, options=(), status=0):
        source = self.folder / "keep.sidl"
        source.write_text(SIDL.format(methods="\n".join(f"    {method}" for method in methods)))
        command = [self.sidlc, f"--server={self.language}", "-o", self.folder, *options, source]
        return self.run(command, status=status)

    def mark(self, kind, block):
        return COMMENTS[self.language].format(f"DO-NOT-DELETE splicer.{kind}({block})")

    def block(self, name):
        """Text of a block of the Impl file, as bytes."""
        text = self.impl.read_bytes()
        begin = text.index(self.mark("begin", f"keep.Things.{name}").encode())
        end = text.index(self.mark("end", f"keep.Things.{name}").encode())
        return text[text.index(b"\n", begin) + 1 : text.rindex(b"\n", begin, end) + 1]

    def fill(self, name, content):
        text = self.impl.read_bytes()
        old = self.block(name)
        at = text.index(self.mark("begin", f"keep.Things.{name}").encode())
        at = text.index(b"\n", at) + 1
        assert text[at : at + len(old)] == old
        self.impl.write_bytes(text[:at] + content + text[at + len(old) :])

    def files(self):
        return {path.name: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def dead(self, code):
        """How lines look that must not run."""
        mark = DEAD.get(self.language, b"")
        return b"".join(mark + line for line in code.splitlines(keepends=True))


def test_code_survives_byte_for_byte(project):
    project.generate("void one();", "int two(in int x);")
    code = b"\t/* odd\tspacing,  \r\n   trailing blanks   \n\n\n   and \xc3\xa4 $dollar$ $$ */\n"
    project.fill("one", code)
    project.fill(project.includes, project.include)
    before = project.impl.read_bytes()

    project.generate("void one();", "int two(in int x);")
    assert project.impl.read_bytes() == before

    project.generate("int two(in int x);", "string three();", "void one(in string added);")
    assert project.block("one") == code
    assert project.block(project.includes) == project.include


def test_code_of_a_method_that_is_gone_is_kept_and_comes_back(project):
    project.generate("void one();", "void two();")
    code = b"  precious_code();\n"
    project.fill("two", code)

    project.generate("void one();")
    text = project.impl.read_bytes()
    dead = text[text.index(b"BEGIN UNREFERENCED METHOD(S)") :]
    assert project.dead(code) in dead
    assert project.language in DEAD or (b"#if 0" in dead and b"#endif" in dead)
    assert b"END UNREFERENCED METHOD(S)" in dead

    project.generate("void one();")
    assert project.impl.read_bytes() == text, "regenerating must change nothing"

    project.generate("void one();", "void two();")
    assert project.block("two") == code
    assert project.impl.read_bytes().count(code) == 1


def test_code_that_nobody_wrote_goes_with_its_method(project):
    long_name = "a" + 59 * "z"
    methods = [f"int {long_name}(in int {long_name}_);", "static opaque two();", "bool three();"]
    project.generate(*methods, "string last();", options=["--generate-hooks"])
    project.generate("string last();")
    gone = project.impl.read_bytes()
    project.impl.unlink()
    project.generate("string last();")
    assert project.impl.read_bytes() == gone


def test_lines_that_look_disabled_are_kept_among_others(project):
    code = project.dead(b"a table |\n") + b"  code();\n"
    project.generate("void one();")
    project.fill("one", code)
    for methods in (["void one();"], ["void other();"], ["void one();"]):
        project.generate(*methods)
    assert project.block("one") == code


def test_renaming_keeps_both_versions(project):
    project.generate("void one();")
    project.fill("one", b"  precious_code();\n")
    project.generate("void renamed();")
    assert b"precious_code" not in project.block("renamed")
    assert project.block("one") == project.dead(b"  precious_code();\n")


def test_renamed_method_keeps_its_code(project):
    project.generate("void one();", "void onetwo();")
    project.fill("one", b"  precious_code();\n")
    project.fill("onetwo", b"  other_code();\n")
    options = ["--rename", "keep.Things.one=keep.Things.renamed"]
    project.generate("void renamed();", "void onetwo();", options=options)
    assert project.block("renamed") == b"  precious_code();\n"
    assert project.block("onetwo") == b"  other_code();\n"
    assert b"UNREFERENCED" not in project.impl.read_bytes()
    text = project.impl.read_bytes()
    done = project.generate("void renamed();", "void onetwo();", options=options)
    assert project.impl.read_bytes() == text
    assert (
        "moved nothing: no Impl file contains code of 'keep.Things.one' [SIDL0014]" in done.stderr
    )


def test_renaming_after_the_code_was_regenerated(project):
    """The option was forgotten once: the code lies at the end of the file by then."""
    project.generate("void one();")
    project.fill("one", b"  precious_code();\n")
    project.generate("void renamed();")
    assert b"precious_code" not in project.block("renamed")
    options = ["--rename", "keep.Things.one=keep.Things.renamed"]
    done = project.generate("void renamed();", options=options)
    assert done.stderr == ""
    assert project.block("renamed") == b"  precious_code();\n"
    assert b"UNREFERENCED" not in project.impl.read_bytes()


def test_renaming_when_the_new_name_has_code_by_now(project):
    project.generate("void one();")
    project.fill("one", b"  code_of_one();\n")
    project.generate("void renamed();")
    project.fill("renamed", b"  new_code();\n")
    text = project.impl.read_bytes()
    options = ["--rename", "keep.Things.one=keep.Things.renamed"]
    done = project.generate("void renamed();", options=options)
    assert (
        "the code of 'keep.Things.one' was not moved to 'keep.Things.renamed', which has code"
        in (done.stderr)
    )
    assert project.impl.read_bytes() == text


def test_renaming_to_what_is_not_there(project):
    project.generate("void one();")
    project.fill("one", b"  precious_code();\n")
    text = project.impl.read_bytes()
    options = ["--rename", "keep.Things.one=keep.Things.typo"]
    done = project.generate("void one();", options=options)
    assert "moved nothing: no class or method is called 'keep.Things.typo'" in done.stderr
    assert project.impl.read_bytes() == text


def test_renaming_to_a_name_with_code_keeps_both(project):
    project.generate("void one();", "void two();")
    project.fill("one", b"  code_of_one();\n")
    project.fill("two", b"  code_of_two();\n")
    done = project.generate("void two();", options=["--rename", "keep.Things.one=keep.Things.two"])
    assert "'keep.Things.two', which has code of its own" in done.stderr
    assert project.block("two") == b"  code_of_two();\n"
    assert project.block("one") == project.dead(b"  code_of_one();\n")


def test_renamed_class_keeps_its_code(project):
    project.generate("void one();")
    project.fill("one", b"  precious_code();\n")
    project.fill(project.includes, project.include)
    source = project.folder / "keep.sidl"
    source.write_text("package kept version 1.0 { class Stuff { void one(); } }")
    command = [project.sidlc, f"--server={project.language}", "-o", project.folder]
    done = project.run([*command, "--rename", "keep.Things=kept.Stuff", source])
    old_path = str(project.impl.relative_to(project.folder))
    new_path = old_path.replace("keep", "kept").replace("Things", "Stuff")
    assert f"the code of '{old_path}' is now in '{new_path}" in done.stderr
    new = (project.folder / new_path).read_bytes()
    begin = project.mark("begin", "kept.Stuff.one").encode()
    assert begin + b"\n  precious_code();\n" in new.replace(b"  " + begin, begin)
    assert project.include in new and b"keep.Things" not in new
    assert project.impl.exists()


@pytest.mark.parametrize("order", [1, -1])
def test_a_class_and_its_method_are_renamed_together(project, order):
    """In one order the method's code went under the new name, and was said to be missing."""
    project.generate("void one();")
    project.fill("one", b"  precious_code();\n")
    source = project.folder / "keep.sidl"
    source.write_text("package keep version 1.0 { class Stuff { void two(); } }")
    renames = ["keep.Things=keep.Stuff", "keep.Things.one=keep.Stuff.two"][::order]
    command = [project.sidlc, f"--server={project.language}", "-o", project.folder]
    done = project.run([*command, *(f"--rename={each}" for each in renames), source])
    assert "moved nothing" not in done.stderr
    new = project.impl.with_name(project.impl.name.replace("Things", "Stuff")).read_bytes()
    begin = project.mark("begin", "keep.Stuff.two").encode()
    assert begin + b"\n  precious_code();\n" in new.replace(b"  " + begin, begin)


def test_renaming_a_class_after_the_code_was_regenerated(project):
    project.generate("void one();", "void two();", "void gone();")
    for name in ("one", "gone"):
        project.fill(name, f"  code_of_{name}();\n".encode())
    source = project.folder / "keep.sidl"
    source.write_text("package kept version 1.0 { class Stuff { void one(); void two(); } }")
    command = [project.sidlc, f"--server={project.language}", "-o", project.folder]
    project.run([*command, source])
    new_path = project.folder / str(project.impl.relative_to(project.folder)).replace(
        "keep", "kept"
    ).replace("Things", "Stuff")
    fresh = new_path.read_bytes()
    assert b"code_of_one" not in fresh
    rename = ["--rename", "keep.Things=kept.Stuff"]
    done = project.run([*command, *rename, source])
    assert "is now in" in done.stderr
    moved = new_path.read_bytes()
    assert b"\n  code_of_one();\n" in moved
    assert project.dead(b"  code_of_gone();\n") in moved, "the old file may be deleted"
    # What nobody changed is generated for the new name.
    assert fresh.count(b"kept.Stuff.two") == moved.count(b"kept.Stuff.two")
    project.run([*command, *rename, source])
    assert new_path.read_bytes() == moved


def test_line_ends_of_the_file_are_kept(project):
    project.generate("void one();", "void gone();")
    project.fill("one", b"  code();\n")
    project.fill("gone", b"  old_code();\n")
    project.impl.write_bytes(project.impl.read_bytes().replace(b"\n", b"\r\n"))
    before = project.impl.read_bytes()
    project.generate("void one();", "void gone();")
    assert project.impl.read_bytes() == before
    project.generate("void one();", "void two();")
    text = project.impl.read_bytes()
    assert b"keep.Things.two" in text and b"UNREFERENCED" in text
    assert text.count(b"\n") == text.count(b"\r\n")


@pytest.mark.parametrize("text", ["keep.Things", "=x", "a b=c", "a..b=c", "a.=b", "1a=b"])
def test_rename_wants_two_names(project, text):
    done = project.generate("void one();", options=["--rename", text], status=2)
    assert "--rename must be OLD=NEW" in done.stderr


def test_impl_file_that_cannot_be_read_is_not_overwritten(project):
    project.impl.mkdir(parents=True)
    done = project.generate("void one();", status=1)
    assert f"cannot read '{project.impl}': Is a directory" in done.stderr


def damage_begin_twice(project, text):
    mark = project.mark("begin", "keep.Things.one")
    return text.replace(mark, mark + "\n" + mark)


def damage_end_missing(project, text):
    return text.replace(project.mark("end", "keep.Things.one"), "")


def damage_begin_missing(project, text):
    return text.replace(project.mark("begin", "keep.Things.one"), "")


def damage_end_of_another(project, text):
    return text.replace(
        project.mark("end", "keep.Things.one"), project.mark("end", "keep.Things.two")
    )


def damage_name(project, text):
    return text.replace("splicer.begin(keep.Things.one)", "splicer.begin(keep.Things.one")


def damage_word(project, text):
    return text.replace(
        "DO-NOT-DELETE splicer.end(keep.Things.one)", "splicer.end(keep.Things.one)"
    )


@pytest.mark.parametrize(
    "damage",
    [
        damage_begin_twice,
        damage_end_missing,
        damage_begin_missing,
        damage_end_of_another,
        damage_name,
        damage_word,
    ],
)
def test_damaged_marks_are_an_error_and_nothing_is_written(project, damage):
    project.generate("void one();", "void two();")
    project.impl.write_text(damage(project, project.impl.read_text()))
    before = project.files()

    done = project.generate("void one();", "void two();", "void three();", status=1)
    assert done.stderr.startswith(f"{project.impl}:")
    assert "splicer" in done.stderr
    assert "[SIDL0018]" in done.stderr
    after = project.files()
    del before["keep.sidl"], after["keep.sidl"]
    assert after == before


def test_many_damaged_marks_are_one_error(project):
    project.generate("void one();", "void two();")
    text = project.impl.read_text()
    project.impl.write_text(text.replace("DO-NOT-DELETE ", ""))
    done = project.generate("void one();", "void two();", status=1)
    count = text.count("DO-NOT-DELETE ") - 1
    assert done.stderr.count(" error: ") == 1
    assert f"damaged splicer mark, like {count} other lines: a mark is a comment" in done.stderr
    assert "DO-NOT-DELETE splicer.begin(name)" in done.stderr


def test_doc_comments_that_mention_marks_are_not_taken_for_them(project):
    # They have to match: sidlc checks them in SIDL files, too.
    begin, end = (
        f"/**\n * DO-NOT-DELETE splicer.{kind}(keep.Things.one)\n */ " for kind in ("begin", "end")
    )
    source = project.folder / "keep.sidl"
    documented = SIDL.format(methods=f"    {end} void one();").replace("class", begin + "class")
    source.write_text(documented)
    command = [project.sidlc, f"--server={project.language}", "-o", project.folder, source]
    project.run(command)
    assert "splicer.end (keep.Things.one)" in project.impl.read_text()
    project.fill("one", b"mine\n")
    before = project.files()
    project.run(command)
    assert project.files() == before


def test_banner_of_an_impl_file_says_what_may_be_edited(project):
    project.generate("void one();")
    end = {"python": "import", "fortran": "module"}.get(project.language, "*/")
    assert "splicer" in project.impl.read_text().split(end)[0]


@pytest.mark.parametrize("options", [[], ["--generate-hooks"]])
def test_what_nobody_implemented_follows_the_signature(project, options):
    """The body that sidlc wrote named arguments that the method no longer had."""
    project.generate("int one(in int a, in int gone);", options=options)
    project.generate("string one(in double a, in string added);", options=options)
    followed = project.files()
    project.impl.unlink()
    project.generate("string one(in double a, in string added);", options=options)
    assert project.files() == followed
    assert b"gone" not in project.block("one")


@pytest.mark.parametrize(
    "more", [b"  // mine\n", b"  /* mine */\n", b"  mine();\n", b"  # mine\n", b"  (void)f(a);\n"]
)
@pytest.mark.parametrize("is_first", [True, False])
def test_what_the_user_added_to_a_body_stays(project, more, is_first):
    project.generate("int one(in int a, in int gone);")
    body = project.block("one")
    code = more + body if is_first else body + more
    project.fill("one", code)
    project.generate("string one(in double a, in string added);")
    assert project.block("one") == code
