"""Objects whose classes Python knows by name, but in another version.

What the caller declared fits: libsidl has compared that. What the object is besides had been taken
for the class of the same name, and other methods were called than were meant."""

import os
import shutil
import sys

import pytest
from building import HERE, Builder

TEXT = (HERE / "kin.sidl").read_text()
BODIES = {
    "Fault.code": "return 7;",
    "Fault.depth": "return 9;",
    "Plain.name": 'return "n";',
    "Special.area": "return 4;",
    "Special.side": "return n;",
    "Special.volume": "return 99;",
    "Maker.one": "return kin::Special::_create();",
    "Maker.any": "return kin::Special::_create();",
    "Maker.some": "return kin::Special::_create();",
    "Maker.list": "auto all = sidl::array<kin::Plain>::create1d(1);\n"
    "all(0) = kin::Special::_create();\nreturn all;",
    "Maker.hand": "to.put(kin::Special::_create());",
    "Maker.fail": 'kin::Fault it = kin::Fault::_create();\nit.setNote("note");\nthrow it;',
}
# What became of package kin, and whether an old client has a use for the class's objects.
VERSIONS = {
    "base": ("", "", True, True),
    "special_front": ("int area();", "int volume(); int area();", False, True),
    "special_end": ("int side(in int n);", "int side(in int n); int volume();", True, True),
    "special_changed": ("int side(in int n);", "double side(in double n);", False, True),
    "fault_front": ("int code();", "int depth(); int code();", True, False),
    "fault_end": ("int code();", "int code(); int depth();", True, True),
}


KID = """package kid version 1.0 {
  class Child extends kin.Special {
    int own();
  }
  class Nursery {
    Child child();
    kin.Plain plain();
    kin.Special special();
  }
}
"""
KIDS = {
    "kid.Child.own": "return 5;",
    **dict.fromkeys(
        ("kid.Nursery.child", "kid.Nursery.plain", "kid.Nursery.special"),
        "return kid::Child::_create();",
    ),
}


@pytest.fixture(scope="module")
def built(stage, compilers, tmp_path_factory):
    if not (stage / "lib" / "shinar" / "python").exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    return Builder(tmp_path_factory.mktemp("kin"), stage, compilers)


def text_of(version):
    old, new, _, _ = VERSIONS[version]
    assert old in TEXT
    return TEXT.replace(old, new) if old else TEXT


def server(built, version, more="", bodies=BODIES):
    classes = ["Fault", "Maker", "Plain", "Special"]
    classes += ["kid.Child", "kid.Nursery"] if more else []
    folder = built.folder / (version + more[8:11])
    folder.mkdir()
    (folder / "kin.sidl").write_text(text_of(version) + more)
    return built.server("cxx", folder, [folder / "kin.sidl"], "kin", classes, bodies)


def run_client(built, run, stage, folder, script, library):
    shutil.copy(HERE / script, folder)
    environment = {
        **os.environ,
        "PYTHONPATH": str(stage / "lib" / "shinar" / "python"),
        "SHINAR_CACHE": str(built.folder / "cache"),
        "SIDL_DLL_PATH": str(library.parent),
    }
    lines = run([sys.executable, folder / script], env=environment).stdout.splitlines()
    return {line.split()[0]: line.split()[1:] for line in lines}


@pytest.mark.parametrize("version", VERSIONS)
def test_python_sees_what_fits(built, run, stage, tmp_path, version):
    _, _, is_special, is_fault = VERSIONS[version]
    (tmp_path / "kin.sidl").write_text(TEXT)
    library = server(built, version)
    seen = run_client(built, run, stage, tmp_path, "kin_client.py", library)
    if is_special:
        every = ["kin.Special", "n", "7"]
        expected = dict.fromkeys(("one", "any", "some", "list", "hand"), every)
    else:
        expected = dict.fromkeys(("one", "any", "some", "list", "hand"), ["kin.Plain", "n"])
        expected = {what: [*each, "different"] for what, each in expected.items()}
    expected["fail"] = (
        ["kin.Fault", "note", "7"] if is_fault else ["sidl.SIDLException", "note", "-"]
    )
    assert seen == expected


@pytest.mark.parametrize("version", ["base", "special_front", "special_end", "special_changed"])
def test_classes_derived_from_another_version(built, run, stage, tmp_path, version):
    """Python's package kin is the old one; kid, and all that runs, are of the version. The classes
    of kid have inherited kin's methods with the slots of the old one."""
    (tmp_path / "kin.sidl").write_text(TEXT)
    (tmp_path / "kid.sidl").write_text(text_of(version) + KID)
    library = server(built, version, KID, {**BODIES, **KIDS})
    seen = run_client(built, run, stage, tmp_path, "kid_client.py", library)
    whole = ["kid.Child", "n", "7", "5"]
    expected = dict.fromkeys(("created", "child", "plain", "special"), whole)
    if not VERSIONS[version][2]:
        expected = dict.fromkeys(("created", "child", "special"), ["different"])
        expected["plain"] = ["kin.Plain", "n"]
    assert seen == expected
