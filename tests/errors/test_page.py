"""docs/diagnostics.md is what scripts/diagnostics_page.py makes of the codes and of these pairs.

`SHINAR_ACCEPT=1 pytest tests/errors` writes it anew.
"""

import os
import re
import sys


def test_the_page_is_up_to_date(root, run):
    script = root / "scripts/diagnostics_page.py"
    if os.environ.get("SHINAR_ACCEPT"):
        run([sys.executable, script])
    run([sys.executable, script, "--check"])


def test_the_page_holds_every_code(root):
    table = (root / "compiler/diagnostics/codes.def").read_text()
    codes = re.findall(r"^SIDL_CODE\((\w+), (\d+),", table, re.MULTILINE)
    page = (root / "docs/diagnostics.md").read_text()
    headings = re.findall(r"^### SIDL(\d{4}) (\w+)$", page, re.MULTILINE)
    assert [(name, number) for number, name in headings] == [
        (name, f"{int(number):04}") for name, number in codes
    ]
