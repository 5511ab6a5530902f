"""sidlc --format: one layout, the same tokens and comments; a second run changes nothing."""

import random
import re
import subprocess

import pytest

# Comments, literals, blanks, anything else.
PIECES = re.compile(
    r"//[^\r\n]*|/\*.*?\*/|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])+'|\s+|.", re.DOTALL
)


def test_pieces():
    assert PIECES.findall("a /* * */ 'x' \"/*\" // y\n;") == [
        *("a", " ", "/* * */", " ", "'x'", " ", '"/*"', " ", "// y", "\n", ";")
    ]


@pytest.fixture(scope="module")
def formatted(sidlc):
    def run(text):
        done = subprocess.run(
            [sidlc, "--format", "-"], input=text.encode(), capture_output=True, check=False
        )
        assert b"internal error" not in done.stderr
        return done.stdout.decode() if done.returncode == 0 else None

    return run


def meaning(sidlc, text):
    """What sidlc understands, doc comments included, and its complaints without their places."""
    done = subprocess.run(
        [sidlc, "--emit=sidl", "-"], input=text.encode(), capture_output=True, check=False
    )
    return done.stdout, re.findall(rb"(?:error|warning): .*", done.stderr)


def without_blanks(text):
    return re.sub(r"\s+", "", text.removeprefix("\ufeff"))


def check(formatted, sidlc, text):
    """The formatted text, or None if there are syntax errors."""
    result = formatted(text)
    if result is None:
        return None
    assert without_blanks(result) == without_blanks(text)
    assert formatted(result) == result
    assert meaning(sidlc, result) == meaning(sidlc, text)
    for line in result.split("\n"):
        assert line == line.rstrip()
    assert "\n\n\n" not in result
    return result


def sources(root):
    folders = ("runtime", "examples", "protocols", "bench", "tests")
    paths = [path for folder in folders for path in sorted(root.glob(f"{folder}/**/*.sidl"))]
    assert len(paths) > 100
    texts = []
    for path in paths:
        try:
            texts.append((path, path.read_bytes().decode()))
        except UnicodeDecodeError:
            assert path.stem.endswith("Utf8")
    return texts


def test_every_file(formatted, sidlc, root):
    results = [check(formatted, sidlc, text) for _, text in sources(root)]
    assert len([result for result in results if result is not None]) > 80


def test_house_layout(formatted, root):
    """These are written as --format writes."""
    for path in [*root.glob("examples/*/*.sidl"), *root.glob("runtime/sidl/*.sidl")]:
        assert formatted(path.read_text()) == path.read_text(), path


def shaken(chooser, text):
    """The same tokens and comments with other blanks and more comments between them."""
    result = []
    for piece in PIECES.findall(text):
        if not piece.isspace():
            result.append(piece)
            continue
        after_comment = bool(result) and result[-1].startswith("//")
        blank = "".join(chooser.choice(" \t\n") for _ in range(chooser.randrange(1, 4)))
        if after_comment:
            blank = "\n" + blank
        if chooser.random() < 0.05:
            blank += chooser.choice(["// one\n", "/* two */ ", "/* th\n  ree */\n", "\n// four\n"])
        result.append(blank)
    return "".join(result)


@pytest.mark.parametrize("seed", range(12))
def test_any_blanks(seed, formatted, sidlc, root):
    chooser = random.Random(seed)
    texts = [text for path, text in sources(root) if path.stem != "sidl"]
    for text in chooser.sample(texts, 15):
        check(formatted, sidlc, shaken(chooser, text))


@pytest.mark.parametrize("seed", range(4))
def test_layout_does_not_depend_on_blanks(seed, formatted, root):
    """Without comments and blank lines the tokens alone decide."""
    chooser = random.Random(seed)
    text = (root / "tests/emission/kitchen_sink.sidl").read_text()
    bare = re.sub(r"\n(\s*\n)+", "\n", re.sub(r"/\*.*?\*/|//.*", "", text, flags=re.DOTALL))
    blanks = [chooser.choice([" ", "\n", "  \t"]) for _ in range(5)]
    other = re.sub(r"\s+", lambda _: chooser.choice(blanks), bare)
    assert formatted(other) == formatted(bare)


def test_no_space_between_a_comment_and_what_ends_it(formatted):
    text = """package p version 1.0 {
  enum E {
    x = 1 /* one */,
    y = 0x10 /* hex */,
    z
  }
  class A {
    int m(in int a /* a */, in int b /* b */) /* m */;
  }
}
"""
    assert formatted(text) == text


EXAMPLE = """// head
require a.b version 1.2 ; // req
/** doc
  more
    deeper
*/
final package p version 1.0 { // trailing
/* own */
enum E { a=1,b , /* x */ c // last
 // omitted
 };
enum F { };
  struct S { array< double , 2 , row-major > d; rarray<int> r( i*2+1 ) ; } ;
%attrib{ a , b="x" } abstract class C extends q.D implements A,B implements-all .x.Y { invariant a: size()>0;
   b : -x < + y;


   // cmt


   static int f[Ext] ( in int a , /* glue */ copy inout .p.E e, // eol
       out rarray<double,2> z(n,m+1) ) throws X,Y from I.g[Z] ; require x>0; // one
        ensure is pure; result== { 1 , 2.0 };
   void g(in int aaaaaaaaaaaaaaaaaaaaaaaaaaaa, in int bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, in int ccccccccccc, in int ddd);
    require aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb and cccccccccccccccccccc;
  /** d */ void h() throws aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccc; /* tr */
  /* lead */ void i(); /* lead2 */ void j();

  }
  interface I{}

}
// end
"""  # noqa: E501

EXPECTED = """// head
require a.b version 1.2; // req
/** doc
    more
      deeper
 */
final package p version 1.0 { // trailing
  /* own */
  enum E {
    a = 1,
    b,
    /* x */ c // last
    // omitted
  };
  enum F {};
  struct S {
    array<double,2,row-major> d;
    rarray<int> r(i * 2 + 1);
  };
  %attrib{a, b = "x"} abstract class C extends q.D implements A, B implements-all .x.Y {
    invariant
      a: size() > 0;
      b: -x < +y;

    // cmt

    static int f[Ext](in int a, /* glue */ copy inout .p.E e, // eol
                      out rarray<double,2> z(n,m + 1)) throws X, Y from I.g[Z];
      require x > 0; // one
      ensure
        is pure;
        result == {1, 2.0};
    void g(in int aaaaaaaaaaaaaaaaaaaaaaaaaaaa, in int bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
           in int ccccccccccc, in int ddd);
      require aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
          and cccccccccccccccccccc;
    /** d */
    void h() throws aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
      ccccccccccccccc; /* tr */
    /* lead */ void i();
    /* lead2 */ void j();
  }
  interface I {}
}
// end
"""


def test_example(formatted):
    assert formatted(EXAMPLE) == EXPECTED
    assert formatted(EXPECTED) == EXPECTED
    assert formatted(EXAMPLE.replace("\n", "\r\n")) == EXPECTED


def test_in_place(sidlc, run, tmp_path):
    path, good, bad = (tmp_path / name for name in ("a.sidl", "good.sidl", "bad.sidl"))
    path.write_text("package   p version 1.0 { }")
    path.chmod(0o640)
    good.write_text("package p version 1.0 {}\n")
    bad.write_text("package   {")
    link = tmp_path / "link.sidl"
    link.symlink_to(path.name)
    stamp = good.stat().st_mtime_ns
    done = run([sidlc, "--format", "--in-place", link, good, bad], status=1)
    assert done.stdout == ""
    assert "bad.sidl:1:11: error: " in done.stderr
    assert path.read_text() == "package p version 1.0 {}\n"
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert good.stat().st_mtime_ns == stamp
    assert bad.read_text() == "package   {"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        *("a.sidl", "bad.sidl", "good.sidl", "link.sidl")
    ]


def test_diff(sidlc, run, tmp_path):
    path = tmp_path / "a.sidl"
    path.write_text(EXAMPLE)
    done = run([sidlc, "--format", "--diff", "a.sidl"], status=1, cwd=tmp_path)
    assert done.stdout.startswith("--- a.sidl\n+++ a.sidl\n@@ -1,")
    subprocess.run(["patch", "-s", "-p0"], input=done.stdout, text=True, cwd=tmp_path, check=True)
    assert path.read_text() == EXPECTED
    done = run([sidlc, "--format", "--diff", "a.sidl"], cwd=tmp_path)
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--check", "--in-place"], "--in-place needs --format"),
        (["--check", "--diff"], "--diff needs --format"),
        (["--format", "--diff", "--in-place"], "exclude each other"),
        (["--format", "--in-place", "-"], "--in-place cannot rewrite standard input"),
    ],
)
def test_wrong_options(options, complaint, sidlc, run):
    assert complaint in run([sidlc, *options, "a.sidl"], status=2).stderr


def test_splicer_marks_stay(formatted):
    marks = [f"// DO-NOT-DELETE splicer.{word}(p._misc)" for word in ("begin", "end")]
    text = "package p version 1.0 {\n" + "\n enum E { a }\n".join(marks) + "\n}\n"
    result = formatted(text)
    assert [line.strip() for line in result.split("\n") if "splicer" in line] == marks
    assert formatted(text.replace("end(p", "end(q")) is None
