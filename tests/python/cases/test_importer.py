"""SIDL files that are imported."""

import errno
import importlib
import sys

import pytest
import shinar.importer

TEXT = """package {name} version 1.0 {{
  enum Size {{ small, large }}
  struct Box {{ double width; Size size; }}
  package inner {{ interface Thing {{ int number(in Box box); }} }}
  class Counter {{ int next(); }}
}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SHINAR_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_file_is_a_module(folder, monkeypatch):
    (folder / "boxes.sidl").write_text(TEXT.format(name="boxes"))
    import boxes
    import boxes.inner

    assert boxes.Box(2.0, boxes.Size.large).size is boxes.Size.large
    assert boxes.inner.Thing.__module__ == "boxes.inner"
    with pytest.raises(Exception, match="boxes.Counter"):  # there is no implementation
        boxes.Counter()

    made = shinar.importer.build(folder / "boxes.sidl")
    assert made.is_relative_to(folder / "cache")
    monkeypatch.setattr(shinar.importer, "_make", None)
    assert shinar.importer.build(folder / "boxes.sidl") == made  # out of the cache


def test_a_file_of_two_packages(folder):
    """The one of its name is found by it; the other, which it needs, with it."""
    (folder / "upper.sidl").write_text(
        "package lower version 1.0 { class Base { int one(); } }\n"
        "package upper version 1.0 { class Child extends lower.Base { int two(); } }\n"
    )
    import upper

    assert upper.Child.__mro__[1].__module__ == "lower"
    import lower

    assert issubclass(upper.Child, lower.Base)


def test_progress_is_shown_when_it_takes_long(folder, monkeypatch, capsys):
    (folder / "slow.sidl").write_text("package slow version 1.0 { enum E { a } }")
    monkeypatch.setattr(shinar.importer, "_PATIENCE", -1.0)
    import slow

    assert slow.E.a == 0
    assert capsys.readouterr().err.startswith("shinar: compiling slow.sidl ... ")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("package wrong version 1.0 { class A extends B {} }", "wrong.sidl:1:45: error: "),
        ("package other version 1.0 { enum E { a } }", "has no package 'wrong'"),
    ],
)
def test_errors_are_those_of_the_compiler(folder, text, error):
    (folder / "wrong.sidl").write_text(text)
    with pytest.raises(ImportError, match=error):
        importlib.import_module("wrong")
    assert "wrong" not in sys.modules


def test_what_is_not_there_is_not_found(folder):
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("nowhere")


def test_a_cache_that_cannot_be_made(folder, monkeypatch):
    """It says where, why, and what to do; so for a home that is read-only, or that is none."""
    (folder / "boxed.sidl").write_text(TEXT.format(name="boxed"))
    (folder / "file").write_text("in the way")
    monkeypatch.delenv("SHINAR_CACHE")
    monkeypatch.setenv("HOME", str(folder / "file"))
    with pytest.raises(shinar.importer.SidlError, match="no cache in .*file.*: .*set SHINAR_CACHE"):
        importlib.import_module("boxed")
    monkeypatch.setattr(shinar.importer.os, "access", lambda *_: False)  # root may do anything
    monkeypatch.setenv("HOME", str(folder))
    with pytest.raises(ImportError, match="no cache in .*: Permission denied; set SHINAR_CACHE"):
        importlib.import_module("boxed")


def test_a_cache_of_another_user(folder, monkeypatch):
    (folder / "theirs.sidl").write_text("package theirs version 1.0 { enum E { a } }")
    shinar.importer.build(folder / "theirs.sidl")

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(shinar.importer.Path, "read_text", refuse)  # root may do anything
    with pytest.raises(shinar.importer.SidlError, match="no cache in .*denied; set SHINAR_CACHE"):
        importlib.import_module("theirs")


@pytest.mark.parametrize("lost", ["_native*", "__init__.py", "sizes"])
def test_what_was_lost_is_made_again(folder, lost):
    """A file that a crash has left empty, or none at all."""
    (folder / "broken.sidl").write_text("package broken version 1.0 { enum E { a } }")
    made = shinar.importer.build(folder / "broken.sidl")
    for file in made.rglob(lost):
        whole = file.read_bytes()
        file.write_bytes(b"")
        assert shinar.importer.build(folder / "broken.sidl") == made
        assert len(file.read_bytes()) == len(whole)
        file.unlink()
        assert shinar.importer.build(folder / "broken.sidl") == made
        assert len(file.read_bytes()) == len(whole)
        break
    else:
        raise AssertionError(lost)
