"""One pair of files a diagnostic: Name.sidl, and what `sidlc --check` says about it, Name.err.

What only a back end refuses says so in its first line: "// sidlc --client=c".

To add a diagnostic, add both files; `SHINAR_ACCEPT=1 pytest tests/errors` writes the .err files
that differ, for you to review.
"""

import os
import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CASES = sorted(path.stem for path in HERE.glob("*.sidl"))

# About files, generators and sizes rather than text: test_driver.py, test_repository.py,
# test_breaking.py and test_limits.py in tests/compiler see to them.
TESTED_ELSEWHERE = {
    *("SIDL0001", "SIDL0002", "SIDL0005", "SIDL0006", "SIDL0013", "SIDL0014", "SIDL0015"),
    *("SIDL0016", "SIDL0017", "SIDL0018"),
    *("SIDL0512", "SIDL0515"),
    *("SIDL0310", "SIDL0311", "SIDL0312", "SIDL0313", "SIDL0350"),
}


@pytest.mark.parametrize("name", CASES)
def test_diagnostics(name, sidlc, run):
    first = (HERE / f"{name}.sidl").read_bytes().split(b"\n")[0]
    options = first.decode(errors="replace").split()[2:] if first.startswith(b"// sidlc ") else []
    action = [*options, "--list-outputs"] if options else ["--check"]
    done = run([sidlc, *action, f"{name}.sidl"], status=None, cwd=HERE, timeout=20)
    has_errors = ": error: " in done.stderr
    assert done.returncode == (1 if has_errors else 0)
    assert done.stdout == "" or not has_errors
    expected = HERE / f"{name}.err"
    if os.environ.get("SHINAR_ACCEPT"):
        expected.write_text(done.stderr)
    assert done.stderr == expected.read_text()


def test_every_err_file_has_its_source():
    assert [path.stem for path in HERE.glob("*.err") if path.stem not in CASES] == []


def test_every_case_complains():
    assert [name for name in CASES if "[SIDL" not in (HERE / f"{name}.err").read_text()] == []


def test_every_code_has_a_case(root):
    table = (root / "compiler/diagnostics/codes.def").read_text()
    numbers = re.findall(r"^SIDL_CODE\(\w+, (\d+),", table, re.MULTILINE)
    assert len(numbers) > 60
    wanted = {f"SIDL{int(number):04}" for number in numbers}
    seen = set()
    for name in CASES:
        seen |= set(re.findall(r"\[(SIDL\d{4})\]", (HERE / f"{name}.err").read_text()))
    assert wanted - seen == TESTED_ELSEWHERE
    assert seen <= wanted
