"""Measures Shinar beside other systems, in one run of their benchmark.

The benchmark is not part of Shinar: a folder with run.py and common/bench.hpp, which --peers names.
Its run.py starts every peer, Shinar as one among them by --extra, and prints the tables; here they
are made shorter (ratios to raw TCP) and, with --results, put into PEERS.md. So are Shinar and gRPC
over TLS, where they can be built. Where the benchmark or the systems it compares are missing, that
is said, and nothing is measured.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import tables

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
from certificates import Certificates  # noqa: E402

US = "shinar"
SYSTEMS = ["tcp", "omniorb", "ice", "capnp", "grpc", "thrift", "oncrpc", "zmq"]
OVER_TLS = "shinar_tls", "grpc_tls"


def skip(reason):
    print(f"bench-peers: skipped: {reason}")
    sys.exit(0)


def build(stage, peers, work):
    options = [f"-DCMAKE_PREFIX_PATH={stage}", f"-DPEERS={peers}"]
    subprocess.run(["cmake", "-S", HERE / "peers", "-B", work, "-G", "Ninja", *options], check=True)
    subprocess.run(["cmake", "--build", work], check=True)


def programs(stage, work):
    """The command of each peer that the benchmark does not have itself."""
    ours = [work / "shinar_peer"]
    found = {US: ours}
    if not (stage / "lib" / "libsidlx_tls.so").exists() or not shutil.which("openssl"):
        return found
    made = Certificates(work / "certificates")
    ca, cert, key = (made.path(name) for name in ("ca.pem", "server.pem", "server.key"))
    files = [f"SIDL_TLS_CA={ca}", f"SIDL_TLS_CERT={cert}", f"SIDL_TLS_KEY={key}"]
    found["shinar_tls"] = ["env", "BENCH_URL=simhandle+tls://127.0.0.1:0", *files, *ours]
    if (work / "grpc_tls").exists():
        files = [f"BENCH_TLS_CA={ca}", f"BENCH_TLS_CERT={cert}", f"BENCH_TLS_KEY={key}"]
        found["grpc_tls"] = ["env", *files, work / "grpc_tls"]
    return found


def measure(peers, ours, path, arguments):
    systems = ",".join([*SYSTEMS, *ours])
    command = [sys.executable, peers / "run.py", "--peers", systems, "--json", path, *arguments]
    for name, program in ours.items():
        command += ["--extra", f"{name}={shlex.join(str(part) for part in program)}"]
    subprocess.run([str(part) for part in command], check=True)
    return json.loads(path.read_text())


def size(n):
    return f"{n >> 20}Mi" if n >= 1 << 20 else f"{n >> 10}Ki" if n >= 1 << 10 else str(n)


def table(summary, placement, work, field, inverse):
    """Rows: systems; columns: sizes; entries: the ratio to raw TCP of the same size."""
    rows = [row for row in summary if row["pin"] == placement and row["work"] == work]
    values = {(row["peer"], row["n"]): row[field] for row in rows if field in row}
    sizes = sorted({n for _, n in values})
    names = [name for name in (US, *SYSTEMS, *OVER_TLS) if any((name, n) in values for n in sizes)]
    lines = [f"{'':10}" + "".join(f"{size(n) if work != 'noop' else '':>9}" for n in sizes)]
    for name in names:
        cells = []
        for n in sizes:
            ours, raw = values.get((name, n)), values.get(("tcp", n))
            ratio = (raw / ours if inverse else ours / raw) if ours and raw else None
            cells.append(f"{ratio:9.2f}" if ratio else f"{'-':>9}")
        lines.append(f"{name:10}" + "".join(cells))
    return lines


def report(found):
    titles = {
        "noop": "no-op round trip, time / raw TCP",
        "echo_double": "echo of n doubles, time / raw TCP",
        "sum_double": "n doubles there, time / raw TCP",
        "struct": "n records there, time / raw TCP",
        "clients": "calls/s of n threads, raw TCP / ours (below 1: more calls than raw TCP)",
    }
    lines = []
    for placement in found["placements"]:
        for work, title in titles.items():
            field = "calls_per_s" if work == "clients" else "median_us"
            lines += [f"{title} ({placement})", ""]
            lines += table(found["summary"], placement, work, field, work == "clients")
            lines.append("")
    memory = [row for row in found["summary"] if row["work"] == "mem" and row["pin"] == "same"]
    lines += ["memory of 1000 idle connections in the server, KiB each; threads", ""]
    for row in memory:
        each = (row["conns_kib"] - row["idle_kib"]) / row["n"]
        lines.append(f"{row['peer']:10}{each:9.1f}{row['threads_conns']:9.0f}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--stage", type=Path, required=True, help="an installation of Shinar")
    parser.add_argument("--work", type=Path, required=True, help="folder to build in")
    parser.add_argument("--peers", type=Path, required=True, help="folder of the benchmark")
    parser.add_argument("--results", action="store_true", help="put the tables into PEERS.md")
    options, others = parser.parse_known_args()

    if not (options.peers / "run.py").is_file():
        skip(f"there is no benchmark of peers in '{options.peers}' (make bench-peers PEERS=FOLDER)")
    built = Path(
        os.environ.get("PEERS_BUILD") or Path(os.environ.get("TMPDIR", "/tmp"), "peers-build")
    )
    if not (built / "raw_socket").is_file():
        skip(f"the systems to compare with are not built in '{built}' (run its install.sh)")
    peers = options.peers.resolve()
    stage, work = options.stage.resolve(), options.work.resolve()
    build(stage, peers, work)
    found = measure(peers, programs(stage, work), work / "peers.json", others or ["--repeat", "3"])
    text = report(found)
    print(f"\n{text}")
    if options.results:
        tables.put(HERE / "PEERS.md", "make bench-peers BENCH_ARGS=--results", text)


if __name__ == "__main__":
    main()
