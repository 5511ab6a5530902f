"""Which Python and which libraries this process has, and which ones an extension module was made
for: said where they do not fit.

Python itself says that there is no such module, or that it is imported in a circle. The package
`shinar` imports this one first.
"""

from __future__ import annotations

import importlib
import importlib.abc
import os
import re
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from types import ModuleType

_OUR_MODULES = ("_core", "_native", "_server")


class _Finder(importlib.abc.MetaPathFinder):
    """A finder like Python's own, with better messages if our modules are missing or
    incompatible."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        name = fullname.rpartition(".")[2]
        if path is None or name not in _OUR_MODULES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, ExtensionFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        for folder in [] if spec else path:
            for file in _extensions(folder, name):
                raise ImportError(_complaint(fullname, os.path.join(folder, file)))
        return spec


class _Loader(ExtensionFileLoader):
    """Loads an extension module; explains a clash of its library with another one of the same
    name."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        try:
            return super().create_module(spec)
        except ImportError as error:
            raise explained(error) from None


def explained(error: ImportError) -> ImportError:
    """The error with an explanation of the dynamic linker's message."""
    core = sys.modules.get("shinar._core")
    text = core.explain_unloadable(str(error)) if core else str(error)
    return ImportError(text, name=error.name, path=error.path)


def _extensions(folder: str, name: str) -> list[str]:
    """Files in the folder that are this module, but for other Pythons."""
    try:
        files = sorted(os.listdir(folder))
    except OSError:
        return []
    found = [each for each in files if each.startswith(name + ".") and each.endswith(".so")]
    return [] if any(name + suffix in found for suffix in EXTENSION_SUFFIXES) else found


def _complaint(module: str, file: str) -> str:
    tag = re.search(r"\.cpython-(\d)(\d+)", file)
    wanted = f"Python {tag[1]}.{tag[2]}" if tag else "another Python"
    is_ours = module.partition(".")[0] in ("shinar", "sidl")
    build = (
        "`pip install .` in Shinar's sources does, with the installed Shinar as CMAKE_PREFIX_PATH"
    )
    if not is_ours:
        build = f"CMake: -DPython3_EXECUTABLE={sys.executable or 'python3'}"
    return (
        f"{module} was built for {wanted} ({file}), and this process has {this_python()}. Run it "
        f"with {wanted}, or build the package for this Python, 3.9 or newer ({build}). A program "
        f"in another language must have {wanted} in it, or no Python: then libsidl_python starts "
        "the right one, in the environment that SHINAR_PYTHON names"
    )


def this_python() -> str:
    """Its version and file: a program's libpython, or the python executable."""
    return f"Python {sys.version.split()[0]} ({_libpython() or sys.executable or '?'})"


def _libpython() -> str | None:
    try:
        with open("/proc/self/maps", errors="replace") as maps:
            files = {line.split(None, 5)[5].strip() for line in maps if "/libpython" in line}
    except OSError:
        return None
    version = f"libpython{sys.version_info[0]}.{sys.version_info[1]}"
    return next((each for each in sorted(files) if version in each), None)


def _check_numpy() -> None:
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        given = os.environ.get("SHINAR_PYTHON")
        now = f" (now it is set to {given})" if given else ""
        raise ModuleNotFoundError(
            f"shinar needs NumPy, and {this_python()} of {sys.prefix} has none: install it there. "
            f"For a program in another language SHINAR_PYTHON{now} names the python of an "
            "environment that has it, which must be of Python "
            f"{sys.version_info[0]}.{sys.version_info[1]}",
            name="numpy",
        ) from None


def _check_interpreter() -> None:
    """Extension modules made with pybind11 would deadlock in subinterpreters."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # from Python 3.13 on, and before
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        if interpreters.get_current() != interpreters.get_main():
            raise ImportError(
                "shinar cannot be imported in a subinterpreter: its extension modules belong to "
                "the main interpreter of a process, as NumPy's do",
                name="shinar",
            )
        return


_check_interpreter()
sys.meta_path.insert(0, _Finder())
from shinar import _core  # noqa: E402, F401

_check_numpy()
