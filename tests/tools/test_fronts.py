"""The fronts of ranks, which launchers start, and what `sidl launch` and they say to each other;
the launcher is a script here."""

import re
import socket
import stat
import subprocess

from jobs import MANY_HOSTS, SECONDS, is_alive, wait_until


def fake_mpiexec(folder, text):
    program = folder / "fake-mpiexec"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return ["--launcher=mpiexec", f"--mpiexec={program}"]


def test_a_launcher_that_fails(job, launch, tmp_path):
    """It says what it has to say, and starts nothing, or too little, or too much."""
    file = job('[a]\nranks = 2\ncommand = ["true"]\n')
    done = launch(file, *fake_mpiexec(tmp_path, "echo no slots >&2; exit 3"), status=3)
    assert "a: no slots\n" in done.stderr
    assert "fake-mpiexec' of a ended with status 3 without a.0, which had not" in done.stderr
    one = 'shift 2; PMI_RANK=0 "$@"'
    done = launch(file, *fake_mpiexec(tmp_path, one), status=1)
    assert "ended with status 0 without a.1, which had not ended" in done.stderr
    done = launch(file, *fake_mpiexec(tmp_path, one + "; exit 4"), status=4)
    three = 'shift 2; for PMI_RANK in 0 1 2; do export PMI_RANK; "$@" & done; wait'
    done = launch(file, *fake_mpiexec(tmp_path, three))
    assert "rank 2 of a, which has 2 ranks: its options must not say how many" in done.stderr
    none = 'shift 2; "$@"'
    done = launch(file, *fake_mpiexec(tmp_path, none), status=1)
    assert "a: sidl: the launcher has told a process of a no rank: none of OMPI_COMM" in done.stderr
    late = 'shift 2; for PMI_RANK in 0 1; do export PMI_RANK; "$@" & done; wait; exit 5'
    done = launch(file, *fake_mpiexec(tmp_path, late), status=5)
    assert "of a ended with status 5, though none of its ranks did" in done.stderr


def test_ranks_that_never_come(job, launch, tmp_path):
    silent = 'shift 2; PMI_RANK=0 "$@" & sleep 600'
    file = job('[a]\nranks = 2\ncommand = ["sleep", "600"]\n')
    done = launch(file, "--wait=2", *fake_mpiexec(tmp_path, silent), status=1)
    assert "sidl: a.1 has not come after 2 s (--wait): either its launcher has not" in done.stderr


def test_a_rank_that_comes_too_late(job, launch, tmp_path):
    """The job is ending: it is not started any more."""
    one_by_one = """trap '' TERM; shift 2; PMI_RANK=0 "$@"; PMI_RANK=1 "$@" """
    run = "test $SIDL_RANK = 0 && exit 7; touch {folder}/ran; sleep 600"
    file = job(f'[a]\nranks = 2\ncommand = ["sh", "-c", "{run}"]\n')
    done = launch(file, *fake_mpiexec(tmp_path, one_by_one), status=7)
    assert done.stderr == "sidl: a.0 ended with status 7; ending all others\n"
    assert not (tmp_path / "ran").exists()


def test_an_end_that_comes_with_the_welcome(sidl_tool, tmp_path, monkeypatch):
    """The program is started, and told to end."""
    monkeypatch.setenv("PMI_RANK", "0")
    monkeypatch.chdir(tmp_path)
    words = ["unix s", "60000", "1", "SIDL_RANK", "0", "1", "proof", "a.0", "", "2", "sleep"]
    (tmp_path / "a.ranks").write_text("".join(word + "\0" for word in [*words, "600", "0"]))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        listener.listen()
        front = subprocess.Popen([sidl_tool, "rank", "--from=PMI_RANK", "a.ranks", "a"])
        try:
            listener.settimeout(SECONDS)
            line = listener.accept()[0]
            with line:
                line.settimeout(SECONDS)
                assert line.recv(100).endswith(b"a\0000\0proof\0")
                line.sendall(b"w\0\0\0\0" + b"k\0\0\0\00215")
                assert line.recv(100) == b"x\0\0\0\003143"
            assert front.wait(SECONDS) == 0
        finally:
            front.kill()
            front.wait()


def test_the_end_of_a_front(job, launch, tmp_path):
    """What it runs ends, too."""
    (tmp_path / "kill.sh").write_text("echo $$ > $1; kill -9 $PPID; sleep 600\n")
    file = job('[a]\ncommand = ["sh", "{folder}/kill.sh", "{folder}/pid"]\n')
    options = fake_mpiexec(tmp_path, 'shift 2; PMI_RANK=0 exec "$@"')
    done = launch(file, *options, status=137)
    assert (
        "sidl: a.0 was lost: its host, or what its launcher has started there, was" in done.stderr
    )
    wait_until(lambda: not is_alive(int((tmp_path / "pid").read_text())))


def test_a_rank_of_another_launcher(job, launch, tmp_path, monkeypatch):
    """What is left in the environment of whoever started `sidl launch` is no rank."""
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "5")
    options = fake_mpiexec(tmp_path, 'shift 2; PMI_RANK=0 exec "$@"')
    done = launch(job('[a]\ncommand = ["sh", "-c", "echo $SIDL_RANK"]\n'), *options)
    assert done.stdout == "a.0: 0\n"


def test_a_host_without_the_folder(sidl_tool, run, monkeypatch):
    monkeypatch.setenv("PMI_RANK", "1")
    done = run([sidl_tool, "rank", "--from=X,PMI_RANK", "/no-such/a.ranks", "a"], status=1)
    where = r"a\.1 is on \S+, which does not have /no-such/a\.ranks"
    assert re.search(rf"{where}: .*--hosts=many", done.stderr)
    assert "rank" not in run([sidl_tool, "--help"]).stdout.split()


def test_strangers_at_the_launcher(job, sidl_tool, tmp_path, job_folders):
    """Who does not know what only the owner of the job can read changes nothing."""
    text = (
        '[a]\ncommand = ["sh", "-c", "until test -e {folder}/go; do sleep 0.05; done; echo on"]\n'
    )
    wait = "until test -e go; do sleep 0.05; done; "
    options = fake_mpiexec(tmp_path, f'cd {tmp_path}; shift 2; {wait}PMI_RANK=0 exec "$@"')
    command = [sidl_tool, "launch", *options, *MANY_HOSTS, f"--shared={tmp_path / 'shared'}"]
    process = subprocess.Popen([*command, job(text)], stdout=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: any((each / "a.ranks").exists() for each in job_folders()))
        (folder,) = job_folders()
        file = folder / "a.ranks"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        kind, host, port = file.read_text().split("\0")[0].split()
        assert (kind, host) == ("tcp", "127.0.0.1")
        guess = b"a\x000\x00" + 32 * b"0" + b"\0"
        for said in (b"h" + len(guess).to_bytes(4, "big") + guess, b"GET / HTTP/1.1\r\n\r\n"):
            with socket.create_connection((host, int(port)), timeout=SECONDS) as stranger:
                stranger.sendall(said)
                assert stranger.recv(100) == b""
        (tmp_path / "go").touch()
        assert process.communicate(timeout=SECONDS)[0] == "a.0: on\n"
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()
