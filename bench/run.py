"""Measures calls in process and across processes, each beside its yardstick in the same run.

Prints tables of ratios and writes a list of rows {name, value, unit, yardstick, ratio, ...}:
`yardstick` is the yardstick's value in the same unit, `against` says what it is, ratio = value /
yardstick, and `target` is the ratio to reach (targets.py; * in the tables: missed), at most, or at
least if `better` is "higher". Rows are added, never renamed. Names:

inproc.<caller>_<callee>.<what>     a call in process; with .threads at the end, while a second
                                    thread sleeps in the process; with .held, beside a yardstick
                                    that keeps Python's lock; .contracts_off and .contracts_on: with
                                    a precondition of two comparisons
contracts.all_positive.<n>          a precondition that looks at so many doubles
<protocol>.<workload>[.<n>]         a remote call with both ends on one core; with .spread at the
                                    end, with each end on its own core. simhandle: over TCP; shm:
                                    through shared memory; ucx_shm, ucx_tcp: over UCX
<protocol>.records.<n>              structs with a text each, beside a program that packs and
                                    unpacks them by hand; .records.bytes.<n>: beside as many raw
                                    bytes, which convert nothing; .spread too
<protocol>.noop.strands             a no-op of an object that runs one call at a time, beside one of
                                    a class with %attrib{concurrent}; .spread too
<protocol>.noop.python              the same from Python, beside the client in C++
<protocol>.calls.<threads>          calls per second of so many threads of one client; .spread too;
                                    through shared memory beside the same calls over TCP
<protocol>.idle_connection          what a server's memory grows by for each idle connection
compiler.check.<lines>.<what>       sidlc reading a file of so many lines
"""

import argparse
import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import tables
from idle import kib_per_connection, speak_raw, speak_shm, speak_simhandle
from targets import target

import compiler

HERE = Path(__file__).resolve().parent
START_SECONDS = 20
# By the rows' first word: where a server listens, settings of both ends, how calls travel, and what
# is beside them.
TRANSPORTS = {
    "simhandle": ("simhandle", {"SIDL_RMI_SHM": "off"}, "over loopback TCP", "raw blocking TCP"),
    "shm": ("simhandle", {"SIDL_RMI_SHM": "on"}, "through shared memory", "raw shared memory"),
    "secret": (
        "simhandle",
        {"SIDL_RMI_SHM": "off"},
        "over loopback TCP with a shared secret",
        "raw blocking TCP",
    ),
    "tls": (
        "simhandle+tls",
        {"SIDL_RMI_SHM": "off"},
        "over TLS 1.3 over loopback TCP",
        "raw TLS by OpenSSL",
    ),
    "ucx_shm": (
        "ucx",
        {"SIDL_RMI_SHM": "off", "UCX_TLS": "sysv,cma,self"},
        "over UCX through shared memory",
        "UCX's active messages",
    ),
    "ucx_tcp": (
        "ucx",
        {"SIDL_RMI_SHM": "off", "UCX_TLS": "tcp"},
        "over UCX over loopback TCP",
        "UCX's active messages",
    ),
}
AGAINST = {
    "yardstick.pointer.noop": "C function pointer",
    "yardstick.pointer.add": "C function pointer",
    "yardstick.virtual.noop": "C++ virtual call",
    "yardstick.virtual.add": "C++ virtual call",
    "yardstick.malloc": "malloc + free of the object's size",
}


def fail(message):
    print(f"bench: {message}", file=sys.stderr)
    sys.exit(1)


def run(command, **options):
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,
    )
    if done.returncode != 0:
        fail(f"{Path(command[0]).name} failed ({done.returncode}):\n{done.stdout}")
    return done.stdout


def build(stage, work, quick):
    """`quick`: not to be measured, so without optimisation, which takes longer than the rest."""
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "build.ninja").exists():
        options = [f"-DCMAKE_PREFIX_PATH={stage}", f"-DPython3_EXECUTABLE={sys.executable}"]
        if quick:
            options.append("-DCMAKE_BUILD_TYPE=None")
        run(["cmake", "-S", HERE, "-B", work, "-G", "Ninja", *options])
    run(["cmake", "--build", work])


def built_transports(stage, work):
    """Those that Shinar and the benchmark were built with."""
    has_ucx = (work / "has_ucx").read_text() == "1"
    has_ucx = has_ucx and (stage / "lib" / "libsidlx_ucx.so").exists()
    has_tls = (work / "has_tls").read_text() == "TRUE"
    has_tls = has_tls and (stage / "lib" / "libsidlx_tls.so").exists()
    has_secret = (stage / "lib" / "libsidlx_secret.so").exists()
    here = {"ucx_shm": has_ucx, "ucx_tcp": has_ucx, "tls": has_tls, "secret": has_secret}
    return [name for name in TRANSPORTS if here.get(name, True)]


def make_secret(work):
    """Which both ends must have."""
    path = work / "secret"
    path.touch(mode=0o600)
    path.write_bytes(os.urandom(32).hex().encode())
    os.environ["SIDL_SECRET_FILE"] = str(path)


def make_certificate(work):
    """What a server at 127.0.0.1 shows and its clients believe, in the environment."""
    key, certificate = work / "tls.key", work / "tls.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run(
        ["openssl", "req", "-x509", "-days", "1", "-subj", "/CN=bench", *curve]
        + ["-keyout", key, "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate]
    )
    names = {"SIDL_TLS_CA": certificate, "SIDL_TLS_CERT": certificate, "SIDL_TLS_KEY": key}
    os.environ.update({name: str(path) for name, path in names.items()})


def has_python(work):
    """Whether Shinar was built with its binding for Python."""
    return (work / "python_path").exists()


def languages(work):
    """Those whose calls to other processes are measured beside others."""
    has_java = (work / "bench_java.jar").exists()
    return ["python"] * has_python(work) + ["java"] * has_java


def on_core(core):
    """For Popen: the process and all its threads stay on one core."""
    return {"preexec_fn": functools.partial(os.sched_setaffinity, 0, {core})}


@contextlib.contextmanager
def started(command, core, **options):
    process = subprocess.Popen([str(part) for part in command], **on_core(core), **options)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


# ---- in process --------------------------------------------------------------------------------


# What changes when there is a second thread in the process, even if it sleeps: whatever counts.
COUNTING = ("array", "create", "cast")


def measure_in_process(work, core, samples, threads):
    command = [work / "bench_inproc", samples, "threads" if threads else ""]
    text = run(command, **on_core(core))
    found = [json.loads(line) for line in text.splitlines()]
    times = {each["name"]: each["ns"] for each in found}
    rows = []
    for each in found:
        against = each["yardstick"]
        if not against or (threads and not each["name"].endswith(COUNTING)):
            continue
        rows.append(
            make_row(
                f"inproc.{each['name']}" + (".threads" if threads else ""),
                each["ns"],
                "ns",
                times[against],
                AGAINST.get(against, f"inproc.{against}"),
            )
        )
    return rows


def measure_contracts(work, core, samples):
    text = run([work / "bench_contracts", samples], **on_core(core))
    found = [json.loads(line) for line in text.splitlines()]
    return [
        make_row(row["name"], row["ns"], "ns", row["yardstick"], row["against"]) for row in found
    ]


def run_python(work, core, *arguments):
    path = f"{(work / 'python_path').read_text()}{os.pathsep}{work}"
    environment = {**os.environ, "PYTHONPATH": path, "SIDL_DLL_PATH": str(work)}
    command = [sys.executable, HERE / "python" / "calls.py", *arguments]
    text = run(command, env=environment, **on_core(core))
    return [json.loads(line) for line in text.splitlines()]


def measure_python(work, core, samples):
    return [
        make_row(f"inproc.{row['name']}", row["ns"], "ns", row["yardstick"], row["against"])
        for row in run_python(work, core, samples)
    ]


def run_java(work, core, *arguments):
    jars = f"{work / 'bench_java.jar'}:{(work / 'class_path').read_text()}"
    environment = {**os.environ, "SIDL_DLL_PATH": str(work)}
    # One core: what compiles and collects must not wait for what is measured.
    command = ["java", "-XX:+UseSerialGC", f"-Dby.hand={work / 'libby_hand_jni.so'}"]
    command += ["--enable-native-access=ALL-UNNAMED", "-cp", jars, "Calls", *arguments]
    text = run(command, env=environment, **on_core(core))
    return [json.loads(line) for line in text.splitlines()]


def measure_java(work, core, samples):
    return [
        make_row(f"inproc.{row['name']}", row["ns"], "ns", row["yardstick"], row["against"])
        for row in run_java(work, core, samples)
    ]


# Where a process has its pages makes a call of ten cycles one longer or shorter, for all its life:
# a median of many processes.
FORTRAN_RUNS = 21


def measure_fortran(work, core, samples):
    command = [work / "bench_fortran", max(3, samples // 3)]
    runs = [
        [json.loads(line) for line in run(command, **on_core(core)).splitlines()]
        for _ in range(FORTRAN_RUNS)
    ]
    rows = []
    for found in zip(*runs):
        ns, yardstick = (median(each[key] for each in found) for key in ("ns", "yardstick"))
        name, against = found[0]["name"], found[0]["against"]
        rows.append(make_row(f"inproc.{name}", ns, "ns", yardstick, against))
    return rows


def measure_remote_from(language, stage, work, protocol, placement, cores, arguments):
    """Calls from Python or Java."""
    server_core, client_core = cores
    run_calls = {"python": run_python, "java": run_java}[language]
    with shinar_server(stage, work, server_core, protocol) as (_, url):
        found = run_calls(work, client_core, 4 * arguments.repeats, url)
    suffix = "" if placement == "same" else f".{placement}"
    return [
        make_row(
            f"{protocol}.{row['name']}{suffix}",
            row["ns"] / 1e3,
            "us",
            row["yardstick"] / 1e3,
            row["against"],
            placement=placement,
        )
        for row in found
    ]


def make_row(name, value, unit, yardstick, against, **more):
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "yardstick": yardstick,
        "ratio": round(value / yardstick, 3),
        "against": against,
        "target": target(name),
        "better": "higher" if unit == "calls/s" else "lower",
        **more,
    }


# ---- remote ------------------------------------------------------------------------------------


@contextlib.contextmanager
def shinar_server(
    stage, work, core, protocol, export="benchx.Target=libbenchx_impl.so", options=()
):
    """A server of classes of libraries in the work folder: CLASS=LIBRARY, with spaces between."""
    port_file = work / f"{protocol}.port"
    port_file.unlink(missing_ok=True)
    scheme, settings, _, _ = TRANSPORTS[protocol]
    os.environ.update(settings)  # of clients and yardsticks, too
    os.environ.pop("SIDL_SECRET_FILE", None)
    if protocol == "secret":
        make_secret(work)
    if protocol == "tls" and "SIDL_TLS_CERT" not in os.environ:
        make_certificate(work)
    command = [stage / "bin" / "sidl", "serve", "--listen", f"{scheme}://127.0.0.1:0"]
    command += ["--port-file", port_file, *options]
    for class_name, library in (each.split("=") for each in export.split()):
        command += ["--export", f"{class_name}={work / library}"]
    with started(command, core, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + START_SECONDS
        while not (port_file.exists() and port_file.read_text().strip()):
            if process.poll() is not None or time.monotonic() > deadline:
                fail(f"sidl serve did not start (status {process.poll()})")
            time.sleep(0.02)
        yield process, f"{scheme}://127.0.0.1:{port_file.read_text().strip()}"


@contextlib.contextmanager
def raw_server(work, core):
    with started([work / "bench_raw_server"], core, stdout=subprocess.PIPE, text=True) as process:
        yield process, int(process.stdout.readline())


@contextlib.contextmanager
def yardstick(work, core, protocol, placement):
    """The word by which raw.hpp knows the protocol's yardstick."""
    if protocol in ("simhandle", "secret"):
        how = []
    elif protocol == "shm":
        how = ["sleeps" if placement == "same" else "spins"]
    else:
        how = ["tls" if protocol == "tls" else "ucx"]
    command = [work / "bench_raw_server", *how]
    with started(command, core, stdout=subprocess.PIPE, text=True) as process:
        yield ":".join([*how, process.stdout.readline().strip()])


def measure_remote(stage, work, protocol, placement, cores, arguments):
    server_core, client_core = cores
    with contextlib.ExitStack() as servers:
        export = " ".join(f"benchx.{each}=libbenchx_impl.so" for each in ("Target", "Many"))
        _, url = servers.enter_context(shinar_server(stage, work, server_core, protocol, export))
        raw = servers.enter_context(yardstick(work, server_core, protocol, placement))
        command = [work / "bench_remote", url, raw]
        command += [arguments.repeats, arguments.seconds, arguments.largest]
        text = run(command, **on_core(client_core))
    rows = []
    for line in text.splitlines():
        found = json.loads(line)
        n = found["n"]
        name = f"{protocol}.{found['workload']}" + (f".{n}" if n else "")
        more = {"placement": placement}
        against = TRANSPORTS[protocol][3]
        if found["workload"] == "particles":
            against = "the same bytes as doubles"
        if found["workload"] == "records":
            against += ", packed by hand"
        if found["workload"] == "echo_double":
            more["mb_per_s"] = round(2 * 8 * n / found["us"], 2)
            more["yardstick_mb_per_s"] = round(2 * 8 * n / found["raw_us"], 2)
        if placement != "same":
            name += f".{placement}"
        rows.append(make_row(name, found["us"], "us", found["raw_us"], against, **more))
    return rows


def measure_beside_plain(stage, work, placement, cores, arguments):
    """Calls over TLS beside the same without."""
    server_core, client_core = cores
    with contextlib.ExitStack() as servers:
        _, url = servers.enter_context(shinar_server(stage, work, server_core, "tls"))
        _, plain = servers.enter_context(shinar_server(stage, work, server_core, "simhandle"))
        command = [work / "bench_remote", url, plain]
        command += [arguments.repeats, arguments.seconds, arguments.largest]
        text = run(command, **on_core(client_core))
    rows = []
    for found in map(json.loads, text.splitlines()):
        size = f".{found['n']}" if found["n"] else ""
        suffix = "" if placement == "same" else f".{placement}"
        name = f"tls.{found['workload']}{size}.plain{suffix}"
        times = (found["us"], "us", found["raw_us"])
        rows.append(make_row(name, *times, "the same over plain TCP", placement=placement))
    return rows


def measure_strands(stage, work, protocol, placement, cores, arguments):
    server_core, client_core = cores
    export = " ".join(f"benchx.{name}=libbenchx_impl.so" for name in ("Target", "Free"))
    with shinar_server(stage, work, server_core, protocol, export) as (_, url):
        # In turn, and often: the difference is small.
        command = [work / "bench_noops", url, "strands"]
        command += [20 * arguments.repeats, arguments.seconds / 10]
        found = json.loads(run(command, **on_core(client_core)))
    suffix = "" if placement == "same" else f".{placement}"
    name, against = f"{protocol}.noop.strands{suffix}", "a class with %attrib{concurrent}"
    times = (found["us"], "us", found["concurrent_us"])
    return [make_row(name, *times, against, placement=placement)]


def measure_calls(stage, work, protocol, placement, cores, arguments):
    server_core, client_core = cores
    with contextlib.ExitStack() as servers:
        _, url = servers.enter_context(shinar_server(stage, work, server_core, protocol))
        if protocol == "shm":
            beside = shinar_server(stage, work, server_core, protocol, options=["--no-shm"])
            against = "the same calls over TCP"
        else:
            beside = raw_server(work, server_core)
            against = "raw TCP, a thread for each connection"
        _, raw = servers.enter_context(beside)
        command = [work / "bench_calls", url, raw, arguments.repeats, arguments.seconds]
        text = run(command, **on_core(client_core))
    suffix = "" if placement == "same" else f".{placement}"
    return [
        make_row(
            f"{protocol}.calls.{found['threads']}{suffix}",
            found["rate"],
            "calls/s",
            found["raw_rate"],
            against,
            placement=placement,
        )
        for found in map(json.loads, text.splitlines())
    ]


def measure_idle(stage, work, protocol, core):
    with contextlib.ExitStack() as servers:
        ours, url = servers.enter_context(shinar_server(stage, work, core, protocol))
        raw, port = servers.enter_context(raw_server(work, core))
        speak = speak_shm if protocol == "shm" else speak_simhandle
        value = kib_per_connection(ours.pid, int(url.rsplit(":", 1)[1]), speak)
        yardstick = kib_per_connection(raw.pid, port, speak_raw)
    name = f"{protocol}.idle_connection"
    against = "raw TCP, a thread for each connection"
    return [make_row(name, round(value, 3), "KiB", round(yardstick, 3), against)]


# ---- output ------------------------------------------------------------------------------------


def verdict(row):
    """The target of a row, with a mark if it is missed."""
    if row["target"] is None:
        return f"{'':>7}"
    reached = row["value"] if row["unit"] == "KiB" else row["ratio"]
    missed = reached < row["target"] if row["better"] == "higher" else reached > row["target"]
    return f"{row['target']:>6.2f}" + ("*" if missed else " ")


def table_in_process(rows):
    yield "In process, ns per call"
    yield ""
    yield f"{'call':<28} {'ns':>9} {'yardstick':>10} {'ratio':>7} {'target':>7}  beside"
    for row in rows:
        yield (
            f"{row['name']:<28} {row['value']:>9.2f} {row['yardstick']:>10.2f}"
            f" {row['ratio']:>7.2f} {verdict(row)}  {row['against']}"
        )


def table_remote(rows, protocol, placement):
    where = {"same": "both ends on one core", "spread": "each end on its own core"}[placement]
    yield f"{protocol}: calls {TRANSPORTS[protocol][2]}, {placement}: {where}"
    yield ""
    yield (
        f"{'call':<36} {'us':>11} {'raw us':>11} {'MB/s':>9} {'raw MB/s':>9} {'ratio':>7}"
        f" {'target':>7}"
    )
    for row in rows:
        speed = f"{row['mb_per_s']:>9.1f}" if "mb_per_s" in row else f"{'':>9}"
        raw = f"{row['yardstick_mb_per_s']:>9.1f}" if "mb_per_s" in row else f"{'':>9}"
        yield (
            f"{row['name']:<36} {row['value']:>11.2f} {row['yardstick']:>11.2f} {speed} {raw}"
            f" {row['ratio']:>7.2f} {verdict(row)}"
        )


def table_rates(rows):
    yield "Calls per second of many threads, and memory of an idle connection in the server"
    yield ""
    yield f"{'call':<36} {'ours':>11} {'raw':>11} {'unit':>9} {'ratio':>7} {'target':>7}"
    for row in rows:
        yield (
            f"{row['name']:<36} {row['value']:>11.1f} {row['yardstick']:>11.1f} {row['unit']:>9}"
            f" {row['ratio']:>7.2f} {verdict(row)}"
        )


class Report:
    """The tables: printed as they are made, and kept for RESULTS.md."""

    def __init__(self):
        self.tables = []

    def show(self, lines):
        self.tables.append("\n".join(line.rstrip() for line in lines))
        print(self.tables[-1], end="\n\n", flush=True)

    def write(self, path, command):
        tables.put(path, command, "\n\n".join(self.tables))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", type=Path, required=True, help="where Shinar is installed")
    parser.add_argument("--work", type=Path, required=True, help="folder of the benchmark's build")
    parser.add_argument("--json", type=Path, help="file for the rows")
    parser.add_argument("--samples", type=int, default=31, help="of each call in process")
    parser.add_argument("--repeats", type=int, default=5, help="of each remote workload")
    parser.add_argument("--seconds", type=float, default=0.3, help="of one remote sample")
    parser.add_argument("--largest", type=int, default=4 << 20, help="doubles in an array")
    parser.add_argument("--quick", action="store_true", help="that it runs, not how fast")
    parser.add_argument("--results", action="store_true", help="put the tables into RESULTS.md")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.samples, arguments.repeats = 3, 1
        arguments.seconds, arguments.largest = 0.02, 64 << 10

    stage, work = arguments.stage.resolve(), arguments.work.resolve()
    build(stage, work, arguments.quick)
    cores = sorted(os.sched_getaffinity(0))
    report = Report()
    rows = []
    for threads in (False, True):
        rows += measure_in_process(work, cores[-1], arguments.samples, threads)
    rows += measure_contracts(work, cores[-1], arguments.samples)
    if has_python(work):
        rows += measure_python(work, cores[-1], arguments.samples)
    if (work / "bench_java.jar").exists():
        rows += measure_java(work, cores[-1], arguments.samples)
    if (work / "bench_fortran").exists():
        rows += measure_fortran(work, cores[-1], arguments.samples)
    report.show(table_in_process(rows))
    placements = {"same": (cores[-1], cores[-1])}
    if len(cores) > 1:
        placements["spread"] = (cores[0], cores[-1])
    # That of examples/protocol-plugin is made to be read, not to be fast: it is not among them.
    for protocol in built_transports(stage, work):
        for placement, pair in placements.items():
            found = measure_remote(stage, work, protocol, placement, pair, arguments)
            if protocol == "tls":
                found += measure_beside_plain(stage, work, placement, pair, arguments)
            if protocol == "simhandle":
                found += measure_strands(stage, work, protocol, placement, pair, arguments)
            for language in languages(work) if protocol in ("simhandle", "shm") else ():
                found += measure_remote_from(
                    language, stage, work, protocol, placement, pair, arguments
                )
            report.show(table_remote(found, protocol, placement))
            rows += found
        if protocol not in ("simhandle", "shm"):
            continue
        rates = []
        for placement, pair in placements.items():
            rates += measure_calls(stage, work, protocol, placement, pair, arguments)
        rates += measure_idle(stage, work, protocol, cores[-1])
        report.show(table_rates(rates))
        rows += rates
    found = compiler.measure(stage / "bin" / "sidlc", work, arguments.quick)
    report.show(compiler.table(found))
    rows += [make_row(*row) for row in found]
    if arguments.results:
        report.write(HERE / "RESULTS.md", "make bench BENCH_ARGS=--results")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
        print(f"{len(rows)} rows: {os.path.relpath(arguments.json)}")


if __name__ == "__main__":
    main()
