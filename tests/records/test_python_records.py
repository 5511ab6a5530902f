"""Arrays of structs from and in Python, in process and from another one.

The cases in cases/ run in a Python of their own, as those of tests/python."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIBRARIES = {
    "rec.InC": "in_c",
    "rec.InCxx": "in_cxx",
    "rec.InPython": "in_python",
    "rec.Item": "rec",
}


@pytest.fixture(scope="module")
def built(cmake_build, stage, tmp_path_factory):
    """The folder with the libraries and the Python package."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    folder = tmp_path_factory.mktemp("records_python")
    return cmake_build(HERE, folder, *options, unity=True)


@pytest.fixture
def environment(built):
    return {
        **os.environ,
        "PYTHONPATH": (built / "path").read_text(),
        "PYTHONDEVMODE": "1",
        "PYTHONMALLOC": "debug",
        "PYTHONWARNINGS": "error",
        "SIDL_DLL_PATH": ";".join(str(built / f"{name}.scl") for name in LIBRARIES.values()),
    }


def run_case(run, case, environment):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += [f"--confcutdir={HERE / 'cases'}", HERE / "cases" / case]
    done = run(command, status=None, env=environment, cwd=HERE / "cases")
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


@pytest.mark.parametrize("case", ["test_arrays.py", "test_leaks.py"])
def test_in_one_process(case, run, environment):
    run_case(run, case, environment)


def test_from_another_process(protocol, run, environment, built, start_server, monkeypatch):
    environment["SIDL_DLL_PATH"] += ";" + os.environ.get("SIDL_DLL_PATH", "")
    for name in ("PYTHONPATH", "SIDL_DLL_PATH"):
        monkeypatch.setenv(name, environment[name])
    options = ["--drain", "0"]
    for name, library in LIBRARIES.items():
        options += ["--export", f"{name}={built}/lib{library}.so"]
    server = start_server(protocol, *options)
    run_case(run, "test_arrays.py", {**environment, "REC_SERVER": server.url})


def test_stubs_are_strict(run, environment, built):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", built / "mypy"]
    command += [HERE / "typed.py"]
    run(command, env={**environment, "MYPYPATH": environment["PYTHONPATH"]})


def test_impl_file_is_up_to_date(run, sidlc, tmp_path):
    """sidlc would change nothing in it."""
    path = Path("rec") / "InPython_Impl.py"
    before = (HERE / "impl_python" / path).read_text()
    (tmp_path / "impl" / "rec").mkdir(parents=True)
    (tmp_path / "impl" / path).write_text(before)
    command = [sidlc, "--server=python", "--classes=rec.InPython", "-o", tmp_path / "glue"]
    command += ["--impl-dir", tmp_path / "impl"]
    files = [HERE / f"{name}.sidl" for name in ("records", "in_c", "in_cxx", "in_python")]
    run([*command, *files])
    assert (tmp_path / "impl" / path).read_text() == before
