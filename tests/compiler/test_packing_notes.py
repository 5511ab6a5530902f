"""Impl files of classes that travel by value say what packObj and unpackObj have to do. Those of
exceptions that have methods have both, even if their SIDL does not, and call the parent's."""

import pytest

TEXT = """
package post version 1.0 {
  class Parcel implements-all sidl.io.Serializable { void packObj[Twice](in int times); }
  class Lost extends sidl.SIDLException { void packObj(in sidl.io.Serializer ser); }
  class Late extends sidl.SIDLException { int days(); }
  class Later extends Late { static int count(); }
}
"""


NOTES = ("each value under a key", "same keys", "packed here, behind the parent's")


@pytest.mark.parametrize(
    ("language", "suffix", "comment"),
    [
        ("c", "c", "/*"),
        ("c++", "cxx", "//"),
        ("fortran", "f90", "!"),
        ("python", "py", "#"),
        ("java", "java", "//"),
    ],  # fmt: skip
)
def test_notes_stand_above_the_block(sidlc, run, tmp_path, language, suffix, comment):
    (tmp_path / "post.sidl").write_text(TEXT)
    run([sidlc, f"--server={language}", "-o", "out", "post.sidl"], cwd=tmp_path)
    found = {}
    for path in (tmp_path / "out").rglob(f"*_Impl.{suffix}"):
        lines = [line.strip() for line in path.read_text().splitlines()]
        for at, line in enumerate(lines):
            if "splicer.begin(post." in line and "ack" in line:
                name = line[line.index("(post.") + 1 : line.index(")")]
                found[name] = [each.startswith(comment) for each in lines[at - 2 : at]]
                if all(found[name]):
                    assert any(note in lines[at - 2] for note in NOTES)
                if name.startswith("post.Late."):
                    assert "super" in lines[at + 1] and "splicer.end" in lines[at + 2]
    wanted = {"post.Parcel.packObj", "post.Parcel.unpackObj", "post.Lost.packObj"}
    if language != "python":  # which packs attributes if nothing is declared
        wanted |= {"post.Lost.unpackObj", "post.Late.packObj", "post.Late.unpackObj"}
    assert {name for name, notes in found.items() if all(notes)} == wanted
    assert "post.Parcel.packObjTwice" in found
