"""Called by libsidl_python: finds the modules of a library whose classes are implemented in Python.

A process has one Python package of a name. Libraries in several folders may implement classes of
it: each has a folder of that name beside it, with its own extension module and its own classes.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

from shinar._environment import explained

_servers: dict[str, ModuleType] = {}  # by their files
_lock = threading.RLock()  # for the above


def server(top: str, folder: str) -> ModuleType:
    """The extension module with the classes of package `top` of the library in `folder`.

    It is next to the library, else where the package is.
    """
    package = importlib.import_module(top)
    if not hasattr(package, "__path__"):
        raise ImportError(
            f"Python has a module {top} of its own, so that it does not find the package {top} of "
            f"a library in {folder}: give the package another name"
        )
    for path in ([os.path.join(folder, top)], list(package.__path__)):
        spec = importlib.machinery.PathFinder.find_spec(f"{top}._server", path)
        if spec and spec.origin:
            return _load(os.path.realpath(spec.origin), spec, _home(package))
    raise ImportError(
        f"{_home(package)} has what callers of package {top} need, but no classes; "
        f"a library in {folder} implements some, but has no directory {top} next to it"
    )


def _load(file: str, spec: importlib.machinery.ModuleSpec, package: str) -> ModuleType:
    with _lock:
        if file not in _servers and spec.loader:
            try:
                made = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(made)
            except ImportError as error:
                raise ImportError(f"{file}: {explained(error)} ({package})") from None
            _servers[file] = made
        return _servers[file]


def implementation(server: ModuleType, module: str, name: str) -> Any:
    """The class `name` of the Python module, from the library that `server` belongs to."""
    root = Path(server.__file__ or "").parent.parent
    parts = module.split(".")
    for depth in range(1, len(parts)):
        package = importlib.import_module(".".join(parts[:depth]))
        folder = root.joinpath(*parts[:depth])
        if folder.is_dir() and not any(_is_same(folder, each) for each in package.__path__):
            for other in package.__path__:
                _check_helpers(folder, Path(other))
            package.__path__.append(str(folder))
    found = importlib.import_module(module)
    own = root.joinpath(*parts).with_suffix(".py")
    if own.exists() and not (found.__file__ and _is_same(own, found.__file__)):
        raise ImportError(
            f"{name} is implemented in {own.parent} and in {_home(found)}, and this process has "
            f"loaded the second: a process has one Python module {module}; run the other one in "
            "a process of its own (sidl serve)"
        )
    return getattr(found, name)


def _check_helpers(folder: Path, other: Path) -> None:
    """What implementations import besides must not differ: they would get either's."""
    for own in sorted(folder.rglob("*.py")):
        theirs = other / own.relative_to(folder)
        if own.name == "__init__.py" or own.stem.endswith("_Impl") or not theirs.exists():
            continue
        if own.read_bytes() != theirs.read_bytes():
            raise ImportError(
                f"{own} and {theirs} differ, and a process has one Python module of a name: give "
                "them two names, or run one implementation in its own process (sidl serve)"
            )


def _is_same(a: Path, b: str) -> bool:
    return os.path.realpath(a) == os.path.realpath(b)


def _home(module: ModuleType) -> str:
    return os.path.dirname(module.__file__) if module.__file__ else "?"
