"""Our own Impl files are what sidlc would write around their code now.

A build copies them and runs sidlc on the copies. One that differs is compiled anew, with all that
includes it, whenever sidlc has run.
"""

import pytest

# In the sources, and in a build.
FOLDERS = {
    "runtime/c/src/impl": "gen/sidl-impl",
    "runtime/par/impl": "gen/sidl-par-impl",
    "protocols/glue/impl": "gen/sidlx-impl",
    "tests/protocols/wire/impl": "tests/protocols/impl",
    "tests/tools/impl": "tests/tools/impl",
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_impls_are_current(folder, root, build_dir):
    generated = build_dir / FOLDERS[folder]
    ours = sorted(path.name for path in (root / folder).glob("*_Impl.*"))
    assert ours
    stale = [n for n in ours if (root / folder / n).read_bytes() != (generated / n).read_bytes()]
    assert not stale, f"copy these from {generated} to {folder}: {', '.join(stale)}"
