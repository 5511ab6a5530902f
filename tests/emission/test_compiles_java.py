"""The same for Java: sources compile as Java 17 without any warning, their documentation is made
without one, and the C code under them compiles with gcc and clang."""

import os
import re
import shutil
from pathlib import Path

import pytest

STRICT = ["-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
TREES = ["kitchen_sink", "macros", "demo", "family", "values", "arrays"]


@pytest.fixture(scope="session")
def jdk():
    """The folder of the JDK."""
    javac = shutil.which("javac")
    if not javac:
        pytest.skip("no JDK here")
    return Path(os.path.realpath(javac)).parent.parent


@pytest.fixture(scope="session")
def shinar_jar(stage):
    jar = stage / "lib" / "shinar" / "java" / "shinar.jar"
    if not jar.exists():
        pytest.skip("built without a JDK")
    return jar


def strict_javac(jdk, shinar_jar):
    """Its command, without the JVM's slower compiler, for which it does not run long enough."""
    command = [jdk / "bin" / "javac", "-J-XX:TieredStopAtLevel=1", "--release", "17"]
    return [*command, "-Xlint:all", "-Werror", "-cp", shinar_jar]


def java_files(folder):
    files = sorted(folder.rglob("*.java"))
    assert files
    return files


@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_sources_compile(name, tree, jdk, shinar_jar, run, tmp_path):
    command = strict_javac(jdk, shinar_jar)
    run([*command, "-d", tmp_path, *java_files(tree(name, "java"))])


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_glue_compiles(name, compiler, tree, jdk, root, run_on_all):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")
    folder = tree(name, "java")
    sources = [*folder.glob("*_java.c"), *folder.glob("*_Skel.c")]
    assert sources
    folders = [folder, tree("sidl", "java")]
    folders += [root / "runtime" / language / "include" for language in ("java", "c")]
    folders += [jdk / "include", jdk / "include" / "linux"]
    run_on_all([compiler, *STRICT, *(f"-I{each}" for each in folders)], sources)


# What takes the most words that Java's methods can have, and one argument or member too many.
LONGEST = {
    "struct": ("struct S {{ {members} }}", 127, 0),
    "method": ("class C {{ string f({arguments}); }}", 127, 0),
    "static method": ("class C {{ static string f({arguments}); }}", 127, 1),
    "without a frame": ("class C {{ void f({arguments}); }}", 126, 0),
    "nonblocking": ("class C {{ nonblocking string f({arguments}); }}", 126, 0),
    "static nonblocking": ("class C {{ static nonblocking string f({arguments}); }}", 126, 0),
    "in an interface": ("interface I {{ nonblocking string f({arguments}); }}", 126, 0),
}


@pytest.mark.parametrize("name", LONGEST)
def test_as_long_as_java_allows(name, jdk, shinar_jar, sidlc, run, tmp_path):
    pattern, doubles, bools = LONGEST[name]
    for more in (0, 1):
        members = [f"double d{at}" for at in range(doubles)]
        members += [f"bool b{at}" for at in range(bools + more)]
        text = pattern.format(
            members="; ".join(members) + ";", arguments=", ".join(f"in {each}" for each in members)
        )
        (tmp_path / "p.sidl").write_text(f"package p version 1.0 {{ {text} }}")
        command = [sidlc, "--server=java", "-o", tmp_path / str(more), tmp_path / "p.sidl"]
        done = run(command, status=more)
        assert ("SIDL0926" in done.stderr) == bool(more)
    command = [jdk / "bin" / "javac", "-cp", shinar_jar, "-d", tmp_path / "classes"]
    run([*command, *java_files(tmp_path / "0")])


@pytest.mark.parametrize("name", ["demo", "long_names"])
def test_documentation_is_complete(name, tree, jdk, shinar_jar, run, tmp_path):
    """javadoc has nothing to say about what users see."""
    command = [jdk / "bin" / "javadoc", "-quiet", "-Xdoclint:all", "-Werror", "-cp", shinar_jar]
    files = [path for path in java_files(tree(name, "java")) if "_Impl" not in path.name]
    run([*command, "-d", tmp_path, *files])


def test_two_runs_write_the_same_bytes(tree, generate, tmp_path):
    first = tree("kitchen_sink", "java")
    generate("kitchen_sink", "java", tmp_path)
    files = [path.relative_to(first) for path in sorted(first.rglob("*")) if path.is_file()]
    assert files == [path.relative_to(tmp_path) for path in sorted(tmp_path.rglob("*.*"))]
    for path in files:
        assert (first / path).read_bytes() == (tmp_path / path).read_bytes(), path


@pytest.mark.parametrize("name", ["sidl", *TREES])
def test_files_are_neat(name, tree):
    folder = tree(name, "java")
    for path in [*java_files(folder), *folder.glob("*_java.c"), *folder.glob("*_Skel.c")]:
        text = path.read_text()
        assert text.startswith(f"/*\n * {path.name}: "), path.name
        assert text.endswith("\n") and "\t" not in text and "\n\n\n" not in text, path.name
        assert not re.search(r"[ \t]$", text, re.MULTILINE), path.name
        for number, line in enumerate(text.splitlines(), 1):
            is_code = not line.lstrip().startswith(("/*", "*", "#"))
            assert not is_code or len(line) <= 100, f"{path.name}:{number}: {line}"


def test_every_name_of_java_is_free(run, sidlc, jdk, shinar_jar, tmp_path):
    """Words of Java, of its objects and of its classes that SIDL allows as names."""
    words = ["record", "var", "sealed", "permits", "getClass", "wait", "notify"]
    words += ["toString", "hashCode", "equals", "close", "create", "String", "Frame", "Holder"]
    methods = "".join(f"void {word}(in int {word}, out string o); " for word in words)
    members = "".join(f"int {word}; " for word in words)
    (tmp_path / "words.sidl").write_text(
        f"package words version 1.0 {{ interface A {{ {methods} }} class B implements-all A {{}}"
        f" enum C {{ {', '.join(words)} }} struct D {{ {members} }} "
        "class String {} class Override {} class Frame {} class Integer {} interface Wrapper {} "
        "class E { int m(in string s, in Frame f, inout int n, out String o); } }"
        "package record version 1.0 { class A extends words.B {} }"
    )
    run([sidlc, "--server=java", "-o", tmp_path / "out", tmp_path / "words.sidl"])
    command = strict_javac(jdk, shinar_jar)
    run([*command, "-d", tmp_path / "classes", *java_files(tmp_path / "out")])


def test_code_of_a_method_that_is_gone_compiles_and_comes_back(
    run, sidlc, shinar_jar, jdk, tmp_path
):
    """Comments end in the middle of it, and Java's escapes mean something in comments, too."""
    impl = tmp_path / "keep" / "Things_Impl.java"
    code = r"""    /* ends: */ String text = "\u0041\\u0041 \uu0042 C:\\users \n" + '"';

    int a = 1; // \u000a a = 2;
    return a; /* \|u \} */
"""

    def generate(*methods):
        source = tmp_path / "keep.sidl"
        source.write_text(f"package keep version 1.0 {{ class Things {{ {' '.join(methods)} }} }}")
        run([sidlc, "--server=java", "-o", tmp_path, source])
        classes = tmp_path / "classes"
        run([*strict_javac(jdk, shinar_jar), "-d", classes, *sorted(impl.parent.glob("*.java"))])

    generate("int one();", "int two();")
    fresh = impl.read_text()
    body = '    throw new sidl.NotImplementedException("keep.Things.two");\n'
    assert body in fresh
    full = fresh.replace(body, code)
    impl.write_text(full)
    generate("int one();", "int two();")
    generate("int one();")
    assert "UNREFERENCED" in impl.read_text() and r"\|u000a" in impl.read_text()
    generate("int one();")
    generate("int one();", "int two();")
    assert impl.read_text() == full
