"""One package in several languages, one process and two; and its installation, in somebody else's
project (examples/plant)."""

import os
import shutil
import sys
import sysconfig

import pytest

DRIVER = """\
a mesh needs a cell
norm 0.171163, field 0.125
heard 3, last 0.171163
middle 0.25 0.5
"""


@pytest.fixture(scope="module")
def plant(root, stage, cmake_build, tmp_path_factory):
    """The example, copied elsewhere and built."""
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    if not shutil.which("gfortran"):
        pytest.skip("no Fortran compiler here")
    source = tmp_path_factory.mktemp("plant") / "source"
    shutil.copytree(root / "examples" / "plant", source)
    options = [f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(source, source.parent / "build", *options, as_users_do=True)


@pytest.fixture(scope="module")
def moved(plant, run, tmp_path_factory):
    """The installed package, in another place than where it was installed; what it was built from
    is gone."""
    folder = tmp_path_factory.mktemp("plant-moved") / "opt"
    run(["cmake", "--install", plant, "--prefix", plant.parent / "installed"])
    (plant.parent / "installed").rename(folder)
    plant.rename(plant.parent / "hidden")
    yield folder
    (plant.parent / "hidden").rename(plant)


@pytest.fixture
def with_numpy(monkeypatch):
    """Python within other programs is the one of the system, without an environment's packages."""
    monkeypatch.setenv("PYTHONPATH", sysconfig.get_paths()["platlib"])


def test_one_process(plant, run, with_numpy):
    found = {**os.environ, "SIDL_DLL_PATH": str(plant)}
    assert run([plant / "driver"], env=found).stdout == DRIVER


def test_two_processes(plant, run, serve, with_numpy):
    exports = [f"plant.{name}={plant / library}" for name, library in
               (("Kernel", "libkernel.so"), ("Monitor", "libmonitor.so"))]  # fmt: skip
    with serve(*exports) as url:
        assert run([plant / "driver", url]).stdout == DRIVER


def test_the_header_of_a_package_in_two_libraries(plant, run):
    assert run([plant / "both"]).stdout == "step 3: 0.250 1\n"


def test_each_library_implements_its_own_classes(plant):
    implemented = {each.name: each.read_text().count("<class") for each in plant.glob("*.scl")}
    assert implemented == {"mesh.scl": 2, "kernel.scl": 1, "monitor.scl": 1, "report.scl": 1}


def test_what_is_installed_names_no_place_of_the_build(moved, plant):
    for pattern in ("lib/cmake/**/*.cmake", "lib/**/*.scl"):
        for path in moved.glob(pattern):
            assert str(plant.parent) not in path.read_text(), path


def test_a_colleagues_project(moved, root, stage, run, cmake_build, tmp_path, with_numpy):
    source = tmp_path / "colleague"
    shutil.copytree(root / "examples" / "plant" / "colleague", source)
    build = cmake_build(source, tmp_path / "build", f"-DCMAKE_PREFIX_PATH={stage};{moved}")
    found = dict(line.split("=", 1) for line in (build / "environment").read_text().splitlines())
    found["PYTHONPATH"] += ":" + os.environ["PYTHONPATH"]
    environment = {**os.environ, **found}
    assert run([build / "steps"], env=environment).stdout == "1 0.68465 0.50000\n"
    assert run([build / "halves"], env=environment).stdout == "5\n"
    program = "import plant; mesh = plant.Mesh(); mesh.divide(2); print(mesh.points()[1])"
    assert run([sys.executable, "-c", program], env=environment).stdout == "0.5\n"


def test_an_installed_program(moved, run, with_numpy):
    folders = [moved / "lib", moved / "lib" / "Plant" / "python"]
    found = {**os.environ, "SIDL_DLL_PATH": ";".join(map(str, folders))}
    assert run([moved / "bin" / "driver"], env=found).stdout == DRIVER


SIDL = {
    "shop": "package shop version 1.0 { class Till { int f(); } class Bag extends Till {} }",
    "more": "package more version 1.0 { class Big { void f(in shop.Till till); } }",
    "half": "package shop version 1.0 { class Half { int g(); } }",
    "alone": "package alone version 1.0 { class One { int g(); } }",
}


@pytest.fixture
def configure(stage, run, tmp_path):
    """configure(lines): runs CMake on a project with these lines; what it says if it fails."""
    for name, text in SIDL.items():
        (tmp_path / f"{name}.sidl").write_text(text)

    def configure_it(*lines, status=1):
        languages = "C CXX Fortran" if "fortran" in "".join(lines) else "C CXX"
        head = ["cmake_minimum_required(VERSION 3.25)", f"project(shop LANGUAGES {languages})"]
        text = "\n".join([*head, "find_package(Shinar REQUIRED)", *lines])
        (tmp_path / "CMakeLists.txt").write_text(text)
        command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja"]
        options = [f"-DCMAKE_PREFIX_PATH={stage}", f"-DPython3_EXECUTABLE={sys.executable}"]
        return " ".join(run([*command, *options], status=status).stderr.split())

    return configure_it


def test_types_of_a_library_that_is_not_linked(configure):
    more = "sidl_add_library(more LANGUAGE cxx SIDL more.sidl INCLUDE shop.sidl)"
    said = configure(more)
    assert "from shop.sidl (INCLUDE) but is not linked with a library of LANGUAGE cxx" in said
    assert "sidl_add_library(<library> LANGUAGE cxx CLIENT SIDL shop.sidl)" in said
    said = configure(more, "sidl_add_library(till LANGUAGE cxx SIDL shop.sidl)")
    assert "one of: till" in said
    said = configure(
        more,
        "sidl_add_library(till LANGUAGE c SIDL shop.sidl)",
        "target_link_libraries(more PUBLIC till)",
    )
    assert "not linked with a library of LANGUAGE cxx" in said


def test_types_that_are_linked_or_not_used(configure):
    configure(
        "sidl_add_library(more LANGUAGE cxx SIDL more.sidl INCLUDE shop.sidl)",
        "sidl_add_library(till LANGUAGE cxx SIDL shop.sidl)",
        "add_library(between INTERFACE)",
        "target_link_libraries(between INTERFACE till)",
        "target_link_libraries(more PUBLIC between)",
        "sidl_add_library(alone LANGUAGE cxx SIDL alone.sidl INCLUDE shop.sidl)",
        status=0,
    )


def test_a_python_package_is_made_once(configure, stage):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers: no Python binding")
    said = configure(
        "sidl_add_library(till LANGUAGE python SERVER SIDL shop.sidl)",
        "sidl_add_library(client LANGUAGE python CLIENT SIDL shop.sidl)",
    )
    assert "the Python package shop is already generated by till" in said
    assert "CLASSES" in said


def test_halves_of_a_fortran_module(configure):
    if not shutil.which("gfortran"):
        pytest.skip("no Fortran compiler here")
    halves = [
        "sidl_add_library(one LANGUAGE fortran SIDL shop.sidl)",
        "sidl_add_library(two LANGUAGE fortran SIDL half.sidl{})",
        "file(WRITE ${{CMAKE_BINARY_DIR}}/main.f90 end)",
        "add_executable(main ${{CMAKE_BINARY_DIR}}/main.f90)",
        "target_link_libraries(main PRIVATE one two)",
    ]
    said = configure(*(line.format("") for line in halves))
    assert "main links one and two, which both contain the Fortran module shop" in said


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ("CLIENT CLASSES more.Big", "CLASSES lists the classes to implement"),
        ("SERVER CLASSES more.Bug", "unknown class 'more.Bug'; did you mean 'more.Big'?"),
        ("SERVER CLASSES shop.Till", "no code is generated for 'shop.Till'"),
    ],
)
def test_classes_that_cannot_be_implemented(configure, arguments, complaint):
    files = "SIDL more.sidl INCLUDE shop.sidl"
    said = configure(f"sidl_add_library(till LANGUAGE cxx {files} {arguments})")
    assert complaint in said
