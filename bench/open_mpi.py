"""Programs that use calls and Open MPI: how they are built, and what carries Open MPI's messages
(options of mpirun)."""

import subprocess
from pathlib import Path

# Without hardware for it, Open MPI takes UCX only when it is told to.
MESSAGES = {
    "ob1": ["--mca", "pml", "ob1", "--mca", "btl", "vader,self"],
    "ucx": [
        "--mca",
        "pml",
        "ucx",
        "--mca",
        "pml_ucx_tls",
        "any",
        "--mca",
        "pml_ucx_devices",
        "any",
    ],
}


def build(stage, work, quick, *targets):
    """`quick`: not to be measured, so without optimisation, which takes longer than the rest."""
    source = Path(__file__).parent / "mpi"
    options = [f"-DCMAKE_PREFIX_PATH={stage}", *(["-DCMAKE_BUILD_TYPE=None"] if quick else [])]
    chosen = ["--target", *targets] if targets else []
    for command in (
        ["cmake", "-S", source, "-B", work, "-G", "Ninja", *options],
        ["cmake", "--build", work, *chosen],
    ):
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
