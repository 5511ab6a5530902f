"""What is fuzzed, and how: for test_fuzz.py, and for `make fuzz`, which runs this file.

fuzzing.py --build build-checked --seconds 600
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGETS = ["front_end", "frames", "arguments"]


def program(build, target):
    """Where the fuzzer is."""
    return Path(build) / "bin" / f"fuzz_{target}"


def seeds(target):
    """The folders with what a fuzzer begins with: a file for each construct, past crashes."""
    return [each for name in ("corpus", "crashes") if (each := HERE / name / target).is_dir()]


def mutate(build, target, seconds, learned):
    """The command that invents inputs for some seconds; new ones that reach new code are kept in
    the folder `learned`."""
    command = [program(build, target), f"-max_total_time={seconds}", "-timeout=20"]
    command += ["-rss_limit_mb=2048", "-print_final_stats=1"]
    dictionary = "sidl.dict" if target == "front_end" else "numbers.dict"
    command.append(f"-dict={HERE / dictionary}")
    return [str(part) for part in [*command, learned, *seeds(target)]]


def main():
    """Runs all fuzzers side by side; inputs that fail are left in the build folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--target", choices=TARGETS, action="append")
    options = parser.parse_args()
    running = []
    for target in options.target or TARGETS:
        learned = options.build / "corpus" / target
        learned.mkdir(parents=True, exist_ok=True)
        command = mutate(options.build.resolve(), target, options.seconds, learned.resolve())
        asan = os.environ.get("ASAN_OPTIONS", "")
        env = {**os.environ, "ASAN_OPTIONS": f"detect_stack_use_after_return=1:{asan}"}
        with (options.build / f"{target}.log").open("w") as log:
            process = subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, cwd=options.build, env=env
            )
        running.append((target, process))
    failed = [target for target, process in running if process.wait() != 0]
    for target, _ in running:
        log = (options.build / f"{target}.log").read_text(errors="replace")
        lines = [line for line in log.splitlines() if line.startswith(("stat::", "SUMMARY"))]
        print("\n".join([f"{target}:", *lines]))
    sys.exit(f"failed: {', '.join(failed)}; see {options.build}/*.log" if failed else 0)


if __name__ == "__main__":
    main()
