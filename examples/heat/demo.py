"""Builds the heat example as a user would, runs it in one process and across two, and judges it.

What is checked, for solvers in C++, Fortran, Python and Java and clients in these and in C: the
error against the analytic solution on three grids is below its bound and falls with the square of
the grid spacing, a step that is too long is refused by name, and remote results are the in-process
ones to the last bit.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLIENTS = {
    "C": "client_c",
    "C++": "client_cxx",
    "Fortran": "client_fortran",
    "Python": "heat/__init__.py",  # the package that client.py needs
    "Java": "HeatClient.jar",
}
# These may evaluate an expression in another order, and so begin with other last bits than C.
OTHER_BITS = ("Fortran", "Python", "Java")
SOLVERS = {
    "C++": "libheat_impl.so",
    "Fortran": "libheat_fortran_impl.so",
    "Python": "impl_python/libheat_python_impl.so",
    "Java": "libheat_java_impl.so",
}
JAVA_OPTIONS = ["--enable-native-access=ALL-UNNAMED"]  # which Java 24 and newer ask for
ERROR_FACTOR = 0.5  # largest error allowed, in units of h^2; expansion gives 0.42
ORDER_RANGE = (3.5, 4.5)  # ratio of the errors of two grids, one twice as fine as the other
ROUNDING = 1e-13  # what the last bits of the initial field may make of a result
START_SECONDS = 20
RUN_SECONDS = 300


class DemoError(Exception):
    """Something that makes the demo fail, in words for the user."""


def run(command, **options):
    """Runs a command; its output is shown only if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
        **options,
    )
    if done.returncode != 0:
        raise DemoError(f"{Path(command[0]).name} failed ({done.returncode}):\n{done.stdout}")
    return done.stdout


def build(stage, folder):
    """The public door: find_package(Shinar) and sidl_add_library(), in a build of its own."""
    if not (folder / "build.ninja").exists():
        run(["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={stage}"])
    run(["cmake", "--build", folder])


def with_packages(stage, library):
    """The environment, in which Python finds the package `heat` that belongs to a solver: one in
    Python has its own, which has the callers' side as well."""
    path = f"{library.parent}{os.pathsep}{stage / 'lib' / 'shinar' / 'python'}"
    return {**os.environ, "PYTHONPATH": path}


@contextmanager
def server(stage, folder, library):
    """A server that offers heat.Solver; gives its URL, and always ends it."""
    port_file = folder / "port"
    port_file.unlink(missing_ok=True)
    log_path = folder / "server.log"
    with log_path.open("w") as log:
        process = subprocess.Popen(
            [
                str(stage / "bin" / "sidl"),
                "serve",
                "--listen",
                "simhandle://127.0.0.1:0",
                "--export",
                f"heat.Solver={library}",
                "--port-file",
                str(port_file),
            ],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=with_packages(stage, library),
        )
        try:
            yield f"simhandle://127.0.0.1:{wait_for_port(process, port_file, log_path)}"
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for_port(process, port_file, log_path):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        text = port_file.read_text().strip() if port_file.exists() else ""
        if text:
            return int(text)
        if process.poll() is not None:
            raise DemoError(f"sidl serve ended with {process.returncode}:\n{log_path.read_text()}")
        time.sleep(0.02)
    raise DemoError(f"sidl serve did not start within {START_SECONDS} s")


def run_client(stage, folder, client, library, field, url=None):
    """Runs a client; gives one dictionary for each grid. Without a URL the solver is loaded into
    the client by way of the catalogue beside its library."""
    command = [folder / client, "--field", field]
    if client == CLIENTS["Python"]:
        command[:1] = [sys.executable, HERE / "client.py"]
    if client == CLIENTS["Java"]:
        jars = [folder / client, folder / "heat_java.jar", stage / "lib/shinar/java/shinar.jar"]
        class_path = os.pathsep.join(str(jar) for jar in jars)
        command[:1] = ["java", *JAVA_OPTIONS, "-cp", class_path, "HeatClient"]
    environment = with_packages(stage, library)
    if url:
        command += ["--url", url]
        environment.pop("SIDL_DLL_PATH", None)
    else:
        environment["SIDL_DLL_PATH"] = str(library.parent / f"{library.stem[3:]}.scl")
    rows = []
    for line in run(command, env=environment).splitlines():
        words = line.split()
        row = dict(zip(words[::2], words[1::2]))
        rows.append(
            {
                "grid": int(row["grid"]),
                "steps": int(row["steps"]),
                "error": float(row["error"]),
                "us_per_step": float(row["us_per_step"]),
                "refuses": row["refuses"] == "yes",
            }
        )
    return rows


def judge(rows, where):
    """The complaints about one client's results."""
    if len(rows) != 3:
        return [f"{where}: results for {len(rows)} grids instead of 3"]
    complaints = []
    for row in rows:
        if not row["error"] <= bound(row["grid"]):
            complaints.append(
                f"{where}: error {row['error']:.3e} on {row['grid']} points is above its bound "
                f"{bound(row['grid']):.3e}"
            )
        if not row["refuses"]:
            complaints.append(f"{where}: a step of twice the stable length was not refused")
    for coarse, fine in zip(rows, rows[1:]):
        ratio = coarse["error"] / fine["error"]
        if not ORDER_RANGE[0] <= ratio <= ORDER_RANGE[1]:
            complaints.append(
                f"{where}: the error falls by {ratio:.2f} from {coarse['grid']} to "
                f"{fine['grid']} points; second order means 4"
            )
    return complaints


def bound(grid):
    return ERROR_FACTOR / (grid - 1) ** 2


def print_table(solver, local, remote):
    print(f"Heat equation, solver in {solver}:")
    print("largest error against the analytic solution at t = 0.05\n")
    print("                               in process              remote (simhandle)")
    print("client  grid     bound      error     us/step        error     us/step")
    for language in local:
        for here, there in zip(local[language], remote[language]):
            grid = f"{here['grid']}x{here['grid']}"
            print(
                f"{language:<7} {grid:<7} {bound(here['grid']):.3e}  {here['error']:.3e}"
                f"  {here['us_per_step']:8.2f}      {there['error']:.3e}"
                f"  {there['us_per_step']:8.2f}"
            )
    print()


def draw(field_path, picture):
    # Its cache of fonts belongs to the build, not to the user's home.
    os.environ.setdefault("MPLCONFIGDIR", str(picture.parent / "matplotlib"))
    import matplotlib

    matplotlib.use("Agg")
    import numpy
    from matplotlib import pyplot

    field = numpy.loadtxt(field_path, delimiter=",")
    figure, axes = pyplot.subplots(figsize=(5, 4), layout="constrained")
    image = axes.imshow(field.T, origin="lower", extent=(0, 1, 0, 1), cmap="inferno")
    axes.set(title="Temperature at t = 0.05", xlabel="x", ylabel="y")
    figure.colorbar(image, ax=axes)
    figure.savefig(picture, dpi=120)


def built(folder, names):
    """Those of the languages that were built: without a Fortran compiler there is no Fortran."""
    return {each: name for each, name in names.items() if (folder / name).exists()}


def numbers(field):
    """A field as numbers: 17 digits are the same number, however they are written."""
    return [[float(word) for word in line.split(",")] for line in field.read_text().splitlines()]


def is_close(field, other):
    """Whether two fields are the same but for rounding."""
    pairs = zip(
        (value for row in field for value in row), (value for row in other for value in row)
    )
    return all(abs(one - two) <= ROUNDING for one, two in pairs)


def run_all(stage, work, folder, solver, library):
    """Runs every client with one solver; gives the complaints."""
    clients = built(folder, CLIENTS)
    local, remote, fields, complaints = {}, {}, {}, []
    with server(stage, folder, library) as url:
        print(f"server: {url}\n")
        for language, client in clients.items():
            name = f"{language}_to_{solver}"
            fields[language] = [work / f"{name}_{where}.csv" for where in ("local", "remote")]
            here, there = fields[language]
            local[language] = run_client(stage, folder, client, library, here)
            remote[language] = run_client(stage, folder, client, library, there, url)

    print_table(solver, local, remote)
    for language in clients:
        reference = numbers(fields[language if language in OTHER_BITS else "C"][0])
        if not is_close(reference, numbers(fields["C"][0])):
            complaints.append(f"{language} to {solver}: the field differs from that of C")
        complaints += judge(local[language], f"{language} to {solver}, in process")
        complaints += judge(remote[language], f"{language} to {solver}, remote")
        for path in fields[language]:
            if numbers(path) != reference:
                complaints.append(f"{path.name} differs from the reference's last bits")
    return complaints


def demo(stage, work):
    folder = work / "heat"
    folder.mkdir(parents=True, exist_ok=True)
    build(stage, folder)
    complaints = []
    for solver, library in built(folder, SOLVERS).items():
        complaints += run_all(stage, work, folder, solver, folder / library)
    picture = work / "heat.png"
    draw(work / "C++_to_C++_remote.csv", picture)
    print(f"final field: {os.path.relpath(picture)}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", type=Path, required=True, help="where Shinar is installed")
    parser.add_argument("--work", type=Path, required=True, help="folder for all that is made")
    arguments = parser.parse_args()
    try:
        complaints = demo(arguments.stage.resolve(), arguments.work.resolve())
    except (DemoError, subprocess.TimeoutExpired) as error:
        complaints = [str(error)]
    for complaint in complaints:
        print(f"demo: {complaint}", file=sys.stderr)
    print("demo: failed" if complaints else "demo: all results within their bounds, remote = local")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
