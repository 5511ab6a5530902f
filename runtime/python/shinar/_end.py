"""An orderly end of the Python in a program that is not Python's own (libsidl_python)."""

from __future__ import annotations

import atexit
import gc
import io
import sys
import threading
from collections.abc import Sequence
from typing import Any

from shinar import _core

_PATIENCE = 5.0  # seconds, for what a file has buffered; a pipe may be full for ever


def end() -> None:
    """Does what Python would do at its end and can be done while other threads still run.

    Calls throw from then on, which a thread of the program may not survive: files come before it.
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
    """The files that are open; those of text first, which write to others."""
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
