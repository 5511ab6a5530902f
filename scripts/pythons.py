"""Runs the tests of the Python binding with every other Python that this machine has.

Looked for are python3.N on the PATH and the versions that pyenv keeps, from 3.9 on. Each gets an
environment of its own, build/pythons/N, with NumPy, pytest and pybind11, the packages of the
binding, and the extension modules of the tests. What cannot be had is skipped, and said. The Python
that Shinar was built with is not repeated: `make test` has it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("numpy", "pytest", "pybind11")
ASK = "import sys; print(*sys.version_info[:2], sys.implementation.name)"


class SkipError(Exception):
    """Why a Python is not tried."""


def interpreters():
    """The Pythons of this machine, by version: the first of each."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders = sorted(pyenv.glob("versions/*/bin")) + folders
    found = {}
    for folder in folders:
        for path in sorted(folder.glob("python3.*")):
            if re.fullmatch(r"python3\.\d+", path.name) and "shims" not in path.parts:
                asked = subprocess.run([path, "-c", ASK], capture_output=True, text=True)
                if asked.returncode == 0 and asked.stdout.split()[2] == "cpython":
                    major, minor = map(int, asked.stdout.split()[:2])
                    found.setdefault((major, minor), path)
    return found


def run(*command, **options):
    """Runs a command; what it said, if it failed, is the reason to skip."""
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise SkipError("\n    ".join([f"{command[0]} failed:", *lines[-12:]]))
    return done.stdout


def environment_of(python, folder):
    """A virtual environment with the packages that the tests need: its Python."""
    own = folder / "venv" / "bin" / "python"
    if not own.exists():
        run(python, "-m", "venv", folder / "venv")
    probe = [own, "-c", f"import {', '.join(PACKAGES)}"]
    if subprocess.run(probe, capture_output=True).returncode != 0:
        run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES)
    return own


def build(source, folder, python, stage, *options):
    """Configures and builds a CMake project for this Python."""
    command = ["cmake", "-S", source, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={stage}"]
    if shutil.which("ccache"):
        command += [f"-DCMAKE_{each}_COMPILER_LAUNCHER=ccache" for each in ("C", "CXX")]
    run(*command, f"-DPython3_EXECUTABLE={python}", *options)
    run("cmake", "--build", folder)


def prepare(python, folder, stage):
    """What the tests run with: the interpreter, its path for modules, the tests' libraries."""
    own = environment_of(python, folder)
    site = folder / "site"
    headers = run(own, "-m", "pybind11", "--cmakedir").strip()
    package = ROOT / "runtime" / "python" / "wheel"
    build(package, folder / "package", own, stage, f"-Dpybind11_DIR={headers}")
    run("cmake", "--install", folder / "package", "--prefix", site)
    build(ROOT / "tests" / "python", folder / "tests", own, stage)
    return own, f"{folder / 'tests'}{os.pathsep}{site}", folder / "tests"


def try_one(python, folder, stage):
    """The status of the tests."""
    own, path, libraries = prepare(python, folder, stage)
    cases = ROOT / "tests" / "python" / "cases"
    environment = {
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONDEVMODE": "1",
        "SIDL_DLL_PATH": ";".join(str(each) for each in sorted(libraries.glob("*.scl"))),
    }
    command = [own, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--confcutdir={cases}", cases]
    return subprocess.run([str(part) for part in command], env=environment, cwd=cases).returncode


def main():
    """Tries all of them; the status is 0 if no test failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", type=Path, default=ROOT / "build" / "stage")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "pythons")
    arguments = parser.parse_args()
    stage, work = arguments.stage.resolve(), arguments.work.resolve()
    others = {
        version: path
        for version, path in sorted(interpreters().items())
        if version >= (3, 9) and version != sys.version_info[:2]
    }
    if not others:
        print("skipped: there is no other Python here, from 3.9 on")
    failed = 0
    for (major, minor), path in others.items():
        print(f"Python {major}.{minor}: {path}", flush=True)
        try:
            failed |= try_one(path, work / f"{major}.{minor}", stage)
        except SkipError as reason:
            print(f"skipped: {reason}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
