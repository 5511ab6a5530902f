"""Arrays of structs, with implementations in C, in C++ and in Fortran, called from all of them."""

import json
import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LANGUAGES = {"InC": "c", "InCxx": "cxx", "InFortran": "fortran"}


@pytest.fixture(scope="module")
def has_java(stage):
    return (stage / "lib" / "shinar" / "java").exists() and shutil.which("java") is not None


@pytest.fixture(scope="module")
def programs(cmake_build, has_java, tmp_path_factory):
    """The folder with the test program."""
    java = f"-DJAVA={'ON' if has_java else 'OFF'}"
    return cmake_build(HERE, tmp_path_factory.mktemp("records"), java)


@pytest.fixture(autouse=True)
def types_twice(monkeypatch):
    """Callers in C and in C++ bring the tables of the same types, which is as it should be."""
    monkeypatch.setenv("ASAN_OPTIONS", f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0")


@pytest.fixture(scope="module")
def callers(programs):
    """The test programs: in C++ and C, and those in Fortran where they are built."""
    names = ("records_tests", "from_fortran", "from_old_code")
    return [programs / name for name in names if (programs / name).exists()]


@pytest.fixture(scope="module")
def libraries(programs):
    """By class, those that are built."""
    all_of_them = {name: programs / f"libin_{each}.so" for name, each in LANGUAGES.items()}
    return {name: file for name, file in all_of_them.items() if file.exists()}


@pytest.fixture
def from_java(has_java, programs, libraries, stage, monkeypatch):
    """The command of the program in Java."""
    if not has_java:
        pytest.skip("built without a JDK")
    monkeypatch.setenv("SIDL_DLL_PATH", str(programs))
    jars = [programs / "rec_java.jar", stage / "lib" / "shinar" / "java" / "shinar.jar"]
    options = ["-Xcheck:jni", "--enable-native-access=ALL-UNNAMED", "-cp", ":".join(map(str, jars))]
    return ["java", *options, HERE / "FromJava.java", *(LANGUAGES[name] for name in libraries)]


def test_in_one_process(callers, run):
    for caller in callers:
        run([caller])


def test_nothing_leaks(callers, run_in_valgrind):
    for caller in callers:
        run_in_valgrind([caller])


@pytest.fixture
def exports(programs, libraries):
    """What a server has."""
    classes = [f"rec.{name}={file}" for name, file in libraries.items()]
    return [*classes, f"rec.Crate={programs}/librec.so"]


def test_from_another_process(exports, callers, run, serve, protocol):
    with serve(*exports, protocol=protocol) as url:
        for caller in callers:
            run([caller], env={**os.environ, "REC_SERVER": url})


def test_from_java(from_java, exports, run, serve):
    done = run(from_java)
    assert (done.stdout, done.stderr) == ("ok\n", "")
    with serve(*exports) as url:
        done = run(from_java, env={**os.environ, "REC_SERVER": url})
    assert (done.stdout, done.stderr) == ("ok\n", "")


def test_by_the_tool(programs, run, serve, stage):
    """Structs that contain arrays of each other, as JSON."""
    room = {"name": "behind", "doors": None}
    door = {"number": 7, "rooms": [room], "key": {"opens": [[room, room]]}}
    with serve(f"rec.InCxx={programs}/libin_cxx.so") as url:
        values = map(json.dumps, ([door], door, {"name": "first", "doors": [door]}))
        call = [stage / "bin" / "sidl", "call", url, "--create", "rec.InCxx", "house", *values]
        answer = json.loads(run(call).stdout)
    assert answer == {"result": [door], "out": {"o": door, "io": room}}


def test_arrays_in_structs_by_the_tool(programs, run, serve, stage):
    particle = {"x": 1.0, "y": 2.0, "z": 3.0, "id": 4, "charge": 5, "alive": True, "tag": "p"}
    plain = {"c": "a", "z": [1.0, 2.0], "at": particle, "w": [3.0, 4.0], "color": "green", "f": 0.5}
    plain |= {"v": [1.0, 2.0, 3.0], "m": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}
    record = {"n": 0, "name": "one", "a": 1.0, "z": [1.0, 2.0], "color": "red", "at": particle}
    record |= {"values": [1.0], "companion": None, "parts": [particle], "raw": [], "ids": [7, 8]}
    tool = stage / "bin" / "sidl"
    with serve(f"rec.InCxx={programs}/libin_cxx.so") as url:
        for method, struct, member in (("Plain", plain, "m"), ("Records", record, "ids")):
            other = {**struct, member: struct[member][::-1]}
            call = [tool, "call", url, "--create", "rec.InCxx", f"rotate{method}"]
            answer = json.loads(run([*call, json.dumps([struct]), json.dumps([other])]).stdout)
            assert answer["result"] == [other] and answer["out"]["o"] == [struct]
            wrong = json.dumps([{**struct, member: struct[member][:1]}])
            refused = run([*call, wrong, "[]"], status=None)
            assert refused.returncode != 0
            assert f"argument 'a'[0].{member}: 1 elements instead of 2" in refused.stderr
        page = json.dumps({"x": [1.0], "n": None})
        refused = run(
            [tool, "call", url, "--create", "rec.InCxx", "rotatePages", page, page], status=None
        )
        assert refused.returncode == 2
        assert "argument 'a'.x: 1 elements instead of 4096" in refused.stderr
        assert "rarray<float,2> m(2, 3);" in run([tool, "inspect", url, "rec.Store"]).stdout
