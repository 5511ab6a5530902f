"""Measures what one hostile client costs ten honest ones, attack by attack (docs/fairness.md).

The server has a core, and the clients the other one, where the hostile client runs only when the
honest ones leave it idle (SCHED_IDLE): it takes nothing from them but what the server gives it.
Each figure stands beside that of the same clients alone, measured right before. All prove by
certificates who they are: the honest ones as one identity, so that they have together what the
hostile one has.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from certificates import Certificates

ATTACKS = (
    "connections",
    "slow-calls",
    "slow-calls-of-one",
    "short-calls",
    "one-way-calls",
    "silent-callbacks",
    "objects",
    "bytes",
)
CLIENTS = 10


def pinned(cores, idle=False):
    def prepare():
        os.sched_setaffinity(0, cores)
        if idle:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    return prepare


@contextlib.contextmanager
def running(command, cores, env, idle=False):
    """A process that says something when it is ready, and ends when its input does."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
        preexec_fn=pinned(cores, idle),
    )
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def environments(folder):
    """Of the server, the honest clients and the hostile one."""
    certificates = Certificates(folder)
    certificates.sign("ca", "mallory", "email:mallory@example.org")
    common = dict(os.environ, SIDL_RMI_SHM="off", SIDL_TLS_CA=certificates.path("ca.pem"))

    def of(name):
        cert, key = certificates.path(f"{name}.pem"), certificates.path(f"{name}.key")
        return dict(common, SIDL_TLS_CERT=cert, SIDL_TLS_KEY=key)

    server = dict(of("server"), SIDL_TLS_CLIENT_CA=certificates.path("ca.pem"))
    return server, of("alice"), of("mallory")


def measure(program, attack, seconds, envs, settle=2):
    """(alone, beside the attack): what the honest clients saw."""
    of_server, of_honest, of_hostile = envs
    cores = sorted(os.sched_getaffinity(0))
    ours, theirs = {cores[0]}, {cores[-1]}
    milliseconds = str(int(seconds * 1000))
    serve = [program, "serve", "simhandle+tls://127.0.0.1:0"]
    with running(serve, ours, of_server) as url:
        honest = [program, "honest", url, str(CLIENTS), milliseconds]

        def look():
            ended = subprocess.run(
                honest,
                stdout=subprocess.PIPE,
                env=of_honest,
                preexec_fn=pinned(theirs),
                timeout=60 + 20 * seconds,
            )
            return json.loads(ended.stdout)

        alone = look()
        with running([program, "hostile", url, attack], theirs, of_hostile, idle=True):
            time.sleep(settle)
            beside = look()
    return alone, beside


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/bin/protocols_fairness")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("attacks", nargs="*", default=ATTACKS)
    options = parser.parse_args()
    print("| attack | alone | beside it | times | failed |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        envs = environments(Path(folder))
        for attack in options.attacks:
            alone, beside = measure(options.program, attack, options.seconds, envs)
            times = beside["median"] / alone["median"]
            cells = (attack, alone["median"], beside["median"], f"{times:.2f}", beside["failed"])
            print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    main()
