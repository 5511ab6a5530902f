"""Runs the suite for every language of callers and every language of implementations, in one
process and from another one, and writes the table to docs/conformance.md."""

import argparse
import contextlib
import dataclasses
import itertools
import os
import re
import shutil
import subprocess
import sys
import time
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import suite  # noqa: E402
from languages import all_languages  # noqa: E402

PLACES = {
    "in process": None,
    "simhandle": "simhandle://127.0.0.1:0",
    "ucx": "ucx://127.0.0.1:0",
}
LIBRARIES = {"ucx": "libsidlx_ucx.so"}  # of places that need more than Shinar itself
LANGUAGES = all_languages(suite)
SERVING = [language for language in LANGUAGES if language.serves]
PATIENCE = 60  # seconds


@dataclasses.dataclass(frozen=True)
class Cell:
    """Who calls whom, and where."""

    caller: str
    callee: str
    place: str

    def __str__(self):
        return f"{self.caller}-{self.callee}-{self.place.replace(' ', '_')}"

    def groups(self):
        """What is called in this place."""
        left_out = set() if PLACES[self.place] is None else suite.LOCAL
        return [group for group in suite.GROUPS if group not in left_out]


# Methods that a liar changes the last value of, and the arguments of their first calls.
LIES = {
    case.method.long_name: case.args
    for case in reversed(suite.CASES)
    if isinstance(case, suite.Case)
    and isinstance(case.method.body, suite.Assign)
    and case.group not in ("inheritance and super", "contracts")
    and not case.method.clauses
}
CELLS = [
    Cell(caller.name, callee.name, place)
    for place in PLACES
    for caller, callee in itertools.product(LANGUAGES, SERVING)
]


def is_built(place, stage):
    """False where the library that a place needs was not to be had."""
    return place not in LIBRARIES or (stage / "lib" / LIBRARIES[place]).exists()


# ---- building ------------------------------------------------------------------------------------


def write(path, text):
    """Writes a file if that changes it: what was built of it stays good."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def fill_in(path, bodies):
    """Puts the bodies between the splicer marks of an Impl file; the names of those it has."""
    text = path.read_text()
    used = set()

    def put(match):
        body = bodies.get(match[3])
        if body is None:
            return match[0]
        used.add(match[3])
        indent = match[2]
        lines = "".join(f"{indent}{line}\n" if line else "\n" for line in body.splitlines())
        return match[1] + lines + match[4]

    pattern = r"(^( *)\S+ DO-NOT-DELETE splicer\.begin\((\S+)\).*?\n)(?:.*?)(^ *\S+ DO-NOT-DELETE splicer\.end\(\3\))"  # noqa: E501
    write(path, re.sub(pattern, put, text, flags=re.M | re.S))
    return used


# The memory of a device.
SPACE = f"""add_library(mx_space SHARED {ROOT}/tests/memory/test_space.c
            {HERE}/languages/space.c)
target_include_directories(mx_space PUBLIC {ROOT}/tests/memory {HERE}/languages)
target_link_libraries(mx_space PUBLIC Shinar::sidl)
"""


def prepare(work, stage):
    """Writes the sources of all programs and libraries."""
    write(work / "mx.sidl", suite.sidl())
    packages = work / "shinar"  # of the installation, for programs in Python
    if not packages.is_symlink():
        packages.symlink_to(stage / "lib" / "shinar" / "python")
    jars = work / "shinar-java"
    if not jars.is_symlink():
        jars.symlink_to(stage / "lib" / "shinar" / "java")
    top = ["cmake_minimum_required(VERSION 3.25)", "project(matrix LANGUAGES C CXX Fortran)"]
    top += ["find_package(Shinar REQUIRED)", "add_subdirectory(space)"]
    write(work / "space" / "CMakeLists.txt", SPACE)
    for language in LANGUAGES:
        folder = work / language.name / "client"
        for name, text in language.program().items():
            write(folder / name, text)
        write(folder / "CMakeLists.txt", language.client_project())
        top += [f"add_subdirectory({language.name}/client)"]
    for language in [*SERVING, liar()]:
        prepare_server(work, stage, language)
        top += [f"add_subdirectory({language.name}/server)"]
    write(work / "CMakeLists.txt", "\n".join([*top, ""]))


def prepare_server(work, stage, language):
    """Writes the implementations in a language: what sidlc makes, with the bodies filled in."""
    folder = work / language.name / "server"
    write(folder / "CMakeLists.txt", language.server_project())
    impl = folder / "impl"
    command = [stage / "bin" / "sidlc", f"--server={language.sidlc}", "-o", work / "glue"]
    command += ["--impl-dir", impl, work / "mx.sidl"]
    subprocess.run([str(part) for part in command], check=True)
    for name, text in language.support().items():
        write(impl / name, text)
    bodies = language.bodies()
    files = [each for each in sorted(impl.rglob("*_Impl.*")) if each.suffix != ".pyc"]
    used = [fill_in(path, bodies) for path in files]
    missing = set(bodies) - set().union(*used)
    if missing:
        raise RuntimeError(f"{language.name}: no place for {sorted(missing)}")


def liar():
    """An implementation that gives back other values than it should: callers have to see that."""

    def lie(method):
        if method.long_name not in LIES:
            return method
        target, truth = method.body.moves[-1]
        if target == "result":
            wrong = f"no {truth}"
        elif target == "o":  # an array that is right but for its bounds
            wrong = dataclasses.replace(truth, lower=tuple(low + 1 for low in truth.lower))
        else:
            wrong = LIES[method.long_name][1]
            if getattr(wrong, "where", ""):  # the caller alone can put it there
                wrong = dataclasses.replace(wrong, where="")
        moves = (*method.body.moves[:-1], (target, wrong))
        return dataclasses.replace(method, body=suite.Assign(moves))

    lies = {**suite.METHODS, "Cell": [lie(method) for method in suite.METHODS["Cell"]]}
    told = types.SimpleNamespace(**{**vars(suite), "METHODS": lies})
    honest = LANGUAGES[0]
    made = type(honest)(told)
    made.name = "liar"
    return made


def build(work, stage):
    """Builds everything; the folder of builds."""
    prepare(work, stage)
    built = work / "build"
    command = ["cmake", "-S", work, "-B", built, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={stage}"]
    command += [f"-DPython3_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=None"]
    if shutil.which("clang++"):  # without optimisation, in half the time that gcc takes
        command.append("-DCMAKE_CXX_COMPILER=clang++")
    for step in (command, ["cmake", "--build", built]):
        done = subprocess.run(
            [str(part) for part in step], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"{done.stdout}{done.stderr}")
    return built


# ---- running -------------------------------------------------------------------------------------


@contextlib.contextmanager
def server(stage, built, language, address, log):
    """`sidl serve` with the classes of a language: its URL."""
    library = built / language / "server" / f"libmx_{language}.so"
    command = [stage / "bin" / "sidl", "serve", "--listen", address]
    for name in ("Cell", "Child"):
        command += ["--export", f"mx.{name}={library}"]
    environment = {**os.environ, "SIDL_DLL_PATH": str(library.parent), "SIDL_CONTRACTS": "all"}
    # A server in Java that rests gives back what clients passed, soon enough for a test.
    environment["SIDL_JVM_OPTIONS"] = "-Dsidl.idle.collection=500"
    with log.open("w") as out:
        process = subprocess.Popen(
            [str(part) for part in command], stdout=out, stderr=subprocess.STDOUT, env=environment
        )
    try:
        end = time.monotonic() + PATIENCE
        while not (url := re.search(r"^listening on (\S+)\n", log.read_text(), re.M)):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server did not start:\n{log.read_text()}")
            time.sleep(0.02)
        yield url[1]
    finally:
        process.terminate()
        process.wait()


def run(cell, built, stage):
    """What became of each case: {(group, case): "ok" or a complaint}, and what else was said."""
    caller = next(each for each in LANGUAGES if each.name == cell.caller)
    address = PLACES[cell.place]
    classes = cell.callee if address is None else caller.classes or caller.name
    # Calls go by the address that the cell names.
    environment = {**os.environ, **caller.environment(built, classes), "SIDL_RMI_SHM": "off"}
    environment["SIDL_CONTRACTS"] = "all"
    log = built / f"{cell}.log"
    at_server = server(stage, built, cell.callee, address, log) if address else None
    with at_server or contextlib.nullcontext() as url:
        command = [*caller.command(built), *([url] if url else [])]
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment,
        )  # fmt: skip
    seen, rest = {}, done.stderr
    for row in done.stdout.splitlines():
        group, name, said = (*row.split("\t", 2), "", "")[:3]
        if said:
            seen[group, name] = said
        else:
            rest += row + "\n"
    if done.returncode != 0:
        rest += f"{command[0]} ended with {done.returncode}\n"
    return seen, rest


def wanted(cell):
    """The cases that the cell has to have."""
    groups = set(cell.groups())
    return [(case.group, case.name) for case in suite.CASES if case.group in groups]


def limits(cell):
    """The cases that cannot pass in this cell, and why: {(group, case): reason}."""
    languages = {each.name: each for each in LANGUAGES}
    caller, callee = languages[cell.caller], languages.get(cell.callee, LANGUAGES[0])
    found = {}
    for case in suite.CASES:
        reason = caller.cannot_call(case) or callee.cannot_serve(case)
        if case.group == suite.ELSEWHERE and PLACES[cell.place]:
            continue  # arrays arrive in host memory
        if reason and case.group in cell.groups():
            found[case.group, case.name] = reason
    return found


def count(cell, seen):
    """{group: (passed, total)}"""
    result = {}
    for group in cell.groups():
        cases = [case for case in wanted(cell) if case[0] == group]
        result[group] = (sum(seen.get(case) == "ok" for case in cases), len(cases))
    return result


# ---- the table -----------------------------------------------------------------------------------

HEAD = """# Conformance

Which features work between which languages: what `make matrix` found. A row is a group of features,
a column says who calls whom, a number how many cases of the group passed, of all. The suite is
`tests/matrix/suite.py`, written once for all languages; a test runs every cell and fails where one
is missing or differs from this page.
"""


def table(results):
    """The page, of {cell: {group: (passed, total)}}."""
    titles = {each.name: each.title for each in LANGUAGES}
    parts = [HEAD]
    for place in PLACES:
        cells = [cell for cell in CELLS if cell.place == place]
        names = [f"{titles[cell.caller]} ▶ {titles[cell.callee]}" for cell in cells]
        parts += [f"## {place[0].upper()}{place[1:]}", ""]
        parts += [f"| | {' | '.join(names)} |", "| --- " * (1 + len(cells)) + "|"]
        for group in cells[0].groups():
            numbers = ["{}/{}".format(*results[cell][group]) for cell in cells]
            parts.append(f"| {group} | {' | '.join(numbers)} |")
        sums = [[sum(n) for n in zip(*results[cell].values())] for cell in cells]
        parts.append(f"| **all** | {' | '.join(f'{n}/{all_}' for n, all_ in sums)} |")
        parts.append("")
    return "\n".join([*parts, *reasons()])


LIMITS = """## What cannot pass

Where a number is below the total, a language's own rules are the reason. A test sees to it that
these cases, and no others, do not pass.

| | | cases |
| --- | --- | --- |
"""


def reasons():
    """The last part of the page: why which cases cannot pass."""
    rows = {}
    for language in LANGUAGES:
        for what, cannot in ("calls", language.cannot_call), ("is called", language.cannot_serve):
            for case in suite.CASES:
                if reason := cannot(case):
                    groups = rows.setdefault((f"{language.title} {what}", reason), {})
                    groups[case.group] = groups.get(case.group, 0) + 1
    lines = [
        f"| {who} | {why} | {', '.join(f'{group}: {n}' for group, n in groups.items())} |"
        for (who, why), groups in rows.items()
    ]
    return [LIMITS + "\n".join(lines), ""]


def main():
    """Runs all cells; the status is 0 if all cases passed that can."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", type=Path, default=ROOT / "build" / "stage")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "tests" / "matrix")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "conformance.md")
    arguments = parser.parse_args()
    stage = arguments.stage.resolve()
    built = build(arguments.work.resolve(), stage)
    results, failed = {}, False
    for cell in CELLS:
        seen, rest = run(cell, built, stage)
        results[cell] = count(cell, seen)
        cannot = limits(cell)
        for case in wanted(cell):
            said = seen.get(case, "was not run")
            if (said != "ok") != (case in cannot) or case not in seen:
                failed = True
                print(f"{cell}: {': '.join(case)}: {said}")
        if rest:
            print(f"{cell}: {rest}", end="")
    page = table(results)
    arguments.page.write_text(page)
    print(page.removeprefix(HEAD).strip())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
