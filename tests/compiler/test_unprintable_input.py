"""What files hold acts on no terminal, as messages or as the lines that these show.

tests/errors has control characters of C0 alone, which were blanked; the others passed.
"""

import json

import pytest
from unprintable import NO_UTF8, TABLE, acts


@pytest.mark.parametrize(("raw", "shown"), TABLE + NO_UTF8, ids=lambda each: ascii(each)[:20])
def test_lines_are_visible(sidlc, run, tmp_path, raw, shown):
    if raw == b"\r":
        pytest.skip("it ends a line")
    source = tmp_path / "a.sidl"
    source.write_bytes(b"/* " + raw + b" */ nonsense\n")
    done = run([sidlc, "--check", source], status=1)
    assert f"  /* {shown} */ nonsense\n" in done.stderr
    assert acts(done.stderr) == []
    _, mark = [line for line in done.stderr.splitlines() if line.startswith("  ")][:2]
    if "nonsense" in done.stderr.splitlines()[0]:
        assert mark.rstrip("~") == " " * (2 + len(f"/* {shown} */ ")) + "^"


@pytest.mark.parametrize("form", ["text", "json"])
def test_names_of_compiled_files_are_visible(sidlc, run, tmp_path, form):
    source, compiled = tmp_path / "a.sidl", tmp_path / "a.sidlir"
    name, bad = b"Abcdefghijklm", "A\x1b\n\u009b\u202emno".encode()
    source.write_text(f"package t version 1.0 {{ class {name.decode()} {{}} }}")
    run([sidlc, "--emit=ir", "-o", compiled, source])
    compiled.write_bytes(compiled.read_bytes().replace(name, bad.ljust(len(name), b"x")))
    done = run([sidlc, f"--error-format={form}", "--check", compiled], status=1)
    said = json.loads(done.stderr)[0]["message"] if form == "json" else done.stderr
    assert r"A\x1b\n\u009b\u202emno" in said
    assert acts(done.stderr) == []
