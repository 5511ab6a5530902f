"""Seeds, past crashes and some seconds of mutation. `make fuzz` goes on for longer."""

import subprocess

import fuzzing
import pytest

SECONDS = 20


@pytest.fixture(scope="module")
def build(build_dir):
    if not all(fuzzing.program(build_dir, target).exists() for target in fuzzing.TARGETS):
        pytest.skip("only in a build for fuzzing: `make sanitize`")
    return build_dir


def start(command, folder):
    return subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=folder,
    )


def end(process):
    try:
        out, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 0, out[-5000:]


@pytest.mark.parametrize("target", fuzzing.TARGETS)
def test_seeds(build, tmp_path, target):
    seeds = [each for folder in fuzzing.seeds(target) for each in sorted(folder.iterdir())]
    assert len(seeds) > 20
    end(start([fuzzing.program(build, target), "-timeout=20", *seeds], tmp_path))


def test_mutation(build, tmp_path):
    """All of them side by side."""
    running = []
    for target in fuzzing.TARGETS:
        learned = tmp_path / target
        learned.mkdir()
        running.append(start(fuzzing.mutate(build, target, SECONDS, learned), tmp_path))
    for process in running:
        end(process)
