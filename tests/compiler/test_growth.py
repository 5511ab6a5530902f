"""Twice the input takes about twice the work, whatever the input's shape is.

Work is counted in instructions, which do not vary with the machine's mood. Types have tables of all
that they inherit: where a text of twice the length makes more than twice the output, work may grow
as that does.
"""

import os
import re
import shutil

import pytest
from shapes import SHAPES

SLACK = 1.5  # of twice the input: three times the work
ACTIONS = ["check", "breaking", "c", "c++", "fortran", "f77", "python", "java"]
# Each shape once, and each action twice or more; `make soak` takes all pairs.
PAIRS = [(name, ACTIONS[i % len(ACTIONS)]) for i, name in enumerate(SHAPES)]
if "SHINAR_SOAK" in os.environ:
    PAIRS = [(name, action) for name in SHAPES for action in ACTIONS]


@pytest.fixture(scope="module")
def work(sidlc, run, tmp_path_factory):
    """work(action, shape, n): instructions beyond those for next to no input, and bytes of text and
    of what was made of it."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")

    def instructions(action, text, folder):
        (folder / "a.sidl").write_text(text)
        command = [sidlc, f"--server={action}", "-o", folder / "out", folder / "a.sidl"]
        if action == "f77":
            command[1] = "--client=f77"
        if action == "check":
            command = [sidlc, "--check", folder / "a.sidl"]
        if action == "breaking":
            command = [sidlc, "--breaking", folder / "a.sidl", folder / "a.sidl"]
        counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no"]
        done = run([*counter, f"--cachegrind-out-file={folder}/counts", *command])
        return int(re.search(r"I +refs: +([\d,]+)", done.stderr)[1].replace(",", ""))

    nothing = {}

    def it(action, shape, n):
        folder = tmp_path_factory.mktemp("growth")
        if action not in nothing:
            text = "package p version 1.0 { enum E { a } }"
            nothing[action] = instructions(action, text, tmp_path_factory.mktemp("nothing"))
        count = instructions(action, shape(n), folder)
        files = [folder / "a.sidl", *(path for path in folder.glob("out/**/*") if path.is_file())]
        return count - nothing[action], sum(path.stat().st_size for path in files)

    return it


# What is in the tables themselves, where nothing is written: the checks of what a type inherits.
TABLES = {"diamonds", "chain_of_classes"}


@pytest.mark.parametrize("name, action", PAIRS, ids=lambda part: part)
def test_twice_the_input_is_twice_the_work(name, action, work):
    shape, n = SHAPES[name]
    small, small_bytes = work(action, shape, n)
    large, large_bytes = work(action, shape, 2 * n)
    growth = max(2, large_bytes / small_bytes)
    if name in TABLES and action in ("check", "breaking"):
        growth = 2.7
    assert large / small <= SLACK * growth, f"{small} instructions, then {large}"


def test_forty_structs_of_three_members_each(sidlc, run, tmp_path):
    """3 to the 40th paths lead from the last one to the first."""
    shape, _ = SHAPES["structs_in_structs"]
    (tmp_path / "a.sidl").write_text(shape(40))
    run([sidlc, "--check", tmp_path / "a.sidl"], timeout=60)


def test_a_comment_of_one_long_line_is_wrapped(sidlc, run, tmp_path):
    """Line after line, not one within the other: the stack is of no concern."""
    text = "package p version 1.0 { /** " + "word " * 400_000 + " */ class C { void f(); } }"
    (tmp_path / "a.sidl").write_text(text)
    run([sidlc, "--client=fortran", "-o", tmp_path / "out", tmp_path / "a.sidl"], timeout=120)
    assert "word word" in (tmp_path / "out" / "p.f90").read_text()


def test_a_chain_of_many_types_that_need_each_other(sidlc, run, tmp_path):
    lines = ["struct S0 { int i; }"]
    lines += [f"struct S{i} {{ S{i - 1} a; }}" for i in range(1, 30_000)]
    (tmp_path / "a.sidl").write_text("package p version 1.0 {\n" + "\n".join(lines) + "\n}\n")
    limited = ["sh", "-c", 'ulimit -s 1024; exec "$@"', "sh"]
    run([*limited, sidlc, "--client=fortran", "--list-outputs", tmp_path / "a.sidl"], timeout=240)
