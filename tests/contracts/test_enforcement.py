"""Contracts in classes of every language, in process and from another one."""

import json
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LANGUAGES = ["c", "cxx", "fortran", "python", "java"]


@pytest.fixture(scope="module")
def built(cmake_build, tmp_path_factory):
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(HERE, tmp_path_factory.mktemp("contracts"), *options, unity=True)


def need(language, built):
    if not (built / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")
    if not (built / f"libin_{language}.so").exists():
        pytest.skip("no compiler for it here")


@pytest.fixture
def environment(built):
    path = (built / "path").read_text() if (built / "path").exists() else ""
    libraries = [str(built / f"in_{language}.scl") for language in LANGUAGES]
    return {
        **os.environ,
        "PYTHONPATH": path,
        "SIDL_DLL_PATH": ";".join([*libraries, os.environ.get("SIDL_DLL_PATH", "")]),
    }


def run_cases(run, environment, *options, status=0):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += [f"--confcutdir={HERE / 'cases'}", HERE / "cases" / "test_ledger.py", *options]
    done = run(command, status=None, env=environment, cwd=HERE / "cases")
    if done.returncode != status:
        pytest.fail(done.stdout + done.stderr, pytrace=False)
    return done.stdout


def test_what_clauses_mean(built, run_in_valgrind):
    run_in_valgrind([built / "contracts_tests", "--gtest_brief=1", "--gtest_filter=-*.ChecksThat*"])


def test_how_often(built, run):
    run([built / "contracts_tests", "--gtest_brief=1", "--gtest_filter=*.ChecksThat*"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_one_process(language, built, environment, run):
    need(language, built)
    environment |= {"LEDGER": f"ledger{language}", "SIDL_CONTRACTS": "all"}
    run_cases(run, environment)


@pytest.mark.parametrize("language", LANGUAGES)
def test_from_another_process(
    protocol, language, built, environment, run, start_server, monkeypatch
):
    """They are checked where the object lives."""
    need(language, built)
    for name in ("PYTHONPATH", "SIDL_DLL_PATH"):
        monkeypatch.setenv(name, environment[name])
    library = built / f"libin_{language}.so"
    export = ["--export", f"ledger{language}.Account={library}"]
    server = start_server(protocol, "--drain", "0", "--contracts=all", *export)
    environment |= {"LEDGER": f"ledger{language}", "LEDGER_SERVER": server.url}
    run_cases(run, environment)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_checked(language, built, environment, run):
    """Unless somebody wants it."""
    need(language, built)
    environment |= {"LEDGER": f"ledger{language}"}
    said = run_cases(run, environment, "-k", "conditions or invariants", status=1)
    assert "3 failed" in said


def test_words_that_are_not_understood(sidl_tool, run):
    done = run([sidl_tool, "serve", "--contracts=sometimes"], status=2)
    assert '--contracts: "sometimes"' in done.stderr
    assert "pre,periodic,100" in done.stderr


def test_what_a_server_has_checked(built, environment, sidl_tool, run, start_server, protocols,
                                   monkeypatch):  # fmt: skip
    """`sidl inspect` says it, for people and for programs."""
    need("c", built)
    monkeypatch.setenv("SIDL_DLL_PATH", environment["SIDL_DLL_PATH"])
    library = built / "libin_c.so"
    server = start_server(
        protocols["simhandle"], "--contracts=pre", "--export", f"ledgerc.Account={library}"
    )
    url = server.url

    def inspect(*options):
        return run([sidl_tool, "inspect", *options, url]).stdout

    assert "Contracts: PRECONDS, ALWAYS\n" in inspect()
    for amount, status in ("5", 0), ("-5", 1):
        command = [sidl_tool, "call", "--create", "ledgerc.Account", url, "deposit", amount]
        run(command, status=status)
    assert "  ledgerc.Account.deposit\n    positive: checked 2, violated 1\n" in inspect()
    methods = json.loads(inspect("--json"))["counters"]["contracts"]["methods"]
    method = next(each for each in methods if each["method"] == "deposit")
    assert method["calls"] == 2
    assert method["clauses"] == [
        {"name": "positive", "text": "amount > 0.0", "checks": 2, "violations": 1}
    ]


def test_what_would_be_checked(sidl_tool, run):
    """`sidl contracts` lists own clauses and inherited ones, with their cost."""
    done = run([sidl_tool, "contracts", "--include", HERE / "ledger.sidl", HERE / "in_c.sidl"])
    lines = [line.split(maxsplit=3) for line in done.stdout.splitlines()]
    assert ["ledgerc.Account"] in lines
    costs = {words[1]: words[2] for words in lines if len(words) == 4}
    assert costs["positive"] == costs["doubled"] == "constant"
    assert costs["solvent"] == costs["covered"] == "calls"
    assert costs["ascending"] == costs["sensible"] == "linear"
    assert costs["near"] == "quadratic"
    assert "(ledger.sidl" not in done.stdout and "ledger.sidl:14, ledger.Account" in done.stdout
    done = run([sidl_tool, "contracts", HERE / "none.sidl"], status=1)
    assert "cannot read" in done.stderr


OLDER = "package dial version 1.0 { class Dial { void turn(in int by); } }\n"
NEWER = """
package dial version 1.0 {
  class Dial {
    void turn(in int by);
      require small : by < 100;
  }
}
"""
CALLER = """
#include <stdio.h>
#include "dial_Dial.h"
#include "sidl_BaseException.h"
int main(void) {
  sidl_BaseInterface ex = NULL;
  dial_Dial dial = dial_Dial__create(&ex);
  if (ex == NULL) dial_Dial_turn(dial, 100, &ex);
  if (ex == NULL) return 1;
  sidl_BaseInterface ignored = NULL;
  sidl_BaseException thrown = sidl_BaseException__cast(ex, &ignored);
  puts(sidl_BaseException_getNote(thrown, &ignored));
  return 0;
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(dial LANGUAGES C)
find_package(Shinar REQUIRED)
sidl_add_library(older LANGUAGE c CLIENT SIDL older/dial.sidl)
sidl_add_library(newer LANGUAGE c SERVER SIDL newer/dial.sidl)
target_compile_options(newer PRIVATE -Wno-unused-parameter)
add_executable(caller caller.c)
target_link_libraries(caller PRIVATE older)
"""


def test_the_clauses_are_those_of_the_implementation(cmake_build, run, tmp_path):
    """Also where the program has the type's table from a library that knows none of them."""
    source = tmp_path / "source"
    for name, text in ("older", OLDER), ("newer", NEWER):
        (source / name).mkdir(parents=True)
        (source / name / "dial.sidl").write_text(text)
    (source / "caller.c").write_text(CALLER)
    (source / "CMakeLists.txt").write_text(PROJECT)
    built = cmake_build(source, tmp_path / "build")
    path = f"{built / 'newer.scl'};{os.environ.get('SIDL_DLL_PATH', '')}"
    environment = {**os.environ, "SIDL_DLL_PATH": path, "SIDL_CONTRACTS": "all"}
    said = run([built / "caller"], env=environment).stdout
    assert "precondition 'small' of dial.Dial.turn does not hold: by < 100" in said
