"""examples/plugin, run as its README says."""

import os
import shutil
import sys

import pytest

pytest.importorskip("google.protobuf", reason="needs the Python package protobuf")
pytestmark = pytest.mark.skipif(shutil.which("protoc") is None, reason="needs protoc")

TEXT = """
/** Things to say. */
package hello version 1.0 {
  /** A mood. */
  enum Mood { good, /** Not so good. */ bad = 7 }
  struct Point { double x; array<int,2> grid; }
  class World {
    /** Says hello. */
    string greet[Politely](in string who, inout Point where, out Mood mood);
    static World make();
  }
}
"""


def test_markdown(sidlc, run, root, tmp_path):
    (tmp_path / "hello.sidl").write_text(TEXT)
    (tmp_path / "bin").mkdir()
    # The plug-in says `env python3`: let that be the Python of this test.
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    env["PYTHONPATH"] = os.pathsep.join(sys.path)
    plugin = root / "examples/plugin/sidlc-gen-markdown"
    run([sidlc, f"--plugin={plugin}", "-o", "pages", "hello.sidl"], cwd=tmp_path, env=env)
    page = (tmp_path / "pages/hello.md").read_text()
    assert page.startswith("# package hello version 1.0\n\nThings to say.\n")
    for line in [
        "## enum Mood",
        "- `good = 0`",
        "- `bad = 7`: Not so good.",
        "- `array<int,2> grid`",
        "- `string greet[Politely](in string who, inout hello.Point where, out hello.Mood mood)`"
        ": Says hello.",
        "- `static hello.World make()`",
    ]:
        assert line in page.splitlines()
    assert "sidl." not in page
