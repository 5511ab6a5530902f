"""Orderly end of an embedded Python (libsidl_python)."""

from __future__ import annotations

import atexit
import gc
import io
import sys
import threading
from collections.abc import Sequence
from typing import Any

from shinar import _core

_PATIENCE = 5.0  # seconds for flushing a file; a pipe may be full for ever


def end() -> None:
    """Does the part of Python's finalisation that is possible while other threads still run.

    Afterwards calls throw, which a thread of the program may not survive, so files are flushed
    first.
    """
    _write_files()
    _core.stay()
    atexit._run_exitfuncs()
    _write_files()


def _write_files() -> None:
    flushing = threading.Thread(target=_flush, args=(_buffered(),), daemon=True)
    flushing.start()
    flushing.join(_PATIENCE)


def _buffered() -> Sequence[Any]:
    """The open files; text files first, as they write to others."""
    kinds = (io.TextIOBase, io.BufferedIOBase)
    return [each for kind in kinds for each in gc.get_objects() if issubclass(type(each), kind)]


def _flush(files: Sequence[Any]) -> None:
    for each in files:
        try:
            if not each.closed:
                each.flush()
        except (OSError, ValueError) as error:
            if sys.stderr and each is not sys.stderr:
                print(f"sidl: {each!r} has not been written to the end: {error}", file=sys.stderr)
