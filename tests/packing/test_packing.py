"""Objects that pack pointers, objects by value and arrays of any type, in every language: copied
within a process, and passed to another one and back over every protocol."""

import os
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LANGUAGES = ["c", "cxx", "fortran", "python", "java"]


@pytest.fixture(scope="module")
def languages(stage):
    """Those that bags can be written in here."""
    bindings = stage / "lib" / "shinar"
    missing = {
        "fortran": not shutil.which("gfortran"),
        "python": not (bindings / "python").exists(),
        "java": not (bindings / "java").exists() or not shutil.which("java"),
    }
    return [each for each in LANGUAGES if not missing.get(each)]


@pytest.fixture(scope="module")
def built(languages, cmake_build, tmp_path_factory):
    options = [f"-D{each.upper()}=ON" for each in languages]
    options.append(f"-DPython3_EXECUTABLE={sys.executable}")
    return cmake_build(HERE, tmp_path_factory.mktemp("packing"), *options, unity=True)


@pytest.fixture
def environment(built, languages, monkeypatch):
    """Libraries of several languages have tables of the same types."""
    monkeypatch.setenv("ASAN_OPTIONS", f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0")
    folders = [str(built), *filter(None, [os.environ.get("SIDL_DLL_PATH")])]
    monkeypatch.setenv("SIDL_DLL_PATH", ";".join(folders))
    if "python" in languages:
        monkeypatch.setenv("PYTHONPATH", (built / "path").read_text())
    if "java" in languages:
        monkeypatch.setenv("SIDL_CLASS_PATH", (built / "classpath").read_text())


def ours(built):
    return [f"pk.{name}={built}/libpk.so" for name in ("Carrier", "Finder")]


def options(name):
    """What the program is told of a language or protocol."""
    return ["--python"] if name in ("python", "pysock") else []


@pytest.mark.parametrize("language", LANGUAGES)
def test_within_a_process(language, languages, built, environment, run):
    if language not in languages:
        pytest.skip(f"no {language} here")
    assert run([built / "client", f"pk{language}.Bag", *options(language)]).stdout == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_to_another_process(language, languages, built, environment, run, serve):
    if language not in languages:
        pytest.skip(f"no {language} here")
    exports = [*ours(built), f"pk{language}.Bag={built}/libin_{language}.so"]
    with serve(*exports) as url:
        assert run([built / "client", f"pk{language}.Bag", url, *options(language)]).stdout == ""


def test_over_every_protocol(built, protocol, environment, run, serve):
    exports = [*ours(built), f"pkcxx.Bag={built}/libin_cxx.so"]
    with serve(*exports, protocol=protocol) as url:
        assert run([built / "client", "pkcxx.Bag", url, *options(protocol.name)]).stdout == ""
