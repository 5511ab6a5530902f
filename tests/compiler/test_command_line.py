"""Options that are Babel's as well, questions that are answered at once, and completion."""

import re
import shutil
import subprocess

import pytest

TWO = """
package one version 1.0 {
  class A { void f(); }
  class B { void g(); }
  package deep { enum E { a } }
}
package two version 1.0 { interface C extends one.D {} }
package one { interface D {} }
"""


@pytest.fixture
def work(sidlc, run, tmp_path):
    """work(options…, status=0) runs sidlc in a folder with two.sidl."""
    (tmp_path / "two.sidl").write_text(TWO)

    def it(*options, status=0):
        return run([sidlc, *options], status=status, cwd=tmp_path)

    it.path = tmp_path
    return it


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


# ---- Babel's options ----------------------------------------------------------------------------


@pytest.mark.parametrize("option", [["-t", "sidl"], ["-tsidl"], ["--text=sidl"]])
def test_text(option, work):
    work(*option, "-o", "out", "two.sidl")
    assert files(work.path / "out") == {"one.sidl", "two.sidl"}
    one, two = ((work.path / "out" / name).read_text() for name in ("one.sidl", "two.sidl"))
    assert one.startswith("package one version 1.0 {\n  class A {\n    void f();\n  }\n")
    assert two.startswith("require one version 1.0;\n\npackage two version 1.0 {\n")
    work("--check", "out/one.sidl", "out/two.sidl")
    both = work("--emit=sidl", "out/one.sidl", "out/two.sidl").stdout
    assert both == work("--emit=sidl", "two.sidl").stdout


@pytest.mark.parametrize("format", ["html", "xml"])
def test_other_texts_are_refused(format, work):
    done = work("--text", format, "two.sidl", status=2)
    assert f"--text must be sidl, not '{format}'" in done.stderr


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--sever=c", "unknown option '--sever'; did you mean '--server'?"),
        ("--output-dri", "unknown option '--output-dri'; did you mean '--output-dir'?"),
        ("--unheard-of", "unknown option '--unheard-of'\n"),
        ("--client=fortan", "no back end for language 'fortan'; did you mean 'fortran'?"),
        ("--server=pyhton", "no back end for language 'pyhton'; did you mean 'python'?"),
        ("--client=cpp", "no back end for language 'cpp'; did you mean 'c++'?"),
        ("--client=", "--client needs a value"),
        ("--client=cobol", "no back end for language 'cobol'; use c or c++ or"),
        ("--emit=ir-jsn", "not 'ir-jsn'; did you mean 'ir-json'?"),
        ("--completion=bsh", "not 'bsh'; did you mean 'bash'?"),
    ],
)
def test_misspelt_words(option, said, work):
    assert said in work(option, "two.sidl", status=2).stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--check", "--error-format=jsn"], "not 'jsn'; did you mean 'json'?"),
        (["--breaking", "--breaks=sorce", "two.sidl"], "unknown: 'sorce'; did you mean 'source'?"),
    ],
)
def test_misspelt_values(options, said, work):
    assert said in work(*options, "two.sidl", status=2).stderr


def test_exclude(work):
    for patterns, left in [
        (["one\\..*"], {"two_C"}),
        (["one.A", "two.*"], {"one_B", "one_D", "one_deep_E"}),
        (["A"], {"one_A", "one_B", "one_D", "one_deep_E", "two_C"}),
    ]:
        options = [word for pattern in patterns for word in ("-e", pattern)]
        done = work("--client=c", *options, "--list-outputs", "two.sidl")
        names = {re.sub(r"(_IOR)?\.[ch]$", "", name) for name in done.stdout.split()}
        types = {name for name in names if "_" in name and not name.endswith("_Stub")}
        assert types - {"one_deep"} == left
    text = work("--emit=sidl", "--exclude=one\\.[AB]", "two.sidl").stdout
    assert "class" not in text
    assert "interface D" in text


def test_exclude_must_be_an_expression(work):
    done = work("--check", "--exclude=(", "two.sidl", status=2)
    assert "--exclude: '(' is not a valid regular expression" in done.stderr


@pytest.mark.parametrize("option, prefix", [(["--makefile"], ""), (["-m", "p"], "p")])
def test_makefile(option, prefix, work):
    work("--server=c", "-o", "out", "--impl-dir", "src", *option, "two.sidl")
    text = (work.path / f"out/{prefix}babel.make").read_text().replace("\\\n", " ")
    sets = dict(line.split(" =") for line in text.splitlines() if not line.startswith("#"))
    sets = {name: value.split() for name, value in sets.items()}
    names = "IMPLHDRS IMPLSRCS IORHDRS IORSRCS SKELHDRS SKELSRCS STUBHDRS STUBSRCS"
    assert set(sets) == {prefix + name for name in names.split(" ")}
    assert sets[prefix + "IMPLSRCS"] == ["../src/one_A_Impl.c", "../src/one_B_Impl.c"]
    assert sets[prefix + "SKELSRCS"] == ["one_A_Skel.c", "one_B_Skel.c"]
    assert "one_A_IOR.h" in sets[prefix + "IORHDRS"]
    assert "one_A.h" in sets[prefix + "STUBHDRS"]
    listed = {name for value in sets.values() for name in value}
    written = files(work.path / "out") | {f"../src/{name}" for name in files(work.path / "src")}
    assert listed == written - {f"{prefix}babel.make"}


def test_make_can_read_the_makefile(work):
    work("--client=c", "-o", "out", "--makefile", "two.sidl")
    (work.path / "out/Makefile").write_text("include babel.make\nall:\n\t@echo $(IORSRCS)\n")
    done = subprocess.run(
        ["make", "-s", "-C", work.path / "out"], capture_output=True, text=True, check=True
    )
    types = ["one_A", "one_B", "one_D", "one_deep_E", "two_C"]
    assert done.stdout.split() == [f"{name}_IOR.c" for name in types]


@pytest.mark.parametrize("option", ["-l", "--language-subdirs"])
def test_language_folders(option, work):
    work("--server=c++", option, "-o", "out", "two.sidl")
    assert {name.split("/")[0] for name in files(work.path / "out")} == {"ior", "cxx"}
    assert "cxx/one_A_Impl.cxx" in files(work.path / "out")
    assert "ior/one_A_IOR.c" in files(work.path / "out")
    work("--server=c++", option, "-o", "other", "--impl-dir", "src", "two.sidl")
    assert "one_A_Impl.cxx" in files(work.path / "src")


@pytest.mark.parametrize("option", ["-V", "--vpath"])
def test_vpath(option, work):
    work("--server=c", "-o", "out", "--impl-dir", "src", "two.sidl")
    file = work.path / "src/one_A_Impl.c"
    file.write_text(
        file.read_text().replace(
            "splicer.begin(one.A.f) */", "splicer.begin(one.A.f) */\n  mine();"
        )
    )
    work("--server=c", "-o", "out", "--impl-dir", "build", option, "src", "two.sidl")
    assert "mine();" in (work.path / "build/one_A_Impl.c").read_text()
    # What is in the folder of Impl files goes first.
    file.write_text(file.read_text().replace("mine();", "yours();"))
    work("--server=c", "-o", "out", "--impl-dir", "build", option, "src", "two.sidl")
    assert "mine();" in (work.path / "build/one_A_Impl.c").read_text()


@pytest.mark.parametrize(
    "option", ["-E", "--exclude-external", "--suppress-timestamp", "--no-default-repository"]
)
def test_what_is_so_anyway_is_accepted(option, work):
    assert work("--check", option, "two.sidl").stderr == ""


@pytest.mark.parametrize(
    "option",
    [
        *("-g", "--generate-subdirs", "--short-file-names", "-u"),
        *("--hide-glue", "--include-referenced", "--multi", "--reset", "--timestamp"),
        *("--suppress-ior", "--suppress-stubs", "--suppress-contracts", "-x", "--rename-splicers"),
        *("--cxx-ior-exception", "--cca-mode", "--strict-provenance", "-f", "--fast-call"),
        *("--generate-sidl-stdlib", "--touch=file", "-Tfile"),
    ],
)
def test_what_cannot_be_honoured_is_refused(option, work):
    done = work("--client=c", option, "two.sidl", status=2)
    assert "is not supported" in done.stderr.splitlines()[0]
    assert files(work.path) == {"two.sidl"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--check", "--makefile"],
        ["--plugin=x", "--make-prefix=p"],
        ["--text=sidl", "-l"],
        ["--client=c", "--text=sidl"],
    ],
)
def test_options_without_a_meaning(arguments, work):
    assert work(*arguments, "two.sidl", status=2).stderr.startswith("sidlc: ")


# ---- dependencies, several files ----------------------------------------------------------------


@pytest.mark.parametrize("action", [["--check"], ["--emit=sidl"]])
def test_depfile_of_what_writes_nothing(action, work):
    work(*action, "--depfile", "out/d", "two.sidl")
    assert (work.path / "out/d").read_text().split() == ["out/d:", "\\", "two.sidl"]


def test_depfile_of_what_is_emitted(work):
    work("--emit=ir", "-o", "two.sidlir", "--depfile", "d", "two.sidl")
    assert (work.path / "d").read_text().split() == ["two.sidlir:", "\\", "two.sidl"]


def test_no_depfile_after_errors(work):
    (work.path / "bad.sidl").write_text("package")
    work("--check", "--depfile", "d", "bad.sidl", status=1)
    assert not (work.path / "d").exists()


def test_check_takes_several_files(work):
    (work.path / "three.sidl").write_text(
        "package three version 1.0 { class C implements two.C {} }"
    )
    assert work("--check", "three.sidl", "two.sidl").stderr == ""
    (work.path / "bad.sidl").write_text("package bad version 1.0 { class C implements two.X {} }")
    done = work("--check", "bad.sidl", "three.sidl", "two.sidl", status=1)
    assert done.stderr.count("error:") == 1


# ---- questions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["SIDL0401", "sidl0401", "0401", "401"])
def test_explain(code, work):
    done = work("--explain", code)
    title = "SIDL0401 UnknownType\n\nA type is unknown. Severity: error.\n\n    "
    assert done.stdout.startswith(title)
    assert "[SIDL0401]\n" in done.stdout
    assert "```" not in done.stdout
    assert "SIDL0402" not in done.stdout


def test_every_code_is_explained(work, root):
    table = (root / "compiler/diagnostics/codes.def").read_text()
    for number in re.findall(r"^SIDL_CODE\(\w+, (\d+),", table, re.MULTILINE):
        assert work("--explain", number).stdout.startswith(f"SIDL{int(number):04} ")


@pytest.mark.parametrize("code", ["SIDL9999", "401x", "SIDL", "-1", "99999999999"])
def test_explain_nothing(code, work):
    done = work(f"--explain={code}", status=2)
    assert f"there is no error code '{code}'" in done.stderr


def test_help_fits_and_names_everything(work):
    text = work("--help").stdout
    assert max(map(len, text.splitlines())) <= 101
    for words in ["Actions (exactly one):", "Examples:", "Exit status:"]:
        assert words in text
    for hidden in ["--cca-mode", "--suppress-ior"]:
        assert hidden not in text


# ---- completion ---------------------------------------------------------------------------------


def complete(script, *words):
    """What bash offers for the last of `words`."""
    line = " ".join(f"'{word}'" for word in ("sidlc", *words))
    program = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; COMPREPLY=(); _sidlc; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.fixture
def bash(work):
    return work("--completion=bash").stdout


def test_bash_understands_the_script(bash, tmp_path):
    (tmp_path / "script").write_text(bash)
    done = subprocess.run(["bash", "-n", tmp_path / "script"], capture_output=True, check=True)
    assert done.stderr == b""


@pytest.mark.parametrize(
    "words, offered",
    [
        (["--cli"], ["--client"]),
        (["--out"], ["--output-dir", "--output-directory"]),
        (["--client", ""], ["c", "c++", "fortran", "f77", "python", "java"]),
        (["--server", ""], ["c", "c++", "fortran", "python", "java"]),
        (["--client", "=", "c+"], ["c++"]),
        (["--client", "="], ["c", "c++", "fortran", "f77", "python", "java"]),
        (["--emit", "ir"], ["ir", "ir-json"]),
        (["-t", ""], ["sidl"]),
        (["--error-format", "=", "j"], ["json"]),
        (["--completion", "f"], ["fish"]),
        (["--plugin", ""], []),
    ],
)
def test_bash_completes(words, offered, bash):
    assert complete(bash, *words) == offered


def test_bash_completes_files(bash, work, monkeypatch):
    (work.path / "folder").mkdir()
    monkeypatch.chdir(work.path)
    assert complete(bash, "--check", "tw") == ["two.sidl"]
    assert complete(bash, "-I", "tw") == ["two.sidl"]
    assert complete(bash, "-o", "") == ["folder"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_hold_every_option(shell, work):
    script = work(f"--completion={shell}").stdout
    options = re.findall(
        r"^  (-[-\w]+(?:,-[-\w]+)*)", work("--help").stdout.split("Examples:")[0], re.MULTILINE
    )
    assert len(options) > 15
    for name in ",".join(options).split(","):
        in_fish = f"-l {name[2:]} " if name.startswith("--") else f"-s {name[1:]} "
        assert (in_fish if shell == "fish" else name) in script
    program = shutil.which(shell)
    if program:
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_other_shells(work):
    done = work("--completion=tcsh", status=2)
    assert "--completion must be bash or zsh or fish, not 'tcsh'" in done.stderr
