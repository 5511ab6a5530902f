"""Seeds, past crashes and some seconds of mutation. `make fuzz` goes on for longer."""

import subprocess

import fuzzing
import pytest

SECONDS = 20


@pytest.fixture(scope="module")
def targets(build_dir):
    """Those that were built: `make sanitize-units` leaves out the front end."""
    built = [each for each in fuzzing.TARGETS if fuzzing.program(build_dir, each).exists()]
    if not built:
        pytest.skip("only in a build for fuzzing: `make sanitize`")
    return built


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
def test_seeds(build_dir, targets, tmp_path, target):
    if target not in targets:
        pytest.skip("not built")
    seeds = [each for folder in fuzzing.seeds(target) for each in sorted(folder.iterdir())]
    assert len(seeds) > 20
    end(start([fuzzing.program(build_dir, target), "-timeout=20", *seeds], tmp_path))


def test_mutation(build_dir, targets, tmp_path):
    """All of them side by side."""
    running = []
    for target in targets:
        learned = tmp_path / target
        learned.mkdir()
        running.append(start(fuzzing.mutate(build_dir, target, SECONDS, learned), tmp_path))
    for process in running:
        end(process)
