"""A Java program that Maven builds, and its call of a server in another language."""

import os
import re
import shutil
import signal
import subprocess

import pytest

EXAMPLE = "examples/maven"


@pytest.fixture(scope="module")
def repository(root, stage, build_dir):
    """A Maven repository with Shinar in it; Maven's own plug-ins come from the network, once."""
    if not (stage / "lib" / "shinar" / "java").exists():
        pytest.skip("built without a JDK")
    if not shutil.which("mvn"):
        pytest.skip("no Maven here")
    folder = build_dir / "maven"
    done = subprocess.run(
        [root / "scripts" / "install_java.sh", stage, build_dir / "java-documentation",
         f"-Dmaven.repo.local={folder}"],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    if re.search(r"Could not transfer|Unknown host|Network is unreachable", output):
        pytest.skip("Maven's plug-ins cannot be had")
    assert done.returncode == 0, output
    return folder


def test_the_example_calls_a_server(repository, root, stage, run, cmake_build, tmp_path):
    project = tmp_path / "maven"
    shutil.copytree(root / EXAMPLE, project, ignore=shutil.ignore_patterns("target"))
    command = ["mvn", "-q", "-B", "package", f"-Dmaven.repo.local={repository}"]
    run([*command, f"-Dshinar.prefix={stage}"], cwd=project, timeout=600)
    assert (project / "target" / "generated-sources" / "sidl" / "stats" / "Sample.java").exists()

    run([stage / "bin" / "sidlc", "--new", "c++", "stats"], cwd=tmp_path)
    built = cmake_build(tmp_path / "stats", tmp_path / "build", as_users_do=True)
    (library,) = built.glob("*.so")
    server = subprocess.Popen(
        [stage / "bin" / "sidl", "serve", "--listen", "simhandle://127.0.0.1:0",
         "--export", f"stats.Sample={library}"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        url = re.search(r"listening on (\S+)", server.stdout.readline())[1]
        jars = [project / "target" / "stats-1.0.jar", stage / "lib/shinar/java/shinar.jar"]
        class_path = os.pathsep.join(map(str, jars))
        done = run(["java", "-cp", class_path, "Average", url, "1", "2", "6"])
        assert done.stdout == "mean: 3.0\n"
        done = run(["java", "-cp", class_path, "Average", url], status=1)
        assert done.stdout == "no mean: no values were added\n"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)
