"""Impl files of classes that travel by value say what packObj and unpackObj have to do."""

import pytest

TEXT = """
package post version 1.0 {
  class Parcel implements-all sidl.io.Serializable { void packObj[Twice](in int times); }
  class Lost extends sidl.SIDLException { void packObj(in sidl.io.Serializer ser); }
}
"""


@pytest.mark.parametrize(
    ("language", "suffix", "comment"),
    [("c", "c", "/*"), ("c++", "cxx", "//"), ("fortran", "f90", "!"), ("python", "py", "#")],
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
                    assert "each value under a key" in lines[at - 2] or "same keys" in lines[at - 2]
    assert {name for name, notes in found.items() if all(notes)} == {
        "post.Parcel.packObj",
        "post.Parcel.unpackObj",
        "post.Lost.packObj",
    }
    assert "post.Parcel.packObjTwice" in found
