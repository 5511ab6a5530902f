"""Programs that use calls and Open MPI: how they are built, and what carries Open MPI's messages
(options of mpirun)."""

from run import HERE, run

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
    options = [f"-DCMAKE_PREFIX_PATH={stage}", *(["-DCMAKE_BUILD_TYPE=None"] if quick else [])]
    run(["cmake", "-S", HERE / "mpi", "-B", work, "-G", "Ninja", *options])
    run(["cmake", "--build", work, *(["--target", *targets] if targets else [])])
