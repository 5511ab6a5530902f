"""libsidl keeps its binary interface: programs built against the last release go on working."""

import platform

import pytest

BASELINE = "runtime/c/abi/libsidl-x86_64.abi"

# Exit status of abidiff, a sum of these.
ERROR, USAGE, CHANGED, INCOMPATIBLE = 1, 2, 4, 8


@pytest.fixture
def library(root, build_dir):
    if platform.machine() != "x86_64":
        pytest.skip(f"the baseline is for x86_64, not {platform.machine()}")
    return build_dir / "stage" / "lib" / "libsidl.so"


def test_abi_is_compatible(root, library, run):
    done = run(["abidiff", root / BASELINE, library], status=None)
    assert not done.returncode & (ERROR | USAGE), done.stderr
    assert not done.returncode & INCOMPATIBLE, (
        f"programs that were built before will break:\n{done.stdout}\n"
        "If that is meant, raise SIDL_IOR_MAJOR_VERSION and refresh the baseline by 'make abi'."
    )


def test_a_change_would_be_noticed(root, library, run, tmp_path):
    text = (root / BASELINE).read_text()
    gone = "sidl_create_that_was"
    assert "name='sidl_create'" in text
    (tmp_path / "baseline.abi").write_text(text.replace("'sidl_create'", f"'{gone}'"))
    done = run(["abidiff", tmp_path / "baseline.abi", library], status=None)
    assert done.returncode & INCOMPATIBLE
    assert gone in done.stdout
