"""Every cell of the matrix, and the page that shows it."""

import fcntl
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import matrix
import suite


@pytest.fixture(scope="module")
def built(build_dir, stage):
    """The folder of builds."""
    for language in ("lib/shinar/python", "include/shinar/fortran"):
        if not (stage / language).exists():
            pytest.skip(f"built without {language}: a language is missing")
    with open(build_dir / "matrix.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return matrix.build(build_dir / "tests" / "matrix", stage)


@pytest.fixture(scope="module")
def results(built, stage):
    """results(cell): what became of its cases, and what else was said; run once."""
    known = {}

    def run(cell):
        if cell not in known:
            known[cell] = matrix.run(cell, built, stage)
        return known[cell]

    return run


@pytest.mark.parametrize("cell", matrix.CELLS, ids=str)
def test_cell(cell, results, stage):
    """All cases are there, and pass, but for those that cannot."""
    if not matrix.is_built(cell.place, stage):
        pytest.skip(f"built without {cell.place}")
    seen, rest = results(cell)
    cannot = matrix.limits(cell)
    wanted = [case for case in matrix.wanted(cell) if case not in cannot]
    assert {case: seen.get(case, "was not run") for case in wanted} == dict.fromkeys(wanted, "ok")
    assert [case for case in cannot if seen.get(case, "ok") == "ok"] == []
    assert rest == ""


def test_the_page_is_what_runs(results, root, stage):
    if not all(matrix.is_built(place, stage) for place in matrix.PLACES):
        pytest.skip("built without one of the places")
    page = matrix.table({cell: matrix.count(cell, results(cell)[0]) for cell in matrix.CELLS})
    assert (root / "docs" / "conformance.md").read_text() == page, "run `make matrix`"


def test_the_page_has_every_cell():
    """Each language with each, in each place, and each group of features. Classes are not
    implemented in Fortran 77."""
    callers = {language.name for language in matrix.LANGUAGES}
    callees = callers - {"f77"}
    pairs = {(cell.caller, cell.callee, cell.place) for cell in matrix.CELLS}
    assert pairs == {(a, b, place) for a in callers for b in callees for place in matrix.PLACES}
    assert {group for cell in matrix.CELLS for group in cell.groups()} == set(suite.GROUPS)


def test_callers_who_count_by_hand_leave_nothing(built, run_in_valgrind, monkeypatch):
    """In Fortran 77 what comes back is given back, and that is all that has to be."""
    caller = next(language for language in matrix.LANGUAGES if language.name == "f77")
    monkeypatch.setenv("SIDL_CONTRACTS", "all")
    for name, value in caller.environment(built, "c").items():
        monkeypatch.setenv(name, value)
    run_in_valgrind(caller.command(built))


@pytest.mark.parametrize("caller", [language.name for language in matrix.LANGUAGES])
def test_wrong_values_are_seen(caller, built, stage):
    """An implementation that lies fails the cases whose values it gives, and no others."""
    seen, _ = matrix.run(matrix.Cell(caller, "liar", "in process"), built, stage)
    cannot = matrix.limits(matrix.Cell(caller, "liar", "in process"))
    for case in suite.CASES:
        is_lied = isinstance(case, suite.Case) and case.method.long_name in matrix.LIES
        is_wrong = is_lied or (case.group, case.name) in cannot
        assert (seen[case.group, case.name] != "ok") == is_wrong, (case.group, case.name)
