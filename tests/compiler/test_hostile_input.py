"""Whatever the input, sidlc ends by itself, with a message or in peace."""

import os
import random
import resource
import subprocess
import sys

import pytest

WORDS = [
    "package",
    "version",
    "class",
    "interface",
    "extends",
    "implements",
    "implements-all",
    "struct",
    "enum",
    "array",
    "rarray\n",
    "in",
    "out",
    "inout",
    "int",
    "double",
    "string",
    "void",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    ";",
    ",",
    ".",
    "[Ext]",
    "[",
    "]",
    "=",
    "1",
    "1.0",
    "1.2.3",
    "a",
    "b",
    "sidl.BaseClass\n",
    "throws",
    "from",
    "require",
    "ensure",
    "invariant",
    "import",
    "static",
    "final",
    "abstract",
    "oneway",
    "%attrib",
    '"text"',
    "'c'",
    "/*",
    "*/\n",
    "/**",
    "doc",
    "*/",
    "//",
    "\n",
    "+",
    "-",
    "**",
    "not",
    "is",
    "pure",
]

SOURCE = "tests/emission/contracts.sidl"


MEGABYTE = 1 << 20


def check(sidlc, data, megabytes=300):
    """Runs sidlc with as much address space; the time limit is a safety net only."""
    limit = megabytes * MEGABYTE
    done = subprocess.run(
        [sidlc, "--check", "-"],
        input=data,
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert done.returncode in (0, 1), done.stderr[-2000:]
    assert b"internal error" not in done.stderr
    assert b"not enough memory" not in done.stderr
    assert (done.returncode == 1) == (b"error: " in done.stderr)
    # A message is never a flood, whatever it quotes.
    assert len(done.stderr) < 40000
    assert max(map(len, done.stderr.split(b"\n"))) < 2000
    return done


@pytest.mark.parametrize("seed", range(40))
def test_random_words(seed, sidlc):
    chooser = random.Random(seed)
    text = " ".join(chooser.choice(WORDS) for _ in range(chooser.randrange(200)))
    check(sidlc, ("package p version 1.0 { interface I { " + text).encode())


@pytest.mark.parametrize("seed", range(40))
def test_damaged_text(seed, sidlc, root):
    chooser = random.Random(seed)
    data = bytearray((root / "runtime/sidl/sidl.sidl").read_bytes()[:4000])
    for _ in range(chooser.randrange(1, 8)):
        position = chooser.randrange(len(data))
        if chooser.random() < 0.5:
            del data[position : position + chooser.randrange(40)]
        else:
            data[position] = chooser.choice(b"{}()<>;,.*/'\"\\\n\r\x00\x80a0_%[]")
    check(sidlc, bytes(data))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\x00",
        b"\xef\xbb\xbf",
        b"\xff" * 1000,
        b"/*",
        b"/**",
        b'"',
        b"'",
        b"{" * 100000,
        b"(" * 100000,
        b"}" * 100000,
        b"a" * 1000000,
        b"a." * 100000,
        b";" * 10000,
        b"package a { " * 5000,
        b"package p version 1.0 { enum E { " + b"a," * 20000 + b"} }",
        b"package p version 1.0 { class C { invariant " + b"not " * 10000 + b"x; } }",
        b"package p version 1.0 { class C { invariant " + b"x + " * 20000 + b"x; } }",
        b"package p version 1.0 { class C { void f() " + b"; require x " * 2000 + b"; } }",
        b"package p version 9999999999999999999999 { enum E { a } }",
        b"package p version 1.0 { interface I { void f(in " + b"array<" * 5000,
        b"package p version 1.0\r{ enum E\r{ a }\r}\r",
    ],
)
def test_extremes(data, sidlc):
    check(sidlc, data)


# ---- every beginning of a file, every kind of line end -----------------------------------------

# `make soak` takes every byte.
STRIDE = 1 if "SHINAR_SOAK" in os.environ else 3
SMALL = b"""// comment
require sidl version 0.9;
/** doc */ package p version 1.0 {
  enum E { a = 1, b = -0x2, }
  struct S { int i; array<double,2> d; }
  interface I extends sidl.BaseInterface {
    void f[Ext](in int n, inout .p.E e) throws sidl.BaseException; }
  class C implements-all I { static int g(); /* x */
    require named : n > 1.5 and "s" != 'c'; ensure result == {1,2}; }
}
"""


def test_truncated_at_every_byte(sidlc):
    for length in range(0, len(SMALL), STRIDE):
        check(sidlc, SMALL[:length])


def test_every_byte_damaged(sidlc):
    for i in range(1, len(SMALL), STRIDE):
        check(sidlc, SMALL[:i] + bytes([SMALL[i] ^ 0x80]) + SMALL[i + 1 :])


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_line_ends(start, end, sidlc):
    text = start + b"package p version 1.0 {\n  enum E { a }\n  class D { Foo f(); }\n}\n"
    done = check(sidlc, text.replace(b"\n", end))
    assert done.stderr.startswith(b"<standard input>:3:13: error: unknown type 'Foo'")


# ---- a long file that is not hostile ------------------------------------------------------------


def test_memory_is_two_kilobytes_a_line(sidlc, run, root):
    lines = 50_000
    text = run([sys.executable, root / "bench/sidl_text.py", lines]).stdout
    assert text.count("\n") >= lines - 1
    # sidlc itself and its libraries take up to 60 MB of address space.
    assert check(sidlc, text.encode(), megabytes=60 + 2 * lines // 1024).returncode == 0


# ---- quantity ----------------------------------------------------------------------------------


def package(*lines):
    return ("package p version 1.0 {\n" + "".join(lines) + "}\n").encode()


def numbered(count, text):
    return ", ".join(text.format(i) for i in range(count))


@pytest.mark.parametrize(
    "data",
    [
        package("class C { void f(", numbered(100000, "in int a{}"), "); }"),
        package("enum E { ", numbered(100000, "a{}"), " }"),
        package("enum E { ", numbered(100000, "a{0} = {0}"), " }"),
        package("struct S { ", "".join(f"int a{i};" for i in range(16384)), " }"),
        b"/** " + b"x" * MEGABYTE + b" */ " + package("enum E { a }"),
        b"/** " + b"x\n * " * 200000 + b" */ " + package("enum E { a }"),
        package("interface B { }\n", *(f"interface I{i} extends B {{ }}\n" for i in range(10000))),
        package("class B { }\n", *(f"class C{i} extends B {{ }}\n" for i in range(10000))),
        package(
            *(f"interface I{i} {{ void m{i}(); }}\n" for i in range(10000)),
            "class C implements-all " + numbered(10000, "I{}") + " { }",
        ),
        package(
            *(f"struct S{i + 1} {{ S{i} m; }}\n" for i in range(10000)), "struct S0 { int i; }"
        ),
    ],
    ids=lambda data: f"{data[24:60]}…",
)
def test_much_of_it(data, sidlc):
    assert check(sidlc, data).returncode == 0


@pytest.mark.parametrize(
    ("text", "megabytes"),
    [
        (b"{", 100),
        (b"a ", 100),
        (b";", 100),
        (b"/*", 100),
        (b"package a{", 100),
        *((text, 10) for text in (b"@", b"'", b'"', b"* ", b"(", b"a.", b"1.5 ", b"\xc3\xa9")),
        *((text, 10) for text in (b"a\n", b"+", b"[", b"_", b"0", b"\0", b"\xff", b"/** */\n")),
    ],
    ids=lambda value: repr(value),
)
def test_nothing_else(text, megabytes, sidlc):
    # The text is held once while it is read and once more while the buffer grows.
    check(sidlc, text * (megabytes * MEGABYTE // len(text)), megabytes=100 + 4 * megabytes)
