"""Runs the tests of libsidl, and checks what only a look at the built library can tell.

Binaries are built when they are missing or out of date.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def build(build_dir: Path, unit_tests) -> Path:
    """The build folder, with the tests of libsidl built."""
    unit_tests("runtime_tests")
    return build_dir


def suites(binary: Path) -> list[str]:
    text = subprocess.run([binary, "--gtest_list_tests"], capture_output=True, text=True).stdout
    return [
        line.split()[0]
        for line in text.splitlines()
        if line and not line.startswith(" ") and line.split()[0].endswith(".")
    ]


@pytest.mark.threads
def test_unit_tests(build: Path) -> None:
    binary = build / "bin" / "runtime_tests"
    assert len(suites(binary)) > 10
    done = subprocess.run([binary, "--gtest_brief=1"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_leaks(build: Path, run_in_valgrind) -> None:
    run_in_valgrind([build / "bin" / "runtime_tests"])


def test_each_suite_alone(build: Path) -> None:
    """Nothing depends on what another suite has loaded before."""
    binary = build / "bin" / "runtime_tests"
    for suite in suites(binary):
        done = subprocess.run(
            [binary, "--gtest_brief=1", f"--gtest_filter={suite}*"],
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, f"{suite}\n{done.stdout}{done.stderr}"


def test_protocols_from_the_environment(build: Path) -> None:
    environment = dict(os.environ, SIDL_PROTOCOLS="mine=rt.Mine/rt.Hall,broken,simhandle=rt.Other")
    done = subprocess.run(
        [
            build / "bin" / "runtime_tests",
            "--gtest_filter=Environment.DISABLED_Protocols",
            "--gtest_also_run_disabled_tests",
        ],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 test from" in done.stdout


@pytest.mark.parametrize(
    ("setting", "expected"), [("250", 250), ("0", 0), ("soon", 0), ("-3", 0), ("7 s", 0)]
)
def test_deadline_from_the_environment(build: Path, setting: str, expected: int) -> None:
    environment = {"SIDL_RMI_DEADLINE_MS": setting, "RT_EXPECTED_DEADLINE": str(expected)}
    done = subprocess.run(
        [
            build / "bin" / "runtime_tests",
            "--gtest_filter=Environment.DISABLED_Deadline",
            "--gtest_also_run_disabled_tests",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 test from" in done.stdout


def test_dlopen_trace(build: Path) -> None:
    environment = dict(os.environ, SIDL_DEBUG_DLOPEN="1")
    done = subprocess.run(
        [build / "bin" / "runtime_tests", "--gtest_filter=Loader.FindsClasses*"],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^sidl: reading catalogue .*a\.scl$", done.stderr, re.M), done.stderr
    assert re.search(r"^sidl: dlopen .*plugin\.so \(local, now\): loaded$", done.stderr, re.M)
    assert "sidl: class rt.Plugin: found" in done.stderr


def exported(build: Path) -> list[str]:
    library = build / "lib" / "libsidl.so"
    text = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    ).stdout
    return [line.split()[-1] for line in text.splitlines()]


def test_only_public_names_are_exported(build: Path) -> None:
    names = exported(build)
    assert len(names) > 300
    strange = [
        name
        for name in names
        if not name.startswith(("sidl", "SIDL", "_init", "_fini", "__asan", "__odr_asan"))
    ]
    assert strange == []


def test_every_declared_function_exists(build: Path) -> None:
    names = set(exported(build))
    declared = set()
    for header in (ROOT / "runtime" / "c" / "include").glob("*.h"):
        text = re.sub(r"/\*.*?\*/|^#.*?(?<!\\)$", "", header.read_text(), flags=re.S | re.M)
        text = re.sub(r"static inline .*?\n}\n", "", text, flags=re.S)
        declared |= set(re.findall(r"\b((?:sidl|SIDL)_\w+)\s*\((?!\*)[^;{}]*\)\s*;", text))
    declared = {name for name in declared if not name.endswith("_function")}
    declared = {name for name in declared if not name.startswith("SIDL_ARRAY_")}  # macros
    assert len(declared) > 60
    assert sorted(declared - names) == []


def test_every_standard_type_is_in_the_library(build: Path) -> None:
    names = set(exported(build))
    glue = build / "gen" / "sidl"
    missing = [
        file.name
        for file in glue.glob("*_IOR.c")
        if file.name.replace("_IOR.c", "__info") not in names
    ]
    assert missing == [], "add them to runtime/c/CMakeLists.txt"


def test_impl_files_are_as_sidlc_writes_them(build: Path) -> None:
    """The build works on copies, which sidlc brings up to date: the sources must not differ."""
    differ = [
        file.name
        for file in (ROOT / "runtime" / "c" / "src" / "impl").iterdir()
        if file.read_text() != (build / "gen" / "sidl-impl" / file.name).read_text()
    ]
    assert differ == [], f"copy them from {build}/gen/sidl-impl"


def test_libsidl_needs_only_the_c_library(build: Path) -> None:
    text = subprocess.run(
        ["objdump", "-p", build / "lib" / "libsidl.so"], capture_output=True, text=True, check=True
    ).stdout
    needed = set(re.findall(r"NEEDED\s+(\S+)", text))
    parts = {"libdl.so.2", "libpthread.so.0", "libm.so.6"}
    allowed = {"libc.so.6", "ld-linux-x86-64.so.2", *parts}
    sanitizers = {name for name in needed if re.match(r"lib(asan|ubsan|tsan)\.", name)}
    if not sanitizers:
        assert needed <= allowed
    assert "SONAME" in text


def test_headers_are_c_and_cpp(build: Path, tmp_path: Path) -> None:
    """Each public header stands alone, in strict C11 and in C++17, with gcc and clang."""
    include = ROOT / "runtime" / "c" / "include"
    text = "".join(
        f'#include "{file.name}"\n'
        for file in sorted(include.glob("*.h"))
        if not file.name.endswith("_functions.h")
    )  # templates, no headers
    flags = [
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-fsyntax-only",
        f"-I{include}",
        f"-I{build / 'gen' / 'sidl'}",
    ]
    for suffix, standard, compilers in (
        (".c", "c11", ("gcc", "clang")),
        (".cpp", "c++17", ("g++", "clang++")),
    ):
        file = tmp_path / f"all{suffix}"
        file.write_text(text)
        for compiler in compilers:
            done = subprocess.run(
                [compiler, f"-std={standard}", *flags, file], capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
