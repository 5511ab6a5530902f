"""scripts/bootstrap.sh: what it says when it may not install, and that it does nothing twice."""

import os
import shutil
import subprocess
import time

import pytest

FORBIDDEN = ("sudo", "apt-get", "dpkg-query")


@pytest.fixture
def bare_path(tmp_path):
    """A PATH with the ordinary commands but none that finds or installs packages."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for command in ("dirname", "sed", "grep", "id", "cat", "rm", "mkdir", "env", "sh"):
        (folder / command).symlink_to(shutil.which(command))
    return folder


def bootstrap(root, *options, **environment):
    """Whoever runs the tests may have said that packages are not to be installed."""
    caller = {name: os.environ[name] for name in os.environ if not name.startswith("SHINAR_")}
    return subprocess.run(
        ["/bin/sh", str(root / "scripts" / "bootstrap.sh"), *options],
        env={**caller, **{name: str(value) for name, value in environment.items()}},
        capture_output=True,
        text=True,
        check=False,
    )


def fake(folder, name, text):
    script = folder / name
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)


def test_nothing_is_missing_and_that_is_quick(root, build_dir):
    start = time.monotonic()
    done = bootstrap(root, "--packages")
    assert done.returncode == 0, done.stderr
    assert "installing" not in done.stdout
    assert time.monotonic() - start < 5


def test_dry_run_names_what_is_missing_and_changes_nothing(root, bare_path, tmp_path):
    done = bootstrap(root, "--dry-run", PATH=bare_path, SHINAR_BUILD=tmp_path / "build")
    assert done.returncode == 0, done.stderr
    assert "would install packages: " in done.stdout
    assert "antlr4" in done.stdout
    assert "would make the Python environment" in done.stdout
    assert not (tmp_path / "build").exists()


def test_dry_run_names_only_what_is_missing(root, bare_path):
    fake(bare_path, "dpkg-query", "echo installed cmake; echo config-files antlr4")
    done = bootstrap(root, "--dry-run", "--packages", PATH=bare_path)
    packages = done.stdout.partition("packages: ")[2].split()
    assert "antlr4" in packages
    assert "ninja-build" in packages
    assert "cmake" not in packages


def test_without_apt_the_missing_packages_are_named(root, bare_path):
    done = bootstrap(root, "--packages", PATH=bare_path)
    assert done.returncode == 1
    assert "no apt-get" in done.stderr
    assert "libantlr4-runtime-dev" in done.stderr


def test_without_root_or_sudo_the_missing_packages_are_named(root, bare_path):
    fake(bare_path, "apt-get", "echo 'must not run'; exit 1")
    (bare_path / "id").unlink()
    fake(bare_path, "id", "echo 1000")
    done = bootstrap(root, "--packages", PATH=bare_path)
    assert done.returncode == 1
    assert "needs root or sudo" in done.stderr
    assert "ninja-build" in done.stderr
    assert "must not run" not in done.stdout


def test_packages_are_installed_in_one_go_without_questions(root, bare_path, tmp_path):
    log = tmp_path / "apt.log"
    fake(bare_path, "apt-get", f'echo "$DEBIAN_FRONTEND $*" >>{log}')
    (bare_path / "id").unlink()
    fake(bare_path, "id", "echo 0")
    assert bootstrap(root, "--packages", PATH=bare_path).returncode == 0
    update, install = log.read_text().splitlines()
    assert update.startswith("noninteractive") and update.endswith("update")
    assert " install -y " in install
    assert "cmake" in install.split()


def test_packages_from_elsewhere(root, bare_path):
    done = bootstrap(root, "--packages", PATH=bare_path, SHINAR_SKIP_PACKAGES=1)
    assert done.returncode == 0, done.stderr


def test_an_interpreter_that_cannot_do_it_is_refused(root, tmp_path):
    fake(tmp_path, "python", "exit 1")
    python = tmp_path / "python"
    done = bootstrap(root, "--venv", SHINAR_PYTHON=python, SHINAR_BUILD=tmp_path / "build")
    assert done.returncode == 1
    assert f"SHINAR_PYTHON={python}" in done.stderr


def test_wrong_option(root):
    done = bootstrap(root, "--dryrun")
    assert done.returncode == 2
    assert "unknown option '--dryrun'" in done.stderr
