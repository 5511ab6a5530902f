"""The Java binding: what its programs see, and programs in other languages that have Java within."""

import os
import re
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = re.findall(r"^  static void (\w+)\(\)", (HERE / "cases" / "Cases.java").read_text(), re.M)


@pytest.fixture(scope="module")
def built(cmake_build, build_dir, stage):
    """The folder of the programs."""
    if not (stage / "lib" / "shinar" / "java").exists() or not shutil.which("java"):
        pytest.skip("built without a JDK")
    return cmake_build(HERE, build_dir / "tests" / "java", unity=True)


@pytest.fixture
def environment(built, monkeypatch):
    """Where the libraries are."""
    monkeypatch.setenv("SIDL_DLL_PATH", str(built))
    return monkeypatch


def java(built, stage, *arguments, options=("-Xcheck:jni",)):
    """The command of a Java program."""
    jars = [built / "cases.jar", built / "ty_java.jar", built / "jv.jar"]
    jars.append(stage / "lib" / "shinar" / "java" / "shinar.jar")
    return ["java", *options, "-cp", ":".join(map(str, jars)), *arguments]


@pytest.mark.parametrize("case", CASES)
def test_case(case, built, stage, environment, run):
    done = run(java(built, stage, "Cases", case))
    assert done.stderr == ""
    if done.stdout.startswith("skipped: "):
        pytest.skip(done.stdout[9:].splitlines()[0])
    assert done.stdout == "ok\n"


def test_no_case_is_forgotten():
    assert len(CASES) == len(set(CASES)) > 20


@pytest.mark.parametrize(
    "what", ["greet", "threads", "failures", "fork", "return", "exit", "_exit"]
)
def test_java_within_a_program(what, built, environment, run):
    environment.setenv("SIDL_JVM_OPTIONS", "-Xcheck:jni")
    done = run([built / "host", what])
    assert done.stdout == "" and done.stderr == ""


def test_no_java_is_a_clear_exception(built, environment, run, tmp_path):
    environment.setenv("SIDL_JVM_OPTIONS", "--no-such-option")
    done = run([built / "host", "create"])
    assert "SIDL_JVM_OPTIONS" in done.stdout


def test_a_missing_jar_is_a_clear_exception(built, environment, run, tmp_path):
    """The library alone is not enough: the message says where its jar may be."""
    for name in ("libjv.so", "jv.scl", "libjv_tool.so", "jv_tool.scl"):
        shutil.copy(built / name, tmp_path / name)
    environment.setenv("SIDL_DLL_PATH", str(tmp_path))
    environment.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run([built / "host", "create"])
    assert "jv.Worker_Skel is not on the class path" in done.stdout
    assert "SIDL_CLASS_PATH" in done.stdout and str(tmp_path) in done.stdout
    environment.setenv("SIDL_CLASS_PATH", str(built / "jv.jar"))
    assert run([built / "host", "greet"]).stdout == ""


def test_a_missing_library_is_a_clear_error(built, stage, run, tmp_path, monkeypatch):
    monkeypatch.delenv("SIDL_DLL_PATH", raising=False)
    for name in ("cases.jar", "ty_java.jar", "jv.jar"):
        shutil.copy(built / name, tmp_path / name)
    done = run(java(tmp_path, stage, "Cases", "closeDestroysAtOnce"), status=1)
    assert "the native library of SIDL package jv was not found" in done.stderr
    assert "SIDL_DLL_PATH" in done.stderr and os.fspath(tmp_path / "libjv.so") in done.stderr
