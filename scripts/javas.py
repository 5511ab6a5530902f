"""Runs the tests of the Java binding with every JDK that this machine has, from 17 on.

Looked for are the java on the PATH, JAVA_HOME, and the folders where distributions and SDKMAN keep
JDKs. What Shinar was built with compiles the programs; each JDK runs them. Arguments are pytest's.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def version_of(home):
    """Its major version; 0 if it is no Java."""
    asked = subprocess.run([home / "bin" / "java", "-version"], capture_output=True, text=True)
    found = re.search(r'version "(\d+)', asked.stderr)
    return int(found[1]) if found else 0


def javas():
    """The JDKs of this machine, by folder."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if on_path := shutil.which("java"):
        homes.append(Path(on_path).resolve().parent.parent)
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    homes += sorted((Path.home() / ".sdkman" / "candidates" / "java").glob("*"))
    found = {}
    for home in homes:
        real = home.resolve()
        if (real / "lib" / "server" / "libjvm.so").exists() and version_of(real) >= 17:
            found[real] = version_of(real)
    return found


def main():
    """The status is 1 if a test failed with one of them."""
    failed = []
    for home, version in javas().items():
        print(f"== Java {version}: {home}", flush=True)
        command = [sys.executable, "-m", "pytest", "-q", ROOT / "tests" / "java", *sys.argv[1:]]
        done = subprocess.run(command, env={**os.environ, "SHINAR_JAVA": str(home)})
        if done.returncode != 0:
            failed.append(str(home))
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
