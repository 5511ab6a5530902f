"""Imports SIDL packages: after `import shinar.importer`, `import demo` finds demo.sidl.

It is looked for where Python looks for modules. What sidlc and the compiler make of it is kept in a
cache (SHINAR_CACHE, else ~/.cache/shinar), by the content of the file and what it was made with, so
the second time costs nothing. It is the side of callers: classes come from the libraries that
SIDL_DLL_PATH names, or from servers.

Wanted are the compilers cc and c++ (CC, CXX), the headers of Python, and the installation of Shinar
that this module belongs to.
"""

from __future__ import annotations

import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from shinar import _core
from shinar._prefix import PREFIX

__all__ = ["SidlError", "build"]

_PREFIX = Path(PREFIX)
_PATIENCE = 2.0  # seconds after which a message is shown


class SidlError(ImportError):
    """A .sidl file that cannot be made into a module; the message says why."""


def build(path: Path) -> Path:
    """The folder with the Python package of a .sidl file, built if it is not cached."""
    folder = _cache() / _key(path)
    if not _is_whole(folder):
        _check_writable(folder.parent)
        shutil.rmtree(folder, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="building-") as made:
            _make(path, Path(made))
            try:
                os.rename(made, folder)  # atomic, also if others build it at the same time
            except OSError:
                if not folder.exists():
                    raise
            else:
                os.mkdir(made)
    return folder


def _cache() -> Path:
    given = os.environ.get("SHINAR_CACHE")
    if given:
        return Path(given)
    try:
        return Path.home() / ".cache" / "shinar"
    except RuntimeError as error:
        raise SidlError(f"shinar: no cache: {error}; {_ADVICE}") from error


_ADVICE = "set SHINAR_CACHE to a writable directory"


def _is_whole(folder: Path) -> bool:
    """True if it exists and is complete, even after a crash of the machine or disk."""
    try:
        sizes = (folder / _SIZES).read_text(errors="replace") if folder.exists() else None
        return sizes is not None and sizes == _sizes(folder)
    except FileNotFoundError:
        return False
    except OSError as error:
        cache = folder.parent
        raise SidlError(f"shinar: no cache in {cache}: {error.strerror}; {_ADVICE}") from error


_SIZES = "sizes"


def _sizes(folder: Path) -> str:
    files = sorted([*folder.rglob("*.py"), *folder.rglob("_native*")])
    return "".join(f"{file.relative_to(folder)} {file.stat().st_size}\n" for file in files)


def _check_writable(cache: Path) -> None:
    """Creates the cache's folder, or says what to do."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SidlError(f"shinar: no cache in {cache}: {error.strerror}; {_ADVICE}") from error
    if not os.access(cache, os.W_OK | os.X_OK):
        raise SidlError(f"shinar: no cache in {cache}: Permission denied; {_ADVICE}")


def _key(path: Path) -> str:
    """A hash of everything the result depends on."""
    sidlc = (_PREFIX / "bin" / "sidlc").stat()
    core = Path(_core.__file__ or "").stat()
    facts = f"{path.name} {sys.version} {sidlc.st_mtime_ns} {core.st_mtime_ns} {_PREFIX}"
    digest = hashlib.sha256(facts.encode() + path.read_bytes())
    return f"{path.stem}-{digest.hexdigest()[:20]}"


def _make(path: Path, folder: Path) -> None:
    progress = _Progress(f"shinar: compiling {path.name}")
    sidlc = [str(_PREFIX / "bin" / "sidlc"), "--client=python", "-o", str(folder), str(path)]
    progress.run(sidlc)
    options = ["-O1", "-fPIC", f"-I{folder}", f"-I{_PREFIX / 'include' / 'shinar'}"]
    options.append(f"-I{sysconfig.get_path('include')}")
    objects = []
    for source in sorted([*folder.glob("*.c"), *folder.glob("*.cxx")]):
        in_c = source.suffix == ".c"
        compiler = os.environ.get("CC", "cc") if in_c else os.environ.get("CXX", "c++")
        standard = "-std=c11" if in_c else "-std=c++17"
        objects.append(f"{source}.o")
        progress.run(
            [*shlex.split(compiler), standard, *options, "-c", str(source), "-o", objects[-1]]
        )
    libraries = _PREFIX / "lib"
    for module in folder.glob("*_module.cxx"):
        package = folder / module.name[: -len("_module.cxx")]
        target = package / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
        shared = [each for each in objects if not each.endswith("_module.cxx.o")]
        link = ["-shared", "-o", str(target), f"{module}.o", *shared]
        link += [f"-L{libraries}", "-lsidl", f"-Wl,-rpath,{libraries}"]
        progress.run([*shlex.split(os.environ.get("CXX", "c++")), *link])
    for file in objects:
        os.unlink(file)
    (folder / _SIZES).write_text(_sizes(folder))
    progress.end()


class _Progress:
    """A message about slow builds."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = time.monotonic()
        self._said = False

    def run(self, command: Sequence[str]) -> None:
        if not self._said and time.monotonic() - self._start > _PATIENCE:
            self._said = True
            print(f"{self._text} ...", end="", file=sys.stderr, flush=True)
        if shutil.which(command[0]) is None:
            raise SidlError(f"{self._text} needs {command[0]}, which is not installed")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SidlError(f"{self._text} failed:\n{done.stderr}{done.stdout}")

    def end(self) -> None:
        if self._said:
            print(f" {time.monotonic() - self._start:.1f} s", file=sys.stderr)


class _Finder(importlib.abc.MetaPathFinder):
    """The last finder: only for modules no other one has found."""

    def __init__(self) -> None:
        self._folders: list[Path] = []  # a file may contain more packages than the one of its name

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if path is not None:
            return None  # inner packages are found in the folder of the outermost
        for entry in sys.path:
            source = Path(entry or ".") / f"{fullname}.sidl"
            if source.is_file():
                folder = build(source.resolve())
                self._folders.append(folder)
                spec = self._spec(fullname, folder)
                if spec:
                    return spec
                text = f"{source} has no package '{fullname}'"
                raise SidlError(text, name=fullname, path=str(source))
        found = (self._spec(fullname, folder) for folder in self._folders)
        return next((spec for spec in found if spec), None)

    @staticmethod
    def _spec(name: str, folder: Path) -> importlib.machinery.ModuleSpec | None:
        package = folder / name
        file = package / "__init__.py"
        if not file.exists():
            return None
        return importlib.util.spec_from_file_location(
            name, file, submodule_search_locations=[str(package)]
        )


sys.meta_path.append(_Finder())
