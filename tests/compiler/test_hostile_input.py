"""Whatever the input, sidlc ends by itself, with a message or in peace."""

import random
import subprocess

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

SOURCE = "tests/errors/NoContracts.sidl"


def check(sidlc, data):
    done = subprocess.run(
        [sidlc, "--check", "-"], input=data, capture_output=True, timeout=20, check=False
    )
    assert done.returncode in (0, 1), done.stderr[-2000:]
    assert b"internal error" not in done.stderr
    assert (done.returncode == 1) == (b"error: " in done.stderr)


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
