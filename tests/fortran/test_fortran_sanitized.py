"""The callers of test_fortran.py with gcc's sanitizers: `make sanitize-fortran` in short."""

import os
import shutil

import pytest

pytestmark = [
    pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here"),
    pytest.mark.skipif("SHINAR_SANITIZED_FORTRAN" in os.environ, reason="test_fortran.py does all"),
]


def test_callers_with_sanitizers(root, cmake_build, run, tmp_path):
    options = ["-DFORTRAN_SANITIZE=ON", "-DCMAKE_BUILD_TYPE=Debug"]
    source = root / "tests" / "fortran"
    built = cmake_build(source, tmp_path, *options, target="sanitized", unity=True)
    # Each language's library has tables by the same names.
    options = f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0"
    environment = {**os.environ, "ASAN_OPTIONS": options}
    for program in ("callers", "sidl_arrays", "nulls", "wide_bounds"):
        run([built / program], env=environment)
    gone = run([built / "gone"], status=None, env=environment)
    assert "stack-use-after-return" in gone.stderr, "frames that are gone are seen"


def test_generated_modules_are_clean(root, cmake_build, run, tmp_path):
    """In a project with its flags and no others. Where gfortran selects the rank of a pointer, it
    multiplies bounds that nobody has set."""
    built = cmake_build(root / "tests" / "fortran" / "stale", tmp_path)
    assert run([built / "stale"]).stdout.split() == ["1", "0", "2", "3", "F"]
