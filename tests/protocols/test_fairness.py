"""One hostile client beside honest ones, for a moment: none of their calls fails, nor waits for its
end. How long they take is measured by bench/fairness.py."""

import shutil
import sys

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
    assert beside["calls"] >= 100
