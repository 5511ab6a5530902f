"""Hooks of classes in every language, in process and on a server."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LANGUAGES = ["c", "cxx", "fortran", "python", "java"]


@pytest.fixture(scope="module")
def built(cmake_build, tmp_path_factory):
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(HERE, tmp_path_factory.mktemp("hooks"), *options, unity=True)


@pytest.fixture
def run_cases(built, run, monkeypatch):
    """Runs the cases in a Python of their own, for the class in a language."""
    if not (built / "path").exists():
        pytest.skip("built without Python's headers: no Python binding")
    libraries = [str(built / f"in_{language}.scl") for language in LANGUAGES]
    libraries.append(os.environ.get("SIDL_DLL_PATH", ""))
    monkeypatch.setenv("PYTHONPATH", (built / "path").read_text())
    monkeypatch.setenv("SIDL_DLL_PATH", ";".join(libraries))

    def run_them(language, server=""):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += [f"--confcutdir={HERE / 'cases'}", HERE / "cases" / "test_probe.py"]
        environment = {**os.environ, "PROBE": f"watched{language}", "PROBE_SERVER": server}
        done = run(command, status=None, env=environment, cwd=HERE / "cases")
        if done.returncode != 0:
            pytest.fail(done.stdout + done.stderr, pytrace=False)

    return run_them


def library(built, language):
    path = built / f"libin_{language}.so"
    if not path.exists():
        pytest.skip("no compiler for it here")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_one_process(language, built, run_cases):
    library(built, language)
    run_cases(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_server(language, built, run_cases, start_server, protocols):
    exports = []
    for name in "Probe", "Heir":
        exports += ["--export", f"watched{language}.{name}={library(built, language)}"]
    server = start_server(protocols["simhandle"], "--drain", "0", *exports)
    run_cases(language, server.url)


def test_a_name_that_a_hook_has(sidlc, run, tmp_path):
    """Is refused where hooks are made, and nowhere else."""
    source = tmp_path / "clash.sidl"
    source.write_text("package clash version 1.0 { class A { void run(); void run_pre(); } }\n")
    run([sidlc, "--server=c", "-o", tmp_path / "without", source])
    done = run([sidlc, "--server=c", "-i", "-o", tmp_path / "with", source], status=1)
    assert (
        "'run_pre' is the name of a hook of 'run', which --generate-hooks would make" in done.stderr
    )
    assert not (tmp_path / "with").exists()


def test_hooks_belong_to_a_server_library(run, tmp_path, stage):
    (tmp_path / "a.sidl").write_text("package a version 1.0 { class A {} }\n")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(a LANGUAGES C)\n"
        "find_package(Shinar REQUIRED)\nsidl_add_library(a LANGUAGE c HOOKS SIDL a.sidl)\n"
    )
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={stage}"]
    done = run(command, status=1)
    assert "only valid with SERVER" in " ".join(done.stderr.split())
