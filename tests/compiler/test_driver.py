"""The command line of sidlc: exit statuses, files, plug-ins."""

import json
import os
import re
import stat
import subprocess
import sys

import pytest

HELLO = "package hello version 1.0 {\n  class World { string greet(in string who); }\n}\n"
BROKEN = "package hello version 1.0 {\n  class World { string greet() }\n}\n"


@pytest.fixture
def hello(tmp_path):
    path = tmp_path / "hello.sidl"
    path.write_text(HELLO)
    return path


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# ---- command line -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["hello.sidl"],
        ["--check"],
        ["--check", "--client=c", "hello.sidl"],
        ["--client=c", "--server=c", "hello.sidl"],
        ["--client=cobol", "hello.sidl"],
        ["--client", "hello.sidl"],
        ["--emit=xml", "hello.sidl"],
        ["--plugin=", "hello.sidl"],
        ["--check", "--error-format=html", "hello.sidl"],
        ["--check", "--list-outputs", "hello.sidl"],
        ["--breaking", "--depfile", "d", "hello.sidl", "hello.sidl"],
        ["--nonsense", "hello.sidl"],
    ],
)
def test_wrong_command_line(arguments, sidlc, run, hello, tmp_path):
    done = run([sidlc, *arguments], status=2, cwd=tmp_path)
    assert done.stdout == ""
    assert done.stderr.startswith("sidlc: ")
    assert "--help" in done.stderr
    assert everything_in(tmp_path) == ["hello.sidl"]


def test_help_and_version(sidlc, run):
    text = run([sidlc, "--help"]).stdout
    for word in ["--client", "--server", "--check", "--emit", "--plugin", "--impl-dir", "Exit"]:
        assert word in text
    assert run([sidlc, "--version"]).stdout.startswith("sidlc ")


@pytest.mark.parametrize("option", ["--check", "-p", "--parse-check"])
def test_check_is_silent(option, sidlc, run, hello):
    done = run([sidlc, option, hello])
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("language", ["c", "C", "c++", "C++", "cxx", "CXX"])
@pytest.mark.parametrize("option", ["-c", "--client", "-s", "--server"])
def test_languages_in_any_case(language, option, sidlc, run, hello, tmp_path):
    run([sidlc, option, language, "-o", tmp_path / "out", hello])
    assert everything_in(tmp_path / "out")


def test_missing_file(sidlc, run, hello, tmp_path):
    done = run([sidlc, "--check", hello, "absent.sidl"], status=1, cwd=tmp_path)
    assert "cannot read 'absent.sidl': No such file or directory [SIDL0001]" in done.stderr


def test_folder_as_input(sidlc, run, tmp_path):
    done = run([sidlc, "--check", tmp_path], status=1)
    assert "Is a directory" in done.stderr


def test_all_files_are_read_before_giving_up(sidlc, run, tmp_path):
    (tmp_path / "a.sidl").write_text(BROKEN)
    (tmp_path / "b.sidl").write_text(BROKEN)
    done = run([sidlc, "--check", "absent.sidl", "a.sidl", "b.sidl"], status=1, cwd=tmp_path)
    assert done.stderr.count("error: ") == 3


def test_standard_input(sidlc, run):
    done = run([sidlc, "--check", "-"], status=1, input=BROKEN)
    assert done.stderr.startswith("<standard input>:2:31: error: expected ';'")


def test_errors_as_json(sidlc, run, tmp_path, hello):
    broken = tmp_path / "broken.sidl"
    broken.write_text(BROKEN)
    done = run([sidlc, "--check", "--error-format=json", "broken.sidl"], status=1, cwd=tmp_path)
    (error,) = json.loads(done.stderr)
    assert (error["severity"], error["code"]) == ("error", "SIDL0102")
    assert (error["file"], error["line"], error["column"]) == ("broken.sidl", 2, 31)
    assert error["fix"]["replacement"] == ";"
    assert json.loads(run([sidlc, "--check", "--error-format=json", hello]).stderr) == []


def test_errors_as_json_about_no_place(sidlc, run, tmp_path):
    done = run([sidlc, "--check", "--error-format=json", "no.sidl"], status=1, cwd=tmp_path)
    (error,) = json.loads(done.stderr)
    assert error["code"] == "SIDL0001"
    assert "line" not in error


# ---- output -------------------------------------------------------------------------------------


def test_nothing_is_written_on_errors(sidlc, run, tmp_path):
    (tmp_path / "broken.sidl").write_text(BROKEN)
    run([sidlc, "--server=c", "-o", "out", "broken.sidl"], status=1, cwd=tmp_path)
    assert everything_in(tmp_path) == ["broken.sidl"]


def test_unchanged_files_are_not_touched(sidlc, run, hello, tmp_path):
    out = tmp_path / "out"
    run([sidlc, "--server=c", "-o", out, hello])
    files = [path for path in out.rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, (1, 1))
    victim = next(path for path in files if "_Impl." not in path.name)
    text = victim.read_bytes()
    victim.write_bytes(b"something else")
    run([sidlc, "--client=c", "-o", out, hello])
    run([sidlc, "--server=c", "-o", out, hello])
    assert victim.read_bytes() == text
    assert [path for path in files if path.stat().st_mtime != 1] == [victim]


def test_generated_files_follow_the_umask(sidlc, run, hello, tmp_path):
    out = tmp_path / "out"
    run(["sh", "-c", f"umask 027; '{sidlc}' --client=c -o '{out}' '{hello}'"])
    modes = {stat.S_IMODE(path.stat().st_mode) for path in out.rglob("*") if path.is_file()}
    assert modes == {0o640}


def test_output_folder_is_a_file(sidlc, run, hello, tmp_path):
    (tmp_path / "out").write_text("in the way")
    done = run([sidlc, "--client=c", "-o", tmp_path / "out" / "deeper", hello], status=1)
    assert "Not a directory [SIDL0002]" in done.stderr
    assert everything_in(tmp_path) == ["hello.sidl", "out"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_folder(sidlc, run, hello, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o500)
    done = run([sidlc, "--client=c", "-o", out, hello], status=1)
    assert "Permission denied [SIDL0002]" in done.stderr


def test_unwritable_folder_whoever_we_are(sidlc, run, hello):
    done = run([sidlc, "--client=c", "-o", "/proc/sidlc", hello], status=1)
    assert "cannot create the directory '/proc/sidlc': " in done.stderr


def test_all_or_nothing(sidlc, run, hello, tmp_path):
    listed = run([sidlc, "--client=c", "-o", "out", "--list-outputs", hello], cwd=tmp_path)
    names = listed.stdout.split()
    assert len(names) > 1
    assert everything_in(tmp_path) == ["hello.sidl"]  # --list-outputs writes nothing
    # A folder stands where the last file should go.
    (tmp_path / names[-1]).mkdir(parents=True)
    before = everything_in(tmp_path)
    done = run([sidlc, "--client=c", "-o", "out", hello], status=1, cwd=tmp_path)
    assert f"cannot write '{names[-1]}': Is a directory" in done.stderr
    assert everything_in(tmp_path) == before


def test_full_disk(sidlc, run, hello):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sidlc, "--emit=ir-json", hello], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert "cannot write standard output: No space left on device" in done.stderr


def test_listed_outputs_are_the_outputs(sidlc, run, hello, tmp_path):
    command = [sidlc, "--server=c", "-o", "out", "--impl-dir", "src", hello]
    listed = run([*command, "--list-outputs"], cwd=tmp_path).stdout.splitlines()
    run(command, cwd=tmp_path)
    written = [str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()]
    assert sorted(listed) == sorted(set(written) - {"hello.sidl"})
    assert {name.split("/")[0] for name in listed} == {"out", "src"}


def test_depfile(sidlc, run, tmp_path):
    source = tmp_path / "my file.sidl"
    source.write_text(HELLO)
    run([sidlc, "--client=c", "-o", "out", "--depfile", "out/d", source.name], cwd=tmp_path)
    rule = (tmp_path / "out" / "d").read_text()
    targets, sources = rule.replace("\\\n", " ").rsplit(": ", 1)
    written = {str(p.relative_to(tmp_path)) for p in (tmp_path / "out").iterdir()} - {"out/d"}
    assert set(targets.split()) == written
    assert sources.strip() == r"my\ file.sidl"


def test_output_is_the_same_every_time(sidlc, run, hello, tmp_path):
    texts = []
    for folder in ["one", "two"]:
        run([sidlc, "--server=c++", "-o", folder, hello.name], cwd=tmp_path)
        texts.append({p.name: p.read_bytes() for p in (tmp_path / folder).iterdir()})
    assert texts[0] == texts[1]


@pytest.mark.parametrize("kind", ["sidl", "ir", "ir-json"])
def test_emit_to_a_file(kind, sidlc, run, hello, tmp_path):
    file = tmp_path / "new" / "folder" / "hello.out"
    done = run([sidlc, f"--emit={kind}", "-o", file, hello])
    assert done.stdout + done.stderr == ""
    printed = subprocess.run([sidlc, f"--emit={kind}", hello], capture_output=True, check=True)
    assert file.read_bytes() == printed.stdout
    assert everything_in(file.parent) == ["hello.out"]


def test_emit_into_something_that_is_no_folder(sidlc, run, hello, tmp_path):
    done = run([sidlc, "--emit=ir", "-o", hello / "x.sidlir", hello], status=1)
    assert "[SIDL0002]" in done.stderr
    assert "Not a directory" in done.stderr
    assert everything_in(tmp_path) == ["hello.sidl"]


def test_emitted_ir_is_the_message_plugins_get(sidlc, hello):
    done = subprocess.run([sidlc, "--emit=ir", hello], capture_output=True, check=True)
    for text in [b"hello.World", b"greet", b"sidl.BaseClass"]:
        assert text in done.stdout


# ---- include ------------------------------------------------------------------------------------


def test_include_refers_and_does_not_generate(sidlc, run, tmp_path):
    (tmp_path / "base.sidl").write_text(HELLO)
    (tmp_path / "user.sidl").write_text(
        "import hello version 1.0;\npackage user version 2.0 { class Mine extends World {} }\n"
    )
    done = run([sidlc, "--emit=ir-json", "-I", "base.sidl", "user.sidl"], cwd=tmp_path)
    types = {t["name"]: t for t in json.loads(done.stdout)["types"]}
    assert types["hello.World"]["external"]
    assert types["user.Mine"]["object"]["parent"] == "hello.World"
    assert not types["user.Mine"].get("external")
    done = run(
        [sidlc, "--client=c", "--list-outputs", "-I", "base.sidl", "user.sidl"], cwd=tmp_path
    )
    assert "World" not in done.stdout
    assert "Mine" in done.stdout
    done = run([sidlc, "--check", "user.sidl"], status=1, cwd=tmp_path)
    assert "[SIDL0309]" in done.stderr


def test_classes_of_a_server(sidlc, run, tmp_path):
    """--classes: callers get everything, skeletons and Impl files are of these classes only."""
    (tmp_path / "base.sidl").write_text("package base version 1.0 { interface Base {} }")
    (tmp_path / "mixed.sidl").write_text(
        "package mixed version 1.0 { class A {} class B extends A {} class C {}"
        " interface I extends base.Base {} }"
    )
    suffixes = {
        "c": {"_Impl.c", "_Impl.h", "_Skel.c"},
        "c++": {"_Impl.cxx", "_Impl.hxx", "_Skel.cxx"},
        "fortran": {"_Impl.f90", "_Skel.c", "_Skel.f90"},
        "python": {"_Impl.py", "_Skel.c"},
    }
    for language, wanted in suffixes.items():
        command = [sidlc, f"--server={language}", "-I", "base.sidl", "mixed.sidl"]
        some = ["--classes=mixed.A;mixed.C", "--classes", "mixed.A"]
        listed = {
            which: run([*command, *options, "--list-outputs"], cwd=tmp_path).stdout.split()
            for which, options in (("all", []), ("some", some))
        }
        left_out = set(listed["all"]) - set(listed["some"])
        assert {path[path.rindex("_") :] for path in left_out} == wanted
        assert all(re.search(r"\bB_|_B_", path) for path in left_out), left_out
        assert set(listed["some"]) <= set(listed["all"])
    uses = run([*command, "--list-uses"], cwd=tmp_path).stdout
    assert uses == "base.sidl\n"
    done = run([sidlc, "--client=c", "--classes=mixed.A", "mixed.sidl"], status=2, cwd=tmp_path)
    assert "--classes needs --server" in done.stderr
    done = run([sidlc, "--check", "--list-uses", "mixed.sidl"], status=2, cwd=tmp_path)
    assert "--list-uses needs --client or --server" in done.stderr
    done = run([*command, "--classes=mixed.a;mixed.I"], status=1, cwd=tmp_path)
    assert "unknown class 'mixed.a'; did you mean 'mixed.A'? [SIDL0015]" in done.stderr
    assert "'mixed.I' is not a class" in done.stderr
    done = run([*command, "--classes=mixed.A,mixed.C"], status=1, cwd=tmp_path)
    assert "unknown class 'mixed.A,mixed.C'; classes are separated by ';' [SIDL0015]" in done.stderr


@pytest.mark.parametrize(
    ("action", "options"),
    {
        "--client=c": ["-i", "--impl-dir=x", "--vpath=x", "--rename=a.B=a.C", "--plugin-option=x"],
        "--plugin=x": ["-i", "--impl-dir=x", "--makefile", "-l"],
        "--emit=ir": ["-i", "--list-outputs", "--impl-dir=x"],
        "--check": ["-i", "--output-dir=x", "--exclude=x", "--list-uses"],
        "--format": ["-i", "-ox", "--include=x", "--repository-path=x", "--depfile=x"],
        "--contracts": ["-i", "-ox", "--depfile=x"],
        "--new=c": ["-i", "-ox", "--impl-dir=x", "--include=x", "--depfile=x"],
    }.items(),
)
def test_options_without_effect_are_refused(action, options, sidlc, run, hello, tmp_path):
    name = "project" if action == "--new=c" else hello
    for option in options:
        done = run([sidlc, action, option, name], status=2, cwd=tmp_path)
        assert " needs " in done.stderr, option
    assert [each.name for each in tmp_path.iterdir()] == [hello.name]


def test_examples_of_the_help_work(sidlc, run, hello, tmp_path):
    assert hello == tmp_path / "hello.sidl"
    (tmp_path / "more.sidl").write_text("package more version 1.0 { class A { } }")
    (tmp_path / "repo").mkdir()
    text = run([sidlc, "--help"]).stdout
    examples = re.findall(r"^  sidlc (--.*?)(?:  .*)?$", text[text.index("Examples:") :], re.M)
    assert len(examples) > 7
    for each in examples:
        run([sidlc, *each.split()], cwd=tmp_path)


def test_a_file_given_twice_counts_once(sidlc, run, hello, tmp_path):
    run([sidlc, "--check", hello, "./hello.sidl", "-I", hello], cwd=tmp_path)


# ---- plug-ins -----------------------------------------------------------------------------------


@pytest.fixture
def plugin(tmp_path):
    """plugin(body) makes an executable plug-in of a Python body and gives its path."""

    def make(body, name="sidlc-gen-test"):
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!{sys.executable}\nimport os, signal, sys\n{body}\n")
        path.chmod(0o755)
        return path

    return make


def field(number, data):
    """A length-delimited protobuf field."""
    size = len(data)
    prefix = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
    return bytes([number << 3 | 2]) + prefix + data


def answer(*files, error=b""):
    parts = [field(1, error)] if error else []
    parts += [field(2, field(1, name) + field(2, content)) for name, content in files]
    return f"sys.stdin.buffer.read()\nsys.stdout.buffer.write({b''.join(parts)!r})"


def test_plugin_writes_files(sidlc, run, hello, plugin, tmp_path):
    path = plugin(answer((b"sub/a.txt", b"one"), (b"b.bin", b"\x00\xff")))
    run([sidlc, f"--plugin={path}", "-o", "out", hello], cwd=tmp_path)
    assert (tmp_path / "out/sub/a.txt").read_bytes() == b"one"
    assert (tmp_path / "out/b.bin").read_bytes() == b"\x00\xff"


def test_plugin_is_found_on_path(sidlc, run, hello, plugin, tmp_path):
    path = plugin(answer((b"a.txt", b"one")))
    env = {**os.environ, "PATH": f"{path.parent}:{os.environ['PATH']}"}
    run([sidlc, "--plugin=test", "-o", "out", hello], cwd=tmp_path, env=env)
    assert (tmp_path / "out/a.txt").exists()


def test_plugin_receives_the_request(sidlc, run, hello, plugin, tmp_path):
    path = plugin("open('request', 'wb').write(sys.stdin.buffer.read())")
    run([sidlc, f"--plugin={path}", "--plugin-option", "speak=up", hello], cwd=tmp_path)
    request = (tmp_path / "request").read_bytes()
    for text in [b"hello.World", b"speak=up", b"greet", b"sidl.BaseClass"]:
        assert text in request


def test_missing_plugin(sidlc, run, hello):
    done = run([sidlc, "--plugin=absent", hello], status=1)
    assert "'sidlc-gen-absent' failed: No such file or directory" in done.stderr
    assert "[SIDL0006]" in done.stderr


@pytest.mark.parametrize(
    "body, message",
    [
        ("sys.exit(3)", "it exited with status 3"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "it was killed by signal 11"),
        (
            "sys.stdout.write('Hello, I am no message.')",
            "did not answer with a valid GeneratorResponse",
        ),
        ("os.close(0)\nsys.exit(1)", "it exited with status 1"),
        (answer((b"../evil", b"x")), "'../evil', which is not a plain path"),
        (answer((b"/tmp/evil", b"x")), "'/tmp/evil', which is not a plain path"),
        (answer((b"a/../../evil", b"x")), "is not a plain path"),
        (answer((b"", b"x")), "is not a plain path"),
        (answer((b"same", b"x"), (b"same", b"y")), "two generated files have the name 'same'"),
        (answer((b"a", b"x"), error=b"I do not like hello.World"), "error: I do not like"),
    ],
)
def test_plugin_failures(body, message, sidlc, run, hello, plugin, tmp_path):
    path = plugin(body)
    done = run([sidlc, f"--plugin={path}", "-o", "out", hello], status=1, cwd=tmp_path, timeout=20)
    assert message in done.stderr
    assert not (tmp_path / "out").exists()


def test_plugin_that_does_not_read(sidlc, run, plugin, tmp_path):
    big = tmp_path / "big.sidl"
    methods = "".join(f"void method{i}(in string text);\n" for i in range(5000))
    big.write_text(f"package big version 1.0 {{ interface I {{ {methods} }} }}")
    path = plugin(answer((b"a", b"x")).replace("sys.stdin.buffer.read()", "os.close(0)"))
    run([sidlc, f"--plugin={path}", "-o", "out", big], cwd=tmp_path, timeout=20)
    assert (tmp_path / "out/a").exists()
