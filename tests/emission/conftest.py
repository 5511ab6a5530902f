"""Generated trees to look at, each made once for all tests of the folder."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"


@pytest.fixture(scope="session")
def inputs(root):
    """Name of a tree: the .sidl file it is generated from."""
    return {
        "sidl": root / "runtime" / "sidl" / "sidl.sidl",
        "kitchen_sink": HERE / "kitchen_sink.sidl",
        "macros": HERE / "macros.sidl",
        "long_names": HERE / "long_names.sidl",
        "demo": GOLDEN / "demo.sidl",
        "family": GOLDEN / "family.sidl",
        "values": GOLDEN / "values.sidl",
        "arrays": GOLDEN / "arrays.sidl",
        "subroutines": GOLDEN / "subroutines.sidl",
    }


# Name of a tree: what else it is generated with.
SWITCHES = {"kitchen_sink": ["--generate-hooks"]}


@pytest.fixture(scope="session")
def generate(inputs, run, sidlc):
    """generate(name, language, folder): all that a server run writes, or a client run for Fortran
    77, which has no servers."""

    def make(name, language, folder):
        side = "client" if language == "f77" else "server"
        switches = SWITCHES.get(name, []) if side == "server" else []
        run([sidlc, f"--{side}={language}", *switches, "-o", folder, inputs[name]])

    return make


@pytest.fixture(scope="session")
def tree(generate, tmp_path_factory):
    """tree(name, language): a folder with what `generate` writes."""
    made = {}

    def make(name, language="c"):
        if (name, language) not in made:
            folder = tmp_path_factory.mktemp(f"{name}-{language.replace('+', 'x')}")
            generate(name, language, folder)
            made[name, language] = folder
        return made[name, language]

    return make


@pytest.fixture(scope="session")
def run_on_all(run):
    """run_on_all(command, sources): runs the command on all sources, a share on each processor."""

    def run_shares(command, sources):
        sources = list(sources)
        count = os.cpu_count() or 1
        shares = [share for i in range(count) if (share := sources[i::count])]
        with ThreadPoolExecutor(count) as pool:
            for done in [pool.submit(run, [*command, *share]) for share in shares]:
                done.result()

    return run_shares
