"""What Open MPI carries messages with, for benchmarks and tests: options of mpirun."""

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
