"""One hostile client beside honest ones, for a moment: none of their calls fails, nor waits for its
end, which does not come. How long they take is measured by bench/fairness.py."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def fairness(root, build_dir, tmp_path_factory):
    program = build_dir / "bin" / "protocols_fairness"
    if not program.exists() or not shutil.which("openssl"):
        pytest.skip("built without GoogleTest, or no openssl here")
    sys.path.insert(0, str(root / "bench"))
    import fairness

    envs = fairness.environments(tmp_path_factory.mktemp("certificates"))
    return lambda attack: fairness.measure(str(program), attack, 0.5, envs, settle=0.5)


@pytest.mark.parametrize("attack", ["slow-calls", "slow-calls-of-one", "short-calls", "objects"])
def test_honest_clients_are_served(fairness, attack):
    _, beside = fairness(attack)
    assert beside["failed"] == 0
    assert beside["calls"] >= 10 * 10


def test_threads_keep_the_niceness_of_their_process(build_dir):
    """They were given that of a process that has none."""
    program = build_dir / "bin" / "protocols_fairness"
    if not program.exists():
        pytest.skip("built without GoogleTest")
    command = ["nice", "-n", "7", str(program), "serve", "simhandle://127.0.0.1:0"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as server:
        assert server.stdout.readline().startswith("simhandle://")
        tasks = Path(f"/proc/{server.pid}/task").iterdir()
        least = min(int((task / "stat").read_text().rsplit(")")[-1].split()[16]) for task in tasks)
        server.kill()
    assert least >= 7
